import type { Size } from "../../model/bounds.ts";
import type { SingleElement } from "../../model/element.ts";
import type { Combo } from "../../model/keys.ts";
import type { Role } from "../../model/role.ts";
import { quote } from "../approval/approver.ts";
import type { Request } from "../gate.ts";
import type { Danger, Policy } from "../policy/policy.ts";
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

export function isEntering({ key }: Combo): boolean {
  return entering.has(key);
}

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
  if (isEntering && modifiers.includes("ctrl")) {
    const sent = judgeSending(request, policy);
    return sent.length === 0 && isText(element) && isMultiline(element) ? judgeLineBreak(request, policy) : sent;
  }
  const pressed = isPressing && element !== undefined ? judge(element) : [];
  if (pressed.length > 0) return pressed;
  const erased = judgeErasing(combo, element);
  if (erased.length > 0) return erased;
  if (isPressing && isWayOut(element)) return [];
  const isInText = isText(element);
  if (isInText && !isEntering && !modifiers.includes("alt")) return [];
  if (isInText && isEntering && isMultiline(element)) return judgeLineBreak(request, policy);
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
  const sent = judgeAfterTab(text, request);
  if (sent.length > 0) return sent;
  if (!breaks && isInText) return [];
  const pressesFocused = !isInText && /[\n\r ]/.test(text) && element !== undefined;
  const pressed = pressesFocused ? judge(element) : [];
  if (pressed.length > 0) return pressed;
  const isInMenu = element?.role === "menuitem" || element?.role === "menu";
  const lettered = isInMenu ? judgeLabelsAround(request, policy) : [];
  if (lettered.length > 0) return lettered;
  if (isInText && isMultiline(element)) return judgeLineBreak(request, policy);
  const isWayOutOnly = isWayOut(element) && /^[\n\r ]$/.test(text);
  const asked = isWayOutOnly ? [] : asksAround(request, policy);
  if (asked.length > 0) return asked;
  return breaks && !isPressable(element) ? judgeSending(request, policy) : [];
}

/** Whether a part of a text goes to another control: what follows a tab, unless an editor takes that. */
export function leavesByTab(text: string, request: Request): boolean {
  return /\t[\s\S]/.test(text) && !(isText(request.element) && isMultiline(request.element) && isEditor(request));
}

/** After a tab, a line break may send what is in a field of several lines. */
function judgeAfterTab(text: string, request: Request): readonly Warning[] {
  if (!/\t[\s\S]*[\n\r]/.test(text) || !leavesByTab(text, request)) return [];
  const fields = (request.elements?.() ?? []).filter((one) => isText(one) && isMultiline(one));
  const field = fields.find((element) => !isEditor({ ...request, element, within: undefined }));
  const because = `Enter may send what is in ${quote(field?.name ?? "")}, which a tab may lead to`;
  return field === undefined ? [] : [{ danger: "send", because }];
}

/** Keys with which desktops sleep, shut down, log out or leave for a console, whatever has the focus. */
const systemKeys: readonly (readonly [Danger, keys: RegExp, combos: RegExp])[] = [
  ["shut-down", /^(XF86(PowerOff|PowerDown|Sleep|Suspend|Hibernate|Standby)|SunPowerSwitch(Shift)?)$/i, /./],
  ["shut-down", /^(KP_)?(Page_Up|Page_Down|Prior|Next)$/, /^alt\+ctrl\+shift$/],
  ["shut-down", /^(KP_)?End$/, /^alt\+ctrl$/],
  ["log-out", /^XF86(LogOff|Switch_VT_\d+)$/i, /./],
  ["log-out", /^((KP_)?(Delete|Decimal)|BackSpace|F\d{1,2})$/, /^alt\+ctrl(\+shift)?$/],
];

function findSystemDanger({ key, modifiers }: Combo): Warning | undefined {
  // Never empty, so that one pattern means every combination.
  const held = [...modifiers].sort().join("+") || "none";
  const [danger] = systemKeys.find(([, keys, combos]) => keys.test(key) && combos.test(held)) ?? [];
  return danger && { danger, because: "those keys end or leave the session, or stop the machine, on many desktops" };
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
  return judgeLabelsAround(request, policy, (text) => text.length <= longestSender).filter(isSent);
}

/** A message's field has several lines too, and Enter sends it. Only an editor's is certain to begin a line. */
function judgeLineBreak(request: Request, policy: Policy): readonly Warning[] {
  const { element, surroundings = () => [] } = request;
  if (!isEditor(request))
    return [{ danger: "send", because: `Enter may send what is in ${quote(element?.name ?? "")}` }];
  return surroundings().length <= fewTexts ? judgeSending(request, policy).filter(isSent) : [];
}

/** Whether the text is a document: it, or the document around it, takes at least a third of its window. */
function isEditor({ element, window, within = () => [] }: Request): boolean {
  const around = within();
  const isInPage = around.some(({ role }) => role === "web");
  const documents = isInPage ? [] : around.filter(({ role }) => role === "document");
  const isLarge = ({ bounds }: SingleElement): boolean =>
    bounds !== undefined && window !== undefined && areaOf(bounds) * editorShare >= areaOf(window.bounds);
  return [...(element === undefined ? [] : [element]), ...documents].some(isLarge);
}

const editorShare = 3;

function areaOf({ width, height }: Size): number {
  return width * height;
}

function isSent({ danger }: Warning): boolean {
  return danger === "send" || danger === "pay";
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
