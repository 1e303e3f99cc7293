import { describe, expect, test } from "bun:test";
import { basename, dirname } from "node:path";
import { findDangers } from "../../src/guard/danger/danger.ts";
import type { Request } from "../../src/guard/gate.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import type { Records } from "../../src/guard/records.ts";
import { type Attempt, findForbidden } from "../../src/guard/rules.ts";
import type { Command } from "../../src/model/command.ts";
import type { SingleElement } from "../../src/model/element.ts";
import type { Opener } from "../../src/model/opener.ts";
import type { Role } from "../../src/model/role.ts";
import type { State } from "../../src/model/state.ts";
import type { Window } from "../../src/model/window.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";
import { MemoryRecords } from "./open-guard.ts";

const place = { x: 0, y: 0, width: 100, height: 100 };
const editor = makeWindow({ app: "Mousepad", aliases: ["mousepad"], class: "Mousepad", title: "notes.txt - Mousepad" });

function elementOf(role: Role, name: string, ...states: State[]): SingleElement {
  return { ...makeElement({ role, name, ownName: name }), states: new Set(states) };
}

function judge(
  command: Command,
  request: Partial<Request> = {},
  receiver: Window = editor,
  records: Records = new MemoryRecords(),
): string {
  const whole: Request = { tool: "type", window: receiver, ...request };
  const attempt: Attempt = {
    command,
    request: whole,
    client: "cli",
    policy: userPolicy,
    records,
    receivers: [receiver],
    warnings: findDangers(command, whole, userPolicy),
  };
  const refusal = findForbidden(attempt);
  return refusal?.reason ?? (attempt.warnings.map(({ danger }) => danger).join(" ") || "free");
}

const keys = (key: string, ...modifiers: ("ctrl" | "alt" | "shift")[]): Command => ({
  kind: "keys",
  combo: { modifiers, key },
});

describe("Deskmap's own files", () => {
  const opener: Opener = { what: "x", kind: "application", args: [], words: "", command: ["mousepad"], names: [] };
  test.each([
    ["opened", { kind: "open", opener: { ...opener, path: "/people/me/.config/deskmap/policy.json" } }],
    [
      "named in a file dialog",
      { kind: "set-text", element: elementOf("input", "Name"), text: "~/.config/deskmap/secrets.env" },
    ],
    ["typed as a path", { kind: "type", text: "/people/me/.local/state/deskmap/ledger.json", delayMs: 0 }],
  ] as const)("are not to be %s", (_how, command) => {
    expect(judge(command)).toBe("hands-off");
  });

  const dialog = { ...elementOf("dialog", "Save As"), platformRole: "file chooser" };
  const field = { ...elementOf("input", "Name"), value: "desk" };
  const inDialog = (command: Command, ...more: readonly SingleElement[]): string =>
    judge(command, { element: field, elements: () => [dialog, field, ...more] });
  test.each(["deskmap", "Deskmap/", "./deskmap", "deskmap/x.txt", "pin.json", "seal.key", "map"])(
    "%s is not typed into a file dialog",
    (text) => {
      expect(inDialog({ kind: "type", text, delayMs: 0 })).toBe("hands-off");
      if (text !== "map") expect(inDialog({ kind: "set-text", element: field, text })).toBe("hands-off");
    },
  );

  test("a file dialog that is in their folder gets nothing but Escape", () => {
    const save = elementOf("button", "Save");
    for (const place of [
      elementOf("toggle", "deskmap", "checked"),
      { ...elementOf("select", "Look in"), value: findPlaces(process.env).state },
    ]) {
      expect(inDialog({ kind: "type", text: "notes.txt", delayMs: 0 }, place)).toBe("hands-off");
      expect(inDialog({ kind: "invoke", element: save, action: "press" }, place)).toBe("hands-off");
      expect(inDialog(keys("Return"), place)).toBe("hands-off");
      expect(inDialog(keys("Escape"), place)).toBe("free");
    }
    expect(inDialog({ kind: "type", text: "notes.txt", delayMs: 0 }, elementOf("toggle", "deskmap"))).toBe("free");
    expect(inDialog({ kind: "set-text", element: field, text: "/srv/deskmap/notes.txt" })).toBe("free");
  });

  const owned = ["policy.json", "policy.seal", "seal.key", "pin.json", "pin-tries.json", "secrets.env", "ledger.json"];
  const logged = [
    "audit.jsonl",
    "audit.000000000042.jsonl",
    "audit.key",
    "audit.head",
    "stopped.json",
    "inspect-4711.html",
  ];
  test.each([...owned, ...logged])("%s is one of them, typed as a path and in a title", (file) => {
    const text = `/people/me/.local/state/deskmap/${file}`;
    expect(judge({ kind: "type", text, delayMs: 0 })).toBe("hands-off");
    for (const title of [`${text} - Mousepad`, `${file} (~/.local/state/deskmap) - gedit`]) {
      expect(judge({ kind: "type", text: "x", delayMs: 0 }, {}, { ...editor, title })).toBe("blind");
    }
  });

  test.each(["guard.lock", "pin.lock", "turn.json", "surfaces/1.request", "policy.json.77.new", "seal.key.77"])(
    "%s is, typed as a path",
    (file) => {
      expect(judge({ kind: "type", text: `deskmap/${file}`, delayMs: 0 })).toBe("hands-off");
    },
  );

  test.each(["~/.config/deskmap/policy.json - Mousepad", "policy.json (~/.config/deskmap) - gedit"])(
    "are not edited in a window titled %s",
    (title) => {
      expect(judge({ kind: "type", text: "x", delayMs: 0 }, {}, { ...editor, title })).toBe("blind");
    },
  );

  test("do not include every file of that name", () => {
    expect(judge({ kind: "type", text: "x", delayMs: 0 }, {}, { ...editor, title: "policy.json - Mousepad" })).toBe(
      "free",
    );
  });
});

