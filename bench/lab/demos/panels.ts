import { join } from "node:path";
import type { DemoSpec, DriftKind, On, Order, Started, Toolkit, Workplace } from "./demo.ts";
import { type Control, makePage, type Panel } from "./panel.ts";

const folder = join(import.meta.dir, "panels");
const button = ["push button", "button"];
const field = ["text", "entry"];

const click = (role: string | readonly string[], name: string, more: object = {}): Order => ({
  do: "click",
  on: { role, name, ...more },
});
const later = (order: Order): Order => ({ ...order, fresh: true });
const type = (text: string): Order => ({ do: "type", text });

interface Program {
  readonly name: string;
  readonly controls: readonly Control[];
  readonly orders: readonly Order[];
  readonly wanted: Readonly<Record<string, unknown>>;
}

const order: Program = {
  name: "order",
  controls: [
    { kind: "label", id: "intro", label: "All about the order", isExtra: true },
    { kind: "entry", id: "customer", label: "Name" },
    { kind: "entry", id: "mail", label: "E-mail" },
    { kind: "entry", id: "phone", label: "Phone", isExtra: true },
    { kind: "check", id: "news", label: "Send news" },
    {
      kind: "button",
      id: "store",
      label: "Store",
      dialog: { id: "good", title: "Stored", text: "The order is stored.", label: "Good" },
    },
    { kind: "button", id: "wipe", label: "Wipe", isExtra: true },
  ],
  orders: [
    click(field, "Name"),
    type("Ada Lovelace"),
    click(field, "E-mail"),
    type("ada@example.org"),
    click("check box", "Send news"),
    click(button, "Store"),
    later(click(button, "Good")),
  ],
  wanted: { customer: "Ada Lovelace", mail: "ada@example.org", news: true, presses: ["store", "good"] },
};

const settings: Program = {
  name: "settings",
  controls: [
    {
      kind: "radio",
      id: "size",
      label: "",
      options: [
        { id: "small", label: "Small" },
        { id: "medium", label: "Medium" },
        { id: "large", label: "Large" },
      ],
    },
    { kind: "spin", id: "count", label: "Count" },
    { kind: "check", id: "agree", label: "Agree" },
    { kind: "check", id: "night", label: "Night mode", isExtra: true },
    { kind: "notes", id: "notes", label: "Notes" },
    { kind: "button", id: "undo", label: "Undo", isExtra: true },
    { kind: "button", id: "save", label: "Save" },
  ],
  orders: [
    click(["radio button", "check box"], "Large"),
    { do: "double", on: { role: "spin button", name: "Count" } },
    type("42"),
    click("check box", "Agree"),
    click(field, "Notes"),
    type("Leave it at the door"),
    click(button, "Save"),
  ],
  wanted: { size: "large", count: "42", agree: true, notes: "Leave it at the door", presses: ["save"] },
};

/** A double click beside the digits of a number field selects nothing in Chromium. */
const settingsInChromium: Program = {
  ...settings,
  orders: [
    click("radio button", "Large"),
    click("spin button", "Count"),
    { do: "key", text: "ctrl+a" },
    ...settings.orders.slice(2),
  ],
};

const twins: Program = {
  name: "twins",
  controls: [
    {
      kind: "rows",
      id: "people",
      label: "",
      verbs: [
        { id: "edit", label: "Edit" },
        { id: "delete", label: "Delete" },
      ],
      options: [
        { id: "ada", label: "Ada" },
        { id: "grace", label: "Grace" },
        { id: "linus", label: "Linus" },
      ],
    },
    { kind: "entry", id: "note", label: "Note" },
    { kind: "check", id: "night", label: "Night mode", isExtra: true },
    { kind: "button", id: "save", label: "Save" },
  ],
  orders: [
    click(button, "Delete", { owner: "Grace" }),
    click(button, "Edit", { owner: "Ada" }),
    click(button, "Delete", { owner: "Linus" }),
    click(field, "Note"),
    type("three done"),
    click(button, "Save"),
  ],
  wanted: { note: "three done", presses: ["delete-grace", "edit-ada", "delete-linus", "save"] },
};

const item = ["menu item", "list item"];
const choices: Program = {
  name: "choices",
  controls: [
    {
      kind: "choice",
      id: "colour",
      label: "Colour",
      options: [
        { id: "red", label: "Red" },
        { id: "green", label: "Green" },
        { id: "blue", label: "Blue" },
      ],
    },
    {
      kind: "tabs",
      id: "page",
      label: "",
      options: [
        { id: "first", label: "First", inside: "On First" },
        { id: "second", label: "Second", inside: "On Second" },
        { id: "third", label: "Third", inside: "On Third" },
      ],
    },
    {
      kind: "menu",
      id: "options",
      label: "Options",
      options: [
        { id: "alpha", label: "Alpha" },
        { id: "beta", label: "Beta" },
      ],
    },
    { kind: "check", id: "night", label: "Night mode", isExtra: true },
    { kind: "button", id: "save", label: "Save" },
  ],
  orders: [
    { do: "click", on: { role: "combo box" } },
    later(click(item, "Blue")),
    later(click("page tab", "Second")),
    later(click(button, "On Second")),
    click([...button, "toggle button"], "Options"),
    later(click(item, "Beta")),
    later(click(button, "Save")),
  ],
  wanted: { colour: "blue", page: "second", presses: ["on-second", "beta", "save"] },
};

