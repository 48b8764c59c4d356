import { describe, expect, it } from '@jest/globals';
import { FaultLog, isOutage } from './fault-log.js';

const LOST = [
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection is closed.',
  'timeout exceeded when trying to connect',
];

describe('the log of a broker that fails', () => {
  it.each(LOST)('takes "%s" for an outage, whoever says it', (message) => {
    expect(isOutage(new Error(message))).toBe(true);
  });

  it('tells of an outage once, in however many words it comes, and once that it is over', () => {
    const lines: string[] = [];
    const tell = (line: string): void => void lines.push(line.replace(/\. .*/, ''));
    const log = new FaultLog('a-queue', { warn: tell, log: tell });
    log.answered();
    for (const message of LOST) log.failed(new Error(message));
    log.failed(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    log.answered();
    log.answered();
    expect(lines).toEqual(['The queue a-queue fails: CLOSED', 'The queue a-queue answers again.']);
  });

  it('tells of a fault that will not pass by itself beside the outage', () => {
    const lines: string[] = [];
    const tell = (line: string): void => void lines.push(line.replace(/\. .*/, ''));
    const log = new FaultLog('a-queue', { warn: tell, log: tell });
    log.failed(new Error(LOST[0]));
    log.failed(Object.assign(new Error('password authentication failed'), { code: '28P01' }));
    expect(lines).toEqual(['The queue a-queue fails: CLOSED', 'The queue a-queue fails: 28P01']);
  });
});