test("Deskmap's folder in a file manager, and its documents in a browser, get no input", () => {
  const own = dirname(findPlaces(process.env).policy);
  const shown = dirname(own);
  const manager = makeWindow({ app: "Thunar", class: "Thunar", title: `${basename(shown)} - Thunar` });
  const location = { ...elementOf("input", "Location"), value: shown };
  const inManager = (name: string) => ({ element: elementOf("icon", name, "selected"), elements: () => [location] });
  expect(judge(keys("c", "ctrl"), inManager(basename(own)), manager)).toBe("hands-off");
  expect(judge(keys("c", "ctrl"), inManager("other"), manager)).toBe("free");
  const page = (url: string) => ({ element: { ...elementOf("document", "page"), url } });
  expect(judge(keys("a", "ctrl"), page(`file://${own}/policy.json`))).toBe("hands-off");
  expect(judge(keys("a", "ctrl"), page(`https://example.org${own}/policy.json`))).toBe("free");
});

describe("in an open menu", () => {
  const surroundings = () => ["File", "Keep", "Log Out", "Delete all"];
  const entry = elementOf("menuitem", "Log Out");
  test.each([
    ["a letter", keys("l"), { element: elementOf("menuitem", "Keep"), surroundings }],
    ["typed words", { kind: "type", text: "l", delayMs: 0 }, { element: elementOf("menuitem", "Keep"), surroundings }],
    ["the space bar", keys(" "), { element: entry, surroundings }],
    ["the right button", { kind: "click", point: place, button: "right", count: 1 }, { element: entry, surroundings }],
    [
      "letting go on an entry",
      { kind: "drag", from: { x: 0, y: 0 }, to: { x: 90, y: 90 }, button: "left" },
      { element: elementOf("menuitem", "Keep"), onto: entry, surroundings },
    ],
  ] as const)("%s presses what is sensitive", (_how, command, request) => {
    expect(judge(command, request)).toContain("log-out");
  });
});

