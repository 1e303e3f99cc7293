import type { SingleElement } from "../../model/element.ts";
import type { Combo } from "../../model/keys.ts";
import type { Role } from "../../model/role.ts";
import { quote } from "../approval/approver.ts";
import type { Request } from "../gate.ts";
import type { Policy } from "../policy/policy.ts";
import { findInLabel, type Warning } from "./match.ts";
import { asksAround, isWayOut } from "./question.ts";

type JudgePressed = (element: SingleElement) => readonly Warning[];

const entering: ReadonlySet<string> = new Set(["Return", "KP_Enter", "ISO_Enter", "Linefeed"]);
const deleting: ReadonlySet<string> = new Set(["Delete", "KP_Delete"]);
/** Keys that only move, leave, or modify others. */
export const movingKey =
  /^(Escape|Tab|ISO_Left_Tab|Up|Down|Left|Right|Home|End|Page_Up|Page_Down|Prior|Next|KP_(Up|Down|Left|Right|Home|End|Page_Up|Page_Down)|(Control|Alt|Shift|Super|Meta)_[LR]|Caps_Lock|Num_Lock)$/;
const entryRoles = new Set<Role>(["cell", "row", "treeitem", "option", "item", "icon", "list", "tree", "table"]);
const pressedRoles = ["button", "toggle", "link", "menuitem", "menu", "select", "tab", "header", "web"] as const;
const pressableRoles = new Set<Role>([...entryRoles, ...pressedRoles]);
const textRoles = new Set<Role>(["input", "spin", "document", "terminal"]);

/** A key goes to whatever has the focus: `request.element`, if its window reports that. */
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

/** If the focus is on nothing pressable, Enter goes to the window's default button. */
function isPressable(element: SingleElement | undefined): boolean {
  return element !== undefined && pressableRoles.has(element.role);
}

/** In an open menu a letter is the mnemonic of an entry; with Alt it may be that of a button. */
function judgeLetter({ key, modifiers }: Combo, request: Request, policy: Policy): readonly Warning[] {
  const isInMenu = request.element?.role === "menuitem" || request.element?.role === "menu";
  const isMeant = modifiers.every((one) => one === "alt" || one === "shift");
  const isAlt = modifiers.includes("alt");
  if ([...key].length !== 1 || !isMeant || !(isInMenu || isAlt)) return [];
  return judgeLabelsAround(request, policy, (text) => text.toLowerCase().includes(key.toLowerCase()));
}

/** Typed text is harmless, but a line break is Enter, and after a tab it goes to another control. */
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
  const because = "those keys end the session on many desktops";
  const isCtrlAlt = [...modifiers].sort().join("+") === "alt+ctrl";
  if (isCtrlAlt && /^((KP_)?Delete|BackSpace)$/.test(key)) return { danger: "log-out", because };
  return /^XF86(PowerOff|PowerDown)$/.test(key) ? { danger: "shut-down", because } : undefined;
}

/** Outside of text, these keys delete the selection. */
function judgeErasing({ key, modifiers }: Combo, element: SingleElement | undefined): readonly Warning[] {
  if (isText(element)) return [];
  const isList = element !== undefined && entryRoles.has(element.role);
  const isErasing =
    deleting.has(key) ||
    (key === "BackSpace" && modifiers.some((one) => one === "super" || one === "ctrl")) ||
    (key.toLowerCase() === "d" && modifiers.includes("ctrl") && modifiers.length === 1 && isList);
  const where = element === undefined ? "the selection" : `${element.role} ${quote(element.name)}`;
  return isErasing ? [{ danger: "delete", because: `${[...modifiers, key].join("+")} deletes ${where}` }] : [];
}

/** Enter sends a form or a message, and accepts a small window. */
function judgeSending(request: Request, policy: Policy): readonly Warning[] {
  if ((request.surroundings?.() ?? []).length <= fewTexts) return judgeLabelsAround(request, policy);
  // A field in a toolbar is a search or an address, whatever the page below it is about.
  if ((request.within?.() ?? []).some(({ role }) => role === "toolbar")) return [];
  return judgeLabelsAround(request, policy, (text) => text.length <= longestSender).filter(
    ({ danger }) => danger === "send" || danger === "pay",
  );
}

const longestSender = 20;
const fewTexts = 15;

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
        because: `beside it is ${quote(text)}`,
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
