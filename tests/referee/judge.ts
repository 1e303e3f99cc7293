/** One line of the observer's timeline; which facts it has depends on its kind. */
export interface Moment {
  /** Milliseconds, as of Date.now(). */
  readonly t: number;
  readonly kind: string;
  readonly part?: "screen" | "bus";
  readonly sender?: string;
  readonly path?: string;
  readonly member?: string;
  readonly detail?: string;
  readonly first?: number;
  readonly text?: string | null;
  readonly showing?: boolean;
  readonly states?: readonly string[];
  /** The kind of an event of the display. */
  readonly what?: string;
  readonly role?: string;
  readonly id?: number;
  readonly pid?: number;
  readonly names?: readonly string[];
  readonly title?: string;
  readonly before?: string;
  readonly digest?: number;
  /** When the observer last looked before it was late. */
  readonly since?: number;
  readonly line?: LogLine;
  /** With a line: how many processes wanted to run, for each core. */
  readonly load?: number;
}

/** What the judge uses of a line of Deskmap's log. */
export interface LogLine {
  readonly what: string;
  readonly n: number;
  readonly at: string;
  readonly begin?: number;
  readonly tool?: string;
  readonly apps?: readonly string[];
  readonly target?: { readonly app?: string; readonly role?: string; readonly name?: string; readonly words?: string };
  readonly way?: string;
  readonly effect?: string;
}

/** What the observer saw of an action; "drawn" if only the picture of the screen is different. */
export const truths = ["changed", "drawn", "nothing", "unknown"] as const;
export type Truth = (typeof truths)[number];

export interface Judged {
  readonly tool: string;
  readonly target: string;
  readonly way: string;
  readonly said: string;
  readonly begunMs: number;
  readonly endedMs: number;
  readonly truth: Truth;
  /** The observations behind it. */
  readonly saw: readonly string[];
  readonly isFalse: boolean;
}

interface Action extends Omit<Judged, "truth" | "saw" | "isFalse"> {
  readonly apps: readonly string[];
  readonly role: string;
  /** What its target was called before. */
  readonly name: string;
  /** Until when the observer may be told of its effect. */
  readonly seenMs: number;
}

/** The observer is told of a change a moment later than Deskmap; if the cores are shared, as many times later. */
const lagMs = 500;
/** How many changes while nobody acts show that something changes by itself. */
const often = 4;

/**
 * Compares what was said of each action with what was seen from its begin to its end. Only what is beyond doubt is false: an
 * action that is "confirmed" although nothing at all was different, and one with "no-change" although its application reported
 * a change of something shown that does not change by itself.
 */
export function judgeTimeline(timeline: readonly Moment[]): readonly Judged[] {
  const actions = listActions(timeline);
  const scene = new Observed(timeline, actions);
  return actions.map((own) => {
    const { apps: _apps, role: _role, name: _name, seenMs: _seen, ...action } = own;
    const saw = scene.listDifferences(own);
    const truth = saw.length > 0 ? "changed" : scene.describeRest(own);
    return { ...action, truth, saw, isFalse: isFalse(action.said, truth) };
  });
}

function isFalse(said: string, truth: Truth): boolean {
  return (said === "confirmed" && truth === "nothing") || (said === "no-change" && truth === "changed");
}

function listActions(timeline: readonly Moment[]): readonly Action[] {
  // Numbers begin again if a test removes the log.
  const begun = new Map<number, LogLine>();
  return timeline.flatMap(({ line, load = 1 }) => {
    if (line?.what === "begin") begun.set(line.n, line);
    const first = line?.what === "end" ? begun.get(line.begin ?? 0) : undefined;
    if (line === undefined || first === undefined) return [];
    const { target } = first;
    const endedMs = Date.parse(line.at);
    return {
      tool: first.tool ?? "",
      target: [target?.app, target?.role, JSON.stringify(target?.name ?? target?.words ?? "")].join(" "),
      way: line.way ?? first.way ?? "",
      said: line.effect ?? "",
      begunMs: Date.parse(first.at),
      endedMs,
      seenMs: endedMs + lagMs * Math.max(1, load),
      apps: [...(first.apps ?? []), target?.app ?? ""],
      role: target?.role ?? "",
      name: target?.name ?? "",
    };
  });
}

class Observed {
  private readonly processes = new Map<string, number>();
  private readonly names = new Map<number, Set<string>>();
  /** What changes by itself, and what may: an accusation needs more certainty than a count. */
  private readonly restless: ReadonlySet<string>;
  private readonly doubtful: ReadonlySet<string>;

