import type { Line } from "../../guard/audit/chain.ts";
import { LogFollower } from "../../guard/audit/log-files.ts";
import { type AuditEvent, readLastEvents } from "../../guard/audit/read.ts";
import { findPlaces } from "../../guard/places.ts";
import { ActivityQueue } from "../../host/observers.ts";
import type { Host } from "../../host/port.ts";
import type { LogRow, Told } from "../../inspector/activity.ts";
import type { Activity } from "../../model/activity.ts";
import { messageOf } from "../../model/caught.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { cleanText } from "../../model/plain-text.ts";
import { FolderWatch } from "./folder-watch.ts";
import { inspectorClient, isOwnRead } from "./keep-host.ts";
import { followHost, type PanelContext } from "./panel.ts";

const recentCount = 50;
const [maxWords, maxName] = [400, 160];

/** Sends one page what happens: from the log, what every process does; from the host, details of what its clients do. */
export class ActivityFeed {
  private readonly follower: LogFollower;
  private readonly places;

  constructor(private readonly context: PanelContext) {
    this.places = findPlaces(context.env);
    this.follower = new LogFollower(this.places);
    void this.followLog();
    void followHost(
      context,
      context.signal,
      () => this.observe(),
      ({ message }) => context.push("activity.trouble", { message }),
    );
  }

  /** The latest entries, oldest first. What is added meanwhile comes twice, as the same line. */
  async readRecent(): Promise<readonly LogRow[]> {
    const { events } = await readLastEvents(this.places, { isLook: false, last: recentCount });
    return events.filter(isShown).map(toRow).toReversed();
  }

  private async followLog(): Promise<void> {
    const { signal } = this.context;
    const changes = new FolderWatch([this.places.state], signal);
    while (!signal.aborted) {
      const rows = this.takeRows();
      if (rows.length > 0) await this.push(rows.map((row) => ({ kind: "line", row })));
      await changes.next();
    }
    this.follower.close();
  }

  /** A failure to read the log is reported, and the log is read again later. */
  private takeRows(): readonly LogRow[] {
    try {
      return this.follower.take().filter(isShown).map(toRow);
    } catch (error) {
      const message = `the log cannot be read: ${messageOf(error)}`;
      void this.context.push("activity.trouble", { message });
      return [];
    }
  }

  private async observe(): Promise<Failure> {
    const { host, signal } = this.context;
    void this.context.push("activity.trouble", {});
    for await (const one of observeTogether(host, signal)) {
      if (!one.ok) return one.failure;
      await this.push([this.show(one.value)]);
    }
    return makeFailure("UNAVAILABLE", "it ended");
  }

  private show(activity: Activity): Told {
    if (activity.kind !== "crop") return activity;
    const { jpeg, ...crop } = activity;
    return { ...crop, picture: this.context.sendPicture(Buffer.from(jpeg, "base64")) };
  }

  private push(told: readonly Told[]): Promise<void> {
    return this.context.push("activity.told", told);
  }
}

/** Leaves out reads, and refusals of the page's own reads: the page shows those in their panels. */
function isShown({ what, client, tool }: Line | AuditEvent): boolean {
  if (what === "refused" && client === inspectorClient && isOwnRead(tool ?? "")) return false;
  return what !== "look";
}

/** Texts are shortened, and cleaned of characters that could disguise them. */
export function toRow(line: Line | AuditEvent): LogRow {
  const { n, at, what, client, tool, apps, target, way, effect, approval, typed, words } = line;
  const name = (text: string | undefined): string | undefined => text && cleanText(text, maxName);
  return {
    n,
    at,
    what,
    client: cleanText(client, maxName),
    tool: name(tool),
    app: name(target?.app ?? apps?.join(", ")),
    window: name(target?.window),
    mark: target?.mark,
    role: name(target?.role),
    name: name(target?.name),
    way: name(way),
    effect: name(effect),
    approval: name(approval),
    typedLength: typed?.length,
    words: (words ?? target?.words) && cleanText(words ?? target?.words ?? "", maxWords),
    begin: line.begin,
    endedAt: "endedAt" in line ? line.endedAt : undefined,
  };
}

interface Page {
  readonly queue: ActivityQueue;
  readonly ending: AbortController;
  failure?: Failure;
}

const shared = new WeakMap<Host, SharedActivity>();

/** Observes a host once for all pages of a process. */
export function observeTogether(host: Host, signal: AbortSignal): AsyncGenerator<Result<Activity>> {
  const known = shared.get(host) ?? new SharedActivity(host);
  shared.set(host, known);
  return known.observe(signal);
}

class SharedActivity {
  private readonly pages = new Set<Page>();
  private observing: AbortController | undefined;
  /** Ends when the host has ended the last observation, so that there is one at a time. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly host: Host) {}

  async *observe(signal: AbortSignal): AsyncGenerator<Result<Activity>> {
    const page: Page = { queue: new ActivityQueue(), ending: new AbortController() };
    this.pages.add(page);
    this.begin();
    try {
      const over = AbortSignal.any([signal, page.ending.signal]);
      for await (const activity of page.queue.take(over)) yield succeed(activity);
    } finally {
      this.pages.delete(page);
      if (this.pages.size === 0) this.observing?.abort();
    }
    if (page.failure !== undefined && !signal.aborted) yield fail(page.failure);
  }

  private begin(): void {
    if (this.observing !== undefined && !this.observing.signal.aborted) return;
    const observing = new AbortController();
    this.observing = observing;
    this.last = this.last.then(() => this.follow(observing));
  }

  private async follow(observing: AbortController): Promise<void> {
    let failure: Failure | undefined;
    try {
      for await (const one of this.host.observe(observing.signal)) {
        if (one.ok) for (const { queue } of this.pages) queue.add(one.value);
        else failure = one.failure;
      }
    } catch (error) {
      failure = makeFailure("UNAVAILABLE", messageOf(error));
    }
    // Aborted when the last page left; a page that came since waits for the next observation.
    if (observing.signal.aborted) return;
    observing.abort();
    for (const page of this.pages) {
      if (failure !== undefined) page.failure = failure;
      page.ending.abort();
    }
  }
}
