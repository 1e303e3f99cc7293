import { locateOne, type Sighting } from "../find/locate.ts";
import { lookAt, type ReadOptions, recognise } from "../find/read.ts";
import type { WindowQuery } from "../find/select.ts";
import type { Request } from "../guard/gate.ts";
import { type Command, isElementCommand } from "../model/command.ts";
import type { Element } from "../model/element.ts";
import { type Failure, fail, makeFailure, nothingDone, type Result, succeed } from "../model/failure.ts";
import { nameElement, nameWindow } from "../model/observed.ts";
import type { Aim } from "../model/order.ts";
import { listElements, type Snapshot } from "../model/snapshot.ts";
import { isPixelSource } from "../model/source.ts";
import type { Window } from "../model/window.ts";
import type { Platform, WindowList } from "../platform/port.ts";
import type { Sign, Watch } from "../sources/port.ts";
import type { GatedDesktop } from "./desktop.ts";
import type { Inputs } from "./inputs.ts";
import { hasMenuEntry, listTexts } from "./names.ts";

/** How long a window may take to come to the front, and an element to get the focus. */
export const frontMs = 2000;
const focusMs = 600;
/** How often to check a condition; a sign ends the wait earlier. */
const stepMs = 50;

/** One attempt to act on one control. Records what was prepared and delivered, so that every failure can say so. */
export class Attempt {
  /** What was done first: a window raised, a page scrolled. */
  readonly preparations: string[] = [];
  isDelivered = false;
  /** The answer to the last command. */
  answer = "";
  /** What is missing if only a part of a text arrived. */
  shortfall = "";
  /** Whether all that was seen last is that a control which opens something is pressed. */
  isHalfDone = false;
  /** Signs that arrived before the application's answer. It handles one request at a time, so the action caused them. */
  early: readonly Sign[] = [];

  constructor(
    readonly desktop: GatedDesktop,
    readonly tool: string,
    private readonly aim: Aim,
    private readonly query: WindowQuery & ReadOptions,
    public sighting: Sighting,
    readonly watch: Watch,
    readonly inputs: Inputs,
  ) {}

  get element(): Element {
    return this.sighting.placed.element;
  }

  get window(): Window {
    return this.sighting.read.window;
  }

  get timeoutMs(): number {
    return this.query.timeoutMs;
  }

  foresee(command: Command): Promise<Result<void>> {
    return this.desktop.gate.foresee(command, this.describeRequest());
  }

  /** Delivers a command of the order itself. */
  async deliver(command: Command): Promise<Result<void>> {
    const isAnswered = isElementCommand(command);
    this.inputs.note(isAnswered ? "action" : "input");
    if (isAnswered) this.watch.take();
    const done = await this.desktop.gate.carryOut(command, this.describeRequest());
    this.early = isAnswered ? this.watch.take() : [];
    if (done.ok) this.isDelivered = true;
    this.answer = done.ok ? done.value : "";
    if (command.kind === "type") this.shortfall = this.answer;
    return done.ok ? succeed(undefined) : this.explain(command, done.failure);
  }

  private async explain(command: Command, failure: Failure): Promise<Result<never>> {
    const { desktop, watch, window } = this;
    return fail(isTyped(command) ? await nameTaker(desktop.platform, watch, window, failure) : failure);
  }

  /** Delivers a command that makes the control ready, such as scrolling. */
  async prepare(command: Command, words: string, window = this.window): Promise<Result<void>> {
    const done = await this.desktop.gate.carryOut(command, { ...this.describeRequest(), window });
    if (done.ok && this.preparations.at(-1) !== words) this.preparations.push(words);
    return done.ok ? succeed(undefined) : this.explain(command, done.failure);
  }

  private describeRequest(): Request {
    const { tool, window, sighting } = this;
    const element = describeForGuard(this.element);
    const mark = sighting.numbers.get(element.handle);
    const within = () => sighting.placed.ancestors;
    const tellsMenu = () => hasMenuEntry(sighting.snapshot.windows);
    const surroundings = () => listTexts([sighting.read]);
    const elements = () => listElements([sighting.read]);
    return { tool, window, element, mark, within, surroundings, elements, tellsMenu };
  }

  /** Finds the control again in a fresh read. */
  async lookAgain(): Promise<Result<Sighting>> {
    const sighting = await locateOne(this.desktop, this.sameAim(), { ...this.query, isAnew: true });
    if (sighting.ok) this.sighting = sighting.value;
    return sighting;
  }

  /** An attempt on another control of the application, such as a choice in an opened list. */
  async turnTo(handle: string, snapshot: Snapshot): Promise<Result<Attempt>> {
    const mark = recognise(this.desktop.marks, snapshot, new Set([handle]), true).get(handle) ?? 0;
    const aim = { by: "mark" as const, mark };
    const sighting = await locateOne(this.desktop, aim, this.query);
    if (!sighting.ok) return sighting;
    return succeed(new Attempt(this.desktop, this.tool, aim, this.query, sighting.value, this.watch, this.inputs));
  }