  constructor(
    private readonly timeline: readonly Moment[],
    actions: readonly Action[],
  ) {
    for (const { kind, sender = "", pid = 0, names = [] } of timeline) {
      if (kind === "sender") this.processes.set(sender, pid);
      if (pid > 0) this.names.set(pid, new Set([...(this.names.get(pid) ?? []), ...names.map(simplify)]));
    }
    const mayRecur = ({ kind }: Moment): boolean => kind === "event" || kind === "renamed";
    const sources = Map.groupBy(
      timeline.filter((moment) => isChange(moment) && mayRecur(moment)),
      nameSource,
    );
    const countOutside = (moments: readonly Moment[]): number =>
      moments.filter((moment) => !isDuring(moment, actions)).length;
    const select = (isSuch: (moments: readonly Moment[]) => boolean): ReadonlySet<string> =>
      new Set([...sources].filter(([, moments]) => isSuch(moments)).map(([source]) => source));
    this.restless = select((moments) => countOutside(moments) >= often);
    this.doubtful = select((moments) => countOutside(moments) > 0 || moments.some(isTime) || recurs(moments, actions));
  }

  /** What was different in the application of an action, for a person who looks at it. */
  listDifferences(action: Action): readonly string[] {
    const { begunMs, endedMs, said, tool } = action;
    const during = this.between(begunMs, endedMs);
    if (said !== "no-change" && during.some((moment) => wanted[tool]?.(moment))) return [`what ${tool} is for`];
    if (during.some(({ kind }) => kind === "storm")) return [];
    const own = during.filter((moment) => isChange(moment) && this.isOf(moment, action.apps));
    const ignored = said === "no-change" ? this.doubtful : this.restless;
    const calm = own.filter((moment) => !ignored.has(nameSource(moment)));
    return [...Map.groupBy(calm, nameSource).values()].flatMap((moments) => {
      const [first] = moments;
      if (first === undefined || !isLasting(moments)) return [];
      if (said === "no-change" && this.isSaidAgain(moments, action.name)) return [];
      return first.kind === "event" && !this.isAgreed(moments, said) ? [] : describe(moments);
    });
  }

  /**
   * GTK 4 says of a row that it is selected whenever that gets the focus, and what a button is called when the pointer
   * presses it: only what was not so before is a change.
   */
  private isSaidAgain(moments: readonly Moment[], name: string): boolean {
    const [first] = moments;
    if (first?.detail === "accessible-name") return moments.every(({ text }) => text === name);
    if (first?.member !== "StateChanged") return false;
    const earlier = this.timeline.filter((one) => one.t < first.t && nameSource(one) === nameSource(first)).at(-1);
    return earlier === undefined ? (first.path ?? "").startsWith("/org/gtk/") : earlier.first === moments.at(-1)?.first;
  }

  /** What was seen of an action of which no application reported a change. */
  describeRest(action: Action): Truth {
    const pictures = this.comparePictures(action.begunMs, action.seenMs);
    if (pictures === "different") return "drawn";
    return pictures === "same" && this.wasStill(action) ? "nothing" : "unknown";
  }

  /** Whether the observer watched everything, and nothing at all happened. */
  private wasStill({ begunMs, seenMs: untilMs, role, apps, tool }: Action): boolean {
    if (invisible.has(tool) || !this.isReporting(apps)) return false;
    if (!this.isWatched("screen", begunMs, untilMs) || !this.isWatched("bus", begunMs, untilMs)) return false;
    if (this.timeline.some(({ t, since }) => since !== undefined && t >= begunMs && since <= untilMs)) return false;
    const during = this.between(begunMs, untilMs);
    if (during.some(({ kind }) => ["storm", "opened", "closed", "renamed", "display"].includes(kind))) return false;
    const events = during.filter(
      ({ kind, detail = "" }) => kind === "event" && !(role === "button" && uses.has(detail)),
    );
    return events.length === 0;
  }

  /** Whether an application reports all its changes: a browser reports few unless somebody asks it to, which slows it down. */
  private isReporting(apps: readonly string[]): boolean {
    if (apps.some((app) => /firefox|chrom/i.test(app))) return false;
    return this.timeline.some((moment) => moment.kind === "sender" && this.isOf(moment, apps));
  }

  private comparePictures(fromMs: number, untilMs: number): "same" | "different" | "unknown" {
    const pictures = this.timeline.filter(({ kind }) => kind === "picture" || kind === "drawn");
    const before = pictures.findLast(({ t }) => t < fromMs);
    const last = pictures.findLast(({ t }) => t <= untilMs);
    // Drawn on, and not looked at yet.
    if (before?.kind !== "picture" || last?.kind !== "picture") return "unknown";
    return before.digest === last.digest ? "same" : "different";
  }

  private isWatched(part: "screen" | "bus", fromMs: number, untilMs: number): boolean {
    const changes = this.timeline.filter((moment) => moment.part === part);
    const isOn = changes.findLast(({ t }) => t < fromMs)?.kind === "watching";
    return isOn && !changes.some(({ t, kind }) => kind === "lost" && t >= fromMs && t <= untilMs);
  }

