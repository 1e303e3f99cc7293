import type { RecordedAction } from "../../../src/model/demo.ts";
import type { DemoSpec } from "./demo.ts";
import type { Done } from "./robot.ts";

/** What became of one thing that the robot did. */
export type Fate =
  | "right"
  /** Another element, or none, and the step says that it is doubtful. */
  | "marked"
  /** Another element, and nothing says so. */
  | "wrong"
  | "missing";

interface Judged {
  readonly fate: Fate;
  readonly doubt?: string | undefined;
  readonly story: string;
}

export interface RecordingVerdict {
  readonly steps: readonly Judged[];
  /** Recorded steps that nobody did. */
  readonly doubled: readonly string[];
}

type Kind = "click" | "double" | "text" | "key" | "other";

/** Compares what was recorded with what was done, in their order. */
export function judgeRecording(
  done: readonly Done[],
  recorded: readonly RecordedAction[],
  { toolkit }: Pick<DemoSpec, "toolkit">,
): RecordingVerdict {
  const pairs = align(done, recorded);
  const used = new Set(pairs.values());
  const steps = done.map((one, at): Judged => {
    const index = pairs.get(at);
    const step = index === undefined ? undefined : recorded[index];
    const story = `${tellDone(one)} → ${step === undefined ? "nothing" : tellStep(step)}`;
    if (step === undefined) return { fate: "missing", story };
    const doubt = findDoubt(step);
    const isRight = toolkit === "canvas" ? isPlaced(one, step) : isSame(one, step);
    if (isRight) return { fate: "right", doubt: toolkit === "canvas" ? undefined : doubt, story };
    return { fate: doubt === undefined ? "wrong" : "marked", doubt, story };
  });
  const doubled = recorded.filter((_, index) => !used.has(index)).map(tellStep);
  return { steps, doubled };
}

/** Why a step is marked as doubtful, as `record stop` and `demo lint` tell it. */
function findDoubt({ doubt, ref, evidence, secret, tool }: RecordedAction): string | undefined {
  if (doubt !== undefined) return doubt;
  if (secret !== undefined) return "taken for a secret";
  if (ref === undefined) return tool === "type" ? undefined : "coordinates only";
  const own = evidence?.find(({ by }) => by === "ref");
  return own?.matches === 1 ? undefined : "its ref did not find it";
}

function kindOfDone(one: Done): Kind {
  return one.do === "type" ? "text" : one.do;
}

function kindOfStep({ tool, input }: RecordedAction): Kind {
  if (tool === "click") return input.double === true ? "double" : "click";
  if (tool === "set-value") return "text";
  if (tool === "type") return input.key === undefined ? "text" : "key";
  return "other";
}

function fits(one: Done, step: RecordedAction): boolean {
  const kind = kindOfDone(one);
  if (kind !== kindOfStep(step)) return false;
  if (kind === "key") return plainKey(String(step.input.key)) === plainKey(one.text ?? "");
  if (kind === "text") {
    const typed = step.typed ?? step.input.text;
    return typed === undefined || String(typed).trim() === (one.text ?? "").trim();
  }
  const { point } = step;
  return (
    point === undefined || one.point === undefined || (isNear(point.x, one.point[0]) && isNear(point.y, one.point[1]))
  );
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= nearPx;
}

const nearPx = 4;

function plainKey(combo: string): string {
  return combo.toLowerCase().replace("return", "enter");
}

/** The longest common sequence: which step belongs to which order. */
function align(done: readonly Done[], recorded: readonly RecordedAction[]): ReadonlyMap<number, number> {
  const lengths = Array.from({ length: done.length + 1 }, () => new Array<number>(recorded.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  const isPair = (i: number, j: number): boolean => {
    const [one, step] = [done[i], recorded[j]];
    return one !== undefined && step !== undefined && fits(one, step);
  };
  for (let i = done.length - 1; i >= 0; i -= 1) {
    for (let j = recorded.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined) row[j] = isPair(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs = new Map<number, number>();
  for (let i = 0, j = 0; i < done.length && j < recorded.length; ) {
    if (isPair(i, j)) pairs.set(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Deskmap's names for the roles of AT-SPI that the demos use. */
const roles: Readonly<Record<string, readonly string[]>> = {
  "push button": ["button"],
  button: ["button"],
  "toggle button": ["toggle", "button"],
  "check box": ["checkbox", "radio"],
  "radio button": ["radio"],
  text: ["input"],
  entry: ["input"],
  "spin button": ["spin", "input"],
  "menu item": ["menuitem", "menu", "option"],
  menu: ["menu", "menuitem"],
  "combo box": ["select"],
  "page tab": ["tab"],
  "list item": ["option", "item"],
};

/** Whether a step names the element that the robot used. Keys go to the focus, and need no element. */
function isSame(one: Done, { ref, aim }: RecordedAction): boolean {
  const { extents, role, name } = one;
  if (extents === undefined || extents === null) return ref !== undefined || aim === "focus";
  if (ref?.bbox === undefined) return false;
  const [x, y, width, height] = extents;
  const box = [x, y, x + width, y + height];
  const isPlace = ref.bbox.every((side, index) => isNear(side, box[index] ?? 0));
  const isRole = roles[role ?? ""]?.includes(ref.role ?? "") ?? true;
  const [a, b] = [name ?? "", ref.name ?? ""].map((text) => text.replace(/[:_…]|\.\.\.$/g, "").trim());
  // A combo box calls itself by its value.
  const isName = a === "" || b === "" || a === b || role === "combo box";
  return isRole && isName && (isPlace || (a !== "" && a === b && isWithin(ref.bbox, box)));
}

/** Nothing has a tree there: a point is all there is, or what a picture shows at that point. */
function isPlaced({ point: [x, y] = [0, 0] }: Done, { ref, point }: RecordedAction): boolean {
  const [left = 0, top = 0, right = 0, bottom = 0] = ref?.bbox ?? [x, y, x, y];
  return point !== undefined && x >= left && x <= right && y >= top && y <= bottom;
}

/** A toolkit may tell more of an element than can be seen of it. */
function isWithin([left, top, right, bottom]: readonly number[], box: readonly number[]): boolean {
  const [x = 0, y = 0, r = 0, b = 0] = box;
  return (
    (left ?? 0) >= x - nearPx && (top ?? 0) >= y - nearPx && (right ?? 0) <= r + nearPx && (bottom ?? 0) <= b + nearPx
  );
}

function tellDone({ do: verb, role, name, text, extents }: Done): string {
  return [verb, text === undefined ? "" : JSON.stringify(text), role ?? "", name ?? "", extents?.join(",") ?? ""]
    .filter((word) => word !== "")
    .join(" ");
}

function tellStep({ tool, input, ref, doubt, gap, secret, typed }: RecordedAction): string {
  const words = [
    tool,
    JSON.stringify(input),
    typed ?? "",
    ref?.role ?? "no ref",
    ref?.name ?? "",
    ref?.bbox?.join(",") ?? "",
  ];
  return [...words, doubt ?? gap ?? secret ?? ""].filter((word) => word !== "").join(" ");
}
