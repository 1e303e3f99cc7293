import { makeFailure } from "../model/failure.ts";
import type { EffectData } from "../show/effect.ts";
import type { FindingsData } from "../show/findings.ts";
import type { OutcomeData } from "../show/outcome.ts";
import type { ViewData } from "../show/view.ts";
import type { ActOptions, Caller, Selection, WaitOptions } from "./caller.ts";
import { DeskmapError } from "./error.ts";
import { type Control, toControl, toWindows } from "./results.ts";

/** Names a control: by its mark, by words and optionally a role, or as the only one of a role. */
export type Aim =
  | { readonly id: number }
  | { readonly words: string; readonly role?: string | undefined }
  | { readonly only: string };

export interface ClickOptions extends ActOptions {
  readonly button?: "left" | "middle" | "right" | undefined;
  readonly double?: boolean | undefined;
}

/**
 * A control that every call looks up again, and waits for until it is there and ready. Words that match several controls
 * equally well are refused.
 */
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
  ) {}

  click({ button, double, ...options }: ClickOptions = {}): Promise<EffectData> {
    return this.act("click", { button, double }, options);
  }

  doubleClick(options: ActOptions = {}): Promise<EffectData> {
    return this.click({ ...options, double: true });
  }

  /** Sets the value of a field, a slider or a spin button. */
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

  /** Everything about it, as soon as it is there. */
  async get(options: WaitOptions = {}): Promise<Control> {
    const best = await this.lookUp(options);
    if (best === undefined) throw new DeskmapError(makeFailure("NOT_FOUND", `no ${this.describe()}`));
    return best;
  }

  async mark(options: WaitOptions = {}): Promise<number> {
    return "id" in this.aim ? this.aim.id : (await this.get(options)).mark;
  }

  /** A field's text, a slider's number, checked or unchecked. */
  async value(options: WaitOptions = {}): Promise<string> {
    return (await this.get(options)).value;
  }

  /** Its whole text, as its application reports it. */
  async text(options: WaitOptions = {}): Promise<string> {
    const id = await this.mark(options);
    return this.caller.askForText("text", { ...this.selection, id });
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
    await this.caller.ask("wait", { ...this.selection, for: `${this.describe()} ${what}`, timeout: timeoutMs });
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
    if ("only" in aim) return caller.whenReady(selection, timeoutMs, () => this.findOnly(aim.only));
    const sought = { words: aim.words, role: aim.role, max: 2 };
    const { matches } = await caller.askWhenReady<FindingsData>("find", sought, selection, options);
    return chooseMatch(matches, this.describe());
  }

  private async findOnly(roles: string): Promise<Control> {
    const windows = toWindows(await this.caller.ask<ViewData>("read", { ...this.selection, roles }));
    const wanted = new Set(roles.split(","));
    const all = windows.flatMap(({ controls }) => flatten(controls)).filter(({ role }) => wanted.has(role));
    const [only, ...others] = all;
    if (only !== undefined && others.length === 0) return only;
    const nearest = all.slice(0, 5).map(({ role, name, mark }) => `${role} "${name}" (${mark})`);
    const code = only === undefined ? ("NOT_FOUND" as const) : ("AMBIGUOUS" as const);
    const message = only === undefined ? `no ${this.describe()}` : `there are ${all.length} of role ${roles}`;
    throw new DeskmapError(makeFailure(code, message, undefined, { nearest }));
  }

  private verb(tool: string): (options?: ActOptions) => Promise<EffectData> {
    return (options = {}) => this.act(tool, {}, options);
  }

  private async act(tool: string, input: Input, options: ActOptions): Promise<EffectData> {
    return this.caller.act(tool, { ...input, ...(await this.name(tool, options)) }, this.selection, options);
  }

  private async name(tool: string, options: WaitOptions): Promise<Input> {
    const { aim } = this;
    if ("words" in aim) return { [onWords.has(tool) ? "on" : "words"]: aim.words, role: aim.role };
    return { id: await this.mark(options) };
  }

  private describe(): string {
    if ("id" in this.aim) return String(this.aim.id);
    if ("only" in this.aim) return this.aim.only;
    const { words, role } = this.aim;
    return `${role === undefined ? "" : `${role} `}"${words}"`;
  }
}

type Input = Readonly<Record<string, unknown>>;

function flatten(controls: readonly Control[]): readonly Control[] {
  return controls.flatMap((one) => [one, ...flatten(one.children)]);
}

/** Tools whose `words` are the text to type or set. */
const onWords: ReadonlySet<string> = new Set(["type", "set-value", "scroll"]);

/** The best match, if it is better than the next. */
function chooseMatch([best, second]: FindingsData["matches"], sought: string): Control | undefined {
  if (best === undefined) return undefined;
  if (second !== undefined && second.score >= best.score) {
    const nearest = [best, second].map(({ i, r, t }) => `${r} "${t ?? ""}" (${i})`);
    throw new DeskmapError(makeFailure("AMBIGUOUS", `${sought} fits several`, undefined, { nearest }));
  }
  return toControl(best);
}