  private between(fromMs: number, untilMs: number): readonly Moment[] {
    return this.timeline.filter(({ t }) => t >= fromMs && t <= untilMs);
  }

  private isOf({ sender, pid, names = [] }: Moment, apps: readonly string[]): boolean {
    const process = sender === undefined ? pid : this.processes.get(sender);
    const known = [...names.map(simplify), ...(this.names.get(process ?? 0) ?? [])];
    return apps.some((app) => known.includes(simplify(app)));
  }

  /**
   * Whether what an object answers agrees with what it reported; the observer asks after an action without a change. Caja
   * reports that an icon is selected, and answers that it is not.
   */
  private isAgreed(moments: readonly Moment[], said: string): boolean {
    const last = moments.at(-1);
    const answers = this.timeline.filter(({ kind }) => kind === "source");
    const answer = answers.findLast(({ sender, path }) => sender === last?.sender && path === last?.path);
    if (answer === undefined) return said !== "no-change";
    const isSo = last?.member !== "StateChanged" || answer.states?.includes(last.detail ?? "") === (last.first === 1);
    return isSo && answer.showing === true && answer.role !== "progress bar";
  }
}

/** Tools that may do what they are for although nothing is different: the same secret again, the focus where it was. */
const invisible: ReadonlySet<string> = new Set(["fill-secret", "clipboard", "focus", "hover"]);

/** What some tools are for. It is no change that an application reports. */
const wanted: Readonly<Record<string, (moment: Moment) => boolean>> = {
  window: ({ kind }) => kind === "display" || kind === "closed" || kind === "renamed",
  open: ({ kind }) => kind === "opened",
  quit: ({ kind }) => kind === "closed",
  clipboard: ({ what }) => what === "SetSelectionOwnerNotify",
  focus: ({ kind, detail }) => kind === "display" || detail === "focused",
  select: ({ member }) => member === "SelectionChanged",
};

/** What a use of a control changes, whether or not that has an effect. */
const uses: ReadonlySet<string> = new Set(["focused", "pressed", "armed", "active"]);
const states: ReadonlySet<string> = new Set(["checked", "selected", "expanded", "enabled"]);
const properties: ReadonlySet<string> = new Set(["accessible-name", "accessible-value"]);

function isChange({ kind, member, detail = "" }: Moment): boolean {
  if (["opened", "closed", "renamed"].includes(kind)) return true;
  if (kind !== "event") return false;
  if (member === "TextChanged") return true;
  return member === "StateChanged" ? states.has(detail) : member === "PropertyChange" && properties.has(detail);
}

function isDuring({ t }: Moment, actions: readonly Action[]): boolean {
  return actions.some(({ begunMs, seenMs }) => t >= begunMs && t <= seenMs);
}

/** An effect comes at once; what changes again later in the same action changes by itself. */
function recurs(moments: readonly Moment[], actions: readonly Action[]): boolean {
  return moments.some(({ t }, index) => {
    const next = moments[index + 1];
    return next !== undefined && next.t - t > lagMs && actions.some((one) => t >= one.begunMs && next.t <= one.endedMs);
  });
}

function isTime({ text, title }: Moment): boolean {
  return /\d:\d\d/.test(text ?? title ?? "");
}

/** What changes: a window, or one aspect of an object. */
function nameSource({ kind, id, sender, path, member, detail = "" }: Moment): string {
  if (kind !== "event") return `window ${id} ${kind === "renamed" ? "title" : ""}`;
  return `${sender} ${path} ${member} ${member === "TextChanged" ? "" : detail}`;
}

/** Whether something is different in the end: a state may go on and off, a text be replaced by itself. */
function isLasting(moments: readonly Moment[]): boolean {
  const [first] = moments;
  const last = moments.at(-1);
  if (first === undefined || last === undefined) return false;
  if (first.kind === "renamed" && last.kind === "renamed") return first.before !== last.title;
  if (first.kind === "opened" && last.kind === "closed") return false;
  if (first.member === "StateChanged") return first.first === last.first;
  if (first.member !== "TextChanged") return true;
  const join = (how: string): string => {
    return moments.flatMap(({ detail = "", text }) => (detail.startsWith(how) ? (text ?? "") : [])).join("");
  };
  return join("insert") !== join("delete");
}

function describe(moments: readonly Moment[]): string[] {
  const [first] = moments;
  if (first === undefined) return [];
  if (first.kind !== "event") return [`window ${JSON.stringify(first.title)} ${first.kind}`];
  const texts = moments.map(({ detail, first: value, text }) => `${detail} ${text ?? value}`);
  return [`${first.sender}${first.path} ${first.member}: ${texts.slice(0, 4).join(", ")}`];
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
