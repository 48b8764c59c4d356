// What the types of the published script say. Apart from what makes the element: a host has the one built file, and not the
// packages that it was built from.

/** Sent with every request, and as the connection parameters of the subscription. */
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * Shows a person what is remembered about them, and lets them search, add, change, restore and forget it, or switch
 * memory off. What it shows is what the server said last: an event only makes it read again.
 *
 * @element engram-memories
 * @fires engram-unauthenticated when the server does not know who calls
 * @cssprop --engram-ink, --engram-muted, --engram-paper, --engram-raised, --engram-line, --engram-accent,
 * --engram-on-accent, --engram-danger, --engram-font
 */
export interface EngramMemories extends HTMLElement {
  /** Address of the GraphQL endpoint; subscriptions use the same one. @default '/graphql' */
  endpoint: string;
  /** Whose memory. @default the caller's own */
  scope: string | null;
  /** Sent with every request and as connection parameters: `() => ({ authorization: 'Bearer ...' })`. @default none */
  headers: () => RequestHeaders | Promise<RequestHeaders>;
}

export declare const EngramMemories: new () => EngramMemories;

declare global {
  interface HTMLElementTagNameMap {
    'engram-memories': EngramMemories;
  }
}
