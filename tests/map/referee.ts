import type { FakeControl } from "../../src/platform/fake/control.ts";
import type { Desk, Sighting } from "./desk.ts";
import { applyEdit, type Edit, isRow } from "./edits.ts";

/** A mark that was shown for one control and later for another. */
interface MixUp {
  readonly what: string;
  /**
   * Whether the first control was still there and looked the same. If it looks different now, it may be a row object that shows
   * another item, whose former item is shown by another object: then the mark follows the item.
   */
  readonly isAlive: boolean;
  /** Whether the two were never visibly distinguishable. */
  readonly areAlike: boolean;
}

export interface Score {
  /** Sightings of a control under its existing mark. */
  readonly right: number;
  /** Sightings of a known control under another mark than before. */
  readonly renewed: number;
  readonly mixUps: readonly MixUp[];
  /** Marks that one read showed twice. */
  readonly twice: readonly number[];
}

/**
 * Applies the edits, and checks every read against the true identity of the controls. The desk is read before the first and
 * after the last edit.
 */
export async function judge(desk: Desk, edits: readonly Edit[]): Promise<Score> {
  const holders = new Map<number, FakeControl>();
  const marks = new Map<FakeControl, number>();
  const looks = new Map<FakeControl, Set<string>>();
  /** How the control of each mark looked when it was last shown. */
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
      // A row that was hidden before it was first shown is still recognised by its text.
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

/** Everything that identifies a control to a person: role, name, position, and the text of its row. */
export function lookOf(control: FakeControl, withHidden = false): string {
  const way: string[] = [];
  for (let at: FakeControl | undefined = control; at?.parent !== undefined; at = at.parent) {
    const words = at.children.filter(({ role, isHidden }) => role === "text" && (withHidden || !isHidden));
    const texts = isRow(at) ? words.map(({ name }) => name) : [];
    way.unshift([at.role, at.name, ...texts].join(" "));
  }
  return way.join(" > ");
}
