import { describe, expect, it } from '@jest/globals';
import { HandIns } from './hand-ins.js';

describe('hand-ins', () => {
  it('waits for those under way, for those that come meanwhile, and for failed ones', async () => {
    const handIns = new HandIns();
    let failFirst = (_error: Error): void => undefined;
    let bringSecond = (): void => undefined;
    const first = new Promise<void>((_, reject) => (failFirst = reject));
    const second = new Promise<void>((resolve) => (bringSecond = resolve));
    const ended: string[] = [];
    const failing = handIns.track(first);
    void failing.catch(() => {
      ended.push('first');
      void handIns.track(second).then(() => ended.push('second'));
    });
    const settled = handIns.settled().then(() => ended.push('settled'));
    failFirst(new Error('down'));
    await expect(failing).rejects.toThrow('down');
    expect(handIns.size).toBe(1);
    bringSecond();
    await settled;
    expect(ended).toEqual(['first', 'second', 'settled']);
    expect(handIns.size).toBe(0);
  });
});
