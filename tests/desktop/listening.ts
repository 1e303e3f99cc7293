import type { RecordedAction } from "../../src/model/demo.ts";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";
import { type Scene, waitFor } from "./scene.ts";

/** What pyatspi tells of an element. */
export interface Told {
  readonly role: string;
  readonly name: string;
  readonly extents: readonly [x: number, y: number, width: number, height: number];
}

export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** A person who has let Deskmap listen at a terminal, and a robot that works as fast as a person. */
export class Listening {
  private constructor(
    private readonly scene: Scene,
    readonly terminal: TerminalSession,
  ) {}

  static async begin(scene: Scene): Promise<Listening> {
    const terminal = startAtTerminal([launcher, "listen", "demo"], scene.sandbox.env);
    await terminal.see('{"of":"begun"}');
    return new Listening(scene, terminal);
  }

  get steps(): readonly RecordedAction[] {
    const lines = this.terminal.shown().split("\n");
    // The last line may be incomplete.
    const whole = lines.slice(0, -1).filter((line) => line.startsWith('{"of":"step"'));
    return whole.map((line): RecordedAction => JSON.parse(line).step);
  }

  /** Waits for so many steps, and returns the last of them. */
  async wait(count: number): Promise<RecordedAction | undefined> {
    await waitFor(
      () => `${count} steps in: ${this.steps.map(describeStep).join("\n")}`,
      () => this.steps.length >= count,
    );
    return this.steps.at(-1);
  }

  robot(...orders: readonly Order[]): void {
    work(this.scene, ...orders);
  }

  async end(): Promise<void> {
    await this.terminal.leave();
  }
}

type Order = readonly (string | number)[];

/** Everything in the order in which xdotool does it, each with the pause that a person makes. */
export function work(scene: Scene, ...orders: readonly Order[]): void {
  const pause = ["sleep", "0.2"];
  for (const order of orders.map((one) => one.map(String))) {
    // xdotool takes everything after these for keys.
    const isKeys = order[0] === "type" || order[0] === "key";
    for (const args of isKeys ? [order, pause] : [[...order, ...pause]]) {
      const { status, stderr } = scene.run("xdotool", ...args);
      if (status !== 0) throw new Error(stderr);
    }
  }
}

function describeStep({ tool, input, ref, secret, doubt }: RecordedAction): string {
  return `${tool} ${JSON.stringify(input)} ${ref?.role} ${ref?.name} ${ref?.bbox} ${secret ?? ""} ${doubt ?? ""}`;
}

/** The elements of an application by pyatspi's account, those on the screen. */
export function askForElements(scene: Scene, pid: number | undefined): readonly Told[] {
  const all = scene.ask("walk", String(pid)) as readonly Told[];
  return all.filter(({ extents: [x, y, width, height] }) => x >= 0 && y >= 0 && width > 0 && height > 0);
}

export function find(elements: readonly Told[], role: string, which: string | number): Told {
  const alike = elements.filter((one) => one.role === role);
  const found = typeof which === "number" ? alike[which] : alike.find(({ name }) => name === which);
  if (found === undefined) throw new Error(`no ${role} ${which}`);
  return found;
}

export function middleOf({ extents: [x, y, width, height] }: Told): readonly [number, number] {
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
}

/** How xdotool points at an element, and rests there as a hand does. */
export function pointAt(told: Told): readonly (string | number)[] {
  return ["mousemove", ...middleOf(told), "sleep", 0.2];
}

export function boxOf({ extents: [x, y, width, height] }: Told): Box {
  return [x, y, x + width, y + height];
}
