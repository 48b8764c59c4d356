/** What the server of the bench of subscriptions is started with, as JSON. */
export interface ServerSetting {
  readonly databaseUrl: string;
  readonly subjects: number;
}

export type ToServer =
  | { readonly what: 'usage' }
  /** Remember something for one subject after the other, so many a second. */
  | { readonly what: 'remember'; readonly events: number; readonly aSecond: number };

export interface Usage {
  readonly subscriptions: number;
  /** After a collection. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Processor milliseconds since the process began. */
  readonly cpuMs: number;
}

export type FromServer =
  | { readonly what: 'ready'; readonly url: string }
  | ({ readonly what: 'usage' } & Usage)
  /** When each event was published, in milliseconds since 1970. */
  | { readonly what: 'remembered'; readonly events: readonly SentEvent[] };

export interface SentEvent {
  readonly memoryId: string;
  readonly scope: string;
  readonly at: number;
}

/** What the clients are started with, as JSON. */
export interface ClientsSetting {
  readonly url: string;
  readonly sockets: number;
  readonly subjects: number;
}

/** Said once every event that the server remembered should have come. */
export interface ToClients {
  readonly what: 'received';
}

export interface ReceivedEvent {
  /** Who got it. */
  readonly socket: number;
  readonly subject: string;
  readonly memoryId: string;
  readonly scope: string;
  readonly at: number;
}

export type FromClients =
  { readonly what: 'subscribed' } | { readonly what: 'received'; readonly events: readonly ReceivedEvent[] };
