import { ArgsType, Field, Float, ID, Int } from '@nestjs/graphql';

@ArgsType()
export class RestoreMemoryArgsType {
  @Field(() => ID)
  id!: string;

  @Field(() => Int, { description: 'One of `memoryHistory`.' })
  version!: number;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

@ArgsType()
export class ForgetStaleArgsType {
  @Field(() => Int, { description: '0 to 36500.' })
  olderThanDays!: number;

  @Field(() => Float, { nullable: true, description: 'Memories of this importance or more stay; 0 to 1.' })
  minImportance?: number | null;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

/** Aliases for the reason given at `AddMemoryArguments`. */
export type RestoreMemoryArguments = Pick<RestoreMemoryArgsType, keyof RestoreMemoryArgsType>;
export type ForgetStaleArguments = Pick<ForgetStaleArgsType, keyof ForgetStaleArgsType>;
