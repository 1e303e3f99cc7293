/** One line of the log, before it is chained to the one before it. */
export interface Entry {
  readonly what: "look" | "begin" | "end" | "refused" | "ask" | "answer" | "stop" | "resume" | "allow" | "policy";
  /** Who asked: the name of a program, or of a person's surface. */
  readonly client: string;
  readonly tool?: string | undefined;
  readonly apps?: readonly string[] | undefined;
  /** What it was done to. */
  readonly target?: LoggedTarget | undefined;
  /** How it was done: the way that the answer names. */
  readonly way?: string | undefined;
  /** What was seen of it: the verdict, or the code and the reason of a failure. */
  readonly effect?: string | undefined;
  /** Who allowed it, where somebody had to. */
  readonly approval?: string | undefined;
  /** Of a text that was typed: never the text. */
  readonly typed?: LoggedText | undefined;
  /** Which `begin` this belongs to. */
  readonly begin?: number | undefined;
  readonly words?: string | undefined;
}

export interface LoggedTarget {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly mark?: number | undefined;
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly words?: string | undefined;
}

export interface LoggedText {
  readonly length: number;
  /** Made with a key: it tells equal texts from others, and nothing about them. */
  readonly hash: string;
}

/**
 * What the writer of a line found amiss before it: no note of how far the log goes, or a file that something else has
 * changed since its last line. It is chained with the line, so that it shows for ever.
 */
export type Doubt = "headless" | "touched";

/** A line as it stands in the log. */
export interface Line extends Entry {
  readonly n: number;
  readonly at: string;
  readonly doubt?: Doubt | undefined;
  readonly prev: string;
  readonly hash: string;
}

/** How far the log goes. */
export interface Head {
  readonly n: number;
  readonly hash: string;
  /** Of the file that is written now; older ones are not counted. */
  readonly bytes: number;
  /** When the last line was written. */
  readonly atMs: number;
}

export const emptyHead: Head = { n: 0, hash: "", bytes: 0, atMs: 0 };

/** The text of the next line, without its end; its hash covers everything in it and the line before. */
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

/** Whether a line says, byte for byte, what it said when it was written; nothing is told of its neighbours. */
export function isWhole(key: Uint8Array, line: Buffer): boolean {
  const endAt = line.length - lineEnd.length;
  const hashAt = endAt - hashLength;
  const labelAt = hashAt - hashLabel.length;
  if (labelAt < 0 || !line.subarray(endAt).equals(lineEnd)) return false;
  if (!line.subarray(labelAt, hashAt).equals(hashLabel)) return false;
  const hasher = new Bun.CryptoHasher("sha256", key).update(line.subarray(0, labelAt)).update(closing);
  return hasher.digest("hex") === line.toString("latin1", hashAt, endAt);
}

export function parseLine(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["what", "client", "at", "prev", "hash"];
  return (
    "n" in value && Number.isInteger(value.n) && texts.every((name) => typeof Reflect.get(value, name) === "string")
  );
}

/** Bun's hasher needs no import; node:crypto costs 12 ms of every start. */
export function hashWithKey(key: Uint8Array, text: string): string {
  return new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
}
