import { letterFile, sheetFile, withLetter, withSheet } from "../soak/tasks/apps/office.ts";
import { all, fileHas, fileIs, hasWindow, isThere, not, shows } from "../soak/tasks/checks.ts";
import type { Data } from "../soak/tasks/data.ts";
import { type Check, cmd, type Plan, type Step, type Word } from "../soak/tasks/task.ts";

/** One command as an agent gives it: a step, or several that go to `deskmap do -`. */
export type Call = Step | Batch;

interface Batch {
  readonly steps: readonly Step[];
  /** With --keep-going: a key that moves the caret changes nothing if it is there already. */
  readonly keepsGoing: boolean;
}

const batch = (...steps: readonly Step[]): Batch => ({ steps, keepsGoing: false });
const keepGoing = (...steps: readonly Step[]): Batch => ({ steps, keepsGoing: true });

export interface OfficeTask {
  readonly name: string;
  readonly app: string;
  plan(data: Data): Omit<Plan, "steps"> & { readonly calls: readonly Call[] };
}

/** The mark that the latest answer shows for a role and a name. */
function seen(role: string, name: string): Word {
  return (answers) => {
    const line = new RegExp(`^\\W*(\\d+) ${role} ${RegExp.escape(JSON.stringify(name))}`, "m");
    for (const answer of answers) {
      const mark = line.exec(String(answer))?.[1];
      if (mark !== undefined) return mark;
    }
    throw new Error(`no answer shows ${role} "${name}"`);
  };
}

const notes = "notes.txt";
const withNotes = (data: Data, content: string): Pick<Plan, "files" | "open" | "title"> => ({
  files: { [notes]: content },
  open: ["mousepad", "--disable-server", data.path(notes)],
  title: notes,
});

const fruit: readonly (readonly [string, number])[] = [
  ["pear", 12],
  ["apple", 31],
  ["plum", 7],
  ["fig", 25],
];

const terms =
  "<!doctype html><meta charset='utf-8'><title>Terms</title><h1>Terms of trade</h1><p>Nothing is for sale.</p>" +
  "<p>Goods travel by rail and arrive on Friday.</p><p>The warranty ends after two years.</p>" +
  "<script>onselectionchange = document.onselectionchange = () => document.title = 'Terms: ' + getSelection()</script>";

const order =
  "<!doctype html><meta charset='utf-8'><title>Order</title><h1>Order</h1>" +
  "<p><label>Volume <input type=range id=v min=0 max=100 value=20></label></p>" +
  "<p><label><input type=checkbox id=g> Gift wrap</label> <label><input type=checkbox id=n checked> Newsletter</label></p>" +
  "<p><label>Colour <select id=c><option>Red<option>Green<option>Blue</select></label></p>" +
  "<p><button onclick=\"document.title = ['Sent', v.value, g.checked, n.checked, c.value].join(' ')\">Send</button></p>";

