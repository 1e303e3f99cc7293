import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ActingDesktop } from "../../src/act/desktop.ts";
import { act, read } from "../../src/desktop/index.ts";
import { openSession } from "../../src/host/session.ts";
import type { Effect } from "../../src/model/effect.ts";
import { flatten } from "../../src/model/element.ts";
import type { Result } from "../../src/model/failure.ts";
import type { MarkedElement } from "../../src/model/view.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

const fixture = join(import.meta.dir, "../fixtures/apps/churn-gtk3.py");
const title = "Churning";
const timeoutMs = 5000;
/** More would not fit into the window, and only visible controls are read. */
const most = 8;
const fewest = 3;

const kinds = ["panel", "rows"] as const;
type Kind = (typeof kinds)[number];

/** A control as the application knows it; its number never changes. */
interface RealControl {
  readonly number: number;
  readonly kind: Kind;
  readonly label: string;
  readonly bounds: readonly [x: number, y: number, width: number, height: number];
}

interface Answer {
  readonly controls: readonly RealControl[];
  readonly pressed: readonly number[];
}

type Order =
  | { readonly do: "where" | "rebuild" }
  | { readonly do: "insert"; readonly to: Kind; readonly label: string; readonly at: number }
  | { readonly do: "remove"; readonly number: number }
  | { readonly do: "rename"; readonly number: number; readonly label: string }
  | { readonly do: "move"; readonly number: number; readonly at: number };

/** Presses the control that a mark refers to, or refuses. */
function press(desktop: ActingDesktop, mark: number): Promise<Result<Effect>> {
  const order = { kind: "click", button: "left", count: 1 } as const;
  return act(desktop, { tool: "click", aim: { by: "mark", mark }, order, isDryRun: false, timeoutMs });
}

export interface PressReport {
  /** Presses that reached only the marked control. */
  right: number;
  /** Presses that were refused and reached nothing. */
  refused: number;
  /** The refused presses whose control was still there and looked the same. */
  refusedThoughUnchanged: number;
  /** Presses that were accepted but reached nothing. */
  readonly lost: string[];
  /**
   * Presses that reached a control with the same words and place as the marked one, which is gone or has new words. A list that
   * shows the same item through another object looks no different, even to a person.
   */
  readonly exchanged: string[];
  /** Presses that reached any other control, or any control at all after a refusal. */
  readonly wrong: string[];
}

/** Reads, changes the window behind the reader's back, presses a mark from that read, and asks the application what was hit. */
export async function churnPresses(
  trials: number,
  seed: number,
  say: (line: string) => void = () => undefined,
): Promise<PressReport> {
  const scene = await openScene();
  const session = openSession(scene.sandbox.env, timeoutMs);
  try {
    const opened = await session.openToAct();
    if (!opened.ok) throw new Error(opened.failure.message);
    const desktop = opened.value;
    const tell = await startFixture(scene);
    const random = makeRandom(seed);
    const report: PressReport = { right: 0, refused: 0, refusedThoughUnchanged: 0, lost: [], exchanged: [], wrong: [] };
    for (const kind of kinds) {
      for (let at = 0; at < 5; at += 1) await tell({ do: "insert", to: kind, label: random.word(), at });
    }
    for (let trial = 1; trial <= trials; trial += 1) {
      const { before, marks } = await readTruly(desktop, tell);
      const wanted = random.pick([...marks]);
      const { after, orders } = await disturb(tell, before, random);
      const result = await press(desktop, wanted[0]);
      const { pressed } = await tell({ do: "where" });
      judge(report, { trial, result, wanted: wanted[1], pressed, before, after, orders });
      if (trial % 250 === 0) say(`${trial} presses: ${summarise(report)}`);
    }
    return report;
  } finally {
    session.close();
    await scene.close();
  }
}

export function summarise({ right, refused, refusedThoughUnchanged, lost, exchanged, wrong }: PressReport): string {
  return (
    `${right} right, ${refused} refused (${refusedThoughUnchanged} of them unchanged controls), ` +
    `${lost.length} lost, ${exchanged.length} exchanged, ${wrong.length} wrong`
  );
}

interface Trial {
  readonly trial: number;
  readonly result: Result<Effect>;
  readonly wanted: number;
  readonly pressed: readonly number[];
  readonly before: Answer;
  readonly after: Answer;
  readonly orders: readonly Order[];
}

function judge(report: PressReport, { trial, result, wanted, pressed, before, after, orders }: Trial): void {
  const verdict = result.ok ? result.value.verdict : `refused ${result.failure.code}`;
  const story = JSON.stringify({ trial, wanted, pressed, verdict, orders, before: before.controls });
  const isUnchanged = lookOf(wanted, before) === lookOf(wanted, after);
  const [hit] = pressed;
  if (hit === undefined && result.ok) report.lost.push(story);
  else if (hit === undefined) {
    report.refused += 1;
    if (isUnchanged) report.refusedThoughUnchanged += 1;
  } else if (!result.ok || pressed.length > 1) report.wrong.push(story);
  else if (hit === wanted) report.right += 1;
  else if (!isUnchanged && lookOf(hit, after) === lookOf(wanted, before)) report.exchanged.push(story);
  else report.wrong.push(story);
}

