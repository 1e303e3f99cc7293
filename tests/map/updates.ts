import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { foldName } from "../../src/map/unmatched.ts";
import type { FakeControl } from "../../src/platform/fake/control.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { makeNumbers } from "../drift/drift.ts";
import { button, Desk, row, type Sighting, text } from "./desk.ts";
import { lookOf } from "./referee.ts";

/** What an application update may do to one of its controls. */
const updates = [
  "count",
  "dots",
  "relabel",
  "rename",
  "translate",
  "wrap",
  "move",
  "beside",
  "page",
  "replace",
  "replace nearly",
  "swap",
  "remove",
  "insert",
  "hide",
  "recycle",
] as const;
export type Update = (typeof updates)[number];

/** The result of one update: whether the affected control kept its mark. */
interface Fate {
  readonly update: Update;
  readonly isKept: boolean;
}

export interface Outcome {
  readonly fates: readonly Fate[];
  /** Marks that were shown for one control and then for another one that looks different. */
  readonly wrong: readonly string[];
}

/** Labels of real applications. */
const labels = [
  ...new Set(
    readFileSync(join(import.meta.dir, "../fixtures/everyday-labels.tsv"), "utf8")
      .split("\n")
      .map((line) => line.split("\t")[1] ?? "")
      .filter((label) => label.length > 2),
  ),
];

interface Chance {
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  label(): string;
}

