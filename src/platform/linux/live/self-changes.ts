import { type Element, flatten } from "../../../model/element.ts";
import { idOfContent, idOfPlace, idOfWindow, listPartIds, listValueIds, pairChildren } from "../../../model/pair.ts";
import type { Temper } from "../../../sources/port.ts";

/** An element seen unchanged for this long does not change by itself; a countdown or a status does. */
const calmAfterMs = 3000;
/** For how long changes without an action, and a stretch without changes, are remembered. */
const rememberedMs = 120_000;
/** Changes this soon after an action may be its late effect. */
const aftermathMs = 1500;
/** A window that is moved, minimised or restored loses and regains its content: how long before and after. */
const movingMs = { before: 250, after: 1000 };
/** Changes this close together are steps of one. */
const burstMs = 250;
/** A single change may be a person's or a late effect; an element that changes by itself does so again. */
const restlessCount = 2;
const maxRhythm = 6;
/** A rhythm has ended if nothing came for this long, and for so many times its longest pause. */
const rhythmEnd = { ms: 10_000, pauses: 3 };
const maxRemembered = 5000;
/** Of a large part that appears, only so many elements are noted as new. */
const maxBorn = 100;

interface Followed {
  readonly pid: number;
  readonly sinceMs: number;
}

interface Seen {
  readonly pid: number;
  /** Changes that no action explains, the last few. */
  readonly aloneMs: readonly number[];
  /** The last change, or when it appeared. */
  readonly lastMs: number;
  /** The last counted change; those of the same burst are not counted. */
  readonly countedMs: number;
  /** When a stretch of `calmAfterMs` without changes last ended. */
  readonly stillMs: number;
  /** The action that explains a change of it. An action explains one. */
  readonly action: number;
}

/**
 * Remembers what changes by itself in followed windows. Verification uses it, so that a clock beside a button is not
 * taken for the effect of a press.
 */
export class SelfChanges {
  private readonly windows = new Map<number, Followed>();
  private readonly seen = new Map<string, Seen>();
  /** Actions by number, each with its application and when it ended. */
  private readonly acting = new Map<number, { readonly action: number; readonly untilMs: number }>();
  private actions = 0;
  /** Until when changes in an application are due to a window that was moved. */
  private readonly moving = new Map<number, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Compares two reads of a window; unchanged parts are the same objects. */
  noteRead(windowId: number, pid: number, before: Element | undefined, after: Element | undefined): void {
    if (after === undefined) this.windows.delete(windowId);
    else if (before === undefined) this.windows.set(windowId, { pid, sinceMs: this.now() });
    else this.compare(this.windows.get(windowId) ?? { pid, sinceMs: this.now() }, undefined, before, after);
  }

  /** Another title, place or state; with another place or state, its content may come and go. */
  noteWindow(windowId: number, pid: number, isMoved: boolean): void {
    const nowMs = this.now();
    this.moving.delete(pid);
    this.note(idOfWindow(windowId), this.windows.get(windowId) ?? { pid, sinceMs: nowMs });
    if (!isMoved) return;
    this.moving.set(pid, nowMs + movingMs.after);
    for (const [id, seen] of this.seen) {
      const aloneMs = seen.aloneMs.filter((atMs) => nowMs - atMs > movingMs.before);
      const isOther = seen.pid !== pid || id === idOfWindow(windowId) || aloneMs.length === seen.aloneMs.length;
      if (!isOther) this.seen.set(id, { ...seen, aloneMs });
    }
  }

  /** Until it ends, and a moment longer, changes in these applications may be the action's. */
  beginAction(pids: ReadonlySet<number>): () => void {
    this.actions += 1;
    const action = this.actions;
    const setEnd = (untilMs: number): void => {
      for (const pid of pids) {
        if ((this.acting.get(pid)?.action ?? 0) <= action) this.acting.set(pid, { action, untilMs });
      }
    };
    setEnd(Number.POSITIVE_INFINITY);
    return () => setEnd(this.now() + aftermathMs);
  }

  /** Returns whether something was last seen to change before this call. */
  noteInput(): (id: string) => boolean {
    const nowMs = this.now();
    return (id) => (this.seen.get(id)?.lastMs ?? nowMs) < nowMs;
  }

  /** What is known of an element, its content or a window; undefined if that is not enough. */
  findTemper(windowIds: readonly number[], id: string): Temper | undefined {
    const nowMs = this.now();
    const seen = this.seen.get(id);
    const aloneMs = seen?.aloneMs.filter((atMs) => nowMs - atMs <= rememberedMs) ?? [];
    if (hasRhythm(aloneMs, nowMs)) return "restless";
    const followed = windowIds.map((one) => this.windows.get(one)).filter((one) => one !== undefined);
    if (followed.length < windowIds.length || followed.length === 0 || aloneMs.length > 0) return undefined;
    const lastMs = seen?.lastMs ?? Math.max(...followed.map(({ sinceMs }) => sinceMs));
    const wasStill = seen !== undefined && nowMs - seen.stillMs <= rememberedMs;
    return wasStill || nowMs - lastMs >= calmAfterMs ? "calm" : undefined;
  }

