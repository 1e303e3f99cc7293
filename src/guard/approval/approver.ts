import { type Failure, fail, type Result } from "../../model/failure.ts";
import { quoteText } from "../../model/plain-text.ts";
import { refuse } from "../refusals.ts";
import type { ApprovalRequest } from "./surface.ts";

export type Question = Omit<ApprovalRequest, "nonce" | "untilMs" | "asked">;

export interface Approval {
  /** The surface on which a person said yes. */
  readonly by: string;
}

/** Asks a person, out of the client's reach. Everything but a clear yes in time is a no. */
export interface Approver {
  /** Ends with a no when `isOver` returns true. */
  ask(question: Question, isOver?: () => boolean): Promise<Result<Approval>>;
}

/** Refuses everything: no person can be asked. */
export const nobody: Approver = {
  ask: (question) => Promise.resolve(fail(describeUnasked(question))),
};

const longestQuote = 80;

/** Quotes text from an application so that it can neither end its quotes nor control a terminal. */
export function quote(text: string): string {
  return quoteText(text, longestQuote);
}

export function describeUnasked({ words, why }: Question): Failure {
  return refuse(
    "unasked",
    `${words} needs a person's approval (${why}), and nobody can be asked`,
    "a person opens a terminal, runs deskmap approve there, and answers when it is tried again.",
  );
}

export function describeUnanswered({ words }: Question, code: string, why: string): Failure {
  return refuse(
    "unanswered",
    `${words} needs a person's approval, and ${why} (request ${code})`,
    "ask the person to look at the terminal where deskmap approve runs, and try once more.",
  );
}

export function describeDenied({ words }: Question, code: string, why: string): Failure {
  return refuse(
    "denied",
    `${words} is not allowed: ${why} (request ${code})`,
    "ask the person what to do instead; do not try it in another way.",
  );
}
