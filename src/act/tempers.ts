import { recognise } from "../find/read.ts";
import { flatten } from "../model/element.ts";
import { isOfContent, isOfWindow } from "../model/pair.ts";
import { kindOfRole, type RoleKind } from "../model/role.ts";
import { listElements } from "../model/snapshot.ts";
import type { Crossing, Temper, Watch } from "../sources/port.ts";
import { compare, type Part, type Seen } from "./compare.ts";
import type { GatedDesktop } from "./desktop.ts";
import { gatherEvidence } from "./evidence.ts";

/** What changed once and then not for so long is no clock, countdown or status. */
export const stillMs = 3000;
/** Changes this close together are steps of one. */
const burstMs = 250;
/** For so long a pressed button may still be drawn. */
const pressMs = 500;

const isSingle: ReadonlySet<RoleKind> = new Set<RoleKind>(["control", "text"]);

interface Moves {
  count: number;
  countedMs: number;
  lastMs: number;
}

/**
 * Tells what changes by itself from what an action changed. A mirror that has followed an element knows, and the map
 * may; otherwise what changed is watched until it changes again or has been still for long enough.
 */
export class Tempers {
  private readonly moves = new Map<string, Moves>();
  /** The time of the last read. */
  private nowMs = 0;
  /** When something was last drawn that no read shows: a word may have come and gone. */
  private missedMs = Number.NEGATIVE_INFINITY;
  /** What was said stays said: one effect may come in several steps. */
  private readonly settled = new Map<string, Temper>();
  /** The marks of what is watched for the map. */
  private readonly marks = new Map<string, number>();
  /** What changed when the action itself would have changed it. */
  private readonly prompt = new Set<string>();

  constructor(
    private readonly desktop: Pick<GatedDesktop, "marks">,
    private readonly watch: Watch,
    private readonly crossing: Crossing | undefined,
  ) {}

  /**
   * Notes what is different between two reads, one after the other, and whether something was drawn between them.
   * `isPrompt`: the later one shows what came at once.
   */
  note(before: Seen, after: Seen, isDrawn: boolean, isPrompt: boolean): void {
    const comparison = compare(before, after);
    const moved = flatten([...comparison.appeared, ...comparison.gone]).map(({ handle }) => handle);
    const changed = gatherEvidence(comparison, before, undefined).flatMap(({ own }) => own);
    const nowMs = performance.now();
    this.nowMs = nowMs;
    if (isDrawn && moved.length + changed.length === 0) this.missedMs = nowMs;
    for (const id of new Set([...moved, ...changed])) {
      if (isPrompt && this.crossing?.wasBefore(id) === false) this.prompt.add(id);
      const known = this.moves.get(id) ?? { count: 0, countedMs: Number.NEGATIVE_INFINITY, lastMs: nowMs };
      const isNew = nowMs - known.countedMs >= burstMs;
      this.moves.set(id, Object.assign(known, { lastMs: nowMs }));
      if (isNew) Object.assign(known, { count: known.count + 1, countedMs: nowMs });
    }
    // A new object in the place of a text is the same text.
    for (const [handle, former] of comparison.formers) {
      const moves = this.moves.get(former);
      if (moves !== undefined) this.moves.set(handle, moves);
    }
  }

  /** Whether the input before this one may have changed it: it came late for an effect of this one, or before its input. */
  isForeign({ own }: Part): boolean {
    if (this.crossing === undefined || (own.some(isOfWindow) && !this.crossing.hasLateTitles)) return false;
    return !own.some((id) => this.prompt.has(id));
  }

  /** Restless if one of its ids is, calm if all are of which something is known. */
  find({ own, around }: Part): Temper | undefined {
    const ids = [...own, ...around];
    const known = ids.map((id) => this.findOne(id)).filter((temper) => temper !== "unknown");
    const isCalm = ids.length === 0 || (known.length > 0 && known.every((temper) => temper === "calm"));
    const temper = known.includes("restless") ? "restless" : isCalm ? "calm" : undefined;
    const [id = ""] = own;
    const mark = this.marks.get(id);
    if (temper !== undefined && mark !== undefined) {
      this.desktop.marks.setTempers(new Map([[mark, temper === "calm"]]));
      this.marks.delete(id);
    }
    return temper;
  }

  private findOne(id: string): Temper | "unknown" | undefined {
    const temper = this.settled.get(id) ?? this.watch.findTemper(id) ?? this.judge(id);
    if (temper !== undefined) this.settled.set(id, temper);
    return temper ?? (this.moves.has(id) ? undefined : "unknown");
  }

  private judge(id: string): Temper | undefined {
    const moves = this.moves.get(id);
    if (moves === undefined) return undefined;
    if (moves.count > 1) return "restless";
    if (isOfContent(id) && this.missedMs > moves.lastMs + pressMs) return undefined;
    return this.nowMs - moves.lastMs >= stillMs ? "calm" : undefined;
  }

  /**
   * Asks the map about objects that are the same as before: it stores what was watched. The text of a container is that
   * of many things. Returns whether the map knows one of them.
   */
  recall(before: Seen, { snapshot }: Seen, doubtful: readonly Part[]): boolean {
    const single = listElements(before.snapshot.windows).filter(({ role }) => isSingle.has(kindOfRole(role)));
    const there = new Set(single.map(({ handle }) => handle));
    const asked = doubtful.flatMap(({ own: [id = ""] }) => (there.has(id) && !this.settled.has(id) ? [id] : []));
    const unasked = asked.filter((id) => !this.marks.has(id));
    if (unasked.length === 0) return false;
    const numbers = recognise(this.desktop.marks, snapshot, new Set(unasked));
    const known = this.desktop.marks.findTempers([...unasked.flatMap((id) => numbers.get(id) ?? [])]);
    for (const id of unasked) {
      const mark = numbers.get(id);
      const isCalm = known.get(mark ?? 0);
      if (isCalm !== undefined) this.settled.set(id, isCalm ? "calm" : "restless");
      else if (mark !== undefined) this.marks.set(id, mark);
    }
    return known.size > 0;
  }

  /** How long until the next of these has been still for long enough; 0 if that tells nothing more. */
  leftMs(doubtful: readonly Part[]): number {
    const left = doubtful.map(({ own, around }) => {
      const lastMs = [...own, ...around].flatMap((id) => this.moves.get(id)?.lastMs ?? []);
      return Math.max(0, ...lastMs.map((atMs) => atMs + stillMs - this.nowMs));
    });
    const open = left.filter((ms) => ms > 0);
    return open.length === 0 ? 0 : Math.min(...open);
  }
}
