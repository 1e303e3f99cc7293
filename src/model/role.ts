/**
 * The table of roles. Each row: Deskmap's role, its short form in output, the learner's role name, its kind, and the
 * platform role names that map to it.
 *
 *  control    something a person acts on
 *  text       something a person reads
 *  landmark   a container that tells where one is
 *  container  a container that matters only if it has a name
 */
export type RoleKind = "control" | "text" | "landmark" | "container";

interface RoleRow {
  readonly short: string;
  readonly learner: LearnerRole;
  readonly kind: RoleKind;
  /** AT-SPI role names, as in the specification. */
  readonly atspi: readonly string[];
}

export const learnerRoles = [
  "button",
  "link",
  "input",
  "textarea",
  "checkbox",
  "radio",
  "select",
  "menu",
  "menuitem",
  "tab",
  "slider",
  "image",
  "text",
  "heading",
  "toolbar",
  "dialog",
  "window",
  "unknown",
] as const;
export type LearnerRole = (typeof learnerRoles)[number];

function row(short: string, learner: LearnerRole, kind: RoleKind, atspi = ""): RoleRow {
  return { short, learner, kind, atspi: atspi === "" ? [] : atspi.split(/,\s+/) };
}

const rows = {
  button: row("btn", "button", "control", "push button, push button menu"),
  toggle: row("toggle", "button", "control", "toggle button"),
  switch: row("switch", "checkbox", "control", "switch"),
  checkbox: row("chk", "checkbox", "control", "check box"),
  radio: row("radio", "radio", "control", "radio button"),
  input: row("input", "input", "control", "entry, text, password text, date editor, autocomplete, editbar"),
  link: row("lnk", "link", "control", "link"),
  select: row("select", "select", "control", "combo box"),
  option: row("option", "menuitem", "control", "list item"),
  slider: row("slider", "slider", "control", "slider, dial, rating"),
  spin: row("spin", "input", "control", "spin button"),
  menuitem: row("menuitem", "menuitem", "control", "menu item, check menu item, radio menu item, tearoff menu item"),
  tab: row("tab", "tab", "control", "page tab"),
  treeitem: row("treeitem", "menuitem", "control", "tree item"),
  icon: row("icon", "button", "control", "icon, desktop icon"),
  cell: row("cell", "text", "control", "table cell"),
  header: row("header", "button", "control", "column header, row header, table column header, table row header"),
  terminal: row("term", "textarea", "control", "terminal"),
  color: row("color", "button", "control", "color chooser"),

  menu: row("menu", "menu", "landmark", "menu, popup menu"),
  menubar: row("menubar", "menu", "landmark", "menu bar"),
  toolbar: row("toolbar", "toolbar", "landmark", "tool bar"),
  tablist: row("tabs", "toolbar", "landmark", "page tab list"),
  list: row("list", "menu", "landmark", "list, list box, directory pane, description list"),
  tree: row("tree", "menu", "landmark", "tree"),
  table: row("table", "unknown", "landmark", "table, tree table"),
  row: row("row", "unknown", "container", "table row"),
  /** A list entry that is only read; a selectable one is an option. */
  item: row("item", "text", "container"),
  dialog: row("dialog", "dialog", "landmark", "dialog, alert, file chooser, font chooser, option pane"),
  window: row("window", "window", "landmark", "frame, window, internal frame, desktop frame, input method window"),
  web: row("web", "unknown", "landmark", "document web, html container"),
  document: row(
    "doc",
    "textarea",
    "landmark",
    "document frame, document text, document spreadsheet, document presentation, document email",
  ),
  statusbar: row("status", "text", "landmark", "status bar, notification, info bar, log, timer"),
  calendar: row("calendar", "unknown", "landmark", "calendar"),
  application: row("app", "unknown", "landmark", "application"),

  group: row(
    "group",
    "unknown",
    "container",
    `panel, filler, grouping, split pane, root pane, glass pane, layered pane, section, form, header, footer,
    title bar, landmark, article, page, block quote, definition, embedded, chart, image map`,
  ),
  scroll: row("scroll", "unknown", "container", "scroll pane, viewport"),

  text: row(
    "txt",
    "text",
    "text",
    `label, static, paragraph, caption, accelerator label, tool tip, comment, mark, suggestion, footnote,
    description term, description value, content deletion, content insertion, subscript, superscript, math,
    math fraction, math root, marquee`,
  ),
  heading: row("heading", "heading", "text", "heading"),
  image: row("img", "image", "text", "image, animation, canvas, drawing area, audio, video, arrow"),
  progress: row("progress", "text", "text", "progress bar, level bar"),
  scrollbar: row("scrollbar", "slider", "container", "scroll bar"),
  separator: row("sep", "unknown", "container", "separator, ruler"),
  other: row("other", "unknown", "container", "unknown, invalid, extended, redundant object, focus traversable"),
} satisfies Record<string, RoleRow>;

export type Role = keyof typeof rows;

const table: Readonly<Record<Role, RoleRow>> = rows;
export const roles = Object.keys(rows).filter(isRole);

export const entryRoles: ReadonlySet<Role> = new Set<Role>(["item", "row", "option", "treeitem", "cell"]);

/** Entries of lists of files, messages and places, which may be icons. */
export const entryOrIconRoles: ReadonlySet<Role> = new Set<Role>([...entryRoles, "icon"]);

export function isRole(name: string): name is Role {
  return Object.hasOwn(rows, name);
}

const byAtspi = new Map(roles.flatMap((role) => table[role].atspi.map((name) => [name, role] as const)));

/** All accepted role names: Deskmap's, the short form, the learner's, and an alternative name of text. */
const byAnyName = new Map<string, readonly Role[]>([
  // The library runs on Node 20 too, which has no Map.groupBy.
  ...roles.map((role): [string, Role[]] => {
    const { learner } = table[role];
    return [learner, roles.filter((other) => table[other].learner === learner)];
  }),
  ...roles.map((role): [string, Role[]] => [table[role].short, [role]]),
  ...roles.map((role): [string, Role[]] => [role, [role]]),
  ["static", ["text"]],
  ["textfield", ["input"]],
  ["textarea", ["input", "terminal", "document"]],
  ["unknown", ["other"]],
]);

export function roleFromAtspi(name: string): Role {
  return byAtspi.get(name) ?? "other";
}

export function shortRole(role: Role): string {
  return table[role].short;
}

export function learnerRole(role: Role): LearnerRole {
  return table[role].learner;
}

export function kindOfRole(role: Role): RoleKind {
  return table[role].kind;
}

/** The roles a filter name stands for; empty if unknown. */
export function rolesNamed(name: string): readonly Role[] {
  return byAnyName.get(name.trim().toLowerCase()) ?? [];
}

export function roleNames(): string[] {
  return [...byAnyName.keys()].sort();
}
