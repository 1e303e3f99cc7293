import { parseJson } from "../../model/caught.ts";
import type { SentKind } from "../../model/sending.ts";
import type { ProcessKey } from "../../os/index.ts";

export interface Entry {
  readonly what:
    | "look"
    | "begin"
    | "end"
    | "refused"
    | "ask"
    | "answer"
    | "stop"
    | "resume"
    | "allow"
    | "policy"
    | "send";
  /** The name of a client, or of the surface that a person used. */
  readonly client: string;
  /** What supports that name; missing for surfaces. */
  readonly named?: Naming | undefined;
  /** The client's process, by the kernel's word. */
  readonly process?: LoggedProcess | undefined;
  readonly tool?: string | undefined;
  readonly apps?: readonly string[] | undefined;
  readonly target?: LoggedTarget | undefined;
  readonly way?: string | undefined;
  /** The verdict, or the code or reason of a failure. */
  readonly effect?: string | undefined;
  readonly approval?: string | undefined;
  /** Describes typed text, never the text itself. */
  readonly typed?: LoggedText | undefined;
  /** The origin that something was sent to, and what was sent. */
  readonly recipient?: string | undefined;
  readonly sent?: LoggedSending | undefined;
  /** Keyed hash of all that was asked about or done: command, arguments, text and target. */
  readonly digest?: string | undefined;
  /** The number of the `begin` that this belongs to. */
  readonly begin?: number | undefined;
  readonly words?: string | undefined;
}

/**
 * What supports the name that a client gives itself:
 *
 *   claimed  nothing
 *   typed    it is the command line, and a person types commands where this one runs
 *   allowed  a person has said that this process has that name
 */
export type Naming = "claimed" | "typed" | "allowed";

interface LoggedProcess extends ProcessKey {
  readonly program: string;
}

export interface LoggedTarget
  extends Readonly<Partial<Record<"app" | "window" | "role" | "name" | "words", string | undefined>>> {
  readonly mark?: number | undefined;
}

export interface LoggedText {
  readonly length: number;
  /** Keyed: shows that two texts are equal, and nothing else. */
  readonly hash: string;
}

/** Describes what was sent, never its content. */
interface LoggedSending {
  readonly kinds: readonly SentKind[];
  readonly bytes: number;
  readonly hash: string;
}

/** When the line was written, the head was missing, or something else had changed the file. */
export type Doubt = "headless" | "touched";

export interface Line extends Entry {
  readonly n: number;
  readonly at: string;
  readonly doubt?: Doubt | undefined;
  readonly prev: string;
  readonly hash: string;
}

/** The end of the log. */
export interface Head {
  readonly n: number;
  readonly hash: string;
  /** Of the current file only. */
  readonly bytes: number;
  readonly atMs: number;
}

export const emptyHead: Head = { n: 0, hash: "", bytes: 0, atMs: 0 };

/** The next line, without a line break. Its hash covers its content and the hash of the line before. */
export function chainLine(
  key: Uint8Array,
  head: Head,
  atMs: number,
  entry: Entry & { readonly doubt?: Doubt | undefined },
): { text: string; hash: string } {
  const body = { n: head.n + 1, at: new Date(atMs).toISOString(), ...entry, prev: head.hash };
  const plain = JSON.stringify(body);
  const hash = hashWithKey(key, plain);
  return { text: `${plain.slice(0, -1)},"hash":"${hash}"}`, hash };
}

const hashLength = 64;
const hashLabel = Buffer.from(',"hash":"');
const lineEnd = Buffer.from('"}');
const closing = Buffer.from("}");

/** Whether a line is unchanged, byte for byte. Its neighbours are not checked. */
export function isUnchanged(key: Uint8Array, line: Buffer): boolean {
  const endAt = line.length - lineEnd.length;
  const hashAt = endAt - hashLength;
  const labelAt = hashAt - hashLabel.length;
  if (labelAt < 0 || !line.subarray(endAt).equals(lineEnd)) return false;
  if (!line.subarray(labelAt, hashAt).equals(hashLabel)) return false;
  const hasher = new Bun.CryptoHasher("sha256", key).update(line.subarray(0, labelAt)).update(closing);
  return hasher.digest("hex") === line.toString("latin1", hashAt, endAt);
}

export function parseLine(text: string): Line | undefined {
  const value = parseJson(text);
  return isLine(value) ? value : undefined;
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["what", "client", "at", "prev", "hash"];
  return (
    "n" in value && Number.isInteger(value.n) && texts.every((name) => typeof Reflect.get(value, name) === "string")
  );
}

/** Bun's hasher needs no import; node:crypto would add 12 ms to every start. */
export function hashWithKey(key: Uint8Array, text: string): string {
  return new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
}
