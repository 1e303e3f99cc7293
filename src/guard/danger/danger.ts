import { containsPoint } from "../../model/bounds.ts";
import type { Command } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import type { Opener } from "../../model/opener.ts";
import { entryOrIconRoles, type Role } from "../../model/role.ts";
import type { Popup } from "../../model/window.ts";
import { quote } from "../approval/approver.ts";
import { findPaste } from "../clipboard-commands.ts";
import type { Request } from "../gate.ts";
import { type Danger, namesOf, type Policy } from "../policy/policy.ts";
import { findModelDangers } from "./disclosure.ts";
import { findFileDangers, isPackage, isScript } from "./file-lists.ts";
import { findKeyDangers, findTypingDangers, isEntering, movingKey } from "./keys.ts";
import { findInLabel, type Measure, namesPermission, type Warning } from "./match.ts";
import { asksAround, isAnswer } from "./question.ts";

export function findDangers(
  command: Command,
  request: Request,
  policy: Policy,
  receivers: readonly Popup[] = [],
): readonly Warning[] {
  const unseen = isMoving(command) ? [] : findUnseen(receivers);
  return keepFirst([
    ...unseen,
    ...findShellDangers(command, receivers),
    ...findFileDangers(command, request),
    ...findCommandDangers(command, request),
    ...findModelDangers(command, request, policy),
    ...listDangers(command, request, policy),
  ]);
}

function findUnseen(receivers: readonly Popup[]): readonly Warning[] {
  if (receivers.some(({ isMenu }) => isMenu === true))
    return [{ danger: "unseen", because: "a menu is open there, and its entries cannot be read" }];
  const grabber = receivers.find(({ hasGrab }) => hasGrab === true);
  if (grabber === undefined) return [];
  const because = `a surface of ${quote(grabber.app)} takes every key, and what it does with them cannot be read`;
  return [{ danger: "unseen", because }];
}

/** Their menus and their run dialogs start whatever is typed. */
const shells: ReadonlySet<string> = new Set([
  ...["cinnamon", "plasmashell", "org.kde.plasmashell", "xfce4-panel", "wrapper-2.0", "mate-panel", "mate-menu"],
  ...["lxqt-panel", "lxpanel", "budgie-panel", "ukui-panel", "dde-dock"],
]);

function findShellDangers(command: Command, receivers: readonly Popup[]): readonly Warning[] {
  const isWritten =
    command.kind === "type" || command.kind === "set-text" || (command.kind === "keys" && isEntering(command.combo));
  const shell = isWritten
    ? receivers.find((one) => namesOf(one).some((name) => shells.has(name.toLowerCase())))
    : undefined;
  return shell === undefined
    ? []
    : [{ danger: "run-program", because: `${quote(shell.app)} starts programs by what is typed into it` }];
}

/** "Use a custom command" of "Open With", in Thunar, Caja, PCManFM and others. */
const commandLabel =
  /^\W*((use a |einen? )?(custom|eigenen?|benutzerdefinierten?)[ -](command|befehl)( line)?( verwenden| benutzen)?|((utiliser une )?commande|(usar un )?comando|(usa un )?comando|(usar um )?comando) (personnalisée|personalizado|personalizzato)|command( line)?( to execute)?)\W*$/iu;

/** What is written into a field for a command is run, at once or later. */
function findCommandDangers(command: Command, request: Request): readonly Warning[] {
  const { element, elements = () => [] } = request;
  const isWritten = command.kind === "type" || findPaste(command, request) !== undefined;
  const field = command.kind === "set-text" ? command.element : isWritten ? element : undefined;
  if (field?.role !== "input") return [];
  const label = [field, ...elements().filter(({ role }) => labelRoles.has(role))].find(({ name }) =>
    commandLabel.test(name),
  );
  if (label === undefined) return [];
  return [{ danger: "run-program", because: `what is written there may be run: ${quote(label.name.trim())}` }];
}

const labelRoles = new Set<Role>(["text", "toggle", "radio", "checkbox", "tab"]);

/** Whether it chooses nothing in a menu. */
function isMoving(command: Command): boolean {
  return (
    command.kind === "point" ||
    command.kind === "wheel" ||
    (command.kind === "keys" && movingKey.test(command.combo.key))
  );
}