/** Its label, and its index among controls with the same label. */
function lookOf(number: number, { controls }: Answer): string | undefined {
  const own = controls.find((control) => control.number === number);
  if (own === undefined) return undefined;
  const alike = controls.filter(({ kind, label }) => kind === own.kind && label === own.label);
  return `${own.kind} ${own.label} ${alike.indexOf(own)}/${alike.length}`;
}

/** Starts the application; the returned function sends it a command and waits until its window is laid out again. */
async function startFixture(scene: Scene): Promise<(order: Order) => Promise<Answer>> {
  const { stdin, stdout } = scene.sandbox.spawn(["/usr/bin/python3", fixture, title], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (stdin === null || stdout === null) throw new Error("the application has no pipes");
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return async (order) => {
    stdin.write(`${JSON.stringify(order)}\n`);
    const { value, done } = await answers.next();
    if (done === true) throw new Error("the application ended");
    return JSON.parse(value);
  };
}

/** The window's content and marks. A busy GTK 3 reports old places until its next frame, so both must agree. */
async function readTruly(
  desktop: ActingDesktop,
  tell: (order: Order) => Promise<Answer>,
): Promise<{ before: Answer; marks: Map<number, number> }> {
  const found: { before: Answer; marks: Map<number, number> }[] = [];
  await waitFor("the window to be drawn", async () => {
    const before = await tell({ do: "where" });
    const marks = await readMarks(desktop, before.controls);
    if (marks !== undefined) found.push({ before, marks });
    return found.length > 0;
  });
  const [only] = found;
  if (only === undefined) throw new Error("the window was never drawn");
  return only;
}

/** Matches marks to controls by position alone, which Deskmap does not use to recognise them. */
async function readMarks(
  desktop: ActingDesktop,
  controls: readonly RealControl[],
): Promise<Map<number, number> | undefined> {
  const view = await read(desktop, { window: title, includeHidden: false, timeoutMs });
  if (!view.ok) throw new Error(view.failure.message);
  const buttons = flatten(view.value.windows.flatMap(({ elements }) => elements)).filter(
    ({ role }) => role === "button",
  );
  const marks = new Map<number, number>();
  for (const { number, bounds } of controls) {
    const here = buttons.filter((button) => isAt(button, bounds));
    const [only] = here;
    if (only === undefined || here.length > 1) return undefined;
    marks.set(only.mark, number);
  }
  return marks;
}

function isAt({ bounds }: MarkedElement, [x, y, width, height]: RealControl["bounds"]): boolean {
  if (bounds === undefined) return false;
  const middleX = x + width / 2;
  const middleY = y + height / 2;
  return (
    bounds.x <= middleX &&
    middleX < bounds.x + bounds.width &&
    bounds.y <= middleY &&
    middleY < bounds.y + bounds.height
  );
}

/** Applies up to three changes. */
async function disturb(
  tell: (order: Order) => Promise<Answer>,
  before: Answer,
  random: Random,
): Promise<{ after: Answer; orders: readonly Order[] }> {
  let after = before;
  const orders: Order[] = [];
  for (let left = random.below(4); left > 0; left -= 1) {
    const order = chooseOrder(after.controls, random);
    orders.push(order);
    after = await tell(order);
  }
  return { after, orders };
}

function chooseOrder(controls: readonly RealControl[], random: Random): Order {
  const to = random.pick(kinds);
  const group = controls.filter(({ kind }) => kind === to);
  const { number } = random.pick(group);
  const at = random.below(group.length);
  const choices: readonly [isPossible: boolean, order: Order][] = [
    [group.length < most, { do: "insert", to, label: random.word(), at }],
    [group.length < most, { do: "insert", to, label: random.pick(group).label, at }],
    [group.length > fewest, { do: "remove", number }],
    [true, { do: "rename", number, label: random.word() }],
    [true, { do: "rename", number, label: random.pick(group).label }],
    [true, { do: "move", number, at }],
    [true, { do: "rebuild" }],
  ];
  return random.pick(choices.filter(([isPossible]) => isPossible))[1];
}

interface Random {
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** A word that was never used before. */
  word(): string;
}

const syllables = ["ba", "do", "fi", "gu", "ka", "lo", "mi", "nu", "pa", "re", "so", "ti"];

/** Deterministic random numbers from a seed (mulberry32). */
function makeRandom(seed: number): Random {
  let state = seed;
  let words = 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[below(list.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  };
  const word = (): string => {
    words += 1;
    let text = "";
    for (let rest = words + 143; rest > 0; rest = Math.floor(rest / syllables.length)) {
      text += syllables[rest % syllables.length];
    }
    return text;
  };
  return { below, pick, word };
}
