import { isEnumType, isInputObjectType, isListType, isNonNullType, isObjectType } from 'graphql';
import type { GraphQLInputType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Random } from '../support/random.js';

export interface Operation {
  readonly query: string;
  readonly variables: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

type Root = 'query' | 'mutation' | 'subscription';

/** What a string may be, beside what the test names: whatever a scope, an id, a cursor or a date is not. */
const STRINGS = [
  '',
  ' ',
  '\u0000',
  '\ud83e',
  '🦉'.repeat(3),
  "'; DROP TABLE engram.memories; --",
  '%',
  '__proto__',
  'user:*',
  '2030-01-31T12:00:00Z',
  '2030-02-30',
  '{"a":1}',
  'x'.repeat(2_000),
  '00000000-0000-7000-8000-000000000000',
];
const NUMBERS = [0, 1, -1, 2, 100, 0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 53), 1e308];

/** Makes operations over a schema: most of them nearly valid, each by chance. */
export class RandomOperations {
  private fragments: string[] = [];
  /** Whether this operation may be wrong by the schema, and not only in its values. */
  private isWild = false;
  private aliases = 0;
  private variables: { readonly name: string; readonly declared: string; readonly value: unknown }[] = [];

  /** @param strings that mean something to the app: ids, scopes, cursors */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly random: Random,
    private readonly strings: readonly string[],
  ) {}

  next(root: Root): Operation {
    this.fragments = [];
    this.variables = [];
    const { random } = this;
    this.isWild = random.chance(0.3);
    const type = this.schema.getRootType(root as never);
    const selection = type ? this.selection(type, 0) : '{ nothing }';
    const name = random.chance(0.3) ? 'Asked' : '';
    const declared = this.variables.filter(() => !this.wild(0.05)).map((variable) => variable.declared);
    const head = declared.length > 0 ? `${root} ${name}(${declared.join(', ')})` : `${root} ${name}`;
    const others = random.chance(0.03) ? ['query Other { memorySettings { enabled } }'] : [];
    const variables = Object.fromEntries(
      this.variables.filter(() => !random.chance(0.04)).map(({ name: key, value }) => [key, value]),
    );
    return {
      query: [`${head} ${selection}`, ...this.fragments, ...others].join('\n'),
      variables: random.chance(0.02) ? this.anything() : variables,
      ...(random.chance(0.05) && { operationName: random.of<unknown>(['Asked', 'Other', '', null, 5, {}]) }),
      ...(random.chance(0.05) && {
        extensions: random.of<unknown>([null, 'x', [], { persistedQuery: { version: 1, sha256Hash: 'x' } }, { a: 1 }]),
      }),
    };
  }

  private selection(type: GraphQLObjectType, depth: number): string {
    const { random } = this;
    const fields = Object.values(type.getFields());
    const chosen = Array.from({ length: 1 + random.upTo(depth > 0 ? 4 : type.name === 'Subscription' ? 0 : 2) }, () =>
      random.of(fields),
    );
    const parts = chosen.map((field) => {
      const named = this.schema.getType(String(field.type).replace(/[[\]!]/g, ''));
      const below = isObjectType(named) && depth < 6 ? ` ${this.selection(named, depth + 1)}` : '';
      const alias = this.wild(0.2) ? '' : `a${this.aliases++}: `;

      const args = field.args.flatMap(({ name, type: of }) =>
        isNonNullType(of) || random.chance(0.4) ? [`${name}: ${this.argument(of, name)}`] : [],
      );
      if (this.wild(0.05)) args.push('nonsense: 1');
      return `${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${this.directives()}${below}`;
    });
    if (random.chance(0.05)) parts.push('__typename');
    if (this.wild(0.05)) parts.push('nonsense');
    if (random.chance(0.1)) parts.push(`... on ${type.name} ${this.directives()}{ ${parts.join(' ')} }`);
    if (random.chance(0.1)) {
      const name = `F${this.fragments.length}`;
      this.fragments.push(`fragment ${name} on ${type.name} { ${parts.join(' ')} }`);
      return `{ ...${name} ${this.directives()}}`;
    }
    return `{ ${parts.join(' ')} }`;
  }

  private directives(): string {
    const { random } = this;
    if (!random.chance(0.15)) return '';
    const flag = random.chance(0.6)
      ? this.variable('Boolean!', random.chance(0.7))
      : random.of(this.isWild ? ['null', '1', '"yes"'] : ['true', 'false']);
    return `${random.of(this.isWild ? ['@deprecated', '@nonsense', '@defer'] : ['@skip', '@include'])}(if: ${flag}) `;
  }

  private argument(type: GraphQLInputType, name: string): string {
    const { random } = this;
    if (name === 'scope' && random.chance(0.8)) return '"user:ada"';
    if (random.chance(0.5)) return literal(this.value(type));
    return this.variable(String(type), this.value(type));
  }

  private variable(type: string, value: unknown): string {
    const { random } = this;
    const name = `v${this.variables.length}`;
    const strict = type.endsWith('!');
    const declared =
      value !== null && random.chance(0.3)
        ? `${random.chance(0.5) ? type.replace(/!$/, '') : type} = ${literal(value)}`
        : this.wild(0.3)
          ? random.of(['Int', 'String!', '[ID!]', 'JSONObject', 'DateTime', 'Boolean'])
          : type + (!strict && random.chance(0.3) ? '!' : '');
    this.variables.push({
      name,
      declared: `$${name}: ${declared}`,
      value: random.chance(0.1) ? random.of<unknown>([null, 'x', 5, [], {}]) : plain(value),
    });
    return `$${name}`;
  }

  /** Of the type, as a rule. */
  private value(type: GraphQLInputType): unknown {
    const { random } = this;
    if (this.wild(0.1)) return this.anything();
    if (isNonNullType(type)) return this.value(type.ofType);
    if (random.chance(0.1)) return null;
    if (isListType(type)) return Array.from({ length: random.upTo(3) }, () => this.value(type.ofType));
    if (isEnumType(type)) return new Name(random.of(type.getValues()).name);
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || random.chance(0.4));
      return Object.fromEntries(fields.map((field) => [field.name, this.value(field.type)]));
    }
    switch (type.name) {
      case 'Int':
      case 'Float':
        return type.name === 'Int' && !this.isWild ? 1 + random.upTo(30) : random.of(NUMBERS);
      case 'Boolean':
        return random.chance(0.5);
      case 'DateTime':
        if (random.chance(0.7)) return '2030-01-31T12:00:00Z';
        return random.of(STRINGS);
      case 'JSONObject':
        return { a: this.anything(), __proto: random.of(NUMBERS) };
      default:
        return random.of(random.chance(0.7) ? this.strings : STRINGS);
    }
  }

  private wild(probability: number): boolean {
    return this.isWild && this.random.chance(probability);
  }

  private anything(): unknown {
    const { random } = this;
    return random.of<unknown>([
      null,
      true,
      random.of(NUMBERS),
      random.of(STRINGS),
      [random.of(STRINGS)],
      [[null]],
      {},
      { a: { b: [random.of(NUMBERS)] } },
      new Name('NONSENSE'),
    ]);
  }
}

/** An enum's value: a string in variables, a name in literals. */
class Name {
  constructor(readonly name: string) {}
}

function plain(value: unknown): unknown {
  if (value instanceof Name) return value.name;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}

function literal(value: unknown): string {
  if (value instanceof Name) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, field]) => `${key}: ${literal(field)}`)
    .join(', ')} }`;
}
