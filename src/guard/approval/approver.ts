import { type Failure, fail, nothingDone, type Result } from "../../model/failure.ts";
import type { Danger } from "../policy/policy.ts";

/** What a person is asked: exactly this, once. */
export interface Question {
  readonly client: string;
  readonly tool: string;
  readonly app: string;
  readonly window: string;
  /** The action in words: `click button "Delete" (12)`. */
  readonly words: string;
  /** Why it is asked: `delete, because it says "Delete"`. */
  readonly why: string;
  readonly dangers: readonly Danger[];
}

/** Who said yes: a surface of the person's own. */
export interface Approval {
  readonly by: string;
}

/** Asks a person, out of the client's reach. Everything but a clear yes in time is a no. */
export interface Approver {
  /** Asking ends, with a no, when `isOver`. */
  ask(question: Question, isOver?: () => boolean): Promise<Result<Approval>>;
}

/** Where no person can be asked. */
export const nobody: Approver = {
  ask: (question) => Promise.resolve(fail(describeUnasked(question))),
};

export function describeUnasked({ words, why }: Question): Failure {
  return {
    code: "REFUSED",
    reason: "unasked",
    message: `${words} needs a person's word (${why}), and nobody can be asked`,
    suggestion: "a person opens a terminal, runs deskmap approve there, and answers when it is tried again.",
    done: nothingDone,
  };
}

export function describeUnanswered({ words }: Question, code: string, why: string): Failure {
  return {
    code: "REFUSED",
    reason: "unanswered",
    message: `${words} needs a person's word, and ${why} (request ${code})`,
    suggestion: "ask the person to look at the terminal where deskmap approve runs, and try once more.",
    done: nothingDone,
  };
}

export function describeDenied({ words }: Question, code: string, why: string): Failure {
  return {
    code: "REFUSED",
    reason: "denied",
    message: `${words} is not allowed: ${why} (request ${code})`,
    suggestion: "ask the person what to do instead; do not try it in another way.",
    done: nothingDone,
  };
}
