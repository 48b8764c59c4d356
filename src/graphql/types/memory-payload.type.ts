import { Field, ObjectType } from '@nestjs/graphql';
import type { Rejection } from '../../model/rejection.js';
import type { MemoryNode } from './memory-node.js';
import { MemoryType } from './memory.type.js';

@ObjectType('MemoryRejection', { description: 'Why something well-formed was not kept.' })
export class MemoryRejectionType implements Rejection {
  @Field(() => String, { description: 'secret, transient, denylisted, host-policy or disabled.' })
  reason!: Rejection['reason'];

  @Field(() => String, { description: 'For people: what to do about it.' })
  message!: string;
}

@ObjectType('AddMemoryPayload', { description: 'The memory, or why it was not kept.' })
export class AddMemoryPayloadType {
  @Field(() => MemoryType, { nullable: true })
  memory!: MemoryNode | null;

  @Field(() => MemoryRejectionType, { nullable: true })
  rejection!: Rejection | null;
}

@ObjectType('UpdateMemoryPayload', { description: 'The changed memory, or why the change was not kept.' })
export class UpdateMemoryPayloadType {
  @Field(() => MemoryType, { nullable: true })
  memory!: MemoryNode | null;

  @Field(() => MemoryRejectionType, { nullable: true })
  rejection!: Rejection | null;
}