describe("what follows a tab in a typed text", () => {
  const type = (text: string): Command => ({ kind: "type", text, delayMs: 0 });
  const field = elementOf("input", "To", "editable");
  const beside = (...more: readonly SingleElement[]) => ({ element: field, elements: () => [field, ...more] });

  test("does not reach a terminal in the window", () => {
    const terminal = elementOf("terminal", "Panel");
    expect(judge(type("a\tb"), beside(terminal))).toBe("hands-off");
    for (const text of ["ab", "ab\t"]) expect(judge(type(text), beside(terminal))).toBe("free");
    const page = { ...elementOf("document", "notes.txt", "editable", "multiline"), bounds: editor.bounds };
    expect(judge(type("a\tb"), { element: page, elements: () => [page, terminal] })).toBe("free");
  });

  test("sends no message unasked", () => {
    const message = { ...elementOf("input", "Message", "editable", "multiline"), bounds: { ...place, height: 20 } };
    expect(judge(type("ann\thello\n"), beside(message))).toBe("send");
    expect(judge(type("ann\thello"), beside(message))).toBe("free");
    expect(judge(type("ann\thello\n"), beside(elementOf("input", "Street", "editable")))).toBe("free");
  });
});

describe("a field for a command", () => {
  const field = elementOf("input", "", "editable");
  test.each(["Use a custom command:", "Einen eigenen Befehl verwenden:", "Custom Command Line", "Command:"])(
    "beside %s is asked about",
    (label) => {
      const request = { element: field, elements: () => [field, elementOf("toggle", label)] };
      expect(judge({ kind: "type", text: "x", delayMs: 0 }, request)).toBe("run-program");
      expect(judge({ kind: "set-text", element: field, text: "x" }, request)).toBe("run-program");
      expect(judge(keys("v", "ctrl"), request)).toBe("run-program");
      expect(judge({ kind: "type", text: "x", delayMs: 0 }, { element: field, elements: () => [field] })).toBe("free");
    },
  );
});

test("Alt and a letter may press a button of a window with many texts", () => {
  const texts = [...Array.from({ length: 40 }, (_, index) => `text ${index}`), "Delete"];
  expect(judge(keys("d", "alt"), { surroundings: () => texts })).toContain("delete");
});

describe("a shown secret", () => {
  const element = elementOf("input", "PIN", "secret", "editable");
  test.each([keys("c", "ctrl"), keys("x", "ctrl"), keys("a", "ctrl"), keys("Insert", "ctrl"), keys("End", "shift")])(
    "is neither selected nor copied",
    (command) => {
      expect(judge(command, { element })).toBe("secret");
      expect(judge(command, { element: elementOf("input", "Name", "editable") })).not.toBe("secret");
    },
  );

  test("can still be replaced", () => {
    expect(judge(keys("a", "ctrl"), { element, tool: "fill-secret" })).not.toBe("secret");
  });
});

describe("the page where a person answers", () => {
  class Served extends MemoryRecords {
    listPageTitles = (): readonly string[] => ["Deskmap inspector", "127.0.0.1:8300", "localhost:8300", "[::1]:8300"];
  }
  const button = elementOf("button", "Allow once");
  const within = (url: string) => () => [{ ...elementOf("document", "some page"), url }];
  const press: Command = { kind: "invoke", element: button, action: "click" };
  const click: Command = { kind: "click", point: { x: 1, y: 1 }, button: "left", count: 1 };

  test.each(["http://127.0.0.1:8300/", "http://[::1]:8300/", "http://localhost:8300/?x"])(
    "is not reached even if only its address identifies it: %s",
    (url) => {
      for (const command of [press, click]) {
        const request = { tool: "click", element: button, within: within(url) };
        expect(judge(command, request, editor, new Served())).toBe("hands-off");
      }
      const itself = { ...elementOf("document", "some page"), url };
      expect(judge({ kind: "focus", element: itself }, { element: itself }, editor, new Served())).toBe("hands-off");
    },
  );

  test.each(["http://127.0.0.1:8301/", "https://example.org/127.0.0.1:8300", "about:blank", "nonsense", ""])(
    "does not include %s",
    (url) => {
      const request = { tool: "click", element: button, within: within(url) };
      expect(judge(press, request, editor, new Served())).not.toBe("hands-off");
    },
  );
});
