import * as z from "zod/mini";
import type { Begun, Crop, Ended, Lost } from "../model/activity.ts";

export interface LogRow extends Partial<Record<RowText, string | undefined>> {
  readonly n: number;
  readonly at: string;
  readonly what: string;
  readonly client: string;
  readonly mark?: number | undefined;
  readonly typedLength?: number | undefined;
  /** The entry of its beginning, if it has ended. */
  readonly begin?: number | undefined;
}

type RowText = "tool" | "app" | "window" | "role" | "name" | "way" | "effect" | "approval" | "words" | "endedAt";

/** A crop whose picture was sent before. */
type ShownCrop = Omit<Crop, "jpeg"> & { readonly picture: number };

export type Told = Begun | Ended | ShownCrop | Lost | { readonly kind: "line"; readonly row: LogRow };

/** A question cannot be answered within this time after it appeared: what is pressed then was meant for something else. */
export const readingMs = 700;

export interface AskedQuestion {
  readonly nonce: string;
  /** Hash of the whole question, which the answer must repeat. */
  readonly digest: string;
  /** Lets a person compare the question with the one at the asker. */
  readonly code: string;
  readonly words: string;
  readonly app: string;
  readonly window: string;
  readonly client: string;
  /** What supports the client's name, and which process it is. */
  readonly caller: string;
  readonly tool: string;
  readonly why: string;
  /** All that a yes covers, in rows with every character visible. */
  readonly content: readonly string[];
  readonly untilMs: number;
  /** Whether it can be answered on this page; else it was asked at another surface. */
  readonly isHere: boolean;
}

/**
 * Whether answers given on this page count:
 *   here        yes: it was started from a person's terminal, or the PIN was typed
 *   pin         when the PIN has been typed
 *   elsewhere   no: a program may have started it
 */
export type AnswerPlace = "here" | "pin" | "elsewhere";

export interface Attention {
  readonly questions: readonly AskedQuestion[];
  readonly place: AnswerPlace;
  readonly hasPin: boolean;
  /** Where to answer instead. */
  readonly hint?: string | undefined;
  readonly stop?: { readonly atMs: number; readonly by: string } | undefined;
}

export type AuditQuery = z.infer<typeof auditParams>;

export interface AuditPage {
  /** Newest first. */
  readonly rows: readonly LogRow[];
  readonly hasOlder: boolean;
  /** The number of lines in the log; an action has two, its beginning and its end. */
  readonly lines: number;
}

/** The policy's settings for questions and for the stop. */
export interface Settings {
  readonly sensitive: "allow" | "ask" | "deny";
  /** Whether a rule, or the part for a client, requires questions. */
  readonly asksElse: boolean;
  readonly hasHotkey: boolean;
}

export interface Verified {
  readonly isWhole: boolean;
  readonly lines: number;
  readonly findings: readonly { readonly file: string; readonly line: number; readonly text: string }[];
  readonly findingCount: number;
  readonly notes: readonly string[];
}

export interface StopTold {
  readonly interrupted: readonly string[];
  readonly isReleased: boolean;
}

const shortText = z.string().check(z.maxLength(200));
export const answerParams = z.object({ nonce: z.string(), digest: z.string(), verdict: z.enum(["yes", "no"]) });
export const unlockParams = z.object({ pin: shortText });
export const resumeParams = z.partial(unlockParams);
const auditFilter = z.object({ client: shortText, app: shortText, tool: shortText, before: z.int() });
export const auditParams = z.partial(auditFilter);

type Nothing = Readonly<Record<string, never>>;

export interface ActivityMethods {
  /** Sends `activity.attention` now and after each change. */
  readonly "activity.attend": (params: Nothing) => null;
  /** Sends `activity.told` from now on; returns the latest entries, oldest first. */
  readonly "activity.follow": (params: Nothing) => readonly LogRow[];
  readonly "activity.answer": (params: {
    readonly nonce: string;
    readonly digest: string;
    readonly verdict: "yes" | "no";
  }) => null;
  readonly "activity.unlock": (params: z.infer<typeof unlockParams>) => null;
  readonly "activity.stop": (params: Nothing) => StopTold;
  readonly "activity.resume": (params: z.infer<typeof resumeParams>) => null;
  readonly "activity.settings": (params: Nothing) => Settings;
  readonly "activity.audit": (params: AuditQuery) => AuditPage;
  /** Sends `activity.verifying` with its progress. */
  readonly "activity.verify": (params: Nothing) => Verified;
}

export interface ActivityEvents {
  readonly "activity.attention": Attention;
  readonly "activity.told": readonly Told[];
  /** Why there are no details of actions at the moment; undefined when there are again. */
  readonly "activity.trouble": { readonly message?: string | undefined };
  readonly "activity.verifying": { readonly done: number; readonly total: number };
}
