import { ArgsType, Field, Float, GraphQLISODateTime, Int } from '@nestjs/graphql';
import { RECALL_LIMIT_MAX, RECALL_TOKENS_MAX } from '../../memory/recall.js';
import { validateDate, validateNumber, validateText, validateWhole } from '../../memory/validate-input.js';
import type { MemoryKind } from '../../model/kind.js';
import type { RecallMode } from '../../model/memory.js';
import { MemoryKindEnum, MemoryRecallModeEnum } from '../enums.js';
import { Checked } from './checked.js';

const validateLimit = (field: string, value: unknown): number => validateWhole(field, value, 1, RECALL_LIMIT_MAX);

@ArgsType()
export class MemoryPromptArgsType {
  @Field(() => String, { description: "What to recall by: the user's last message, as a rule." })
  @Checked(validateText)
  query!: string;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;

  @Field(() => [MemoryKindEnum], { nullable: true, description: 'Only these kinds; empty is no filter.' })
  kinds?: MemoryKind[] | null;

  @Field(() => Int, { nullable: true, defaultValue: 5, description: '1 to 100.' })
  @Checked(validateLimit)
  limit?: number | null;

  @Field(() => Int, { nullable: true, description: 'Token budget of the recalled contents.' })
  @Checked((field, value) => validateWhole(field, value, 1, RECALL_TOKENS_MAX))
  maxTokens?: number | null;
}

@ArgsType()
export class RecallArgsType {
  @Field(() => String)
  @Checked(validateText)
  query!: string;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;

  @Field(() => [MemoryKindEnum], { nullable: true, description: 'Only these kinds; empty is no filter.' })
  kinds?: MemoryKind[] | null;

  @Field(() => Int, { nullable: true, defaultValue: 5, description: '1 to 100.' })
  @Checked(validateLimit)
  limit?: number | null;

  @Field(() => MemoryRecallModeEnum, { nullable: true, defaultValue: MemoryRecallModeEnum.HYBRID })
  mode?: RecallMode | null;

  @Field(() => Float, { nullable: true, description: "Cosine distance 0 to 2; the embedder's calibration without it." })
  @Checked((field, value) => validateNumber(field, value, 0, 2))
  maxDistance?: number | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Recalls what held at that moment.' })
  @Checked(validateDate)
  asOf?: Date | null;
}

/** Aliases for the reason given at `AddMemoryArguments`. */
export type MemoryPromptArguments = Pick<MemoryPromptArgsType, keyof MemoryPromptArgsType>;
export type RecallArguments = Pick<RecallArgsType, keyof RecallArgsType>;

/** A subgraph's schema is built from its text, where the default of an enum is a name and no value. */
export function toRecallMode(mode: RecallMode | null | undefined): RecallMode | null {
  return mode ? (mode.toLowerCase() as RecallMode) : null;
}
