import { describe, expect, it } from '@jest/globals';
import { InvalidScopeError } from '../errors/invalid-scope-error.js';
import { validateScope } from './validate-scope.js';

describe('validateScope', () => {
  it.each(['user:42', '%', '_', '\\', 'a:b:c', ' padded ', '😀'.repeat(256)])('takes %j as it is', (scope) => {
    expect(validateScope({ tenantId: 'acme', scope })).toEqual({ tenantId: 'acme', scope });
  });

  it.each([undefined, null, '', ' ', '\u00a0', 42, 42n, {}, ['user:1'], true, 'x\u0000', 'x\ud800', 'x'.repeat(257)])(
    'refuses the scope %p',
    (scope) => {
      expect(() => validateScope({ tenantId: 'acme', scope })).toThrow(InvalidScopeError);
    },
  );

  it.each([undefined, null, '', 1, { toString: () => 'acme' }, 'x'.repeat(129)])(
    'refuses the tenant %p',
    (tenantId) => {
      expect(() => validateScope({ tenantId, scope: 'user:1' })).toThrow(
        expect.objectContaining({ field: 'tenantId', code: 'INVALID_SCOPE' }),
      );
    },
  );

  it.each([undefined, null, 'user:1', 7])('refuses %p in place of a scope', (scope) => {
    expect(() => validateScope(scope)).toThrow(InvalidScopeError);
  });

  it('cannot be changed by the caller afterwards', () => {
    const given = { tenantId: 'acme', scope: 'user:1' };
    const scope = validateScope(given);
    given.scope = 'user:2';
    expect(scope.scope).toBe('user:1');
    expect(Object.isFrozen(scope)).toBe(true);
  });
});
