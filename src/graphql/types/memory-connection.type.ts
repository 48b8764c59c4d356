import { Field, Int, ObjectType } from '@nestjs/graphql';
import type { ListedMemories } from '../../memory/list.js';
import { toNode } from './memory-node.js';
import type { MemoryNode } from './memory-node.js';
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
  node!: MemoryNode;
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

export function toMemoryConnection(
  scope: string,
  page: ListedMemories,
  after: string | undefined,
): MemoryConnectionType {
  return {
    edges: page.memories.map((memory, index) => ({
      cursor: page.cursors[index] as string,
      node: toNode(scope, memory),
    })),
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: after !== undefined,
      startCursor: page.cursors[0] ?? null,
      endCursor: page.cursors.at(-1) ?? null,
    },
    totalCount: page.totalCount,
  };
}
