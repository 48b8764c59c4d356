import { beforeEach, describe, expect, it } from '@jest/globals';
import { ScopeSwitches } from './scope-switches.js';

const ADA = { tenantId: 'acme', scope: 'user:1' };
const BOB = { tenantId: 'acme', scope: 'user:10' };

describe('the switches that are kept in mind', () => {
  let now: number;
  let asked: string[];
  let off: Set<string>;
  let switches: ScopeSwitches;
  const store = {
    settings: async ({ scope }: { scope: string }) => {
      asked.push(scope);
      return { enabled: !off.has(scope) };
    },
  };
  beforeEach(() => {
    now = 0;
    asked = [];
    off = new Set();
    switches = new ScopeSwitches(() => now);
  });

  it('ask once in some seconds for a scope that is on', async () => {
    for (now = 0; now < 5_000; now += 1_000) expect(await switches.isOn(store, ADA)).toBe(true);
    expect(asked).toHaveLength(1);
    expect(await switches.isOn(store, ADA)).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('ask each time for a scope that is off, so that it is on as soon as it is switched', async () => {
    off.add(ADA.scope);
    expect([await switches.isOn(store, ADA), await switches.isOn(store, ADA)]).toEqual([false, false]);
    off.clear();
    expect(await switches.isOn(store, ADA)).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it('know a scope by tenant and name', async () => {
    await switches.isOn(store, ADA);
    off.add(BOB.scope);
    expect(await switches.isOn(store, BOB)).toBe(false);
    await switches.isOn(store, { tenantId: 'acme2', scope: ADA.scope });
    expect(asked).toEqual([ADA.scope, BOB.scope, ADA.scope]);
  });

  it('ask again once a scope is forgotten', async () => {
    await switches.isOn(store, ADA);
    off.add(ADA.scope);
    switches.forget(ADA);
    expect(await switches.isOn(store, ADA)).toBe(false);
  });

  it('do not keep an answer that was under way while a switch was turned', async () => {
    const late = switches.isOn(store, ADA);
    off.add(ADA.scope);
    switches.forget(ADA);
    await late;
    expect(await switches.isOn(store, ADA)).toBe(false);
  });

  it('keep no more than a bounded number in mind', async () => {
    for (let n = 0; n <= 10_000; n += 1) await switches.isOn(store, { tenantId: 'acme', scope: `user:${n}` });
    asked = [];
    await switches.isOn(store, { tenantId: 'acme', scope: 'user:0' });
    expect(asked).toEqual(['user:0']);
  });
});
