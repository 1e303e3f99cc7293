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

/** A line as it stands in the log. */
export interface Line extends Entry {
  readonly n: number;
  readonly at: string;
  readonly prev: string;
  readonly hash: string;
}

/** How far the log goes. */
export interface Head {
  readonly n: number;
  readonly hash: string;
  readonly bytes: number;
}

export const emptyHead: Head = { n: 0, hash: "", bytes: 0 };

/** The text of the next line, without its end; its hash covers everything in it and the line before. */
export function chainLine(key: Uint8Array, head: Head, atMs: number, entry: Entry): { text: string; hash: string } {
  const body = { n: head.n + 1, at: new Date(atMs).toISOString(), ...entry, prev: head.hash };
  const plain = JSON.stringify(body);
  const hash = hashWithKey(key, plain);
  return { text: `${plain.slice(0, -1)},"hash":"${hash}"}`, hash };
}

/** Whether a line says what it said when it was written; nothing is told of its neighbours. */
export function isWhole(key: Uint8Array, text: string): boolean {
  const match = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/s.exec(text);
  return match !== null && hashWithKey(key, `${match[1]}}`) === match[2];
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
