import type { LogRow, Told } from "../src/inspector/activity.ts";
import type { Begun, Ended, Moment } from "../src/model/activity.ts";

/** One thing that happened, as far as it is known. */
export interface ActivityRow {
  readonly n: number;
  readonly atMs: number;
  /** action, refused, ask, stop, … */
  readonly what: string;
  readonly client: string;
  readonly tool: string;
  readonly words: string;
  readonly app: string;
  readonly window: string;
  readonly mark?: number | undefined;
  readonly role: string;
  readonly name: string;
  readonly approval: string;
  /** The verdict, or why not; empty while it goes on. */
  readonly effect: string;
  readonly way: string;
  readonly evidence: readonly string[];
  readonly changes: readonly string[];
  readonly failure: string;
  readonly tookMs?: number | undefined;
  readonly crops: Readonly<Partial<Record<Moment, RowPicture>>>;
  /** Whether more is known of it than the log says. */
  readonly isTold: boolean;
}

/** A picture as the page has it. */
export interface RowPicture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** Of one that was cut out of the live picture: when that was taken. */
  readonly liveAtMs?: number | undefined;
}

/** The line of the log in which a question stands that still waits: it knows which control is meant. */
export function findAsked(
  rows: readonly ActivityRow[],
  { words, client, tool }: Pick<ActivityRow, "words" | "client" | "tool">,
): ActivityRow | undefined {
  return rows.find(
    (one) =>
      one.what === "ask" && one.effect === "" && one.words === words && one.client === client && one.tool === tool,
  );
}

/** The oldest go first: nobody reads on for ever, and the log has them all. */
export const mostRows = 100;

/** What happened, newest first; whatever is told of one thing, in whatever order, comes to the same. */
export class ActivityRows {
  private readonly rows = new Map<number, ActivityRow>();
  /** Lines that are shown as a part of another one. A log that is read again has them again. */
  private readonly folded = new Set<number>();
  lost = 0;

  /** What is shown no more is given to `onGone`. */
  constructor(private readonly onGone: (row: ActivityRow) => void = () => undefined) {}

  list(): readonly ActivityRow[] {
    return [...this.rows.values()].toSorted((one, other) => other.n - one.n);
  }

  take(told: Told): void {
    if (told.kind === "lost") this.lost += told.count;
    else if (told.kind === "line") this.takeLine(told.row);
    else if (told.kind === "begun") this.merge(told.n, fromBegun(told));
    else if (told.kind === "ended") this.merge(told.n, fromEnded(told));
    // A picture comes by takePicture.
    this.forgetOldest();
  }

  takePicture(n: number, when: Moment, picture: RowPicture): void {
    const row = this.rows.get(n);
    const old = row?.crops[when];
    // The better one may have come first.
    const isWorse = old !== undefined && picture.liveAtMs !== undefined;
    if (row !== undefined && old !== undefined) this.onGone({ ...row, crops: { [when]: isWorse ? picture : old } });
    if (isWorse) return;
    this.merge(n, { crops: { ...row?.crops, [when]: picture } });
    this.forgetOldest();
  }

  private takeLine(row: LogRow): void {
    if (this.folded.has(row.n)) return;
    if (row.what === "stop") this.leaveUnfinished(row.n);
    if (row.what === "begin" || row.what === "action") this.foldQuestion(row);
    const refused = row.what === "refused" ? this.findRefused(row) : undefined;
    if (refused !== undefined) {
      this.folded.add(row.n);
      return this.merge(refused.n, { failure: row.words ?? "" });
    }
    const isLate = (row.what === "end" || row.what === "answer") && row.begin !== undefined;
    if (!isLate) return this.merge(row.n, fromLine(row, this.rows.get(row.n)));
    // What began before anything was shown is not shown by its end alone.
    const known = this.rows.get(row.begin ?? 0);
    if (known !== undefined) this.merge(known.n, fromEnd(row, known));
  }

  /** What a person has allowed is shown by what came of it; the name of the answer has the request's code in it. */
  private foldQuestion({ n, client, tool, approval }: LogRow): void {
    if (approval === undefined) return;
    const asked = this.list().find(
      (one) =>
        one.what === "ask" &&
        one.n < n &&
        one.effect === "yes" &&
        one.client === client &&
        one.tool === tool &&
        one.approval === approval,
    );
    if (asked === undefined) return;
    this.rows.delete(asked.n);
    this.folded.add(asked.n);
  }

