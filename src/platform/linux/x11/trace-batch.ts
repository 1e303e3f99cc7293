import { findTrace, type Trace } from "../../../model/trace.ts";

/** The names of frequent core requests; all others are traced by number. */
const names: Readonly<Record<number, string>> = {
  3: "GetWindowAttributes",
  8: "MapWindow",
  12: "ConfigureWindow",
  14: "GetGeometry",
  15: "QueryTree",
  16: "InternAtom",
  17: "GetAtomName",
  20: "GetProperty",
  25: "SendEvent",
  38: "QueryPointer",
  40: "TranslateCoordinates",
  41: "WarpPointer",
  43: "GetInputFocus",
  73: "GetImage",
  98: "QueryExtension",
  101: "GetKeyboardMapping",
};
const firstExtension = 128;

/** A span for the requests of one write, until the last is answered. */
export class TracedBatch {
  private readonly counts = new Map<string, number>();
  private readonly end: () => void;
  private bytes = 0;
  private waiting = 0;

  private constructor(trace: Trace) {
    this.end = trace.begin("x11", "round trip", () => this.describe());
  }

  static begin(): TracedBatch | undefined {
    const trace = findTrace();
    return trace === undefined ? undefined : new TracedBatch(trace);
  }

  add(request: Buffer, reply: Promise<unknown> | undefined): void {
    const opcode = request[0] ?? 0;
    const minor = opcode >= firstExtension ? `.${request[1]}` : "";
    const name = names[opcode] ?? `${opcode}${minor}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.bytes += request.length;
    if (reply === undefined) return;
    this.waiting += 1;
    const settle = (): void => {
      this.waiting -= 1;
      if (this.waiting === 0) this.end();
    };
    reply.then(settle, settle);
  }

  private describe(): string {
    const requests = [...this.counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
    return `${requests.join(", ")}; ${this.bytes} bytes`;
  }
}
