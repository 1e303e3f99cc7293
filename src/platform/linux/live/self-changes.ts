import { type Element, flatten } from "../../../model/element.ts";
import { kindOfRole } from "../../../model/role.ts";
import type { Temper } from "../../../sources/port.ts";

/** An element unchanged for this long while followed does not change by itself. */
const calmAfterMs = 3000;
/** Older changes are forgotten. */
const rememberedMs = 60_000;
/** Changes this soon after an action may be its late effect. */
const aftermathMs = 1500;
/** A single change may be a person's or a late effect; an element that changes by itself does so again. */
const restlessCount = 2;
const maxRemembered = 5000;

/** Texts that appear and disappear in a window are counted under this id: a log adds a new line each time. */
const textsId = "texts";

interface Followed {
  readonly pid: number;
  readonly sinceMs: number;
  /** How many actions its application has had since. */
  actions: number;
}

interface Seen {
  /** Times of changes outside any action. */
  readonly aloneMs: readonly number[];
  /** How often it changed during or shortly after actions. An action explains one change of an element. */
  readonly withActions: number;
}

const never: Seen = { aloneMs: [], withActions: 0 };

/**
 * Remembers what changes by itself in followed windows. Verification uses it, so that a clock beside a button is not
 * taken for the effect of a press.
 */
export class SelfChanges {
  private readonly windows = new Map<number, Followed>();
  private readonly seen = new Map<string, Seen>();
  private readonly acting = new Map<number, number>();
  private readonly actedAt = new Map<number, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Compares two reads of a window; unchanged parts are the same objects. */
  noteRead(windowId: number, pid: number, before: Element | undefined, after: Element | undefined): void {
    if (after === undefined) this.windows.delete(windowId);
    else if (before === undefined) this.windows.set(windowId, { pid, sinceMs: this.now(), actions: 0 });
    else this.compare(windowId, pid, before, after);
  }

  noteTitle(windowId: number, pid: number): void {
    this.note(`title:${windowId}`, pid);
  }

  /** Until it ends, and a moment longer, changes in these applications may be the action's. */
  beginAction(pids: ReadonlySet<number>): () => void {
    for (const pid of pids) this.acting.set(pid, (this.acting.get(pid) ?? 0) + 1);
    for (const window of this.windows.values()) if (pids.has(window.pid)) window.actions += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      for (const pid of pids) {
        const left = (this.acting.get(pid) ?? 1) - 1;
        if (left > 0) this.acting.set(pid, left);
        else this.acting.delete(pid);
        this.actedAt.set(pid, this.now());
      }
    };
  }

  /** What is known of an element, a window's title or its texts; undefined if that is not enough. */
  findTemper(windowIds: readonly number[], id: string): Temper | undefined {
    const followed = windowIds.map((one) => this.windows.get(one)).filter((one) => one !== undefined);
    const actions = Math.max(0, ...followed.map((one) => one.actions));
    const ids = id === textsId ? windowIds.map(textsOf) : [id];
    const unexplained = ids.reduce((sum, one) => sum + this.countUnexplained(one, actions), 0);
    if (unexplained >= restlessCount) return "restless";
    const isKnown = followed.length === windowIds.length && followed.length > 0;
    const sinceMs = Math.max(...followed.map((one) => one.sinceMs));
    return unexplained === 0 && isKnown && this.now() - sinceMs >= calmAfterMs ? "calm" : undefined;
  }

  private countUnexplained(id: string, actions: number): number {
    const { aloneMs, withActions } = this.seen.get(id) ?? never;
    const recent = aloneMs.filter((atMs) => this.now() - atMs <= rememberedMs);
    return recent.length + Math.max(0, withActions - actions);
  }

  private compare(windowId: number, pid: number, before: Element, after: Element): void {
    let haveTextsMoved = false;
    visit(before, after, {
      changed: (id) => this.note(id, pid),
      // A replacement for a text that changes by itself counts as that text.
      replaced: (old, now) => {
        this.keep(now, this.seen.get(old) ?? never);
        this.note(now, pid);
        haveTextsMoved = true;
      },
      textsMoved: () => {
        haveTextsMoved = true;
      },
    });
    if (haveTextsMoved) this.note(textsOf(windowId), pid);
  }

  private note(id: string, pid: number): void {
    const { aloneMs, withActions } = this.seen.get(id) ?? never;
    const nowMs = this.now();
    const isActing = this.acting.has(pid) || nowMs - (this.actedAt.get(pid) ?? Number.NEGATIVE_INFINITY) < aftermathMs;
    if (isActing) this.keep(id, { aloneMs, withActions: withActions + 1 });
    else this.keep(id, { aloneMs: [...aloneMs, nowMs].slice(-restlessCount), withActions });
  }

  private keep(id: string, seen: Seen): void {
    this.seen.delete(id);
    this.seen.set(id, seen);
    const [oldest] = this.seen.keys();
    if (this.seen.size > maxRemembered && oldest !== undefined) this.seen.delete(oldest);
  }
}

function textsOf(windowId: number): string {
  return `${textsId}:${windowId}`;
}

interface Visitor {
  changed(id: string): void;
  /** Another object of the same role replaced one. */
  replaced(old: string, now: string): void;
  /** Texts appeared or disappeared. */
  textsMoved(): void;
}

function visit(before: Element, after: Element, to: Visitor): void {
  if (before === after) return;
  if (saysOther(before, after)) to.changed(after.handle);
  const known = new Map(before.children.map((child) => [child.handle, child]));
  const ids = new Set(after.children.map(({ handle }) => handle));
  for (const [index, child] of after.children.entries()) {
    const there = before.children[index];
    const isReplaced = there !== undefined && !ids.has(there.handle) && there.role === child.role;
    const old = known.get(child.handle) ?? (isReplaced ? there : undefined);
    if (old === undefined) {
      if (isText(child)) to.textsMoved();
      continue;
    }
    if (old.handle !== child.handle) to.replaced(old.handle, child.handle);
    visit(old, child, to);
  }
  if (before.children.some((child) => !ids.has(child.handle) && isText(child))) to.textsMoved();
}

function saysOther(before: Element, after: Element): boolean {
  if (before.name !== after.name || before.value !== after.value) return true;
  const changed = before.states.symmetricDifference(after.states);
  changed.delete("focused");
  return changed.size > 0;
}

function isText(element: Element): boolean {
  return flatten([element]).every(({ role }) => kindOfRole(role) === "text");
}
