import type { RecordedAction } from "../model/demo.ts";
import { cleanText } from "../model/plain-text.ts";
import { isMasked } from "../model/secrets-in-text.ts";
import { type Settled, settleAction } from "./end-state.ts";
import type { Demo, DemoTool, Parameter, Step, StepInput } from "./file.ts";
import { demoVersion, maxSteps } from "./file.ts";
import { fitStep, tidyEffect, tidyRef } from "./fit.ts";
import { guessType, nameParameter } from "./parameters.ts";
import { abstractText, type TextKind } from "./placeholders.ts";
import { findTool, needsTarget, stepFields, typedFields } from "./tools.ts";

export interface MakeOptions {
  readonly name: string;
  readonly description?: string | undefined;
  readonly client?: string | undefined;
}

/** Texts longer than this are no part of a step, but the value of a parameter. */
const longestInStep = 200;
/** Shorter values occur twice by chance. */
const shortestLinked = 3;

/** Makes a demo of what was done, in the order in which it was done. */
export function makeDemo(actions: readonly RecordedAction[], { name, description, client }: MakeOptions): Demo {
  const settled = enterCells(dropFocusing(actions.filter(isStep))).map(settleAction);
  const kept = dropReplaced(settled).slice(0, maxSteps);
  const startMs = kept[0]?.action.atMs ?? 0;
  const making = new Making();
  for (const one of kept) {
    if (one.action.gap === undefined) making.add(one, startMs);
    else making.leaveGap(one.action.gap);
  }
  const by = kept.some(({ action }) => action.by === "person") ? "person" : "agent";
  return {
    format: "deskmap-demo",
    version: demoVersion,
    name,
    ...(description === undefined ? {} : { description }),
    recorded: {
      at: new Date(startMs).toISOString(),
      by,
      ...(client === undefined ? {} : { client: cleanText(client, 120) }),
    },
    parameters: making.parameters,
    steps: making.steps,
  };
}

/** The commands typed to begin and to end a recording are no part of the work; `own` are the terminal's programs. */
export function trimTerminal(actions: readonly RecordedAction[], own: ReadonlySet<string>): readonly RecordedAction[] {
  const isWork = ({ app = "", by }: RecordedAction): boolean =>
    by === "agent" || app === "" || !own.has(app.toLowerCase());
  const first = actions.findIndex(isWork);
  return first < 0 ? [] : actions.slice(first, actions.findLastIndex(isWork) + 1);
}

/** Reading the clipboard does nothing, and a plan is nothing that was done. */
function isStep({ tool, input, effect, gap }: RecordedAction): boolean {
  if (gap !== undefined) return true;
  if (effect?.verdict === "would") return false;
  return toolOf(tool) !== undefined && !(tool === "clipboard" && input.action !== "write");
}

function toolOf(tool: string): DemoTool | undefined {
  const plain = tool === "click_element" ? "click" : tool === "type_in_element" ? "type" : tool;
  return findTool(plain);
}

/** Of two values that were set in the same field one after the other, only the last counts. */
function dropReplaced(settled: readonly Settled[]): readonly Settled[] {
  return settled.filter(({ action }, index) => {
    const next = settled[index + 1]?.action;
    if (next === undefined || action.tool !== "set-value" || next.tool !== "set-value") return true;
    const isSame = action.ref !== undefined && sameControl(action.ref, next.ref);
    return !isSame || action.secret !== next.secret;
  });
}

/** Setting a field gives it the focus, which a person's click before it did. The picture of that click shows the field, too. */
function dropFocusing(actions: readonly RecordedAction[]): readonly RecordedAction[] {
  const isDropped = (action: RecordedAction, index: number): boolean => {
    const next = actions[index + 1];
    const isPlain = action.by === "person" && action.tool === "click" && Object.keys(action.input).length === 0;
    // The last letters of the field before may be seen only after the click.
    const before = actions[index - 1]?.ref;
    const own = action.effect?.changed?.filter(({ role, name }) => role !== before?.role || name !== before.name) ?? [];
    if (!isPlain || action.ref === undefined || own.length > 0) return false;
    const isSet = next?.tool === "set-value" || next?.secret !== undefined;
    return isSet && sameControl(action.ref, next?.ref);
  };
  return actions.flatMap((action, index) => {
    if (isDropped(action, index)) return [];
    const before = actions[index - 1];
    const isFocused = before !== undefined && isDropped(before, index - 1);
    const picture = action.picture ?? (isFocused ? before.picture : undefined);
    return [picture === undefined ? action : { ...action, picture }];
  });
}

