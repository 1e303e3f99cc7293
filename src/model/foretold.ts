/** What a recording of an action saw come of it. It shortens what is waited for; whatever comes is told as ever. */
export interface Foretold {
  /** Nothing was seen: how long to look for an effect all the same, in milliseconds. */
  readonly silenceMs?: number | undefined;
  /** Whether nothing proved its effect then: what may change by itself is not watched until that is known. */
  readonly isUnproven?: boolean | undefined;
  /** Texts that changed, with the values of this run. Where it is not known whether they change by themselves, they did not. */
  readonly changed?: readonly ForetoldChange[] | undefined;
}

export interface ForetoldChange {
  readonly role: string;
  readonly name: string;
  readonly what: string;
  readonly after: string;
}
