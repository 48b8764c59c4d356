import { ArgsType, Field, Int } from '@nestjs/graphql';
import { decodeCursor } from '../../memory/cursor.js';
import { PAGE_SIZE_MAX } from '../../memory/list.js';
import { validateText, validateWhole } from '../../memory/validate-input.js';
import type { MemoryKind } from '../../model/kind.js';
import { MemoryKindEnum } from '../enums.js';
import { Checked } from './checked.js';

@ArgsType()
export class MemoriesArgsType {
  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;

  @Field(() => [MemoryKindEnum], { nullable: true, description: 'Only these kinds; empty is no filter.' })
  kinds?: MemoryKind[] | null;

  @Field(() => String, { nullable: true, description: 'Words that a memory must have, all of them.' })
  @Checked(validateText)
  search?: string | null;

  @Field(() => Int, { nullable: true, defaultValue: 20, description: '1 to 100.' })
  @Checked((field, value) => validateWhole(field, value, 1, PAGE_SIZE_MAX))
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'The `endCursor` of the page before.' })
  @Checked((_field, value) => decodeCursor(value))
  after?: string | null;
}

/** An alias for the reason given at `AddMemoryArguments`. */
export type MemoriesArguments = Pick<MemoriesArgsType, keyof MemoriesArgsType>;