/**
 * Setting the cell of a sheet enters it with Return, so that a Return behind it would go on to the row after the next. Tab
 * leads to the next column, and makes a later Return go back to the first one: it is typed with the text.
 */
function enterCells(actions: readonly RecordedAction[]): readonly RecordedAction[] {
  const isCell = (action: RecordedAction | undefined): action is RecordedAction =>
    action?.by === "person" && action.tool === "set-value" && action.ref?.role === "cell";
  const keyOf = ({ by, tool, input }: RecordedAction): unknown =>
    by === "person" && tool === "type" && input.repeat === undefined ? input.key : undefined;
  return actions.flatMap((action, index) => {
    const [before, next] = [actions[index - 1], actions[index + 1]];
    if (isCell(before) && enteringKeys.has(keyOf(action))) return [];
    if (!isCell(action) || next === undefined || keyOf(next) !== "Tab") return [action];
    const { typed: _, ...rest } = action;
    return [{ ...rest, tool: "type", input: { text: `${String(action.input.text)}\t` } }];
  });
}

const enteringKeys: ReadonlySet<unknown> = new Set(["Return", "KP_Enter", "Tab"]);

function sameControl(a: NonNullable<RecordedAction["ref"]>, b: RecordedAction["ref"]): boolean {
  return JSON.stringify([a.role, a.name, a.bbox, a.window]) === JSON.stringify([b?.role, b?.name, b?.bbox, b?.window]);
}

/** Nothing told what a person's step did: when it is done again, nothing has to. */
const nothingSeen = { verdict: "unverified", way: "a person" } as const;

class Making {
  readonly steps: Step[] = [];
  readonly parameters: Record<string, Parameter> = {};

  /** What was done between the steps and may not be recorded. */
  private gap: string | undefined;

  leaveGap(why: string): void {
    const last = this.steps.at(-1);
    if (last === undefined) this.gap = why;
    else this.steps[this.steps.length - 1] = { ...last, doubts: [...(last.doubts ?? []), `after it: ${why}`] };
  }

  add({ action, holds, doubt }: Settled, startMs: number): void {
    const tool = action.secret !== undefined ? "fill-secret" : toolOf(action.tool);
    if (tool === undefined) return;
    const ref = action.ref === undefined ? undefined : tidyRef(action.ref, (text, kind) => this.abstract(text, kind));
    if (tool === "fill-secret" && ref === undefined && action.point === undefined) {
      // Nobody could fill it in anywhere.
      this.leaveGap(action.doubt ?? "something was typed that may not be kept");
      return;
    }
    const toRef =
      action.toRef === undefined ? undefined : tidyRef(action.toRef, (text, kind) => this.abstract(text, kind));
    const told = action.effect ?? (action.by === "person" ? nothingSeen : undefined);
    const effect = told === undefined ? undefined : tidyEffect(told, (text, kind) => this.abstract(text, kind));
    // What it typed itself is a parameter from here on.
    const input = { ...this.takeInput(tool, action), ...findOffset(tool, action) };
    const window = action.window === undefined ? undefined : this.abstract(cleanText(action.window, 300), "title");
    const app = action.app === undefined ? undefined : cleanText(action.app, 120);
    const own = effect === undefined ? undefined : tidyEffect(effect, (text, kind) => this.abstract(text, kind));
    const doubts = [
      ...(this.gap === undefined ? [] : [`before it: ${this.gap}`]),
      ...listDoubts(tool, action, ref !== undefined),
      ...[doubt, action.doubt].filter((one) => one !== undefined),
    ];
    this.gap = undefined;
    this.steps.push(
      fitStep({
        tool,
        input,
        app,
        window,
        ref,
        evidence: ref === undefined ? undefined : action.evidence?.slice(0, 12),
        to_ref: toRef,
        point: pointOf(action.point),
        to_point: pointOf(action.toPoint),
        wait: this.findWait(tool, app, window, { hasElement: ref !== undefined, holds }),
        typed: findTyped(action),
        picture: action.picture === undefined ? undefined : { ...action.picture, bbox: [...action.picture.bbox] },
        effect: own,
        after_ms: Math.max(0, Math.round(action.atMs - startMs)),
        took_ms: Math.max(0, Math.round(action.tookMs)),
        doubts: doubts.length === 0 ? undefined : doubts.map((doubt) => cleanText(doubt, 500)).slice(0, 8),
      }),
    );
  }

