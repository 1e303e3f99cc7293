/** What a span waited for. */
export type Lane = "tool" | "daemon" | "read" | "guard" | "dbus" | "x11" | "map" | "vision";

/**
 * One request and its duration. It never contains names, values, titles or text, only kinds, sizes and ids: a log must
 * not reveal a secret.
 */
export interface Span {
  readonly lane: Lane;
  readonly name: string;
  readonly detail: string;
  /** Since 1970, so that the spans of two processes are comparable. */
  readonly startUs: number;
  readonly tookUs: number;
  readonly pid: number;
  readonly isFailed?: true;
}

/** Further spans are counted and dropped: a trace of an endless wait must not exhaust memory. */
const maxSpans = 50_000;

/** Collects spans, or passes each to `onSpan` when it ends. */
export class Trace {
  private spans: Span[] = [];
  private dropped = 0;

  constructor(private readonly onSpan?: (span: Span) => void) {}

  add(span: Span): void {
    if (this.onSpan !== undefined) this.onSpan(span);
    else if (this.spans.length < maxSpans) this.spans.push(span);
    else this.dropped += 1;
  }

  /** All spans so far, the earliest first. */
  take(): readonly Span[] {
    const taken = this.spans.toSorted((a, b) => a.startUs - b.startUs);
    const last = taken.at(-1);
    if (last !== undefined && this.dropped > 0) {
      taken.push({ ...last, lane: "tool", name: "more spans", detail: String(this.dropped), tookUs: 0 });
    }
    this.spans = [];
    this.dropped = 0;
    return taken;
  }

  /** Begins a span; the returned function ends it. A detail that is known only then is a function. */
  begin(lane: Lane, name: string, detail: string | (() => string) = ""): (isFailed?: boolean) => void {
    const startUs = readClock();
    return (isFailed = false) => {
      const known = typeof detail === "string" ? detail : detail();
      const span = { lane, name, detail: known, startUs, tookUs: readClock() - startUs, pid: process.pid };
      this.add(isFailed ? { ...span, isFailed } : span);
    };
  }
}

function readClock(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}

let ofProcess: Trace | undefined;
let findOwn: (() => Trace | undefined) | undefined;

/** The trace of the current work; usually undefined, and then nothing is described. */
export function findTrace(): Trace | undefined {
  return findOwn?.() ?? ofProcess;
}

export function traceProcess(trace: Trace | undefined): void {
  ofProcess = trace;
}

/** Concurrent calls in one process each have their own trace: src/host/trace-call.ts. */
export function setTraceFinder(find: () => Trace | undefined): void {
  findOwn = find;
}

/** Traces one piece of work; `describe` is called only if there is a trace. */
export async function traced<T>(
  lane: Lane,
  describe: () => readonly [string, string?],
  work: () => Promise<T>,
): Promise<T> {
  const end = findTrace()?.begin(lane, ...describe());
  if (end === undefined) return work();
  try {
    const value = await work();
    end(isFailure(value));
    return value;
  } catch (error) {
    end(true);
    throw error;
  }
}

/** Failures are values: src/model/failure.ts. */
function isFailure(value: unknown): boolean {
  return typeof value === "object" && value !== null && "ok" in value && value.ok === false;
}
