/** What one wording says; what is left out is false, null or empty. */
export interface Reading {
  readonly predicate: string;
  readonly value: string;
  readonly negated?: boolean;
  readonly single?: boolean;
  readonly replaces?: string | null;
  readonly detail?: string;
  /** The wording itself says that something else was so before. */
  readonly renewed?: boolean;
}

/** A wording that is understood. */
export interface Form {
  /** Against the words after the subject, the finite verb in its base form ("be on the Pro plan"). */
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray) => Reading | null;
}
