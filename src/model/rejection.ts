/** Why something well-formed was not kept. Input that is not well-formed throws instead. */
export type RejectionReason =
  | 'secret'
  | 'transient'
  | 'denylisted'
  | 'host-policy'
  | 'disabled'
  /** Observed only: the sentence would plant an order to the assistant. */
  | 'injected';

export interface Rejection {
  readonly reason: RejectionReason;
  /** For people: says what to do about it, without the text that was refused. */
  readonly message: string;
}
