import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CommitOrder } from './commit-order.js';

const SCOPE = { tenantId: 'acme', scope: 'user:1' };
const OTHER = { tenantId: 'acme', scope: 'user:2' };

describe('CommitOrder', () => {
  let order: CommitOrder;
  let told: string[];
  const tell = (name: string) => () => void told.push(name);

  beforeEach(() => {
    jest.useFakeTimers();
    order = new CommitOrder(1_000);
    told = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('tells at once where nothing earlier is left to tell', () => {
    const first = order.enter(SCOPE, 'write');
    first.tell(tell('first'));
    order.enter(SCOPE, 'write').tell(tell('second'));
    expect(told).toEqual(['first', 'second']);
  });

  it('holds what came later until the earlier is told', () => {
    const [first, second, third] = [1, 2, 3].map(() => order.enter(SCOPE, 'write'));
    third?.tell(tell('third'));
    second?.tell(tell('second'));
    expect(told).toEqual([]);
    first?.tell(tell('first'));
    expect(told).toEqual(['first', 'second', 'third']);
  });

  it('does not wait for what came to nothing', () => {
    const [first, second] = [1, 2].map(() => order.enter(SCOPE, 'write'));
    second?.tell(tell('second'));
    first?.leave();
    expect(told).toEqual(['second']);
  });

  it('does not wait for another scope', () => {
    order.enter(SCOPE, 'write');
    order.enter(OTHER, 'write').tell(tell('other'));
    expect(told).toEqual(['other']);
  });

  it('does not wait for a lock that stood beside its own, and may still be held', () => {
    order.enter(SCOPE, 'shared');
    order.enter(SCOPE, 'shared').tell(tell('shared'));
    order.enter(SCOPE, 'write').tell(tell('write'));
    expect(told).toEqual(['shared', 'write']);
  });

  it('does not wait for the one that may be at work beside it, but for all before that, and all wait for it', () => {
    const [ended, atWork, beside, other, write] = (['write', 'write', 'beside', 'beside', 'write'] as const).map(
      (lock) => order.enter(SCOPE, lock),
    );
    write?.tell(tell('write'));
    other?.tell(tell('other'));
    beside?.tell(tell('beside'));
    expect(told).toEqual([]);
    ended?.tell(tell('ended'));
    expect(told).toEqual(['ended', 'beside', 'other']);
    atWork?.tell(tell('at work'));
    expect(told).toEqual(['ended', 'beside', 'other', 'at work', 'write']);
  });

  it('waits for every lock where it was alone, and all wait for it', () => {
    const [shared, write] = [order.enter(SCOPE, 'shared'), order.enter(SCOPE, 'write')];
    const alone = order.enter(SCOPE, 'alone');
    order.enter(SCOPE, 'shared').tell(tell('later'));
    alone.tell(tell('alone'));
    write.tell(tell('write'));
    expect(told).toEqual(['write']);
    shared.tell(tell('shared'));
    expect(told).toEqual(['write', 'shared', 'alone', 'later']);
  });

  it('gives up one whose answer never comes, and still tells of it should it come', () => {
    const lost = order.enter(SCOPE, 'write');
    order.enter(SCOPE, 'write').tell(tell('second'));
    jest.advanceTimersByTime(999);
    expect(told).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(told).toEqual(['second']);
    order.enter(SCOPE, 'write').tell(tell('third'));
    lost.tell(tell('lost'));
    expect(told).toEqual(['second', 'third', 'lost']);
  });
});
