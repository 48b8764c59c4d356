import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { GraphQLISODateTime } from '@nestjs/graphql';
import { Kind, getNamedType, isInputObjectType } from 'graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import type { GraphQLInputType, GraphQLResolveInfo, ValueNode } from 'graphql';
import type { GraphQLContext } from '../../access/identifiable-request.js';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { sentVariables } from './sent-variables.js';

/** A day, or a moment with its offset: without one it would be read in the zone of the server. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i;

/**
 * Lets a field run unless a scalar of its arguments would be read as something else than what was written.
 *
 * Nest's `DateTime` takes whatever `new Date` takes: 5 and true are moments of 1970, February 30 is one in March, a time
 * without an offset is one of the server's zone, and a literal that is no string is null, so that
 * `expiresAt: 1900000000` would take an expiry away. `JSONObject` of graphql-scalars leaves out what no JSON has, so that
 * of `metadata: { a: RED }` nothing would be stored.
 */
@Injectable()
export class ScalarGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const info = context.getArgByIndex<GraphQLResolveInfo>(3);
    const sent = sentVariables(context.getArgByIndex<GraphQLContext | undefined>(2), info);
    const types = new Map(info.parentType.getFields()[info.fieldName]?.args.map(({ name, type }) => [name, type]));
    for (const { name, value } of info.fieldNodes.flatMap((node) => node.arguments ?? [])) {
      const type = types.get(name.value);
      if (type) refuseLiterals(name.value, value, type, info, sent);
    }
    return true;
  }
}

function refuseLiterals(
  field: string,
  value: ValueNode,
  type: GraphQLInputType,
  info: GraphQLResolveInfo,
  sent: readonly Readonly<Record<string, unknown>>[],
): void {
  const named = getNamedType(type);
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value;
    const definition = info.operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    if (definition?.defaultValue) refuseLiterals(field, definition.defaultValue, type, info, sent);
    for (const variables of sent) if (Object.hasOwn(variables, name)) refuseValues(field, variables[name], type);
  } else if (value.kind === Kind.OBJECT && isInputObjectType(named)) {
    const fields = named.getFields();
    for (const { name, value: given } of value.fields) {
      const definition = fields[name.value];
      if (definition) refuseLiterals(name.value, given, definition.type, info, sent);
    }
  } else if (named.name === GraphQLJSONObject.name) {
    refuseNames(field, value);
  } else if (named.name === GraphQLISODateTime.name && value.kind !== Kind.NULL) {
    refuseDate(field, value.kind === Kind.STRING ? value.value : undefined);
  }
}

function refuseValues(field: string, value: unknown, type: GraphQLInputType): void {
  if (value === null || value === undefined) return;
  const named = getNamedType(type);
  if (named.name === GraphQLISODateTime.name) refuseDate(field, value);
  else if (isInputObjectType(named) && typeof value === 'object') {
    const fields = named.getFields();
    for (const [name, given] of Object.entries(value)) {
      const definition = fields[name];
      if (definition) refuseValues(name, given, definition.type);
    }
  }
}

/** Of enums: a name without quotes. */
function refuseNames(field: string, value: ValueNode): void {
  if (value.kind === Kind.ENUM) {
    throw new InvalidInputError(
      field,
      `${field} must be JSON, and a name without quotes is none. Write it as a string.`,
    );
  }
  const below =
    value.kind === Kind.LIST ? value.values : value.kind === Kind.OBJECT ? value.fields.map((f) => f.value) : [];
  for (const part of below) refuseNames(field, part);
}

function refuseDate(field: string, value: unknown): void {
  const day = typeof value === 'string' ? DATE.exec(value)?.[1] : undefined;
  const midnight = new Date(`${day}T00:00:00Z`);
  // A day that its month does not have is counted on into the next one.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) {
    throw new InvalidInputError(field, `${field} must be a date-time string, such as "2030-01-31T12:00:00Z".`);
  }
}