  /** What had to be there before the step, and which step opened it. */
  private findWait(
    tool: DemoTool,
    app: string | undefined,
    window: string | undefined,
    { hasElement, holds }: { readonly hasElement: boolean; readonly holds: string | undefined },
  ): Step["wait"] {
    if (tool === "open" || (app === undefined && window === undefined)) return undefined;
    const opener = this.steps.findLastIndex(({ effect }) => window !== undefined && effect?.opened?.includes(window));
    return {
      ...(app === undefined ? {} : { app }),
      ...(window === undefined ? {} : { window }),
      ...(hasElement ? { element: true } : {}),
      ...(opener < 0 ? {} : { opened_by: opener + 1 }),
      ...(holds === undefined ? {} : { holds: this.abstract(holds) }),
    };
  }

  private takeInput(tool: DemoTool, action: RecordedAction): StepInput {
    if (action.secret !== undefined) return { from: `{{${this.addSecret(action.secret)}}}` };
    const { words, ...given } = action.input;
    // The text to type is called both.
    const named =
      tool === "type" && words !== undefined && given.text === undefined ? { ...given, text: words } : given;
    const fields: readonly string[] = stepFields[tool];
    const entries = Object.entries(named).flatMap(([field, value]): [string, StepInput[string]][] => {
      if (!fields.includes(field)) return [];
      if (typeof value === "number" || typeof value === "boolean") return [[field, value]];
      if (Array.isArray(value)) return [[field, this.takeList(value.map(String).slice(0, 50), action)]];
      if (typeof value !== "string") return [];
      if (tool === "fill-secret") return [[field, `{{${this.addSecret(value, value)}}}`]];
      const isTyped = typedFields(tool).includes(field) || needsParameter(value);
      // The Tab that leaves a cell is no part of its value.
      const [, own = "", tab = ""] = (action.ref?.role === "cell" ? /^(.*?)(\t?)$/s.exec(value) : null) ?? ["", value];
      return [[field, isTyped ? `{{${this.addTyped(own, action)}}}${tab}` : cleanText(value, 1000)]];
    });
    // A text that was too long to be recorded must be given.
    const isMissing = tool === "set-value" || (tool === "type" && named.key === undefined);
    const missing = isMissing && named.text === undefined ? [["text", `{{${this.addUnknown(action)}}}`] as const] : [];
    return Object.fromEntries([...entries, ...missing]);
  }

  private addUnknown({ ref }: RecordedAction): string {
    const label = cleanText(ref?.name || ref?.neighbours?.[0] || "", 300);
    return this.addParameter(label, { type: "text", ...(label === "" ? {} : { label }) });
  }

  /** Long words for a program are parameters, since a step is short. */
  private takeList(words: readonly string[], action: RecordedAction): readonly string[] {
    const isShort = !needsParameter(words.join(" "));
    return words.map((word) => (isShort ? cleanText(word, 1000) : `{{${this.addTyped(word, action)}}}`));
  }

  private addSecret(label: string, secret?: string): string {
    const known = Object.entries(this.parameters).find(([, one]) => one.type === "secret" && one.label === label);
    if (known !== undefined) return known[0];
    const isName = secret !== undefined && /^\S{1,200}$/.test(secret);
    return this.addParameter(label, { type: "secret", label, ...(isName ? { default: secret } : {}) });
  }