function listDangers(command: Command, request: Request, policy: Policy): readonly Warning[] {
  switch (command.kind) {
    case "invoke":
      return [
        ...judgeAction(command.action, policy),
        ...(quietActions.test(command.action.trim()) ? [] : judgePressed(command.element, request, policy)),
      ];
    case "select":
      return chosenRoles.has(command.element.role) ? [] : judgePressed(command.element, request, policy);
    case "click":
      // In an open menu, every mouse button presses.
      return command.button === "right" && !isInMenu(request) ? [] : judgeClicked(request, policy);
    case "drag":
      return judgeDragged(command, request, policy);
    case "keys":
      return findKeyDangers(command.combo, request, policy, (element) => judgePressed(element, request, policy));
    case "type":
      return findTypingDangers(command.text, request, policy, (element) => judgePressed(element, request, policy));
    case "fill-secret":
      return [{ danger: "fill-secret", because: `it fills in the secret ${quote(command.secret)}` }];
    case "open":
      return findOpenDangers(command.opener);
    case "terminate":
      return [{ danger: "end-program", because: `it ends process ${command.window.pid}, saved or not` }];
    case "set-text":
    case "set-number":
    case "focus":
    case "reveal":
    case "point":
    case "wheel":
    case "window":
    case "quit":
    case "write-clipboard":
      return [];
  }
}

/** Read or written into, not pressed. */
const fieldRoles = new Set<Role>(["input", "spin", "slider", "scrollbar", "document", "terminal", "progress"]);
/** Pressing them only shows more. */
const openingRoles = new Set<Role>(["menu", "menubar", "select", "tab", "tablist", "header", "separator"]);
const pressedRoles = new Set<Role>(["button", "toggle", "menuitem"]);
/** Ticking a box changes a setting, which is sensitive only if it is a permission. */
const tickedRoles = new Set<Role>(["checkbox", "radio", "switch"]);
const chosenRoles = new Set<Role>([...entryOrIconRoles, ...openingRoles, ...fieldRoles]);

function judgeClicked(request: Request, policy: Policy): readonly Warning[] {
  const { element } = request;
  const inside = request.within?.() ?? [];
  const own = element === undefined || isOnlyChosen(element, inside) ? [] : judgePressed(element, request, policy);
  // The element under the pointer may be the picture in a button.
  const around = inside.filter(({ role }) => pressedRoles.has(role) || role === "link");
  return [...own, ...around.flatMap((one) => judgePressed(one, request, policy))];
}

function isInMenu({ element, within }: Request): boolean {
  return [...(element === undefined ? [] : [element]), ...(within?.() ?? [])].some(({ role }) => role === "menuitem");
}

/** Many lists open an entry by one click, and no platform reports which: only these are certain. */
function isOnlyChosen({ role, states }: SingleElement, within: readonly SingleElement[]): boolean {
  if (!entryOrIconRoles.has(role)) return false;
  return states.has("checkable") || within.some((one) => one.role === "select");
}

function judgePressed(element: SingleElement, request: Request, policy: Policy): readonly Warning[] {
  const { role, states } = element;
  if (fieldRoles.has(role) || openingRoles.has(role)) return [];
  if (role === "menuitem" && states.has("haspopup")) return [];
  const label = labelOf(element);
  if (tickedRoles.has(role)) return judgeTick(label, policy);
  if (entryOrIconRoles.has(role) && isPlaceOrFile(label)) return [];
  const measure: Measure = pressedRoles.has(role) ? "anywhere" : "brief";
  const found = findInLabel(label, measure, policy.words);
  // In a menu, "replace" is an editor's search or its typing mode.
  const meant = role === "menuitem" ? found.filter((danger) => danger !== "overwrite") : found;
  const own = warnOf(label, meant, request);
  return own.length > 0 || !isAnswer(element, label) ? own : asksAround(request, policy);
}

function judgeTick(label: string, policy: Policy): readonly Warning[] {
  const found = findInLabel(label, "anywhere", policy.words);
  const own = new Set(Object.keys(policy.words));
  return warnOf(
    label,
    found.filter((danger) => own.has(danger) || (danger === "grant" && namesPermission(label))),
  );
}

/** Find and replace in a text overwrites no file. */
const findingLabel =
  /^(find|search|search for|suchen|suche nach|rechercher|buscar|cerca|trova|procurar|localizar|zoeken|znajdź|szukaj|найти|знайти|najít|hledat|bul|ara|查找|尋找|検索|찾기)\b.{0,20}$/iu;

function warnOf(label: string, found: readonly Danger[], request?: Request): readonly Warning[] {
  const isFinding = found.includes("overwrite") && hasFinder(request);
  return found
    .filter((danger) => !(danger === "overwrite" && isFinding))
    .map((danger) => ({ danger, because: `it says ${quote(label)}` }));
}

