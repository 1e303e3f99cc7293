import type { SingleElement } from "../../model/element.ts";
import type { Combo } from "../../model/keys.ts";
import type { Role } from "../../model/role.ts";
import { quote } from "../approval/quote.ts";
import type { Request } from "../gate.ts";
import type { Danger, Policy } from "../policy/policy.ts";
import { findInLabel } from "./match.ts";
import { asksAround, isWayOut } from "./question.ts";
import type { Warning } from "./warning.ts";

type JudgePressed = (element: SingleElement) => readonly Warning[];

const entering: ReadonlySet<string> = new Set(["Return", "KP_Enter", "ISO_Enter", "Linefeed"]);
const deleting: ReadonlySet<string> = new Set(["Delete", "KP_Delete"]);
/** Keys that only move, leave or hold. */
export const movingKey =
  /^(Escape|Tab|ISO_Left_Tab|Up|Down|Left|Right|Home|End|Page_Up|Page_Down|Prior|Next|KP_(Up|Down|Left|Right|Home|End|Page_Up|Page_Down)|(Control|Alt|Shift|Super|Meta)_[LR]|Caps_Lock|Num_Lock)$/;
const entryRoles: ReadonlySet<Role> = new Set<Role>([
  "cell",
  "row",
  "treeitem",
  "option",
  "item",
  "icon",
  "list",
  "tree",
  "table",
]);
const pressableRoles: ReadonlySet<Role> = new Set<Role>([
  ...entryRoles,
  ...(["button", "toggle", "link", "menuitem", "menu", "select", "tab", "header", "web"] as const),
]);
const textRoles: ReadonlySet<Role> = new Set<Role>(["input", "spin", "document", "terminal"]);

/** A key goes to whatever has the focus: `request.element`, as far as its window tells. */
export function findKeyDangers(
  combo: Combo,
  request: Request,
  policy: Policy,
  judge: JudgePressed,
): readonly Warning[] {
  const system = findSystemDanger(combo);
  if (system !== undefined) return [system];
  const { element } = request;
  const { key, modifiers } = combo;
  const isBare = modifiers.every((one) => one === "shift");
  const isEntering = entering.has(key);
  const isPressing = isBare && (isEntering || key === " " || key === "space" || key === "KP_Space");
  if (isEntering && modifiers.includes("ctrl")) return judgeSending(request, policy);
  const pressed = isPressing && element !== undefined ? judge(element) : [];
  if (pressed.length > 0) return pressed;
  const erased = judgeErasing(combo, element);
  if (erased.length > 0) return erased;
  if (isPressing && isWayOut(element)) return [];
  const isInText = isText(element);
  if (isInText && !isEntering && !modifiers.includes("alt")) return [];
  if (isInText && isEntering && isMultiline(element)) return [];
  const asked = movingKey.test(key) ? [] : asksAround(request, policy);
  if (asked.length > 0) return asked;
  const lettered = judgeLetter(combo, request, policy);
  if (lettered.length > 0) return lettered;
  return isEntering && !isPressable(element) ? judgeSending(request, policy) : [];
}

/** Where an entry or a button is not what has the focus, this key goes to the window's own button. */
function isPressable(element: SingleElement | undefined): boolean {
  return element !== undefined && pressableRoles.has(element.role);
}

/** In an open menu a letter is an entry's own; with Alt it may be a button's. */
function judgeLetter({ key, modifiers }: Combo, request: Request, policy: Policy): readonly Warning[] {
  const isInMenu = request.element?.role === "menuitem" || request.element?.role === "menu";
  const isMeant = modifiers.every((one) => one === "alt" || one === "shift");
  const isAlt = modifiers.includes("alt");
  if ([...key].length !== 1 || !isMeant || !(isInMenu || isAlt)) return [];
  return judgeLabelsAround(request, policy, (text) => text.toLowerCase().includes(key.toLowerCase()));
}

