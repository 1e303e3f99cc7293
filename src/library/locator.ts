import type { Point } from "../model/bounds.ts";
import { makeFailure } from "../model/failure.ts";
import type { EffectData } from "../show/effect.ts";
import type { FindingsData } from "../show/findings.ts";
import type { FrameData } from "../show/frame.ts";
import type { TextData } from "../show/full-text.ts";
import type { LocatedData } from "../show/located.ts";
import type { OutcomeData } from "../show/outcome.ts";
import type { ViewData } from "../show/view.ts";
import type { ActOptions, Caller, Selection, WaitOptions } from "./caller.ts";
import { DeskmapError } from "./error.ts";
import { type Control, toControl, toWindows } from "./results.ts";

/** Names a control: by its mark, by words and optionally a role, as the only one of a role, or by a point of the screen. */
export type Aim =
  | { readonly id: number }
  | { readonly at: Point }
  | { readonly words: string; readonly role?: string | undefined }
  | { readonly only: string };

/** Which of the controls that an aim fits. */
interface Narrowing {
  readonly container?: Locator | undefined;
  /** In reading order, from 0; −1 is the last. */
  readonly index?: number | undefined;
}

export interface ClickOptions extends ActOptions {
  /** With the pointer, as a person does, even if the control offers an action. */
  readonly pointer?: boolean | undefined;
  readonly button?: "left" | "middle" | "right" | undefined;
  readonly double?: boolean | undefined;
}

export interface DragOptions extends ActOptions {
  readonly button?: ClickOptions["button"];
}

/** Every call looks the control up again and waits until it is ready. Words that fit several equally are refused. */
export class Locator {
  readonly check = this.verb("check");
  readonly uncheck = this.verb("uncheck");
  readonly toggle = this.verb("toggle");
  readonly select = this.verb("select");
  readonly expand = this.verb("expand");
  readonly collapse = this.verb("collapse");
  readonly hover = this.verb("hover");
  readonly focus = this.verb("focus");

  constructor(
    private readonly caller: Caller,
    private readonly selection: Selection,
    private readonly aim: Aim,
    private readonly narrowing: Narrowing = {},
  ) {}

  /** One of several that fit, in reading order: 0 is the first, −1 the last. */
  nth(index: number): Locator {
    return new Locator(this.caller, this.selection, this.aim, { ...this.narrowing, index });
  }

  click({ button, double, pointer, ...options }: ClickOptions = {}): Promise<EffectData> {
    return this.act("click", { button, double, pointer }, options);
  }

  doubleClick(options: ActOptions = {}): Promise<EffectData> {
    return this.click({ ...options, double: true });
  }

  /** Sets the value of a field, a slider or a spin button, or chooses from a drop-down list, open or not. */
  fill(text: string, options: ActOptions = {}): Promise<EffectData> {
    return this.act("set-value", { text }, options);
  }

  /** Focuses it and types key by key. */
  type(text: string, options: ActOptions = {}): Promise<EffectData> {
    return this.act("type", { text }, options);
  }

  /** Presses a key combination in it: "ctrl+a", "enter". */
  press(key: string, options: ActOptions = {}): Promise<EffectData> {
    return this.act("type", { key }, options);
  }

  scroll(direction: "up" | "down" | "left" | "right", amount?: number, options: ActOptions = {}): Promise<EffectData> {
    return this.act("scroll", { direction, amount }, options);
  }

  /** Drags it to another control or point, which may be in another window. */
  async dragTo(target: Locator, { button, ...options }: DragOptions = {}): Promise<EffectData> {
    const from = await this.nameEnd("from", options);
    const to = await target.nameEnd("to", options);
    return this.caller.act("drag", { ...from, ...to, button }, {}, options);
  }

  /** A redacted picture of it, as a PNG. */
  async screenshot({ scale, ...options }: WaitOptions & { readonly scale?: number | undefined } = {}) {
    const input = { ...(await this.name()), scale };
    const { data = "" } = await this.caller.askWhenReady<FrameData>("screenshot", input, this.selection, options);
    return new Uint8Array(Buffer.from(data, "base64"));
  }

  /** Gives it a name of your own, by which every call finds it from then on. */
  async teach(name: string, options: WaitOptions = {}): Promise<void> {
    await this.caller.askWhenReady("teach", { ...(await this.name()), name }, this.selection, options);
  }

  /** Everything about it, as soon as it is there. */
  async get(options: WaitOptions = {}): Promise<Control> {
    const best = await this.lookUp(options);
    if (best === undefined) throw new DeskmapError(makeFailure("NOT_FOUND", `no ${this.describe()}`));
    return best;
  }

  async mark(options: WaitOptions = {}): Promise<number> {
    return "id" in this.aim ? this.aim.id : (await this.get(options)).mark;
  }

  /** A field's text with all its spaces, a slider's number, checked or unchecked. */
  async value(options: WaitOptions = {}): Promise<string> {
    const { mark, role, value, states } = await this.get(options);
    return role === "input" && !states.has("secret") ? this.readText(mark) : value;
  }

  /** Its whole text, as its application reports it. */
  async text(options: WaitOptions = {}): Promise<string> {
    return this.readText(await this.mark(options));
  }

