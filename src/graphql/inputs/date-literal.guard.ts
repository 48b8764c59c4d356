import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { GraphQLISODateTime } from '@nestjs/graphql';
import { Kind, getNamedType, isInputObjectType } from 'graphql';
import type { GraphQLInputType, GraphQLResolveInfo, ValueNode } from 'graphql';
import { InvalidInputError } from '../../errors/invalid-input-error.js';

/**
 * Lets a field run unless the document holds a date that is no string: Nest's `DateTime` reads such a literal as null, so
 * that `expiresAt: 1900000000` would take an expiry away.
 */
@Injectable()
export class DateLiteralGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const info = context.getArgByIndex<GraphQLResolveInfo>(3);
    const types = new Map(info.parentType.getFields()[info.fieldName]?.args.map(({ name, type }) => [name, type]));
    for (const { name, value } of info.fieldNodes.flatMap((node) => node.arguments ?? [])) {
      const type = types.get(name.value);
      if (type) refuseDates(name.value, value, type, info);
    }
    return true;
  }
}

function refuseDates(field: string, value: ValueNode, type: GraphQLInputType, info: GraphQLResolveInfo): void {
  if (value.kind === Kind.VARIABLE) {
    // Variables themselves are read from JSON, by other rules; the default of one is a literal.
    const definition = info.operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === value.name.value,
    );
    if (definition?.defaultValue) refuseDates(field, definition.defaultValue, type, info);
    return;
  }
  const named = getNamedType(type);
  if (value.kind === Kind.OBJECT && isInputObjectType(named)) {
    const fields = named.getFields();
    for (const { name, value: given } of value.fields) {
      const definition = fields[name.value];
      if (definition) refuseDates(name.value, given, definition.type, info);
    }
  } else if (named.name === GraphQLISODateTime.name && value.kind !== Kind.STRING && value.kind !== Kind.NULL) {
    throw new InvalidInputError(field, `${field} must be a date-time string, such as "2030-01-31T12:00:00Z".`);
  }
}
