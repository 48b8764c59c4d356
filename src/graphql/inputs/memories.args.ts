import { ArgsType, Field, Int } from '@nestjs/graphql';
import type { MemoryKind } from '../../model/kind.js';
import { MemoryKindEnum } from '../enums.js';

@ArgsType()
export class MemoriesArgsType {
  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;

  @Field(() => [MemoryKindEnum], { nullable: true, description: 'Only these kinds; empty is no filter.' })
  kinds?: MemoryKind[] | null;

  @Field(() => String, { nullable: true, description: 'Words that a memory must have, all of them.' })
  search?: string | null;

  @Field(() => Int, { nullable: true, defaultValue: 20, description: '1 to 100.' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'The `endCursor` of the page before.' })
  after?: string | null;
}

/** An alias for the reason given at `AddMemoryArguments`. */
export type MemoriesArguments = Pick<MemoriesArgsType, keyof MemoriesArgsType>;
