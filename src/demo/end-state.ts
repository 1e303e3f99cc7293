import type { RecordedAction, TargetState } from "../model/demo.ts";

/** An action that leads to the recorded end from any beginning, or says why it does not. */
export interface Settled {
  readonly action: RecordedAction;
  /** What its field must hold before it: its end depends on that. */
  readonly holds?: string | undefined;
  readonly doubt?: string | undefined;
}

/** Done again, keys come after what a field holds by then, and a press switches a control that is on already off. */
export function settleAction(action: RecordedAction): Settled {
  if (action.secret !== undefined || action.gap !== undefined || action.ref === undefined) return { action };
  if (isTyped(action)) return settleText(action);
  return isPlainPress(action) ? settleState(action) : { action };
}

function isTyped({ tool, input }: RecordedAction): boolean {
  return tool === "type" && input.key === undefined && typeof textOf(input) === "string";
}

function textOf({ text, words }: RecordedAction["input"]): unknown {
  return text ?? words;
}

const fields: ReadonlySet<string> = new Set(["input", "spin", "select"]);
/** Longer texts are not compared. */
const longestHeld = 200;

/** The field is set to what it held afterwards. Where that is not known, it must hold what it held before. */
function settleText(action: RecordedAction): Settled {
  const { target, input, ref } = action;
  const typed = String(textOf(input));
  // What is typed into the cell of a sheet replaces what it held.
  const isFresh = input.replace === true || ref?.role === "cell";
  if (target === undefined || isFresh || ref?.role === "terminal") return { action };
  const { before, after, isMultiline } = target;
  const isField = fields.has(ref?.role ?? "");
  const isKey = /[\n\t]/.test(typed) && !isMultiline;
  const isPlain = isField && !isKey && action.effect?.verdict === "confirmed";
  const end =
    isPlain && after?.value !== undefined ? findEnd(before.value, after.value, typed, isMultiline) : undefined;
  if (end !== undefined) {
    // The change may have been seen before its last letter.
    const changed = action.effect?.changed?.map((one) =>
      one.what === "value" && one.after === after?.value ? { ...one, after: end } : one,
    );
    const effect = action.effect && { ...action.effect, ...(changed === undefined ? {} : { changed }) };
    return { action: { ...action, tool: "set-value", input: { text: end }, typed, effect } };
  }
  // Beside a field, a value that is empty may only be one that is not told.
  if (before.value === "" && isField) return { action: { ...action, input: { ...input, replace: true } } };
  if (before.value === "") return { action };
  if (before.value !== undefined && before.value.length <= longestHeld) return { action, holds: before.value };
  return {
    action,
    doubt: "its field held a long text: nothing tells whether it holds the same when this is typed again",
  };
}

/** What the whole field holds afterwards; undefined if it cannot be set exactly, or shows another text than was typed. */
function findEnd(before = "", after: string, typed: string, isMultiline: boolean): string | undefined {
  const [shown, whole] = [squash(typed), squash(after)];
  if (whole === shown) return typed;
  const held = squash(before);
  // It was confirmed that the field holds all of it, though less was seen then.
  const seen = whole.length - held.length;
  const isBegun = seen >= 0 && seen < shown.length && whole === held + shown.slice(0, seen);
  if (isBegun && !(isMultiline && held !== "") && (held === "" || seen > 0))
    return held === "" ? typed : after + cutAfter(typed, seen);
  // Several lines are read as one.
  const isPut = held !== "" && !isMultiline && shown !== "" && seen === shown.length;
  if (!isPut) return undefined;
  const clean = typed.replace(/\s+/g, " ").trim();
  return after.endsWith(clean) ? `${after.slice(0, after.length - clean.length)}${typed.trimStart()}` : after;
}

/** What follows so many characters that are no space. */
function cutAfter(text: string, count: number): string {
  let left = count;
  const at = [...text].findIndex((one) => {
    if (!/\s/.test(one)) left -= 1;
    return left === 0;
  });
  return [...text].slice(at + 1).join("");
}

/** Values are read without outer space and with single spaces. */
function squash(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

function isPlainPress({ tool, input }: RecordedAction): boolean {
  if (tool === "toggle") return true;
  if (tool === "type") return /^(space|enter|return)$/i.test(String(input.key)) && input.repeat === undefined;
  return tool === "click" && !["button", "double", "at"].some((one) => one in input);
}

const switches: ReadonlySet<string> = new Set(["checkbox", "switch", "toggle", "radio"]);
/** What they open closes again by itself, or with the choice. */
const openers: ReadonlySet<string> = new Set(["menu", "menuitem", "select"]);

function settleState(action: RecordedAction): Settled {
  const { target, tool, ref, effect } = action;
  const role = ref?.role ?? "";
  const end = target?.after && findTool(role, target.before, target.after);
  const opensMenu = effect?.appeared?.some((one) => openers.has(one.role)) === true;
  // A switch that opens a window or a menu is a button.
  const isOpener = openers.has(role) || opensMenu || (effect?.opened?.length ?? 0) > 0;
  if (end !== undefined && !isOpener) return { action: { ...action, tool: end, input: {}, markField: "id" } };
  const isUnseen = end === undefined && !isOpener && effect?.verdict !== "wrong-target";
  const isSwitch = tool === "toggle" || (tool !== "type" && switches.has(role) && role !== "radio");
  if (isSwitch && isUnseen) return { action, doubt: unseenState };
  // Its menu closes with it, and would stay open if there were nothing to do.
  return role === "menuitem" && target?.isCheckable === true ? { action, doubt: checkedEntry } : { action };
}

const checkedEntry = "the entry is switched on or off: done again from another state, it ends in the other one";

const unseenState = "nothing showed whether it was on or off afterwards: done again, it may switch back";

function findTool(role: string, before: TargetState, after: TargetState): RecordedAction["tool"] | undefined {
  const has = ({ states }: TargetState, ...some: readonly TargetState["states"][number][]): boolean =>
    some.some((one) => states.includes(one));
  const isChanged = (...some: readonly TargetState["states"][number][]): boolean =>
    has(before, ...some) !== has(after, ...some);
  if (isChanged("checked", "pressed") && !has(after, "mixed") && (switches.has(role) || isChanged("checked"))) {
    return has(after, "checked", "pressed") ? "check" : "uncheck";
  }
  // A press never switches it off.
  if (role === "radio" && has(after, "checked")) return "check";
  if (isChanged("expanded") && has(before, "expanded", "collapsed"))
    return has(after, "expanded") ? "expand" : "collapse";
  return role === "tab" && isChanged("selected") && has(after, "selected") ? "select" : undefined;
}
