import { setTimeout as pause } from "node:timers/promises";
import type { Line } from "../../guard/audit/chain.ts";
import { LogFollower } from "../../guard/audit/follow.ts";
import type { Happening } from "../../guard/audit/read.ts";
import { readLastHappenings } from "../../guard/audit/read-back.ts";
import { findPlaces } from "../../guard/places.ts";
import type { LogRow, Told } from "../../inspector/activity.ts";
import type { Activity } from "../../model/activity.ts";
import { cleanText } from "../../model/plain-text.ts";
import { FolderWatch } from "./folder-watch.ts";
import { inspectorClient, isOwnLook } from "./own-looks.ts";
import type { PanelContext } from "./panel.ts";
import { observeTogether } from "./share-activity.ts";

/** After trouble, unless what runs tools comes back before. */
const againMs = 1000;
const recentCount = 50;
const [maxWords, maxName] = [400, 160];

/** Tells one page what happens: from the log what every process does, from the host more of what its clients do. */
export class ActivityFeed {
  private readonly follower: LogFollower;
  private wake = Promise.withResolvers<void>();
  private readonly places;

  constructor(private readonly context: PanelContext) {
    this.places = findPlaces(context.env);
    this.follower = new LogFollower(this.places);
    context.onHostOpen(() => this.wake.resolve());
    void this.followLog();
    void this.followHost();
  }

  /** What happened last, oldest first. What is added while this is read comes twice, and is the same line. */
  async readRecent(): Promise<readonly LogRow[]> {
    const { happenings } = await readLastHappenings(this.places, { isLook: false, last: recentCount });
    return happenings.filter(isShown).map(toRow).toReversed();
  }

  private async followLog(): Promise<void> {
    const { signal } = this.context;
    const stirring = new FolderWatch([this.places.state], signal);
    while (!signal.aborted) {
      const rows = this.takeRows();
      if (rows.length > 0) await this.tell(rows.map((row) => ({ kind: "line", row })));
      await stirring.next();
    }
    this.follower.close();
  }

  /** A log that cannot be read now may be able to be read in a moment. */
  private takeRows(): readonly LogRow[] {
    try {
      return this.follower.take().filter(isShown).map(toRow);
    } catch (error) {
      const message = `the log cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      void this.context.push("activity.trouble", { message });
      return [];
    }
  }

  private async followHost(): Promise<void> {
    const { signal } = this.context;
    while (!signal.aborted) {
      const trouble = await this.observe();
      if (signal.aborted) return;
      this.wake = Promise.withResolvers();
      await this.context.push("activity.trouble", { message: trouble });
      await Promise.race([this.wake.promise, pause(againMs)]);
    }
  }

  private async observe(): Promise<string> {
    const { host, signal } = this.context;
    void this.context.push("activity.trouble", {});
    for await (const one of observeTogether(host, signal)) {
      if (!one.ok) return one.failure.message;
      await this.tell([this.show(one.value)]);
    }
    return "it ended";
  }

  private show(activity: Activity): Told {
    if (activity.kind !== "crop") return activity;
    const { jpeg, ...crop } = activity;
    return { ...crop, picture: this.context.sendPicture(Buffer.from(jpeg, "base64")) };
  }

  private tell(told: readonly Told[]): Promise<void> {
    return this.context.push("activity.told", told);
  }
}

/** Not what was only looked at, nor what the page itself was not let look at: it says so where it would show it. */
function isShown({ what, client, tool }: Line | Happening): boolean {
  if (what === "refused" && client === inspectorClient && isOwnLook(tool ?? "")) return false;
  return what !== "look";
}

/** As the page shows it: bounded, and without anything that could look like something else. */
export function toRow(line: Line | Happening): LogRow {
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
