import { Field, Float, GraphQLISODateTime, Int, ObjectType } from '@nestjs/graphql';
import type { MemoryKind } from '../../model/kind.js';
import type { RevisionEnd } from '../../model/memory.js';
import { MemoryKindEnum, MemoryRevisionEndEnum } from '../enums.js';

@ObjectType('MemoryRevision', { description: 'A state of a memory that has ended.' })
export class MemoryRevisionType {
  @Field(() => Int, { description: 'What `restoreMemory` takes.' })
  version!: number;

  @Field(() => String)
  content!: string;

  @Field(() => MemoryKindEnum)
  kind!: MemoryKind;

  @Field(() => Float, { description: '0 to 1.' })
  importance!: number;

  @Field(() => GraphQLISODateTime, { description: 'First moment in which it held.' })
  validFrom!: Date;

  @Field(() => GraphQLISODateTime, { description: 'First moment in which it no longer held.' })
  validTo!: Date;

  @Field(() => MemoryRevisionEndEnum)
  endedBy!: RevisionEnd;
}