function onPage(data: Data, title: string, page: string): Pick<Plan, "files" | "open" | "title"> {
  return {
    files: { "page.html": page },
    open: [
      "chromium",
      ...["--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
      ...["--disable-component-update", "--password-store=basic", "--force-renderer-accessibility"],
      `--user-data-dir=${data.path("profile")}`,
      `file://${data.path("page.html")}`,
    ],
    title,
  };
}

/** The paragraph's style in the file, by its text. */
const hasStyle = (path: string, style: string, text: string): Check =>
  fileHas(path, new RegExp(`text:style-name="${style}"[^>]*>(<[^>]*>)*${text}<`));

export const officeTasks: readonly OfficeTask[] = [
  {
    name: "write a text and save it",
    app: "mousepad",
    plan: (data) => {
      const [first, second] = ["Dear Ada,", "the goods arrive on Friday."];
      return {
        open: ["mousepad", "--disable-server"],
        title: "Mousepad",
        calls: [
          cmd`type ${`${first}\n${second}`} --app mousepad`,
          cmd`type --key ctrl+s --app mousepad`,
          batch(cmd`set-value ${data.path("letter.txt")} --on name --role input`, cmd`type --key enter`),
        ],
        check: fileIs(data.path("letter.txt"), `${first}\n${second}`),
      };
    },
  },
  {
    name: "find and replace",
    app: "mousepad",
    plan: (data) => ({
      ...withNotes(data, "red apples\nblue plums\nred figs\n"),
      calls: [
        cmd`find replace --app mousepad`,
        cmd`click --id ${seen("menuitem", "Find and Replace...")}`,
        batch(
          cmd`set-value red --id ${seen("select", "Search for:")}`,
          cmd`set-value green --id ${seen("select", "Replace with:")}`,
          cmd`check --id ${seen("chk", "Replace all in:")}`,
        ),
        batch(
          cmd`click --id ${seen("btn", "Replace")}`,
          cmd`click --id ${seen("btn", "Close")}`,
          cmd`type --key ctrl+s --app mousepad`,
        ),
      ],
      check: fileIs(data.path(notes), "green apples\nblue plums\ngreen figs\n"),
    }),
  },
  {
    name: "a heading style",
    app: "writer",
    plan: (data) => ({
      ...withLetter(data, ["Report", "All went well."]),
      calls: [
        cmd`find style --window ${letterFile}`,
        keepGoing(
          cmd`type --key ctrl+home --window ${letterFile}`,
          cmd`type "Heading 1" --replace --id ${seen("input", "Paragraph Style")}`,
          cmd`type --key enter`,
          cmd`type --key ctrl+s --window ${letterFile}`,
        ),
      ],
      check: all(
        hasStyle(data.path(letterFile), "Heading_20_1", "Report"),
        not(hasStyle(data.path(letterFile), "Heading_20_1", "All went well.")),
      ),
    }),
  },
  {
    name: "a bold word",
    app: "writer",
    plan: (data) => ({
      ...withLetter(data, ["The goods arrive on Friday."]),
      calls: [
        keepGoing(
          cmd`type --key ctrl+home --window ${letterFile}`,
          cmd`type --key ctrl+right`,
          cmd`type --key ctrl+shift+right`,
          cmd`click bold --window ${letterFile}`,
          cmd`type --key ctrl+s --window ${letterFile}`,
        ),
      ],
      check: fileHas(data.path(letterFile), />The <text:span text:style-name="T1">goods ?<\/text:span>/),
    }),
  },
  {
    name: "a sorted table",
    app: "calc",
    plan: (data) => ({
      ...withSheet(data, [["Stock"]]),
      calls: [
        cmd`type ${`Fruit\tCount\n${fruit.map((row) => row.join("\t")).join("\n")}\n`} --window ${sheetFile}`,
        cmd`find sort --window ${sheetFile}`,
        batch(
          cmd`click B2 --role cell --window ${sheetFile}`,
          cmd`click --id ${seen("btn", "Sort Descending")}`,
          cmd`type --key ctrl+s --window ${sheetFile}`,
        ),
        cmd`read --roles cell --window ${sheetFile}`,
      ],
      check: fileHas(data.path(sheetFile), /Fruit[\s\S]*apple[\s\S]*fig[\s\S]*pear[\s\S]*plum/),
    }),
  },
  {
    name: "a chart",
    app: "calc",
    plan: (data) => ({
      ...withSheet(data, [["Fruit", "Count"], ...fruit]),
      calls: [
        keepGoing(
          cmd`type --key ctrl+home --window ${sheetFile}`,
          cmd`type --key ctrl+shift+end`,
          cmd`click insert --role menu --window ${sheetFile}`,
          cmd`click chart --role menuitem`,
        ),
        batch(cmd`click finish`, cmd`type --key escape`, cmd`type --key ctrl+s --window ${sheetFile}`),
      ],
      check: all(
        fileHas(data.path(sheetFile), "<chart:chart "),
        fileHas(data.path(sheetFile), />plum<\/text:p>\s*<\/table:table-cell>\s*<table:table-cell[^>]*>\s*<text:p>7</),
        shows({ role: "table cell", name: "A4", text: "plum" }),
      ),
    }),
  },
  {
    name: "move a file",
    app: "thunar",
    plan: (data) => ({
      files: { "box/bill.txt": "bill", "box/list.txt": "list", "box/archive/.keep": "" },
      open: ["thunar", data.path("box")],
      title: "box",
      calls: [
        cmd`read --app thunar --interactive`,
        cmd`click --id ${seen("menu", "View")}`,
        cmd`click --id ${seen("menuitem", "List View")}`,
        batch(cmd`select bill.txt --app thunar`, cmd`type --key ctrl+x --app thunar`),
        batch(
          cmd`select archive --app thunar`,
          cmd`type --key enter --app thunar`,
          cmd`type --key ctrl+v --app thunar`,
        ),
      ],
      check: all(fileIs(data.path("box/archive/bill.txt"), "bill"), not(isThere(data.path("box/bill.txt")))),
    }),
  },
  {
    name: "find in a page",
    app: "chromium",
    plan: (data) => ({
      ...onPage(data, "Terms", terms),
      calls: [
        batch(cmd`type --key ctrl+f --app chromium`, cmd`type "warranty ends" --on find --app chromium`),
        cmd`type --key escape --app chromium`,
      ],
      check: hasWindow("Terms: warranty ends"),
    }),
  },
  {
    name: "go to a line and delete it",
    app: "mousepad",
    plan: (data) => ({
      ...withNotes(data, Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("")),
      calls: [
        cmd`find "go to" --app mousepad`,
        cmd`click --id ${seen("menuitem", "Go to...")}`,
        batch(
          cmd`set-value 17 --id ${seen("spin", "Line number:")}`,
          cmd`click --id ${seen("btn", "Jump to")}`,
          cmd`type --key shift+down --app mousepad`,
          cmd`type --key delete --app mousepad`,
          cmd`type --key ctrl+s --app mousepad`,
        ),
      ],
      check: fileIs(
        data.path(notes),
        Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`)
          .filter((_, index) => index !== 16)
          .join(""),
      ),
    }),
  },
  {
    name: "a form: slider, boxes, list",
    app: "chromium",
    plan: (data) => ({
      ...onPage(data, "Order", order),
      calls: [
        cmd`read --app chromium --interactive --window Order`,
        batch(
          cmd`set-value 70 --id ${seen("slider", "Volume")}`,
          cmd`check --id ${seen("chk", "Gift wrap")}`,
          cmd`uncheck --id ${seen("chk", "Newsletter")}`,
          cmd`set-value Blue --id ${seen("select", "Colour")}`,
          cmd`click --id ${seen("btn", "Send")}`,
        ),
      ],
      check: hasWindow("Sent 70 true false Blue"),
    }),
  },
];
