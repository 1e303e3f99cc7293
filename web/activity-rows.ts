import type { LogRow, Told } from "../src/inspector/activity.ts";
import type { Begun, CropTime, Ended } from "../src/model/activity.ts";

/** One event of the activity feed, merged from everything reported about it so far. */
export interface ActivityRow {
  readonly n: number;
  readonly atMs: number;
  /** The kind of event: action, refused, ask, stop, … */
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
  /** The verdict, or the reason of a failure; empty while the action runs. */
  readonly effect: string;
  readonly way: string;
  readonly evidence: readonly string[];
  readonly changes: readonly string[];
  readonly failure: string;
  readonly tookMs?: number | undefined;
  readonly crops: Readonly<Partial<Record<CropTime, RowPicture>>>;
  /** Whether it was reported live; the log alone has no pictures, evidence or changes. */
  readonly isLive: boolean;
}

/** A picture with an object URL of this page. */
export interface RowPicture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** When the live picture was taken, if this one was cut out of it. */
  readonly liveAtMs?: number | undefined;
}

/** Finds the log entry of an open question. Unlike the question, the entry has the mark of the control. */
export function findAsked(
  rows: readonly ActivityRow[],
  { words, client, tool }: Pick<ActivityRow, "words" | "client" | "tool">,
): ActivityRow | undefined {
  return rows.find(
    (one) =>
      one.what === "ask" && one.effect === "" && one.words === words && one.client === client && one.tool === tool,
  );
}

/** Older rows are dropped; the log has them all. */
export const mostRows = 100;

/** Merges live reports and log entries into rows. The result does not depend on their order of arrival. */
export class ActivityRows {
  private readonly rows = new Map<number, ActivityRow>();
  /** Entries that are shown as part of another row. Kept, because a log that is read again has them again. */
  private readonly folded = new Set<number>();
  lost = 0;

  /** `onGone` receives a row that is dropped, or a row with only the picture that is dropped. */
  constructor(private readonly onGone: (row: ActivityRow) => void = () => undefined) {}

  list(): readonly ActivityRow[] {
    return [...this.rows.values()].toSorted((one, other) => other.n - one.n);
  }

  take(event: Told): void {
    if (event.kind === "lost") this.lost += event.count;
    else if (event.kind === "line") this.takeLine(event.row);
    else if (event.kind === "begun") this.merge(event.n, fromBegun(event));
    else if (event.kind === "ended") this.merge(event.n, fromEnded(event));
    // Pictures arrive through takePicture.
    this.forgetOldest();
  }

  takePicture(n: number, when: CropTime, picture: RowPicture): void {
    const row = this.rows.get(n);
    const old = row?.crops[when];
    // A crop of the live picture never replaces a picture that was taken for the action.
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
    // An end without a known beginning is not shown.
    const known = this.rows.get(row.begin ?? 0);
    if (known !== undefined) this.merge(known.n, fromEnd(row, known));
  }

  /** Hides an allowed question when its action begins. `approval` contains the code of the request, so it identifies the question. */
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

  /** Finds the denied question of a refusal, which repeats it: its words start with those of the question. */
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

  /** A process that was killed by a stop may not have logged the end of its action. */
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

/** The log's effect for an action without an end. */
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
  isLive: false,
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
  return { atMs, what: "action", client, tool, words, app, window, mark, role, name, isLive: true };
}

function fromEnded({ verdict, way = "", evidence, changes, failure, tookMs }: Ended): Partial<ActivityRow> {
  const effect = verdict ?? failure?.reason ?? failure?.code ?? "";
  return { effect, way, evidence, changes, failure: failure?.message ?? "", tookMs, isLive: true };
}

/** Details from a live report take precedence over the log. */
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
    // The words of a refusal are its reason, not the action.
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
