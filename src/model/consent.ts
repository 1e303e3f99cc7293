/** An application's standing and its last use. */
export interface AppAccount {
  readonly app: string;
  readonly standing: "blind" | "hands-off" | "normal";
  /** What decides it: the default lists, the policy, or nothing. */
  readonly why: "default" | "policy" | "";
  /** The deciding entry, if it is not the application's own name. */
  readonly entry: string;
  readonly isRunning: boolean;
  readonly markCount: number;
  readonly lookedAt: Contact | undefined;
  readonly actedOn: Contact | undefined;
}

/** The last time, and by which client. */
export interface Contact {
  /** What supports the client's name; nothing if undefined. */
  readonly named?: "claimed" | "typed" | "allowed" | undefined;
  /** ISO 8601, as in the log. */
  readonly at: string;
  readonly client: string;
}
