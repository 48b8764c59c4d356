import { Field, Float, GraphQLISODateTime, InputType } from '@nestjs/graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import type { MemoryKind } from '../../model/kind.js';
import type { MemoryMetadata } from '../../model/memory.js';
import { validateContent, validateDate, validateImportance } from '../../memory/validate-input.js';
import { MemoryKindEnum } from '../enums.js';
import { Checked } from './checked.js';

@InputType('AddMemoryInput')
export class AddMemoryInputType {
  @Field(() => String, {
    description: 'One short third-person sentence, at most 500 characters unless the app says otherwise.',
  })
  @Checked((field, value) => validateContent(value, Infinity, field))
  content!: string;

  @Field(() => MemoryKindEnum, { nullable: true, defaultValue: MemoryKindEnum.FACT })
  kind?: MemoryKind | null;

  @Field(() => Float, { nullable: true, defaultValue: 0.5, description: '0 to 1.' })
  @Checked(validateImportance)
  importance?: number | null;

  @Field(() => GraphQLJSONObject, { nullable: true })
  metadata?: MemoryMetadata | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'From then on no read returns it; null: never.' })
  @Checked(validateDate)
  expiresAt?: Date | null;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

/**
 * The input as resolvers take it: an alias, so that no class stands in the emitted parameter metadata. A host's global
 * `ValidationPipe({ whitelist: true })` would else strip the fields that carry no rule, and answer in its own way for
 * those that do. Rules stand for what holds in every app; what an app sets itself (sizes), its use cases check.
 */
export type AddMemoryArguments = Pick<AddMemoryInputType, keyof AddMemoryInputType>;