  /** The same value typed twice is one parameter. */
  private addTyped(value: string, action: RecordedAction): string {
    const clean = [...value].filter((one) => /[\n\t\r]/.test(one) || !/\p{Cc}/u.test(one)).join("");
    const isTelling = clean.trim().length >= shortestLinked;
    const known = Object.entries(this.parameters).find(
      ([, one]) => isTelling && one.default === clean && one.type !== "secret",
    );
    if (known !== undefined) return known[0];
    // What was masked is not known either.
    if (isMasked(clean)) return this.addUnknown(action);
    const label = cleanText(action.ref?.name || action.ref?.neighbours?.[0] || "", 300);
    const from = isTelling ? this.findOrigin(clean.trim()) : undefined;
    return this.addParameter(label, {
      type: guessType(clean),
      default: clean,
      ...(label === "" ? {} : { label }),
      ...(from === undefined ? {} : { from }),
    });
  }

  private addParameter(label: string, parameter: Parameter): string {
    const name = nameParameter(label, parameter.type, new Set(Object.keys(this.parameters)));
    const short = parameter.label === undefined ? {} : { label: cleanText(parameter.label, 300) };
    this.parameters[name] = { ...parameter, ...short };
    return name;
  }

  /** The earlier step that put this very value on the screen, if one did. */
  private findOrigin(value: string): Parameter["from"] {
    for (let index = this.steps.length - 1; index >= 0; index -= 1) {
      const changed = this.steps[index]?.effect?.changed?.find((one) => one.after.trim() === value);
      if (changed === undefined || (changed.what !== "value" && changed.what !== "name")) continue;
      return { step: index + 1, role: changed.role, name: changed.name, what: changed.what };
    }
    return undefined;
  }

  private abstract(text: string, kind: TextKind = "ref"): string {
    return abstractText(text, this.parameters, kind);
  }
}

/** Too long for a step, or it would be taken for a placeholder. */
function needsParameter(text: string): boolean {
  return text.length > longestInStep || text.includes("{{");
}

/** The keys behind a value, if it has more than those: such as what the field held before them. */
function findTyped({ tool, typed = "", input }: RecordedAction): string | undefined {
  const clean = cleanText(typed, longestInStep);
  return tool !== "set-value" || clean === "" || typed === input.text ? undefined : clean;
}

/** Where within its control a client pressed that named a point. */
function findOffset(tool: DemoTool, { aim, point, ref }: RecordedAction): StepInput {
  if (tool !== "click" || aim !== "point" || point === undefined || ref?.bbox === undefined) return {};
  const [x, y] = [Math.round(point.x - ref.bbox[0]), Math.round(point.y - ref.bbox[1])];
  return x < 0 || y < 0 ? {} : { at: `${x},${y}` };
}

function pointOf(point: RecordedAction["point"]): Step["point"] {
  return point === undefined ? undefined : [Math.round(point.x), Math.round(point.y)];
}

/** Why the step may not be repeatable, known as soon as it is recorded. */
function listDoubts(tool: DemoTool, { evidence, effect, toRef }: RecordedAction, hasRef: boolean): readonly string[] {
  const doubts: string[] = [];
  if (needsTarget(tool) && !hasRef) doubts.push("coordinates only: nothing tells which control was meant");
  if (tool === "drag" && toRef === undefined) doubts.push("the end of the drag is known by its coordinates only");
  if (hasRef) doubts.push(...doubtRef(evidence));
  if (effect?.verdict === "wrong-target") doubts.push("something else than its target reacted when it was recorded");
  return doubts;
}

/** Why a ref may not find its control again, by what it found when it was taken. */
export function doubtRef(evidence: Step["evidence"]): readonly string[] {
  const own = evidence?.find(({ by }) => by === "ref");
  if (own === undefined) return ["it was not tested whether its ref finds it"];
  return own.matches === 1 ? [] : [`its ref found ${own.matches} elements when it was recorded, not one`];
}
