import { Field, Float, Int, ObjectType } from '@nestjs/graphql';
import type { MemoryNode } from './memory-node.js';
import { MemoryType } from './memory.type.js';

@ObjectType('RecalledMemory', { description: 'A memory that recall found.' })
export class RecalledMemoryType {
  @Field(() => MemoryType)
  memory!: MemoryNode;

  @Field(() => Float, { description: '0 to 1, higher is closer; 1 for equal text.' })
  score!: number;

  @Field(() => Float, { nullable: true, description: 'Cosine distance 0 to 2; null where words alone found it.' })
  distance!: number | null;

  @Field(() => Int, { nullable: true, description: 'Rank by words, from 1; null where words did not find it.' })
  keywordRank!: number | null;

  @Field(() => Int, { nullable: true, description: 'Rank by meaning, from 1; null where meaning did not find it.' })
  vectorRank!: number | null;
}
