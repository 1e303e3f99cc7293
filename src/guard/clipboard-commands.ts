import type { Selection } from "../model/clipboard.ts";
import type { Command } from "../model/command.ts";
import type { SingleElement } from "../model/element.ts";
import type { Role } from "../model/role.ts";
import { foldLabel } from "./danger/fold.ts";
import type { Request } from "./gate.ts";

/** First words of labels that copy, or select everything in order to copy. */
const copyWords = `copy, cut, select all
kopieren, ausschneiden, alles auswählen, alles markieren
copier, couper, tout sélectionner
copiar, cortar, seleccionar todo, selecionar tudo
copia, taglia, seleziona tutto
kopiëren, kopieer, knippen, alles selecteren
kopiuj, wytnij, zaznacz wszystko
копировать, скопировать, вырезать, выделить всё, выделить все
копіювати, вирізати, вибрати все
kopírovat, kopírovať, vyjmout, vystrihnúť, vybrat vše, vybrať všetko
kopyala, kes, tümünü seç
kopiera, klipp ut, markera alla, kopier, klip, klipp ut, merk alt, marker alt
kopioi, leikkaa, valitse kaikki
másolás, kivágás, mindent kijelöl
复制, 拷贝, 剪切, 全选, 複製, 剪下, 全選
コピー, 切り取り, すべて選択
복사, 잘라내기, 모두 선택
نسخ, قص, تحديد الكل`;
const pasteWords = `paste, einfügen, coller, pegar, incolla, colar, plakken, plak, wklej, вставить, вставити, vložit, vložiť, yapıştır
klistra in, sæt ind, indsæt, lim inn, liitä, beillesztés, 粘贴, 貼上, 貼り付け, 붙여넣기, لصق`;

function splitWords(lists: string): readonly string[] {
  return lists.split(/[,\n]/).flatMap((word) => foldLabel(word.trim()));
}

/** Folded on first use: few commands need them. */
let folded: { readonly copy: readonly string[]; readonly paste: readonly string[] } | undefined;

function beginsWith(label: string, kind: "copy" | "paste"): boolean {
  folded ??= { copy: splitWords(copyWords), paste: splitWords(pasteWords) };
  const words = folded[kind];
  return foldLabel(label).some((reading) => words.some((word) => word !== "" && isFirst(word, reading)));
}

/** Whether a reading begins with a whole word: "Copyright" does not copy. Scripts without spaces have no word ends. */
function isFirst(word: string, reading: string): boolean {
  if (!reading.startsWith(word)) return false;
  const next = reading.charAt(word.length);
  return next === "" || next === " " || !/[\p{sc=Latin}\p{sc=Cyrillic}]/u.test(next);
}

/** The selection that a command would paste from, judged by its keys, its action or the label of its control. */
export function findPaste(command: Command, request: Request): Selection | undefined {
  const { element } = request;
  if (command.kind === "click" && command.button === "middle") return "primary";
  if (command.kind === "keys" && isPasteKey(command.combo)) return "clipboard";
  if (command.kind === "invoke" && /(^|\.)paste/i.test(command.action)) return "clipboard";
  const isPressed = element !== undefined && isPress(command, element) && beginsWith(element.name, "paste");
  return isPressed || choosesByLetter(command, request, "paste") ? "clipboard" : undefined;
}

type Combo = Extract<Command, { readonly kind: "keys" }>["combo"];

function isPasteKey({ modifiers, key }: Combo): boolean {
  if (/^(F18|XF86Paste)$/.test(key)) return true;
  return (
    (modifiers.includes("ctrl") && key.toLowerCase() === "v") ||
    (modifiers.includes("shift") && /^(KP_)?Insert$/.test(key))
  );
}

export function pressesCopy(command: Command, request: Request): boolean {
  const { element } = request;
  const isPressed = element !== undefined && isPress(command, element) && beginsWith(element.name, "copy");
  return isPressed || choosesByLetter(command, request, "copy");
}

const menuRoles: ReadonlySet<Role> = new Set<Role>(["menu", "menuitem"]);
const altRoles: ReadonlySet<Role> = new Set<Role>(["menuitem", "button", "toggle"]);

/** In an open menu a letter is the mnemonic of an entry; with Alt it is also that of a button. Which letter is not reported. */
function choosesByLetter(command: Command, request: Request, kind: "copy" | "paste"): boolean {
  const letters = listLetters(command);
  if (letters.length === 0) return false;
  const { element, elements = () => [], tellsMenu } = request;
  const isInMenu = (element !== undefined && menuRoles.has(element.role)) || tellsMenu?.() === true;
  const isAlt = command.kind === "keys" && command.combo.modifiers.includes("alt");
  if (!isInMenu && !isAlt) return false;
  const roles = isAlt ? altRoles : menuRoles;
  return elements().some(({ role, name }) => {
    const isMeant = roles.has(role) && letters.some((letter) => name.toLowerCase().includes(letter));
    return isMeant && beginsWith(name, kind);
  });
}

function listLetters(command: Command): readonly string[] {
  if (command.kind === "type") return [...command.text.toLowerCase()];
  if (command.kind !== "keys") return [];
  const { key, modifiers } = command.combo;
  const isPlain = modifiers.every((one) => one === "alt" || one === "shift");
  return isPlain && [...key].length === 1 ? [key.toLowerCase()] : [];
}

/** By hand, by a key, by a space or a line break in a text, or by a drag, which ends as a click where it began. */
function isPress(command: Command, { role }: SingleElement): boolean {
  switch (command.kind) {
    case "invoke":
    case "select":
    case "drag":
      return true;
    case "click":
      return command.button !== "middle";
    case "keys":
      return /^(Return|KP_Enter| )$/.test(command.combo.key);
    case "type":
      return pressedRoles.has(role) && /[\n\r ]/.test(command.text);
    default:
      return false;
  }
}

const pressedRoles: ReadonlySet<Role> = new Set<Role>(["menuitem", "button", "toggle", "link"]);

/** In a field: by an action, keys, or the mouse, whose selection becomes the primary selection at once. */
export function selectsOrCopies(command: Command): boolean {
  if (command.kind === "drag") return true;
  if (command.kind === "click") return command.count > 1;
  if (command.kind === "invoke") return /(^|\.)(copy|cut|select)/i.test(command.action);
  if (command.kind !== "keys") return false;
  const { modifiers, key } = command.combo;
  if (/^(F16|F20|XF86Copy|XF86Cut)$/.test(key)) return true;
  // Key themes bind copying to different letters, but V and Z always paste and undo.
  const isLetter = /^[a-z/]$|^(slash|(KP_)?Insert)$/i.test(key) && !/^[vz]$/i.test(key);
  const isMoving = /^(KP_)?(Left|Right|Up|Down|Home|End|Page_Up|Page_Down|Prior|Next|Delete)$/.test(key);
  return (modifiers.includes("ctrl") && isLetter) || (modifiers.includes("shift") && isMoving);
}