  /** The question whose answer was a no: the refusal says the same once more, with the words of the question. */
  private findRefused({ n, client, tool, effect, words = "" }: LogRow): ActivityRow | undefined {
    return this.list().find(
      (one) =>
        one.what === "ask" &&
        one.n < n &&
        one.effect === effect &&
        one.client === client &&
        one.tool === tool &&
        one.failure === "" &&
        words.startsWith(one.words),
    );
  }

  /** A process that a stop has ended may have had no time to write how. */
  private leaveUnfinished(before: number): void {
    for (const one of this.rows.values()) {
      if (one.n < before && canEnd.has(one.what) && one.effect === "") this.merge(one.n, { effect: unfinished });
    }
  }

  private merge(n: number, more: Partial<ActivityRow>): void {
    this.rows.set(n, { ...(this.rows.get(n) ?? { ...unknown, n }), ...more });
  }

  private forgetOldest(): void {
    if (this.rows.size <= mostRows) return;
    const oldest = this.rows.get(Math.min(...this.rows.keys()));
    if (oldest === undefined) return;
    this.rows.delete(oldest.n);
    this.onGone(oldest);
  }
}

const canEnd: ReadonlySet<string> = new Set(["action", "ask"]);

/** As the log tells of what has begun and has no end there. */
const unfinished = "unfinished";

function chooseEffect(known: ActivityRow | undefined, effect: string): string {
  const isOver = known !== undefined && known.effect !== "" && known.effect !== unfinished;
  return isOver ? known.effect : effect;
}

const unknown: Omit<ActivityRow, "n"> = {
  atMs: 0,
  what: "action",
  client: "",
  tool: "",
  words: "",
  app: "",
  window: "",
  role: "",
  name: "",
  approval: "",
  effect: "",
  way: "",
  evidence: [],
  changes: [],
  failure: "",
  crops: {},
  isTold: false,
};

function fromBegun({
  atMs,
  client,
  tool,
  words,
  app,
  window,
  mark,
  role = "",
  name = "",
}: Begun): Partial<ActivityRow> {
  return { atMs, what: "action", client, tool, words, app, window, mark, role, name, isTold: true };
}

function fromEnded({ verdict, way = "", evidence, changes, failure, tookMs }: Ended): Partial<ActivityRow> {
  const effect = verdict ?? failure?.reason ?? failure?.code ?? "";
  return { effect, way, evidence, changes, failure: failure?.message ?? "", tookMs, isTold: true };
}

/** What the log says never takes the place of more that is known already. */
function fromLine(row: LogRow, known: ActivityRow | undefined): Partial<ActivityRow> {
  const {
    at,
    what,
    client,
    tool = "",
    app = "",
    window = "",
    mark,
    role = "",
    name = "",
    words = "",
    effect = "",
  } = row;
  return {
    atMs: Date.parse(at),
    what: what === "begin" ? "action" : what,
    client,
    tool,
    app: known?.app || app,
    window: known?.window || window,
    mark: known?.mark ?? mark,
    role,
    name,
    // Of a refusal, these are not what was wanted but why it was refused.
    words: known?.words || (what === "refused" ? "" : words),
    failure: what === "refused" ? words : (known?.failure ?? ""),
    way: known?.way || (row.way ?? ""),
    effect: chooseEffect(known, effect),
    approval: row.approval ?? known?.approval ?? "",
    tookMs: known?.tookMs ?? (row.endedAt === undefined ? undefined : Date.parse(row.endedAt) - Date.parse(at)),
  };
}

function fromEnd({ at, effect = "", way, approval, words }: LogRow, known: ActivityRow): Partial<ActivityRow> {
  return {
    effect: chooseEffect(known, effect),
    way: known.evidence.length > 0 ? known.way : (way ?? known.way),
    approval: approval ?? known.approval,
    words: known.words || (words ?? ""),
    tookMs: known.tookMs ?? Date.parse(at) - known.atMs,
  };
}