/** Typing is harmless; the line break in it is the key that sends, and after a tab it goes to another control. */
export function findTypingDangers(
  text: string,
  request: Request,
  policy: Policy,
  judge: JudgePressed,
): readonly Warning[] {
  const { element } = request;
  const breaks = /[\n\r]/.test(text);
  const isInText = isText(element);
  if (/\t[\s\S]*[\n\r ]/.test(text)) {
    const around = [...asksAround(request, policy), ...judgeLabelsAround(request, policy)];
    if (around.length > 0) return around;
  }
  if (!breaks && isInText) return [];
  const pressesFocused = !isInText && /[\n\r ]/.test(text) && element !== undefined;
  const pressed = pressesFocused ? judge(element) : [];
  if (pressed.length > 0) return pressed;
  const isInMenu = element?.role === "menuitem" || element?.role === "menu";
  const lettered = isInMenu ? judgeLabelsAround(request, policy) : [];
  if (lettered.length > 0) return lettered;
  if (isInText && isMultiline(element)) return [];
  const isWayOutOnly = isWayOut(element) && /^[\n\r ]$/.test(text);
  const asked = isWayOutOnly ? [] : asksAround(request, policy);
  if (asked.length > 0) return asked;
  return breaks && !isPressable(element) ? judgeSending(request, policy) : [];
}

function findSystemDanger({ key, modifiers }: Combo): Warning | undefined {
  const held = [...modifiers].sort().join("+");
  const ends: Readonly<Record<string, Danger>> = {
    "alt+ctrl+Delete": "log-out",
    "alt+ctrl+KP_Delete": "log-out",
    "alt+ctrl+BackSpace": "log-out",
  };
  const danger = ends[`${held}+${key}`] ?? (/^XF86(PowerOff|PowerDown)$/.test(key) ? "shut-down" : undefined);
  return danger && { danger, because: "those keys end the session on many desktops" };
}

/** Where no text is written, these take away what is chosen. */
function judgeErasing({ key, modifiers }: Combo, element: SingleElement | undefined): readonly Warning[] {
  if (isText(element)) return [];
  const isList = element !== undefined && entryRoles.has(element.role);
  const isErasing =
    deleting.has(key) ||
    (key === "BackSpace" && modifiers.some((one) => one === "super" || one === "ctrl")) ||
    (key.toLowerCase() === "d" && modifiers.includes("ctrl") && modifiers.length === 1 && isList);
  const where = element === undefined ? "what is chosen" : `${element.role} ${quote(element.name)}`;
  return isErasing ? [{ danger: "delete", because: `${[...modifiers, key].join("+")} deletes ${where}` }] : [];
}

/** A form or a message is sent by the key that ends its line; a small window is agreed to by it. */
function judgeSending(request: Request, policy: Policy): readonly Warning[] {
  if (isSmall(request)) return judgeLabelsAround(request, policy);
  // A field in a toolbar looks for something, whatever the page below it sells.
  if ((request.within?.() ?? []).some(({ role }) => role === "toolbar")) return [];
  return judgeLabelsAround(request, policy, (text) => text.length <= longestSender).filter(
    ({ danger }) => danger === "send" || danger === "pay",
  );
}

const longestSender = 20;
const fewTexts = 15;

function isSmall({ surroundings }: Request): boolean {
  return (surroundings?.() ?? []).length <= fewTexts;
}

const longestLabel = 40;

function judgeLabelsAround(
  { surroundings }: Request,
  policy: Policy,
  isMeant: (text: string) => boolean = () => true,
): readonly Warning[] {
  return (surroundings?.() ?? [])
    .filter((text) => text.length <= longestLabel && isMeant(text))
    .flatMap((text) =>
      findInLabel(text, "brief", policy.words).map((danger) => ({
        danger,
        because: `beside it stands ${quote(text)}`,
      })),
    );
}

function isText(element: SingleElement | undefined): boolean {
  if (element === undefined || element.states.has("readonly")) return false;
  return element.states.has("editable") || textRoles.has(element.role);
}

function isMultiline(element: SingleElement | undefined): boolean {
  return element !== undefined && (element.states.has("multiline") || element.role === "document");
}