function hasFinder(request: Request | undefined): boolean {
  return (request?.surroundings?.() ?? []).some(
    (text) => text.length < 40 && findingLabel.test(text.replace(/[_&]/g, "")),
  );
}

/** Its name; if that has no words, its description or its id. */
function labelOf({ name, ownName, description, platformId }: SingleElement): string {
  const hasWords = /\p{L}|[\u{1f5d1}\u249c-\u24e9\u{1f110}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/u;
  const named = name === ownName ? name : `${name} ${ownName}`;
  if (hasWords.test(named)) return named;
  return hasWords.test(description) ? description : platformId;
}

/** Pressing the trash in a list of places, or a file, opens it. */
function isPlaceOrFile(label: string): boolean {
  return (
    /^\W*(trash|bin|papierkorb|corbeille|papelera|cestino|lixo|lixeira|prullenbak|kosz|корзина|смітник|koš|çöp|回收站|废纸篓|ゴミ箱|휴지통)\W*$/iu.test(
      label,
    ) || /\.\w{1,8}$/.test(label.trim())
  );
}

/** Toolkits' names of actions that only open, move or select. */
const quietActions =
  /^(expand|collapse|expand or contract|show ?menu|popup|menu|focus|set ?focus|grab focus|scroll.*|select|edit|increment|decrement|zoom.*|show ?tooltip)$/i;

function judgeAction(action: string, policy: Policy): readonly Warning[] {
  const found = findInLabel(action, "anywhere", policy.words);
  return found.map((danger) => ({ danger, because: `its action is called ${quote(action)}` }));
}

const trash =
  /\b(trash|waste ?basket|recycle bin|rubbish bin|papierkorb|corbeille|papelera|cestino|lixo|lixeira|prullenbak|kosz|koš|çöp)\b|^\W*bin\W*$|корзин|смітник|回收站|废纸篓|垃圾桶|ゴミ箱|휴지통/iu;

function judgeDragged(
  { from, to }: Command & { readonly kind: "drag" },
  request: Request,
  policy: Policy,
): readonly Warning[] {
  const { element, onto } = request;
  const label = onto === undefined ? "" : `${labelOf(onto)} ${onto.description}`;
  // A menu that was opened by pressing chooses on release.
  if (onto !== undefined && (onto.role === "menuitem" || isInMenu(request))) return judgePressed(onto, request, policy);
  const isTrash = trash.test(label) || (onto !== undefined && findInLabel(label, "brief").includes("delete"));
  if (isTrash) return [{ danger: "delete", because: `it is dropped on ${quote(label.trim())}` }];
  // A short drag within one control is a click, also from one part of it to another.
  const isSame = onto !== undefined && onto.handle === element?.handle;
  const isShort = Math.abs(from.x - to.x) <= nearPx && Math.abs(from.y - to.y) <= nearPx;
  const isInside = (request.within?.() ?? []).some(
    ({ role, bounds }) =>
      (pressedRoles.has(role) || role === "link") && bounds !== undefined && containsPoint(bounds, to),
  );
  return isSame || isShort || isInside ? judgeClicked(request, policy) : [];
}

const nearPx = 40;

function keepFirst(warnings: readonly Warning[]): readonly Warning[] {
  return warnings.filter((one, index) => warnings.findIndex(({ danger }) => danger === one.danger) === index);
}

/** URL schemes that install software. */
const stores = /^(apt|appstream|snap|flatpak(\+https?)?|zypp|pamac|steam|ymp|pkgkit|itms-services):/i;

function findOpenDangers({ kind, what, args, path = "", command }: Opener): readonly Warning[] {
  const warnings: Warning[] = [];
  const bringing = [path, what, ...args].find((one) => isPackage(one) || stores.test(one));
  if (bringing !== undefined) warnings.push({ danger: "install", because: `${quote(bringing)} brings software` });
  const running = findRun(kind, args, path, command[0] ?? what);
  return running === undefined ? warnings : [...warnings, { danger: "run-program", because: running }];
}

function findRun(kind: Opener["kind"], args: readonly string[], path: string, program: string): string | undefined {
  if (kind === "program") return `${quote(program)} is a program`;
  if (args.length > 0) return `it is given ${args.map(quote).join(" ")}`;
  return isScript(path) ? `${quote(path)} may be run` : undefined;
}
