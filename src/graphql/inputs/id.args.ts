import { ArgsType, Field, ID } from '@nestjs/graphql';
import { validateText } from '../../memory/validate-input.js';
import { Checked } from './checked.js';

@ArgsType()
export class MemoryIdArgsType {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

@ArgsType()
export class TurnIdArgsType {
  @Field(() => ID)
  @Checked(validateText)
  turnId!: string;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

/** Aliases for the reason given at `AddMemoryArguments`. */
export type MemoryIdArguments = Pick<MemoryIdArgsType, keyof MemoryIdArgsType>;
export type TurnIdArguments = Pick<TurnIdArgsType, keyof TurnIdArgsType>;
