import { ArgsType, Field, Float, ID, Int } from '@nestjs/graphql';
import { STALE_DAYS_MAX } from '../../memory/forget-stale.js';
import { VERSION_MAX } from '../../memory/restore.js';
import { validateImportance, validateWhole } from '../../memory/validate-input.js';
import { Checked } from './checked.js';

@ArgsType()
export class RestoreMemoryArgsType {
  @Field(() => ID)
  id!: string;

  @Field(() => Int, { description: 'One of `memoryHistory`.' })
  @Checked((field, value) => validateWhole(field, value, 1, VERSION_MAX))
  version!: number;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

@ArgsType()
export class ForgetStaleArgsType {
  @Field(() => Int, { description: '0 to 36500.' })
  @Checked((field, value) => validateWhole(field, value, 0, STALE_DAYS_MAX))
  olderThanDays!: number;

  @Field(() => Float, { nullable: true, description: 'Memories of this importance or more stay; 0 to 1.' })
  @Checked(validateImportance)
  minImportance?: number | null;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

/** Aliases for the reason given at `AddMemoryArguments`. */
export type RestoreMemoryArguments = Pick<RestoreMemoryArgsType, keyof RestoreMemoryArgsType>;
export type ForgetStaleArguments = Pick<ForgetStaleArgsType, keyof ForgetStaleArgsType>;
