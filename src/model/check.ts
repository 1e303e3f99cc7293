/**
 * The health of one part of the desktop:
 *
 *  ok      it works
 *  note    it works, with a remark
 *  off     something open cannot be read, or only partly, until it is fixed
 *  broken  Deskmap cannot work here until it is fixed
 */
type Health = "ok" | "note" | "off" | "broken";

export interface Check {
  readonly subject: string;
  readonly health: Health;
  readonly text: string;
  /** The command that fixes it; empty if there is nothing to fix. */
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
