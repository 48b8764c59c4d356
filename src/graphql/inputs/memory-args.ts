import type { PipeTransform } from '@nestjs/common';
import { Args } from '@nestjs/graphql';
import { validateSync } from 'class-validator';
import { InvalidInputError } from '../../errors/invalid-input-error.js';

type ArgsClass = new () => object;

/**
 * Holds an argument to the rules of its class. Bound to the parameter: so it runs in a host without a ValidationPipe, and
 * one of the host's, which sees no class there, leaves our arguments alone.
 */
class RulesPipe implements PipeTransform<object, object> {
  constructor(private readonly type: ArgsClass) {}

  transform(value: object): object {
    const instance: object = Object.assign(new this.type(), value);
    // A class whose fields the schema alone holds to their form has no rules: it is no unknown value.
    const [fault] = validateSync(instance, { forbidUnknownValues: false, stopAtFirstError: true });
    if (fault) {
      const [message = `${fault.property} is not valid.`] = Object.values(fault.constraints ?? {});
      throw new InvalidInputError(fault.property, message);
    }
    return value;
  }
}

/** All arguments of a field, by the rules of their class. */
export function MemoryArgs(type: ArgsClass): ParameterDecorator {
  return Args({ type: () => type }, new RulesPipe(type));
}

/** The argument `input` of a field, by the rules of its class. */
export function MemoryInput(type: ArgsClass): ParameterDecorator {
  return Args('input', { type: () => type }, new RulesPipe(type));
}