function makeChance(seed: number): Chance {
  const next = makeNumbers(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[below(list.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  };
  return { below, pick, label: () => pick(labels) };
}

/** A realistic window: bars, forms, nameless boxes, a list. */
function sketchWindow(chance: Chance, hasIds: boolean): ControlSketch[] {
  let count = 0;
  const id = (): Partial<ControlSketch> => {
    count += 1;
    return hasIds ? { id: `app-${idWords[count % idWords.length]}${"x".repeat(count / idWords.length)}` } : {};
  };
  const many = (least: number, most: number, make: () => ControlSketch): ControlSketch[] =>
    Array.from({ length: least + chance.below(most - least + 1) }, make);
  const press = (): ControlSketch => button(chance.label(), id());
  const toggle = (): ControlSketch => ({ role: "toggle", name: chance.label(), actions: ["press"], ...id() });
  const field = (): ControlSketch => ({ role: "input", name: chance.label(), states: ["editable"], ...id() });
  const box = (...children: readonly ControlSketch[]): ControlSketch => ({ role: "group", children });
  return [
    { role: "toolbar", children: [...many(2, 6, press), ...many(0, 2, toggle)] },
    box(box(text(chance.label()), field()), box(text(chance.label()), field(), press()), ...many(0, 2, press)),
    { role: "group", name: chance.label(), children: [text(chance.label()), ...many(2, 5, press)] },
    { role: "list", name: "Files", children: [row("Alpha"), row("Beta"), row("Gamma")].slice(chance.below(3)) },
    box(...many(1, 3, press)),
  ];
}

const idWords = [
  "open",
  "store",
  "print",
  "send",
  "zoom",
  "paint",
  "join",
  "split",
  "merge",
  "audit",
  "quote",
  "relay",
];

/** Shows a window, updates the application, shows it again, and checks every mark against the true identity of the controls. */
export async function update(
  store: SqliteStore,
  seed: number,
  { isRestarted, hasIds, only }: { readonly isRestarted: boolean; readonly hasIds: boolean; readonly only?: Update },
): Promise<Outcome> {
  const chance = makeChance(seed);
  const desk = new Desk(store, { title: "Main", children: sketchWindow(chance, hasIds) });
  const query = chance.pick([{}, {}, { isWhole: true, includeHidden: true }]);
  const before = await desk.look(query);
  const earlier = new Map(
    before.map(({ mark, control }) => [mark, { control, look: foldLook(control), texts: textsBeside(control) }]),
  );
  const kinds = only === undefined ? Array.from({ length: 1 + chance.below(4) }, () => chance.pick(updates)) : [only];
  /**
   * Controls of another page: they may have the same text, but are different controls. After a restart nothing tells them
   * from the same controls beside another text.
   */
  const strangers = new Set<FakeControl>();
  const met = kinds.map((kind) => ({ update: kind, control: apply(desk, kind, chance, strangers) }));
  if (isRestarted) desk.app.restart();
  const after = await desk.look(query);
  const wrong = after.flatMap(({ mark, control }) => {
    const was = earlier.get(mark);
    const isStrange = !isRestarted && strangers.has(control) && was?.texts !== textsBeside(control);
    const isSame = was?.control === control || (was?.look === foldLook(control) && !isStrange);
    if (was === undefined || isSame) return [];
    return [`seed ${seed} (${kinds.join(", ")}): ${mark}: ${was.look} → ${lookOf(control)}`];
  });
  const fates = met.map(({ update: kind, control }) => ({
    update: kind,
    isKept: markOf(before, control) !== undefined && markOf(before, control) === markOf(after, control),
  }));
  return { fates, wrong };
}

function markOf(sightings: readonly Sighting[], control: FakeControl | undefined): number | undefined {
  return sightings.find((one) => one.control === control)?.mark;
}

/** What identifies it to a person: nameless boxes are invisible, and an added ellipsis does not make another label. */
function foldLook(control: FakeControl): string {
  const way = lookOf(control).split(" > ");
  return way
    .filter((step) => step.trim() !== "group")
    .map(foldName)
    .join(" > ");
}

function textsBeside({ parent }: FakeControl): string {
  const texts = parent?.children.filter(({ role }) => role === "text") ?? [];
  return texts.map(({ name }) => foldName(name)).join(" ");
}

/** Applies it to some control, which it returns. */
function apply(desk: Desk, kind: Update, chance: Chance, strangers: Set<FakeControl>): FakeControl | undefined {
  const inside = desk.app.windows.flatMap((window) => window.listControls().slice(1));
  const own = inside.filter(({ role, parent }) => movable.has(role) && parent?.role !== "row");
  const isBesideText = ({ parent }: FakeControl): boolean =>
    parent?.children.some(({ role }) => role === "text") ?? false;
  const fit = needsText.has(kind) ? own.filter(isBesideText) : own;
  // Earlier updates may have removed the last one.
  const control = chance.pick(fit.length > 0 ? fit : own);
  const { parent } = control;
  if (parent === undefined) return undefined;
  const at = parent.children.indexOf(control);
  const fresh = (name: string): ControlSketch => ({ ...control.sketch, name, id: "" });
  const deeds: Readonly<Record<Update, () => void>> = {
    count: () => control.rename(`${control.name} (${1 + chance.below(9)})`),
    dots: () => control.rename(`${control.name}…`),
    relabel: () => control.rename(relabel(control.name, chance)),
    rename: () => control.rename(chance.label()),
    translate: () => {
      for (const one of own) one.rename([...one.name].reverse().join(""));
    },
    wrap: () => putInto(control, parent.insert({ role: "group" }, at)),
    move: () => putInto(control, chance.pick(inside.filter(({ role }) => role === "group" || role === "toolbar"))),
    beside: () => parent.children.find(({ role }) => role === "text")?.rename(chance.label()),
    page: () => {
      const page = parent.children.map(({ sketch, name }) => ({ ...sketch, name, id: "" }));
      for (const one of [...parent.children]) one.remove();
      for (const sketch of page) {
        const isText = sketch.role === "text";
        strangers.add(parent.insert(isText ? { ...sketch, name: chance.label() } : sketch));
      }
    },
    replace: () => {
      control.remove();
      parent.insert(fresh(chance.label()), at);
    },
    "replace nearly": () => {
      control.remove();
      parent.insert(fresh(relabel(control.name, chance)), at);
    },
    swap: () => {
      const other = chance.pick(own);
      const { name } = control;
      control.rename(other.name);
      other.rename(name);
    },
    remove: () => control.remove(),
    insert: () => void parent.insert(fresh(chance.label()), at),
    hide: () => {
      control.isHidden = true;
    },
    recycle: () => {
      chance.pick(inside.filter(({ role }) => role === "row")).recycle(row(chance.label()));
    },
  };
  deeds[kind]();
  return control;
}

const needsText: ReadonlySet<Update> = new Set<Update>(["beside", "page"]);
const movable: ReadonlySet<string> = new Set(["button", "toggle", "input"]);

function putInto(control: FakeControl, box: FakeControl): void {
  control.remove();
  box.children.push(control);
  control.parent = box;
}

/** Another word in it, or one more. */
function relabel(name: string, chance: Chance): string {
  const words = name.split(" ");
  const other = chance.pick(chance.label().split(" "));
  if (chance.below(2) === 0) return `${name} ${other}`;
  words[chance.below(words.length)] = other;
  return words.join(" ");
}
