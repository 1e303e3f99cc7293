/** What one application is to Deskmap, and what was done with it. */
export interface AppAccount {
  readonly app: string;
  readonly standing: "blind" | "hands-off" | "normal";
  /** What says so: the default lists, the policy, or nothing. */
  readonly why: "default" | "policy" | "";
  /** The entry that decides, where it is not the application's own name. */
  readonly entry: string;
  readonly isRunning: boolean;
  /** How many marks the map remembers. */
  readonly markCount: number;
  readonly lookedAt: Contact | undefined;
  readonly actedOn: Contact | undefined;
}

/** When it was last, and which client it was. */
export interface Contact {
  /** ISO 8601, as in the log. */
  readonly at: string;
  readonly client: string;
}
