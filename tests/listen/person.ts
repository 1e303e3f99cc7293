import { composeSteps } from "../../src/listen/compose.ts";
import { Inputs } from "../../src/listen/inputs.ts";
import type { Eyes, Moment } from "../../src/listen/moment.ts";
import type { Step } from "../../src/listen/step.ts";
import type { Bounds, Point } from "../../src/model/bounds.ts";
import type { Button, Direction } from "../../src/model/command.ts";
import { fail, makeFailure, type Result, succeed } from "../../src/model/failure.ts";
import type { Modifier } from "../../src/model/keys.ts";
import type { PersonInput } from "../../src/model/person-input.ts";
import type { Window } from "../../src/model/window.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ApplicationSketch, ControlSketch } from "../../src/platform/fake/sketch.ts";
import { redactSource } from "../../src/sources/redact.ts";

const blindApp = "Vault";
const refusal = makeFailure("REFUSED", "Vault is blind");
/** Long ago: nothing waits for the second press of a double click. */
const startMs = Date.now() - 3_600_000;

/** A person at a desktop in memory. What an input does is up to the test. */
export class FakePerson implements Eyes {
  readonly desktop: FakeDesktop;
  /** What the mirror has not read yet, by window. */
  unread = new Map<number, number>();
  /** What the application does before anybody asks for the window of an input. */
  meanwhile: (() => void) | undefined;
  shifted = new Map<number, { readonly sinceMs: number; readonly areas: readonly Bounds[] | undefined }>();
  moved: FakePerson["shifted"] = new Map();
  /** When what is known of a window last changed. */
  changed = new Map<number, number>();
  /** What was drawn and not read. */
  drawn: Moment["drawn"] = [];
  popups: Moment["popups"] = [];
  private readonly inputs = new Inputs();
  private nowMs = startMs;

  constructor(children: readonly ControlSketch[], others: readonly ApplicationSketch[] = []) {
    const bounds = { x: 0, y: 0, width: 600, height: 600 };
    this.desktop = new FakeDesktop({
      applications: [{ name: "Editor", windows: [{ title: "Letter", bounds, children }] }, ...others],
    });
  }

  /** When the last input came. */
  get timeMs(): number {
    return this.nowMs;
  }

  find(name: string) {
    const controls = this.desktop.applications.flatMap(({ windows }) => windows.flatMap((one) => one.listControls()));
    const found = controls.find((control) => control.name === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  }

  press(point: Point, button: Button = "left", afterMs = 1000): Promise<void> {
    return this.tell({ kind: "press", button, point }, afterMs);
  }

  release(point: Point, button: Button = "left"): Promise<void> {
    return this.tell({ kind: "release", button, point }, 20);
  }

  async click(point: Point, button: Button = "left", afterMs = 1000): Promise<void> {
    await this.press(point, button, afterMs);
    await this.release(point, button);
  }

  async turn(point: Point, direction: Direction, times: number): Promise<void> {
    for (let turn = 0; turn < times; turn += 1) await this.tell({ kind: "wheel", direction, point }, 50);
  }

  key(key: string, modifiers: readonly Modifier[] = []): Promise<void> {
    const text = [...key].length === 1 ? key : undefined;
    return this.tell({ kind: "key", key, text }, 80, modifiers);
  }

  /** Types into a control that shows it. */
  async type(text: string, into?: { value: string }): Promise<void> {
    for (const character of text) {
      await this.key(character);
      if (into !== undefined) into.value += character;
    }
  }

  async finish(): Promise<readonly Step[]> {
    this.inputs.end();
    return Array.fromAsync(composeSteps(this.inputs, this), ({ step }) => step);
  }

  readAgain(): Promise<Result<Moment>> {
    return this.keep();
  }

  async findWindowAt(point: Point): Promise<Result<Window | undefined>> {
    const found = await this.desktop.open().findWindowAt(point);
    return found.ok && found.value?.app === blindApp ? fail(refusal) : found;
  }

  async waitForChange(): Promise<boolean> {
    return false;
  }

  async keep(): Promise<Result<Moment>> {
    const platform = this.desktop.open();
    const unread = new Map(this.unread);
    const list = await platform.listWindows();
    if (!list.ok) return list;
    const isBlind = ({ app }: Window): boolean => app === blindApp;
    const { windows } = list.value;
    const reads = await redactSource(platform, isBlind).readWindows({
      windows: windows.filter((one) => !isBlind(one)),
      includeHidden: false,
      timeoutMs: 1000,
    });
    if (!reads.ok) return reads;
    return succeed({
      atMs: Date.now(),
      windows: windows.filter((one) => !isBlind(one)),
      withheld: windows.filter(isBlind).map(({ id, pid }) => ({ id, pid, names: [blindApp], refusal })),
      focusedId: windows.find(({ isFocused }) => isFocused)?.id,
      reads: new Map(reads.value.map((read) => [read.window.id, read])),
      unread,
      shifted: new Map(this.shifted),
      moved: new Map(this.moved),
      changed: new Map(this.changed),
      listChangedMs: 0,
      drawn: this.drawn,
      popups: this.popups,
    });
  }

  /** Resolves when what is known at that moment is kept: the desktop may change after it. */
  private async tell(input: Input, afterMs: number, modifiers: readonly Modifier[] = []): Promise<void> {
    this.nowMs += afterMs;
    const whole: PersonInput = { ...input, atMs: this.nowMs, lagMs: 0, modifiers };
    const moment = this.keep();
    if (this.meanwhile !== undefined) {
      await moment;
      this.meanwhile();
    }
    const window = "point" in input ? this.findWindowAt(input.point) : undefined;
    const later = window?.then(() => this.keep());
    this.inputs.add({ input: whole, moment, window, later });
    await Promise.all([moment, window, later]);
  }
}

type Input = PersonInput extends infer One
  ? One extends PersonInput
    ? Omit<One, "atMs" | "lagMs" | "modifiers">
    : never
  : never;
