/**
 * How one part of the desktop is:
 *
 *   ok      it works
 *   note    it works; something about it is worth knowing
 *   off     something that is open cannot be read, or not wholly, until it is mended
 *   broken  Deskmap cannot work here until it is mended
 */
type Health = "ok" | "note" | "off" | "broken";

export interface Check {
  readonly subject: string;
  readonly health: Health;
  readonly text: string;
  /** The one command that mends it; empty where there is nothing to mend. */
  readonly mend: string;
}

export function ok(subject: string, text: string): Check {
  return { subject, health: "ok", text, mend: "" };
}

export function note(subject: string, text: string, mend = ""): Check {
  return { subject, health: "note", text, mend };
}

export function off(subject: string, text: string, mend: string): Check {
  return { subject, health: "off", text, mend };
}

export function broken(subject: string, text: string, mend: string): Check {
  return { subject, health: "broken", text, mend };
}
