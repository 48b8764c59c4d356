import { describe, expect, it } from '@jest/globals';
import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { StorageError } from '../../errors/storage-error.js';
import { UnavailableError } from '../../errors/unavailable-error.js';
import { storageFailure } from './driver-error.js';

const driverError = (code: string): Error =>
  Object.assign(new Error('detail that prints "Is vegetarian"'), { driverError: { code } });

describe('what callers see of a failure of the driver', () => {
  it.each([
    ['28P01', /refused the user or the password \(28P01\)/],
    ['28000', /refused the user or the password \(28000\)/],
    ['3D000', /database does not exist .* Create it/],
    ['42P01', /tables of nestjs-engram are missing .* engramMigrations\(\) .* "migrate: true"/],
    ['25P01', /had ended before the call did .* Await every call inside it/],
    ['25P02', /A statement before the call failed, .* Roll it back/],
    ['23514', /refused a statement \(SQLSTATE 23514\)/],
  ])('says what to do about %s', (code, message) => {
    const failure = storageFailure(driverError(code));
    expect(failure).toBeInstanceOf(StorageError);
    expect(failure.message).toMatch(message);
  });

  it.each([
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Cannot use a pool after calling end on the pool'),
    new QueryRunnerAlreadyReleasedError(),
  ])('takes %s for a connection that was lost, which may be tried again', (error) => {
    expect(storageFailure(error)).toBeInstanceOf(UnavailableError);
  });

  it('takes a database that only reads for one that is being replaced by another', () => {
    const failure = storageFailure(driverError('25006'));
    expect(failure).toBeInstanceOf(UnavailableError);
    expect(failure.message).toMatch(/takes no writes now \(25006\): it is a standby/);
  });

  it('names the time-out of the database where a statement was ended', () => {
    const failure = storageFailure(driverError('57014'));
    expect(failure).toBeInstanceOf(UnavailableError);
    expect(failure.message).toMatch(/before it was done \(57014\): its statement_timeout/);
  });

  it('keeps nothing of the driver but the code', () => {
    const failure = storageFailure(driverError('23514'));
    expect(failure.message).not.toContain('vegetarian');
    expect(failure.cause).toBeUndefined();
  });
});
