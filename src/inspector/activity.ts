import type { Begun, Crop, Ended, Lost } from "../model/activity.ts";
import type { MethodShape } from "./method-shape.ts";

/** A line of the log, as far as the page shows it. */
export interface LogRow {
  readonly n: number;
  readonly at: string;
  readonly what: string;
  readonly client: string;
  readonly tool?: string | undefined;
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly mark?: number | undefined;
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly way?: string | undefined;
  readonly effect?: string | undefined;
  readonly approval?: string | undefined;
  readonly typedLength?: number | undefined;
  readonly words?: string | undefined;
  /** Of what ended: the line with which it began. */
  readonly begin?: number | undefined;
  readonly endedAt?: string | undefined;
}

/** A crop by the number of its picture. */
type ShownCrop = Omit<Crop, "jpeg"> & { readonly picture: number };

export type Told = Begun | Ended | ShownCrop | Lost | { readonly kind: "line"; readonly row: LogRow };

/** Something that waits for a person's word, exactly as it is asked. */
export interface AskedQuestion {
  readonly nonce: string;
  /** Of all that is asked: the answer is to these very words. */
  readonly digest: string;
  /** By which a person tells that both sides speak of the same thing. */
  readonly code: string;
  readonly words: string;
  readonly app: string;
  readonly window: string;
  readonly client: string;
  readonly tool: string;
  readonly why: string;
  readonly untilMs: number;
  /** Whether it is answered on this page; else it was asked where a person had opened a place before. */
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
  /** Why not here, and where instead. */
  readonly hint?: string | undefined;
  readonly stop?: { readonly atMs: number; readonly by: string } | undefined;
}

export interface AuditWish {
  readonly before?: number | undefined;
  readonly client?: string | undefined;
  readonly app?: string | undefined;
  readonly tool?: string | undefined;
}

export interface AuditPage {
  /** Newest first. */
  readonly rows: readonly LogRow[];
  readonly hasOlder: boolean;
  /** How many lines the log has in all; the beginning and the end of an action are two. */
  readonly lines: number;
}

/** What the policy in force says of answers and of the stop. */
export interface Settings {
  readonly sensitive: "allow" | "ask" | "deny";
  /** Whether a rule, or the part for some client, has something asked about. */
  readonly asksElse: boolean;
  /** Whether Escape twice stops everything. */
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

type Nothing = Readonly<Record<string, never>>;

export interface ActivityMethods {
  /** Tells by `activity.attention` what waits for a person and whether everything is stopped, now and whenever it changes. */
  readonly "activity.attend": MethodShape<Nothing, null>;
  /** Tells by `activity.told` what happens; gives what happened last, oldest first. */
  readonly "activity.follow": MethodShape<Nothing, readonly LogRow[]>;
  readonly "activity.answer": MethodShape<
    { readonly nonce: string; readonly digest: string; readonly verdict: "yes" | "no" },
    null
  >;
  readonly "activity.unlock": MethodShape<{ readonly pin: string }, null>;
  readonly "activity.stop": MethodShape<Nothing, StopTold>;
  readonly "activity.resume": MethodShape<{ readonly pin?: string | undefined }, null>;
  readonly "activity.settings": MethodShape<Nothing, Settings>;
  readonly "activity.audit": MethodShape<AuditWish, AuditPage>;
  /** Tells by `activity.verifying` how far it is. */
  readonly "activity.verify": MethodShape<Nothing, Verified>;
}

export interface ActivityEvents {
  readonly "activity.attention": Attention;
  readonly "activity.told": readonly Told[];
  /** Why nothing is told of actions at the moment, beyond the log; undefined when it is again. */
  readonly "activity.trouble": { readonly message?: string | undefined };
  readonly "activity.verifying": { readonly done: number; readonly total: number };
}
