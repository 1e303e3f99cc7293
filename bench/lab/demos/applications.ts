import type { DemoSpec, DriftKind, On, Order, Started, Toolkit, Workplace } from "./demo.ts";

const drifts: readonly DriftKind[] = ["moved", "resized", "theme", "font", "scale 2", "window manager", "slow"];

const on = (role: string | readonly string[], name?: string, more: object = {}): On => ({
  role,
  ...(name === undefined ? {} : { name }),
  ...more,
});
const click = (role: string | readonly string[], name?: string, more: object = {}): Order => ({
  do: "click",
  on: on(role, name, more),
});
const later = (order: Order): Order => ({ ...order, fresh: true });
const key = (text: string): Order => ({ do: "key", text });
const type = (text: string): Order => ({ do: "type", text });

type Rest = Pick<DemoSpec, "orders" | "isDone"> & {
  start(work: Workplace): Started;
};

const inApplication = (toolkit: Toolkit, name: string, rest: Rest): DemoSpec => ({ name, toolkit, drifts, ...rest });

/** A file of this name in the demo's folder, which the editor opens. */
const edit =
  (program: readonly [string, ...string[]], name: string, content: string) =>
  (work: Workplace): Started => ({
    command: [...program, work.path(name)],
    title: name,
    files: { [name]: content },
  });

/** Keys of a calculator, pressed one after the other. */
const press = (...names: readonly string[]): readonly Order[] =>
  names.map((name) => click(["push button", "toggle button", "button"], name));

const gtk3: readonly DemoSpec[] = [
  inApplication("GTK 3", "mousepad-write", {
    start: edit(["mousepad", "--disable-server"], "notes.txt", "Dear reader,\n"),
    orders: [
      click("text"),
      key("ctrl+End"),
      type("we met on Monday."),
      click("menu", "File"),
      later(click("menu item", "Save")),
    ],
    isDone: ({ readFile }) => readFile("notes.txt")?.trimEnd() === "Dear reader,\nwe met on Monday.",
  }),
  inApplication("GTK 3", "mousepad-capitals", {
    start: edit(["mousepad", "--disable-server"], "names.txt", "ada and grace\n"),
    orders: [
      click("text"),
      key("ctrl+a"),
      click("menu", "Edit"),
      later(click("menu", "Convert")),
      later(click("menu item", "To Uppercase")),
      key("ctrl+s"),
    ],
    isDone: ({ readFile }) => readFile("names.txt") === "ADA AND GRACE\n",
  }),
  inApplication("GTK 3", "galculator", {
    start: () => ({ command: ["galculator"], title: "galculator" }),
    orders: press("1", "2", "*", "3", "="),
    isDone: async ({ look }) => (await look()).some(({ role, text }) => role === "text" && /^36\b/.test(text ?? "")),
  }),
  inApplication("GTK 3", "thunar-folder", {
    start: (work) => ({ command: ["thunar", work.path("box")], title: "box", files: { "box/a.txt": "a" } }),
    orders: [
      click("menu", "File"),
      later(click("menu item", "Create Folder...")),
      later(click("text", undefined, { nth: -1 })),
      key("ctrl+a"),
      type("letters"),
      click("push button", "Create"),
    ],
    isDone: ({ isFolder }) => isFolder("box/letters"),
  }),
];

const gtk4: readonly DemoSpec[] = [
  inApplication("GTK 4", "gnome-calculator", {
    start: () => ({ command: ["gnome-calculator"], title: "Calculator" }),
    orders: press("1", "2", "×", "3", "="),
    isDone: async ({ look }) => (await look()).some(({ text }) => text === "36"),
  }),
];

const qt: readonly DemoSpec[] = [
  inApplication("Qt", "featherpad-write", {
    start: edit(["featherpad", "--standalone"], "memo.txt", "Dear reader,\n"),
    orders: [
      click("text"),
      key("ctrl+End"),
      type("we met on Monday."),
      click("menu item", "File"),
      later(click("menu item", "Save")),
    ],
    isDone: ({ readFile }) => readFile("memo.txt")?.trimEnd() === "Dear reader,\nwe met on Monday.",
  }),
  inApplication("Qt", "kcalc", {
    start: () => ({ command: ["kcalc"], title: "KCalc" }),
    orders: press("1", "2", "×", "3", "="),
    isDone: async ({ look }) => (await look()).some(({ role, name }) => role === "frame" && name === "36"),
  }),
  inApplication("Qt", "pcmanfm-folder", {
    start: (work) => ({ command: ["pcmanfm-qt", "-n", work.path("box")], title: "box", files: { "box/a.txt": "a" } }),
    orders: [
      click("menu item", "File"),
      later(click("menu item", "Create New")),
      later(click("menu item", "Folder")),
      later(click("text", undefined, { nth: -1 })),
      key("ctrl+a"),
      type("letters"),
      later(click("push button", "OK")),
    ],
    isDone: ({ isFolder }) => isFolder("box/letters"),
  }),
];

const namespaces = ["office", "table", "text"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(" ");

function office(kind: "calc" | "writer", name: string, body: string) {
  const inner = kind === "calc" ? "spreadsheet" : "text";
  const document =
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces} office:version="1.2" ` +
    `office:mimetype="application/vnd.oasis.opendocument.${inner}"><office:body><office:${inner}>${body}` +
    `</office:${inner}></office:body></office:document>`;
  return (work: Workplace): Started => ({
    command: [
      ...(["soffice", `--${kind}`, "--norestore", "--nologo", "--nofirststartwizard"] as const),
      `-env:UserInstallation=file://${work.path("profile")}`,
      work.path(name),
    ],
    title: name,
    env: { SAL_USE_VCLPLUGIN: "gtk3" },
    files: { [name]: document },
  });
}

const libreOffice: readonly DemoSpec[] = [
  inApplication("LibreOffice", "calc-list", {
    start: office("calc", "sheet.fods", '<table:table table:name="First"><table:table-row/></table:table>'),
    orders: [key("ctrl+Home"), type("Ada"), key("Return"), type("Grace"), key("Return"), key("ctrl+s")],
    isDone: ({ readFile }) => /<text:p>Ada<.*<text:p>Grace</s.test(readFile("sheet.fods") ?? ""),
  }),
  inApplication("LibreOffice", "writer-letter", {
    start: office("writer", "letter.fodt", "<text:p>Dear reader,</text:p>"),
    orders: [
      key("ctrl+End"),
      key("Return"),
      type("we met on Monday."),
      key("Return"),
      type("Yours, Ada"),
      key("ctrl+s"),
    ],
    isDone: ({ readFile }) => /we met on Monday\.<.*Yours, Ada</s.test(readFile("letter.fodt") ?? ""),
  }),
];

/** Work in applications as they are installed. */
export const applicationDemos: readonly DemoSpec[] = [...gtk3, ...gtk4, ...qt, ...libreOffice];
