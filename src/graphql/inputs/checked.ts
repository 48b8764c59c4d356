import { ValidateBy } from 'class-validator';
import { EngramError } from '../../errors/engram-error.js';

/** A check of a use case: throws an `EngramError` that names the field. */
type Check = (field: string, value: unknown) => unknown;

function refusal(check: Check, field: string, value: unknown): string | null {
  // The schema says where null may stand, and it means absent there.
  if (value === null || value === undefined) return null;
  try {
    check(field, value);
    return null;
  } catch (error) {
    if (error instanceof EngramError) return error.message;
    throw error;
  }
}

/** A class-validator rule that asks what the use case asks, so that both refuse the same in the same words. */
export function Checked(check: Check): PropertyDecorator {
  return ValidateBy({
    name: 'checked',
    validator: {
      validate: (value, args) => refusal(check, args?.property ?? '', value) === null,
      defaultMessage: (args) => refusal(check, args?.property ?? '', args?.value) ?? '',
    },
  });
}