  /** A control found by words is then followed by its mark: after a change another one may match the words better. */
  private sameAim(): Aim {
    const mark = this.sighting.numbers.get(this.element.handle);
    return mark === undefined ? this.aim : { by: "mark", mark };
  }

  /** Brings the control's window to the front and gives it the keyboard. */
  async bringToFront(): Promise<Result<void>> {
    const { window } = this;
    if (await this.isInFront(window)) return succeed(undefined);
    const raised = await this.prepare(
      { kind: "window", window, operation: { name: "front" } },
      `${nameWindow(window)} was brought to the front`,
    );
    if (!raised.ok) return raised;
    const isThere = await this.waitUntil(frontMs, () => this.isInFront(window));
    if (isThere) return succeed(undefined);
    return fail(this.addDone(describeStuck(window, await this.desktop.platform.listWindows())));
  }

  private async isInFront({ id }: Window): Promise<boolean> {
    const list = await this.desktop.platform.listWindows();
    return list.ok && list.value.windows.some((window) => window.id === id && window.isFocused);
  }

  /** Focuses the control through accessibility. Returns whether it has the focus now. */
  async focusQuietly(): Promise<Result<boolean>> {
    const { element } = this;
    if (isPixelSource(element.source)) return succeed(false);
    if (await this.hasFocus()) return succeed(true);
    const focused = await this.prepare({ kind: "focus", element }, `${nameElement(element)} got the focus`);
    if (!focused.ok) return focused.failure.code === "PATTERN_UNSUPPORTED" ? succeed(false) : focused;
    return succeed(await this.waitUntil(focusMs, () => this.hasFocus()));
  }

  async hasFocus(): Promise<boolean> {
    const glimpse = await this.desktop.platform.glimpse(this.element, this.timeoutMs);
    return glimpse.ok && glimpse.value?.states.has("focused") === true;
  }

  waitUntil(timeoutMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
    return waitUntil(this.watch, timeoutMs, isSo);
  }

  /** Reads the control's window again. */
  readWindow(includeHidden: boolean): Promise<Result<Snapshot>> {
    const { desktop, window, sighting, timeoutMs } = this;
    return lookAt(desktop.platform, [window], sighting.snapshot.all, { includeHidden, timeoutMs });
  }

  /** How to learn what the control can do. */
  suggestLooking(): string {
    const mark = this.sighting.numbers.get(this.element.handle);
    return `deskmap ${mark === undefined ? "at X Y" : `element ${mark}`} shows what it offers.`;
  }

  refuse(code: Failure["code"], message: string, suggestion: string): Result<never> {
    return fail(this.describe(code, message, suggestion));
  }

  describe(code: Failure["code"], message: string, suggestion: string): Failure {
    return this.addDone(makeFailure(code, message, suggestion));
  }

  /** Adds what was already done to a failure. */
  addDone(failure: Failure): Failure {
    const done = [...this.preparations, ...(this.isDelivered ? ["a part of it"] : [])];
    return done.length === 0 || failure.done !== nothingDone
      ? failure
      : { ...failure, done: `only this was done: ${done.join(", ")}.` };
  }
}

/** Names the window that has the keyboard instead: a program may have opened a question when its window was raised. */
export function describeStuck(window: Window, list: Result<WindowList>): Failure {
  const front = list.ok ? list.value.windows.find(({ isFocused, id }) => isFocused && id !== window.id) : undefined;
  const what = `${nameWindow(window)} does not come to the front`;
  if (front === undefined) return makeFailure("FAILED", what, "deskmap focus says why.");
  return makeFailure("FAILED", `${what}: ${nameWindow(front)} is`, `deskmap read --window-id ${front.id}`);
}

export function isTyped({ kind }: Command): boolean {
  return kind === "keys" || kind === "type";
}

/** Keys that were not sent: names the window that has the keyboard now, such as a question that was just opened. */
export async function nameTaker(
  platform: Pick<Platform, "listWindows">,
  watch: Watch,
  window: Window | undefined,
  failure: Failure,
): Promise<Failure> {
  if (failure.code !== "FAILED" || window === undefined) return failure;
  let front: Window | undefined;
  // While the keyboard passes from one window to the next, none has it.
  await waitUntil(watch, frontMs, async () => {
    const list = await platform.listWindows();
    front = list.ok ? list.value.windows.find(({ isFocused }) => isFocused) : undefined;
    return !list.ok || front !== undefined;
  });
  if (front === undefined || front.id === window.id) return failure;
  const message = `${failure.message}: ${nameWindow(front)} has it`;
  return { ...failure, message, suggestion: `deskmap read --window-id ${front.id}` };
}

/** Checks at every sign of change until the condition holds; false if it does not in time. */
export async function waitUntil(watch: Watch, timeoutMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() > deadline) return false;
    watch.take();
    await watch.waitForSign(stepMs);
  }
}

/** A pixel target is judged as a button, whatever it looks like, by both of its names. */
function describeForGuard(element: Element): Element {
  if (!isPixelSource(element.source)) return element;
  const words = [...new Set([element.ownName, element.name])].filter((one) => one !== "").join(" ");
  return { ...element, role: "button", name: words, ownName: words };
}
