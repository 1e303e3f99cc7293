import { fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { type Combo, keyNames, type Modifier, modifierKeys, modifierNames, modifiers } from "../model/keys.ts";
import { countEdits } from "./nearest.ts";

/** Parses "ctrl+shift+t": modifiers in any order and case, then one key by name or as a character. */
export function parseCombo(text: string): Result<Combo> {
  const parts = splitCombo(text.trim());
  const last = parts.pop();
  if (last === undefined) return refuse("no key given", "ctrl+s, enter, f7");
  const held = new Set<Modifier>();
  for (const part of parts) {
    const modifier = modifierNames[simplify(part)];
    if (modifier === undefined) return refuseModifier(text, part);
    held.add(modifier);
  }
  const ordered = modifiers.filter((modifier) => held.has(modifier));
  const key = findKey(last, ordered.length > 0);
  return key === undefined ? refuseKey(text, last) : succeed({ modifiers: ordered, key });
}

/** Splits at every "+" except one that is itself the key: "ctrl++", "+". */
function splitCombo(text: string): string[] {
  if (text === "") return [];
  if (text === "+") return ["+"];
  if (text.endsWith("++")) return [...text.slice(0, -2).split("+"), "+"];
  return text.split("+");
}

function findKey(name: string, isHeldWith: boolean): string | undefined {
  if ([...name].length === 1 && !/[\p{C}\s]/u.test(name)) return isHeldWith ? toSmallLetter(name) : name;
  const simple = simplify(name);
  const modifier = modifierNames[simple];
  return keyNames[simple] ?? (modifier === undefined ? undefined : modifierKeys[modifier]) ?? findByOwnName(name);
}

/** Ctrl+T means the T key without Shift: only named modifiers are pressed. */
function toSmallLetter(letter: string): string {
  const small = letter.toLowerCase();
  return [...small].length === 1 ? small : letter;
}

/** A key by the name used in `Combo.key`. */
function findByOwnName(name: string): string | undefined {
  return [...Object.values(keyNames), ...Object.values(modifierKeys)].find(
    (key) => key.toLowerCase() === name.toLowerCase(),
  );
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}

function refuseModifier(text: string, part: string): Result<Combo> {
  if (part.trim() === "")
    return refuse(`"${text}" has an empty name beside a "+"`, 'ctrl+s; for the key "+" itself: ctrl++');
  const near = listNearest(part, Object.keys(modifierNames)).slice(0, 1);
  const isKey = findKey(part, false) !== undefined;
  const why = isKey ? "is a key; a combination has one key, and it comes last" : "is not a modifier";
  if (isKey) return refuse(`"${part}" in "${text}" ${why}`, "ctrl+s; for several keys: one combination each");
  return refuse(`"${part}" in "${text}" ${why}`, near[0] === undefined ? undefined : text.replace(part, near[0]), near);
}

function refuseKey(text: string, name: string): Result<Combo> {
  if (name === "") return refuse(`"${text}" ends without a key`, `${text}s, or for the key "+" itself: ${text}+`);
  const near = listNearest(name, [...Object.keys(keyNames), ...Object.keys(modifierNames)]);
  const before = text.slice(0, text.length - name.length);
  return refuse(`"${name}" is not a key`, near[0] === undefined ? undefined : `${before}${near[0]}`, near);
}

/** By edit distance only: "pagdown" is closer to "pagedown" than to "down", which it contains. */
function listNearest(name: string, names: readonly string[]): string[] {
  const sought = simplify(name).slice(0, longestName);
  return names.toSorted((a, b) => countEdits(sought, a) - countEdits(sought, b)).slice(0, 3);
}

const longestName = 30;

function refuse(message: string, suggestion: string | undefined, near?: readonly string[]): Result<Combo> {
  const failure = { code: "USAGE" as const, message, done: nothingDone, ...(near && { nearest: near }) };
  return fail(suggestion === undefined ? failure : { ...failure, suggestion });
}
