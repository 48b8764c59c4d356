import { Directive, Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import type { MemoryKind } from '../../model/kind.js';
import type { Memory, MemoryMetadata, MemorySource } from '../../model/memory.js';
import { MemoryKindEnum, MemorySourceEnum } from '../enums.js';

@ObjectType('Memory', { description: 'One remembered statement.' })
@Directive('@key(fields: "id")')
export class MemoryType implements Memory {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: 'A short third-person sentence.' })
  content!: string;

  @Field(() => MemoryKindEnum)
  kind!: MemoryKind;

  @Field(() => Float, { description: '0 to 1.' })
  importance!: number;

  @Field(() => GraphQLJSONObject)
  metadata!: MemoryMetadata;

  @Field(() => MemorySourceEnum)
  source!: MemorySource;

  @Field(() => Int, { description: 'Starts at 1, one more at each change.' })
  version!: number;

  @Field(() => GraphQLISODateTime)
  createdAt!: Date;

  @Field(() => GraphQLISODateTime, { description: 'When the present state began to hold.' })
  updatedAt!: Date;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'From then on no read returns it; null: never.' })
  expiresAt!: Date | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was last recalled, give or take seconds.' })
  lastAccessedAt!: Date | null;

  @Field(() => Int, { description: 'How often it was recalled, give or take seconds.' })
  accessCount!: number;
}
