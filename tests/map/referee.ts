import type { FakeControl } from "../../src/platform/fake/control.ts";
import type { Desk, Sighting } from "./desk.ts";
import { applyEdit, type Edit, isRow } from "./edits.ts";

/** A mark that was shown for one control and later for another. */
interface MixUp {
  readonly what: string;
  /**
   * Whether the first one was still there and looked as it did. One that looks different now may be a row object that
   * shows another item, whose former item is shown by another object: then the mark follows the item.
   */
  readonly isAlive: boolean;
  /** Whether nothing that can be seen ever told the two apart. */
  readonly areAlike: boolean;
}

export interface Score {
  /** Sightings of a control under the mark that it had. */
  readonly right: number;
  /** Sightings of a known control under another mark than before. */
  readonly renewed: number;
  readonly mixUps: readonly MixUp[];
  /** Marks that one read showed twice. */
  readonly twice: readonly number[];
}

/** Plays the edits, and judges every read by what the controls truly are. The desk is read before the first and after the last. */
export async function judge(desk: Desk, edits: readonly Edit[]): Promise<Score> {
  const holders = new Map<number, FakeControl>();
  const marks = new Map<FakeControl, number>();
  const looks = new Map<FakeControl, Set<string>>();
  /** How the holder of each mark looked when it was last shown under it. */
  const shownLooks = new Map<number, string>();
  const score = { right: 0, renewed: 0, mixUps: [] as MixUp[], twice: [] as number[] };

  const see = ({ mark, control }: Sighting, living: ReadonlySet<FakeControl>): void => {
    const holder = holders.get(mark);
    if (holder !== undefined && holder !== control) {
      const areAlike = [...(looks.get(holder) ?? [])].some((look) => looks.get(control)?.has(look));
      const what = `${mark}: ${lookOf(holder)} → ${lookOf(control)}`;
      score.mixUps.push({ what, isAlive: living.has(holder) && lookOf(holder) === shownLooks.get(mark), areAlike });
    }
    const earlier = marks.get(control);
    if (earlier !== undefined) score[earlier === mark ? "right" : "renewed"] += 1;
    holders.set(mark, control);
    marks.set(control, mark);
    shownLooks.set(mark, lookOf(control));
  };

  const readAndSee = async (query?: Parameters<Desk["look"]>[0]): Promise<void> => {
    const living = new Set(desk.app.windows.flatMap((window) => window.listControls()));
    for (const control of living) {
      const seen = looks.get(control) ?? new Set();
      // A row that was hidden before it was ever shown is known by what it says all the same.
      looks.set(control, seen.add(lookOf(control)).add(lookOf(control, true)));
    }
    const sightings = await desk.look(query);
    const shown = sightings.map(({ mark }) => mark);
    score.twice.push(...shown.filter((mark, index) => shown.indexOf(mark) !== index));
    for (const sighting of sightings) see(sighting, living);
  };

  await readAndSee();
  for (const edit of edits) {
    if (edit.kind === "read") await readAndSee(edit.query);
    else applyEdit(desk, edit);
  }
  await readAndSee();
  return score;
}

/** All that a person could tell a control by: role, name, where it is, and what the row says that it belongs to. */
export function lookOf(control: FakeControl, withHidden = false): string {
  const way: string[] = [];
  for (let at: FakeControl | undefined = control; at?.parent !== undefined; at = at.parent) {
    const words = at.children.filter(({ role, isHidden }) => role === "text" && (withHidden || !isHidden));
    const texts = isRow(at) ? words.map(({ name }) => name) : [];
    way.unshift([at.role, at.name, ...texts].join(" "));
  }
  return way.join(" > ");
}