  private compare(window: Followed, parent: Element | undefined, before: Element, after: Element): void {
    if (before === after) return;
    for (const id of listChanged(before, after)) this.note(id, window);
    // Browsers create an empty text and fill it, and empty one before they remove it.
    if (parent !== undefined && isEmpty(before) !== isEmpty(after)) this.note(idOfContent(parent.handle), window);
    const pairs = pairChildren(before, after);
    const places = new Set<number>();
    const left = new Set(before.children);
    after.children.forEach((child, index) => {
      const former = pairs.get(child);
      if (former === undefined) this.noteBirth(child, window);
      if (former?.handle !== child.handle) places.add(index);
      if (former === undefined) return;
      // A new object for a text that changes by itself counts as that text.
      if (former.handle !== child.handle) this.inherit(former.handle, child.handle);
      left.delete(former);
      this.compare(window, after, former, child);
    });
    for (const child of left) places.add(before.children.indexOf(child));
    for (const index of places) this.note(idOfPlace(after.handle, index), window);
    if (left.size > 0 || pairs.size < after.children.length) this.note(idOfContent(after.handle), window);
  }

  private note(id: string, { pid, sinceMs }: Followed): void {
    const nowMs = this.now();
    const { aloneMs, lastMs, countedMs, ...known } = this.seen.get(id) ?? makeSeen(sinceMs, pid);
    const stillMs = nowMs - lastMs >= calmAfterMs ? nowMs : known.stillMs;
    if (nowMs - countedMs < burstMs) {
      this.keep(id, { ...known, aloneMs, countedMs, stillMs, lastMs: nowMs });
      return;
    }
    const acting = this.acting.get(pid);
    const action = acting !== undefined && nowMs < acting.untilMs ? acting.action : 0;
    const isMoving = nowMs < (this.moving.get(pid) ?? 0);
    const isExplained = isMoving || (action !== 0 && action !== known.action);
    this.keep(id, {
      pid,
      aloneMs: isExplained ? aloneMs : [...aloneMs, nowMs].slice(-maxRhythm),
      action: isExplained && !isMoving ? action : known.action,
      lastMs: nowMs,
      countedMs: nowMs,
      stillMs,
    });
  }

  private inherit(from: string, to: string): void {
    for (const idOf of [(handle: string): string => handle, idOfContent]) {
      const seen = this.seen.get(idOf(from));
      if (seen !== undefined) this.keep(idOf(to), seen);
    }
  }

  /** What has just appeared was not seen still yet; what was there before has changed. */
  private noteBirth(element: Element, window: Followed): void {
    const born = makeSeen(this.now(), window.pid);
    for (const { handle } of flatten([element]).slice(0, maxBorn)) {
      if (this.seen.has(handle)) this.note(handle, window);
      else this.keep(handle, born);
    }
  }

  private keep(id: string, seen: Seen): void {
    this.seen.delete(id);
    this.seen.set(id, seen);
    const [oldest] = this.seen.keys();
    if (this.seen.size > maxRemembered && oldest !== undefined) this.seen.delete(oldest);
  }
}

function makeSeen(lastMs: number, pid: number): Seen {
  const never = Number.NEGATIVE_INFINITY;
  return { pid, aloneMs: [], lastMs, countedMs: never, stillMs: never, action: 0 };
}

/** Whether something changed repeatedly without an action, and not only long ago: a person may have done it. */
function hasRhythm(aloneMs: readonly number[], nowMs: number): boolean {
  if (aloneMs.length < restlessCount) return false;
  const pauses = aloneMs.slice(1).map((atMs, index) => atMs - (aloneMs[index] ?? atMs));
  const since = nowMs - (aloneMs.at(-1) ?? nowMs);
  return since <= Math.max(rhythmEnd.ms, rhythmEnd.pauses * Math.max(...pauses));
}

function listChanged(before: Element, after: Element): readonly string[] {
  const states = before.states.symmetricDifference(after.states);
  states.delete("focused");
  if (before.name !== after.name || states.size > 0) return [after.handle];
  if (before.value === after.value) return [];
  const ids = listValueIds(after.handle, before.value, after.value);
  // If a part came or went, it is unknown which.
  return ids.includes(after.handle) ? [after.handle, ...listPartIds(after.handle, before.value, after.value)] : ids;
}

function isEmpty({ name, value }: Element): boolean {
  return name === "" && value === "";
}
