import { Field, Int, ObjectType } from '@nestjs/graphql';
import type { ListedMemories } from '../../memory/list.js';
import type { Memory } from '../../model/memory.js';
import { MemoryType } from './memory.type.js';

@ObjectType('MemoryPageInfo')
export class MemoryPageInfoType {
  @Field(() => Boolean)
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'True where the page was asked for by `after`.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true })
  startCursor!: string | null;

  @Field(() => String, { nullable: true })
  endCursor!: string | null;
}

@ObjectType('MemoryEdge')
export class MemoryEdgeType {
  @Field(() => String)
  cursor!: string;

  @Field(() => MemoryType)
  node!: Memory;
}

@ObjectType('MemoryConnection', { description: 'A page of memories, newest first.' })
export class MemoryConnectionType {
  @Field(() => [MemoryEdgeType])
  edges!: MemoryEdgeType[];

  @Field(() => MemoryPageInfoType)
  pageInfo!: MemoryPageInfoType;

  @Field(() => Int, { description: 'Memories that match, on all pages.' })
  totalCount!: number;
}

export function toMemoryConnection(page: ListedMemories, after: string | undefined): MemoryConnectionType {
  return {
    edges: page.memories.map((node, index) => ({ cursor: page.cursors[index] as string, node })),
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: after !== undefined,
      startCursor: page.cursors[0] ?? null,
      endCursor: page.cursors.at(-1) ?? null,
    },
    totalCount: page.totalCount,
  };
}
