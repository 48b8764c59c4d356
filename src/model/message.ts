export const MESSAGE_ROLES = ['system', 'user', 'assistant', 'tool'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** One message of a turn. */
export interface Message {
  readonly role: MessageRole;
  readonly content: string;
}