/** AT-SPI does not tell of the menu of a button in Qt. */
const choicesInQt: Program = {
  ...choices,
  controls: choices.controls.filter(({ kind }) => kind !== "menu").map((one) => ({ ...one, isExtra: false })),
  orders: [...choices.orders.slice(0, 4), click("check box", "Night mode"), click(button, "Save")],
  wanted: { colour: "blue", page: "second", night: true, presses: ["on-second", "save"] },
};

const everywhere: readonly DriftKind[] = [
  ...(["moved", "resized", "theme", "font", "scale 2"] as const),
  ...(["added", "removed", "reordered", "window manager", "slow"] as const),
];
/** GTK 4 gives no ids, so that a control with another label is another control. */
const withIds: readonly DriftKind[] = [...everywhere, "relabelled", "locale"];

function inPython(toolkit: "gtk3" | "gtk4" | "qt5") {
  return (work: Workplace, panel: Panel): Started => ({
    command: ["/usr/bin/python3", join(folder, `panel-${toolkit}.py`), work.path("panel.json")],
    title: panel.title,
    files: { "panel.json": JSON.stringify({ ...panel, state: work.path("state.json") }) },
  });
}

function inChromium(work: Workplace, panel: Panel): Started {
  return {
    command: [
      "chromium",
      ...["--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-background-networking"],
      ...["--disable-component-update", "--disable-sync", "--password-store=basic", "--force-renderer-accessibility"],
      ...["--window-size=820,760", "--window-position=120,90", `--user-data-dir=${work.path("profile")}`],
      `file://${work.path("page.html")}`,
    ],
    title: panel.title,
    files: { "page.html": makePage(panel, work.address) },
  };
}

const firefoxSettings = {
  "browser.aboutwelcome.enabled": false,
  "browser.preonboarding.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.sessionstore.resume_from_crash": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "termsofuse.bypassNotification": true,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

function inFirefox(work: Workplace, panel: Panel): Started {
  const lines = Object.entries(firefoxSettings).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`);
  return {
    command: [
      ...(["firefox-esr", "--no-remote", "--width", "820", "--height", "760"] as const),
      ...["--profile", work.path("profile"), work.path("page.html")],
    ],
    title: panel.title,
    files: { "profile/user.js": lines.join("\n"), "page.html": makePage(panel, work.address) },
  };
}

const homes: readonly [
  Toolkit,
  (work: Workplace, panel: Panel) => Started,
  readonly Program[],
  readonly DriftKind[],
][] = [
  ["GTK 3", inPython("gtk3"), [order, settings, twins, choices], withIds],
  ["GTK 4", inPython("gtk4"), [order, settings, twins], everywhere],
  ["Qt", inPython("qt5"), [order, settings, twins, choicesInQt], withIds],
  ["Firefox", inFirefox, [order, settings, twins], withIds],
  ["Chromium", inChromium, [order, settingsInChromium, twins, choices], withIds],
];

/** The same work in five toolkits, in windows whose drift is known. */
export const panelDemos: readonly DemoSpec[] = homes.flatMap(([toolkit, start, programs, drifts]) =>
  programs.map(({ name, controls, orders, wanted }): DemoSpec => {
    const panel: Panel = { title: `Panel ${name}`, controls };
    return {
      name: `${toolkit.toLowerCase().replace(" ", "")}-${name}`,
      toolkit,
      orders,
      drifts,
      panel,
      wanted,
      start: (work, drifted = panel) => start(work, drifted),
      isDone: ({ state }) =>
        state !== undefined && Object.entries(wanted).every(([key, value]) => same(state[key], value)),
    };
  }),
);

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const at = (column: number, row: number): On => ({ at: [column * 80 + 40, row * 80 + 40] });

/** A keypad that is only drawn: nothing tells of its keys. */
function makeCanvas(name: string, keys: readonly (readonly [number, number])[]): DemoSpec {
  const labels = [..."123456789*0#"];
  const wanted = { presses: keys.map(([column, row]) => labels[row * 3 + column] ?? "") };
  return {
    name: `canvas-${name}`,
    toolkit: "canvas",
    orders: keys.map(([column, row]) => ({ do: "click", on: at(column, row) })),
    drifts: ["theme", "slow", "window manager", "moved"],
    wanted,
    start: (work) => ({
      command: ["/usr/bin/python3", join(folder, "canvas-gtk3.py"), work.path("panel.json")],
      title: "Keypad",
      env: { NO_AT_BRIDGE: "1" },
      files: { "panel.json": JSON.stringify({ title: "Keypad", state: work.path("state.json"), keys: labels }) },
    }),
    isDone: ({ state }) => same(state?.presses, wanted.presses),
  };
}

export const canvasDemos: readonly DemoSpec[] = [
  makeCanvas("code", [
    [0, 0],
    [1, 1],
    [2, 2],
    [1, 3],
    [0, 1],
  ]),
  makeCanvas("number", [
    [2, 0],
    [0, 2],
    [1, 0],
    [2, 3],
    [1, 2],
    [0, 3],
    [2, 1],
  ]),
];