  /** The names of a drop-down list's choices, also while it is closed; empty if it reveals them only when it is open. */
  async options(options: WaitOptions = {}): Promise<readonly string[]> {
    const mark = await this.mark(options);
    const windows = toWindows(await this.caller.ask<ViewData>("read", { ...this.selection, all: true }));
    const own = flatten(windows.flatMap(({ controls }) => controls)).find((one) => one.mark === mark);
    return flatten(own?.children ?? []).flatMap(({ role, name }) => (choiceRoles.has(role) && name !== "" ? name : []));
  }

  private async readText(id: number): Promise<string> {
    let text = "";
    for (let start: number | undefined = 0; start !== undefined; ) {
      const part: TextData = await this.caller.ask<TextData>("text", { ...this.selection, id, start });
      text += part.text;
      start = part.next;
    }
    return text;
  }

  /** Whether it is there now, without waiting. */
  async isPresent(): Promise<boolean> {
    try {
      return (await this.lookUp({ timeoutMs: 0 })) !== undefined;
    } catch (error) {
      if (error instanceof DeskmapError && error.code === "NOT_FOUND") return false;
      throw error;
    }
  }

  /** Waits for a condition: "appears", "disappears", "becomes enabled", 'has value "7"', 'contains "ready"'. */
  async waitUntil(what: string, { timeoutMs = this.caller.defaultTimeoutMs }: WaitOptions = {}): Promise<void> {
    const sought = this.isNarrowed() ? await this.mark({ timeoutMs }) : this.describe();
    await this.caller.ask("wait", { ...this.selection, for: `${sought} ${what}`, timeout: timeoutMs });
  }

  private async lookUp(options: WaitOptions): Promise<Control | undefined> {
    const { aim, selection, caller } = this;
    const { timeoutMs = caller.defaultTimeoutMs } = options;
    if ("id" in aim) {
      const { element } =
        timeoutMs > 0
          ? await caller.ask<OutcomeData>("wait", { ...selection, for: `${aim.id} appears`, timeout: timeoutMs })
          : await caller.ask<OutcomeData>("expect", { ...selection, condition: `${aim.id} exists` });
      return element === undefined ? undefined : toControl(element);
    }
    if ("at" in aim) {
      const { element } = await caller.askWhenReady<LocatedData>("at", { ...aim.at }, {}, options);
      return toControl(element);
    }
    const input = { ...(await this.describeAim(aim)), max: 2 };
    const { matches } = await caller.askWhenReady<FindingsData>("find", input, selection, options);
    return chooseMatch(matches, this.describe());
  }

  private isNarrowed(): boolean {
    const { container, index } = this.narrowing;
    return "at" in this.aim || container !== undefined || index !== undefined;
  }

  /** The same, as the tools take it. */
  private async describeAim(aim: Extract<Aim, { readonly words: string } | { readonly only: string }>): Promise<Input> {
    const { container, index } = this.narrowing;
    return {
      words: "words" in aim ? aim.words : undefined,
      role: "only" in aim ? aim.only : aim.role,
      within: await container?.mark(),
      nth: index !== undefined && index >= 0 ? index + 1 : index,
    };
  }

  private verb(tool: string): (options?: ActOptions) => Promise<EffectData> {
    return (options = {}) => this.act(tool, {}, options);
  }

  private async act(tool: string, input: Input, options: ActOptions): Promise<EffectData> {
    return this.caller.act(tool, { ...input, ...(await this.name()) }, this.selection, options);
  }

  private async name(): Promise<Input> {
    if ("id" in this.aim) return { id: this.aim.id };
    if ("at" in this.aim) return { at: `${this.aim.at.x},${this.aim.at.y}` };
    const { words: on, ...rest } = await this.describeAim(this.aim);
    return { on, ...rest };
  }

  /** One end of a drag. A mark is unique on the desktop, so the ends need no windows in common. */
  private async nameEnd(end: "from" | "to", options: WaitOptions): Promise<Input> {
    if ("at" in this.aim) return { [`${end}At`]: `${this.aim.at.x},${this.aim.at.y}` };
    return { [`${end}Id`]: await this.mark(options) };
  }

  private describe(): string {
    if ("id" in this.aim) return String(this.aim.id);
    if ("at" in this.aim) return `control at ${this.aim.at.x},${this.aim.at.y}`;
    if ("only" in this.aim) return this.aim.only;
    const { words, role } = this.aim;
    return `${role === undefined ? "" : `${role} `}"${words}"`;
  }
}

type Input = Readonly<Record<string, unknown>>;

/** An entry's role depends on the list, and on whether it is open. */
export const choiceRoles: ReadonlySet<string> = new Set(["option", "menuitem", "item"]);

function flatten(controls: readonly Control[]): readonly Control[] {
  return controls.flatMap((one) => [one, ...flatten(one.children)]);
}

/** The best match, if it is better than the next. */
function chooseMatch([best, second]: FindingsData["matches"], sought: string): Control | undefined {
  if (best === undefined) return undefined;
  if (second !== undefined && second.score >= best.score) {
    const nearest = [best, second].map(({ i, r, t }) => `${r} "${t ?? ""}" (${i})`);
    throw new DeskmapError(makeFailure("AMBIGUOUS", `${sought} fits several`, undefined, { nearest }));
  }
  return toControl(best);
}
