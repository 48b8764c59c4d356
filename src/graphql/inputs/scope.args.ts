import { ArgsType, Field } from '@nestjs/graphql';

/** For fields about a scope as a whole. The guard reads it; resolvers get the scope that was granted. */
@ArgsType()
export class ScopeArgsType {
  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

@ArgsType()
export class SetMemoryEnabledArgsType extends ScopeArgsType {
  @Field(() => Boolean)
  enabled!: boolean;
}

/** An alias for the reason given at `AddMemoryArguments`. */
export type SetMemoryEnabledArguments = Pick<SetMemoryEnabledArgsType, keyof SetMemoryEnabledArgsType>;
