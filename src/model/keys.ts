/** A key combination such as Ctrl+Shift+T: modifiers in pressing order, then one key. */
export interface Combo {
  readonly modifiers: readonly Modifier[];
  /** An X keysym name ("Return", "F7"), or one character. */
  readonly key: string;
}

export const modifiers = ["ctrl", "alt", "shift", "super"] as const;
export type Modifier = (typeof modifiers)[number];

/** The accepted names of each modifier. */
const namesByModifier: Readonly<Record<Modifier, string>> = {
  // Whoever writes cmd+c means "copy": on every system but macOS that is ctrl.
  ctrl: "ctrl control cmd command",
  alt: "alt option opt",
  shift: "shift",
  super: "super meta win windows",
};
export const modifierNames: Readonly<Record<string, Modifier>> = Object.fromEntries(
  modifiers.flatMap((modifier) => namesByModifier[modifier].split(" ").map((name) => [name, modifier] as const)),
);

/** The key of a modifier pressed alone. */
export const modifierKeys: Readonly<Record<Modifier, string>> = {
  ctrl: "Control_L",
  alt: "Alt_L",
  shift: "Shift_L",
  super: "Super_L",
};

/** The accepted names of each key, in lower case without "_", "-" and spaces. */
const namesByKey: Readonly<Record<string, string>> = {
  Return: "enter return",
  Escape: "esc escape",
  Tab: "tab",
  " ": "space spacebar",
  BackSpace: "backspace",
  Delete: "del delete",
  Insert: "ins insert",
  Home: "home",
  End: "end",
  Page_Up: "pgup pageup prior",
  Page_Down: "pgdn pgdown pagedown next",
  Up: "up",
  Down: "down",
  Left: "left",
  Right: "right",
  Menu: "menu apps contextmenu",
  Print: "print printscreen prtsc",
  Pause: "pause break",
  Caps_Lock: "caps capslock",
  Num_Lock: "numlock",
  Scroll_Lock: "scrolllock",
  "+": "plus",
  "-": "minus",
  ",": "comma",
  ".": "period dot",
  "/": "slash",
  "\\": "backslash",
  ";": "semicolon",
  ":": "colon",
  "=": "equal equals",
  "'": "apostrophe",
  '"': "quote",
  "`": "backtick grave",
  "~": "tilde",
  _: "underscore",
  KP_Enter: "kpenter",
  KP_Add: "kpadd kpplus",
  KP_Subtract: "kpsubtract kpminus",
  KP_Multiply: "kpmultiply",
  KP_Divide: "kpdivide",
  KP_Decimal: "kpdecimal kpdot",
  KP_Home: "kphome",
  KP_End: "kpend",
  KP_Page_Up: "kppageup kppgup",
  KP_Page_Down: "kppagedown kppgdn",
  KP_Up: "kpup",
  KP_Down: "kpdown",
  KP_Left: "kpleft",
  KP_Right: "kpright",
  KP_Insert: "kpinsert kpins",
  KP_Delete: "kpdelete kpdel",
};

export const keyNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(namesByKey).flatMap(([key, names]) => names.split(" ").map((name) => [name, key])),
  ),
  ...numberNames("kp", "KP_", 0, 9),
  ...numberNames("f", "F", 1, 24),
};

function numberNames(name: string, key: string, first: number, last: number): Record<string, string> {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return Object.fromEntries(numbers.map((number) => [`${name}${number}`, `${key}${number}`]));
}

const shownKeys: Readonly<Record<string, string>> = { " ": "Space", "+": "Plus" };

/** "Ctrl+Shift+T", which parses to the same combination. */
export function showCombo({ modifiers: held, key }: Combo): string {
  const letter = held.length > 0 && [...key].length === 1 ? key.toUpperCase() : key;
  // "ß" would become two letters, and "ı" another one.
  const isSameAgain = letter.toLowerCase() === key;
  const shown = shownKeys[key] ?? (isSameAgain ? letter : key);
  return [...held.map(capitalise), shown].join("+");
}

function capitalise(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
