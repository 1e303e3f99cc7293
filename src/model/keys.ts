/** A key combination such as Ctrl+Shift+T: modifiers in pressing order, then one key. */
export interface Combo {
  readonly modifiers: readonly Modifier[];
  /** An X keysym name ("Return", "F7"), or one character. */
  readonly key: string;
}

export const modifiers = ["ctrl", "alt", "shift", "super"] as const;
export type Modifier = (typeof modifiers)[number];

export const modifierNames: Readonly<Record<string, Modifier>> = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  option: "alt",
  opt: "alt",
  shift: "shift",
  super: "super",
  cmd: "super",
  command: "super",
  meta: "super",
  win: "super",
  windows: "super",
};

/** The key of a modifier pressed alone. */
export const modifierKeys: Readonly<Record<Modifier, string>> = {
  ctrl: "Control_L",
  alt: "Alt_L",
  shift: "Shift_L",
  super: "Super_L",
};

/** Accepted key names, in lower case without "_", "-" and spaces. */
export const keyNames: Readonly<Record<string, string>> = {
  enter: "Return",
  return: "Return",
  esc: "Escape",
  escape: "Escape",
  tab: "Tab",
  space: " ",
  spacebar: " ",
  backspace: "BackSpace",
  del: "Delete",
  delete: "Delete",
  ins: "Insert",
  insert: "Insert",
  home: "Home",
  end: "End",
  pgup: "Page_Up",
  pageup: "Page_Up",
  prior: "Page_Up",
  pgdn: "Page_Down",
  pgdown: "Page_Down",
  pagedown: "Page_Down",
  next: "Page_Down",
  up: "Up",
  down: "Down",
  left: "Left",
  right: "Right",
  menu: "Menu",
  apps: "Menu",
  contextmenu: "Menu",
  print: "Print",
  printscreen: "Print",
  prtsc: "Print",
  pause: "Pause",
  break: "Pause",
  caps: "Caps_Lock",
  capslock: "Caps_Lock",
  numlock: "Num_Lock",
  scrolllock: "Scroll_Lock",
  plus: "+",
  minus: "-",
  comma: ",",
  period: ".",
  dot: ".",
  slash: "/",
  backslash: "\\",
  semicolon: ";",
  colon: ":",
  equal: "=",
  equals: "=",
  apostrophe: "'",
  quote: '"',
  backtick: "`",
  grave: "`",
  tilde: "~",
  underscore: "_",
  kpenter: "KP_Enter",
  kpadd: "KP_Add",
  kpplus: "KP_Add",
  kpsubtract: "KP_Subtract",
  kpminus: "KP_Subtract",
  kpmultiply: "KP_Multiply",
  kpdivide: "KP_Divide",
  kpdecimal: "KP_Decimal",
  kpdot: "KP_Decimal",
  kphome: "KP_Home",
  kpend: "KP_End",
  kppageup: "KP_Page_Up",
  kppgup: "KP_Page_Up",
  kppagedown: "KP_Page_Down",
  kppgdn: "KP_Page_Down",
  kpup: "KP_Up",
  kpdown: "KP_Down",
  kpleft: "KP_Left",
  kpright: "KP_Right",
  kpinsert: "KP_Insert",
  kpins: "KP_Insert",
  kpdelete: "KP_Delete",
  kpdel: "KP_Delete",
  ...numberNames("kp", "KP_", 0, 9),
  ...numberNames("f", "F", 1, 24),
};

function numberNames(name: string, key: string, first: number, last: number): Record<string, string> {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return Object.fromEntries(numbers.map((number) => [`${name}${number}`, `${key}${number}`]));
}

const shownModifiers: Readonly<Record<Modifier, string>> = {
  ctrl: "Ctrl",
  alt: "Alt",
  shift: "Shift",
  super: "Super",
};

const shownKeys: Readonly<Record<string, string>> = { " ": "Space", "+": "Plus" };

/** "Ctrl+Shift+T", which parses to the same combination. */
export function showCombo({ modifiers: held, key }: Combo): string {
  const letter = held.length > 0 && [...key].length === 1 ? key.toUpperCase() : key;
  // "ß" would become two letters, and "ı" another one.
  const isSameAgain = letter.toLowerCase() === key;
  const shown = shownKeys[key] ?? (isSameAgain ? letter : key);
  return [...held.map((modifier) => shownModifiers[modifier]), shown].join("+");
}
