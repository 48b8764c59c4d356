import { Field, Float, GraphQLISODateTime, ID, InputType } from '@nestjs/graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import type { UpdateMemory } from '../../memory/update.js';
import type { MemoryKind } from '../../model/kind.js';
import type { MemoryMetadata } from '../../model/memory.js';
import { validateContent, validateDate, validateImportance } from '../../memory/validate-input.js';
import { MemoryKindEnum } from '../enums.js';
import { Checked } from './checked.js';
import { given } from './given.js';

@InputType('UpdateMemoryInput', {
  description: 'Fields to change. One that is absent or null stays, but for `expiresAt: null`.',
})
export class UpdateMemoryInputType {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  @Checked((field, value) => validateContent(value, Infinity, field))
  content?: string | null;

  @Field(() => MemoryKindEnum, { nullable: true })
  kind?: MemoryKind | null;

  @Field(() => Float, { nullable: true, description: '0 to 1.' })
  @Checked(validateImportance)
  importance?: number | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Replaces the metadata whole.' })
  metadata?: MemoryMetadata | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Null: it never expires. Absent: as it is.' })
  @Checked(validateDate)
  expiresAt?: Date | null;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

/** An alias for the reason given at `AddMemoryArguments`. */
export type UpdateMemoryArguments = Pick<UpdateMemoryInputType, keyof UpdateMemoryInputType>;

export function toMemoryChange({
  content,
  kind,
  importance,
  metadata,
  expiresAt,
}: UpdateMemoryArguments): UpdateMemory {
  return {
    ...given<UpdateMemory>({ content, kind, importance, metadata }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
