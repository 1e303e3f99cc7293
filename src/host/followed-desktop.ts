import type { LivePolicy } from "../guard/policy/live.ts";
import { redactKept } from "../guard/view/kept-view.ts";
import type { Eyes, Moment } from "../listen/moment.ts";
import type { Point } from "../model/bounds.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { Following, Kept, LivePlatform, Platform } from "../platform/port.ts";
import type { Session } from "../tools/session.ts";

/** The desktop for a listener: all windows that may be seen are followed, and nothing is read before a person's input. */
export class FollowedDesktop implements Eyes {
  private readonly followings: Following[] = [];
  private readonly followed = new Set<number>();
  private readonly apps = new Set<string>();
  private wake = Promise.withResolvers<void>();
  private readonly unsubscribe: () => void;
  private hasClosed = false;

  private constructor(
    private readonly session: Session,
    private readonly live: LivePlatform,
    readonly view: Platform,
    private readonly rules: LivePolicy,
    private readonly onTrouble: (failure: Failure) => void,
  ) {
    this.unsubscribe = live.mirror.onChange(({ isListChanged }) => {
      if (isListChanged) void this.followAll();
      const { resolve } = this.wake;
      this.wake = Promise.withResolvers();
      resolve();
    });
  }

  static async open(
    session: Session,
    live: LivePlatform,
    rules: LivePolicy,
    onTrouble: (failure: Failure) => void,
  ): Promise<Result<FollowedDesktop>> {
    const view = await session.openPlatform();
    if (!view.ok) return view;
    const desktop = new FollowedDesktop(session, live, view.value, rules, onTrouble);
    const followed = await desktop.followAll();
    if (followed.ok) return succeed(desktop);
    desktop.close();
    return followed;
  }

  /** Nothing is awaited before the mirror is asked: the next event may change it. */
  keep(): Promise<Result<Moment>> {
    return this.redact(this.live.mirror.peek());
  }

  async readAgain(windows: readonly Window[]): Promise<Result<Moment>> {
    const reads = await this.view.readWindows({ windows, includeHidden: false, timeoutMs: this.session.timeoutMs });
    if (!reads.ok) return reads;
    const moment = await this.keep();
    if (!moment.ok) return moment;
    const own = reads.value.map((read) => [read.window.id, read] as const);
    return succeed({ ...moment.value, reads: new Map([...moment.value.reads, ...own]) });
  }

  findWindowAt(point: Point): Promise<Result<Window | undefined>> {
    return this.view.findWindowAt(point);
  }

  async waitForChange(withinMs: number): Promise<boolean> {
    const late = Promise.withResolvers<false>();
    const timer = setTimeout(() => late.resolve(false), withinMs);
    try {
      return await Promise.race([this.wake.promise.then(() => true), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.hasClosed = true;
    this.unsubscribe();
    for (const following of this.followings) following.release();
  }

  private async redact(kept: Kept): Promise<Result<Moment>> {
    const policy = await this.rules.refresh();
    if (!policy.ok) return policy;
    const list = kept.list === undefined ? await this.live.listWindows() : succeed(kept.list);
    if (!list.ok) return list;
    return succeed({ atMs: Date.now(), ...(await redactKept(kept, list.value, policy.value, this.live)) });
  }

  /** Follows the windows that are new; each application is written to the log before it is read. */
  private async followAll(): Promise<Result<unknown>> {
    const followed = await this.followNew();
    if (!followed.ok && !this.hasClosed) this.onTrouble(followed.failure);
    return followed;
  }

  private async followNew(): Promise<Result<unknown>> {
    const policy = await this.rules.refresh();
    if (!policy.ok) return policy;
    const list = await this.view.listWindows();
    if (!list.ok) return list;
    const added = list.value.windows.filter(({ id }) => !this.followed.has(id));
    if (added.length === 0 || this.hasClosed) return succeed(undefined);
    for (const { id } of added) this.followed.add(id);
    const apps = [...new Set(added.map(({ app }) => app))].filter((app) => !this.apps.has(app));
    for (const app of apps) this.apps.add(app);
    const logged = apps.length === 0 ? succeed(undefined) : this.session.recordLasting("record", apps, "follows it");
    if (!logged.ok) return logged;
    const following = await this.live.mirror.follow(added, this.session.timeoutMs);
    if (!following.ok) return fail(following.failure);
    if (this.hasClosed) following.value.release();
    else this.followings.push(following.value);
    return following;
  }
}
