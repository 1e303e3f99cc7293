import { describe, expect, test } from "bun:test";
import { Interpreter } from "../../src/assistant/interpret.ts";
import { languages } from "../../src/assistant/languages/index.ts";
import { roles, rolesNamed, shortRole } from "../../src/model/role.ts";

const interpreter = new Interpreter(languages);
const press = (words: string, more: object = {}) => ({ of: "press", target: { words, ...more }, how: "once" });
const key = (keys: string, times = 1) => ({ of: "key", keys, times });

/** What is said, and the first meaning of it. */
const english: readonly (readonly [said: string, meant: object])[] = [
  ["press Save", press("Save")],
  ["Please click on the Save button.", press("Save", { role: "button" })],
  ["could you press the second Delete button", press("Delete", { role: "button", nth: 2 })],
  ["click the button called Apply", press("Apply", { role: "button" })],
  ["click fourteen", press("fourteen", { mark: 14 })],
  ["one hundred and three", press("one hundred and three", { mark: 103 })],
  ["number 7", press("number 7", { mark: 7 })],
  ["double-click report.txt", { of: "press", target: { words: "report.txt" }, how: "twice" }],
  ["right click on Trash", { of: "press", target: { words: "Trash" }, how: "right" }],
  ["type hello world", { of: "type", text: "hello world" }],
  [
    'write "see you in Berlin" in the Subject field',
    { of: "set", text: "see you in Berlin", target: { words: "Subject", role: "input" } },
  ],
  ["set Volume to 40", { of: "set", text: "40", target: { words: "Volume" } }],
  ["choose Blue in Colour", { of: "choose", text: "Blue", target: { words: "Colour" } }],
  ["clear the Name field", { of: "clear", target: { words: "Name", role: "input" } }],
  ["check Agree", { of: "check", target: { words: "Agree" } }],
  ["turn Wi-Fi off", { of: "uncheck", target: { words: "Wi-Fi" } }],
  ["press control s", key("ctrl+s")],
  ["press Ctrl+Shift+S", key("ctrl+shift+s")],
  ["hit escape", { ...key("Escape"), words: "escape" }],
  ["hit the escape key", key("Escape")],
  ["press the down arrow key three times", { ...key("Down", 3), words: "down arrow" }],
  ["undo that", { ...key("ctrl+z"), instead: "undo" }],
  ["um okay just press save would you", press("save")],
  ["right click on Trash please", { of: "press", target: { words: "Trash" }, how: "right" }],
  ["press OK", press("OK")],
  ["press the nine", press("nine", { mark: 9 })],
  ["choose blue as colour", { of: "choose", text: "blue", target: { words: "colour" } }],
  [
    "pick green from the colour list",
    { of: "choose", text: "green", target: { words: "colour", role: "select,list" } },
  ],
  ["is match case checked", { of: "state", target: { words: "match case" } }],
  ["which colour is chosen?", { of: "state", target: { words: "colour" } }],
  ["read me the second line", { of: "line", at: 2 }],
  ["what does it say on line three", { of: "line", at: 3 }],
  ["what does the text say", { of: "read", what: "text" }],
  ["read the document", { of: "read", what: "text" }],
  ["what folder am I in", { of: "where" }],
  ["what is this window", { of: "where" }],
  ["make the count 7", { of: "set", text: "7", target: { words: "count" } }],
  ["show me Firefox", { of: "switch", what: "Firefox" }],
  ["show me the third tab", press("third", { role: "tab" })],
  ["please write thank you", { of: "type", text: "thank you" }],
  ["make it bold", { of: "check", target: { words: "bold" } }],
  ["make this window bigger", { of: "arrange", operation: "maximize", what: undefined }],
  ["move the volume to 50", { of: "set", text: "50", target: { words: "volume" } }],
  ["next", key("Tab")],
  ["open the calculator", { of: "open", what: "calculator" }],
  ["switch to Firefox", { of: "switch", what: "Firefox" }],
  ["close the window", { of: "close", what: "window" }],
  ["maximize it", { of: "arrange", operation: "maximize", what: "it" }],
  ["scroll down", { of: "scroll", direction: "down", isToEnd: false }],
  ["scroll to the bottom", { of: "scroll", direction: "down", isToEnd: true }],
  ["go to the tab View", press("View", { role: "tab" })],
  ["go to the heading Installation", { of: "focus", target: { words: "Installation", role: "heading" } }],
  ["read this", { of: "read", what: "this" }],
  ["read the dialog", { of: "read", what: "dialog" }],
  ["what is selected?", { of: "read", what: "selection" }],
  ["next line", { of: "read", what: "line" }],
  ["where am I?", { of: "where" }],
  ["What's on the screen?", { of: "screen" }],
  ["what changed", { of: "changed" }],
  ["what can I do here", { of: "actions" }],
  ["how do I get to Save with the keyboard", { of: "how", target: { words: "Save" } }],
  ["repeat that", { of: "repeat" }],
  ["stop", { of: "stop" }],
  ["show numbers", { of: "numbers", isOn: true }],
];

const german: typeof english = [
  ["Drücke Speichern", press("Speichern")],
  ["Klicke bitte auf die Schaltfläche Abbrechen", press("Abbrechen", { role: "button" })],
  ["vierzehn", press("vierzehn", { mark: 14 })],
  ["einundzwanzig", press("einundzwanzig", { mark: 21 })],
  ["Schreibe Hallo Welt in Name", { of: "set", text: "Hallo Welt", target: { words: "Name" } }],
  ["Schreibe Hallo Welt", { of: "type", text: "Hallo Welt" }],
  ["Hake Zustimmen an", { of: "check", target: { words: "Zustimmen" } }],
  ["Öffne Rechner", { of: "open", what: "Rechner" }],
  ["Wechsle zu Firefox", { of: "switch", what: "Firefox" }],
  ["Schließe das Fenster", { of: "close", what: "Fenster" }],
  ["Scrolle nach unten", { of: "scroll", direction: "down", isToEnd: false }],
  ["Drücke Strg+S", key("ctrl+s")],
  ["Wo bin ich?", { of: "where" }],
  ["Was ist auf dem Bildschirm?", { of: "screen" }],
  ["Was kann ich hier tun?", { of: "actions" }],
  ["Lies das vor", { of: "read", what: "this" }],
  ["Noch einmal", { of: "repeat" }],
  ["Zeige Nummern", { of: "numbers", isOn: true }],
  ["kannst du bitte Speichern drücken", press("Speichern")],
  ["Nachtmodus einschalten", { of: "check", target: { words: "Nachtmodus" } }],
  ["setz einen Haken bei Zustimmen", { of: "check", target: { words: "Zustimmen" } }],
  ["stell Farbe auf Blau", { of: "set", text: "Blau", target: { words: "Farbe" } }],
  ["trag bei Name Peter ein", { of: "set", text: "Peter", target: { words: "Name" } }],
  ["drück die sieben", press("sieben", { mark: 7 })],
  ["ist Zustimmen angehakt", { of: "state", target: { words: "Zustimmen" } }],
  ["lies mir die zweite Zeile vor", { of: "line", at: 2 }],
  ["in welchem Ordner bin ich", { of: "where" }],
];

describe("what is said in", () => {
  test.each([...english])("English: %s", (said, meant) => {
    expectMeaning(said, "en", meant);
  });
  test.each([...german])("German: %s", (said, meant) => {
    expectMeaning(said, "de", meant);
  });
});

function expectMeaning(said: string, code: string, meant: object): void {
  const { language, requests } = interpreter.interpret(said);
  expect([language.code, requests[0]]).toEqual([code, meant as never]);
}

test("a text after a name is split where the longest name fits first", () => {
  const { requests } = interpreter.interpret("gib bei Vor Name Ada ein");
  expect(requests.slice(0, 2)).toEqual([
    { of: "set", text: "Ada", target: { words: "Vor Name" } },
    { of: "set", text: "Name Ada", target: { words: "Vor" } },
  ]);
});

test("show me a menu is no request for something called me", () => {
  const { requests } = interpreter.interpret("show me the File menu");
  expect<readonly object[]>(requests).toContainEqual(press("File", { role: "menu,menuitem" }));
  expect(JSON.stringify(requests)).not.toContain('"me ');
});

test("a sign may be said by its name", () => {
  expect<readonly object[]>(interpreter.interpret("hit the plus button").requests).toContainEqual(
    press("+", { role: "button" }),
  );
  expect<readonly object[]>(interpreter.interpret("klicke auf Wurzel").requests).toContainEqual(press("√"));
});

test("no control is called like an article or a pronoun", () => {
  for (const said of ["press it", "press the", "drücke es"]) {
    const names = interpreter.interpret(said).requests.flatMap((one) => ("target" in one ? [one.target?.words] : []));
    expect([said, names]).toEqual([said, []]);
  }
});

test("a role that is said or told exists", () => {
  const shortRoles = new Set(roles.map(shortRole));
  for (const { roles: said, phrases } of languages) {
    const named = Object.values(said).flatMap((list) => list.split(","));
    expect(named.filter((name) => rolesNamed(name).length === 0)).toEqual([]);
    expect(Object.keys(phrases.roles).filter((name) => !shortRoles.has(name))).toEqual([]);
  }
});

test("a request that is not understood is answered in its language", () => {
  expect(interpreter.interpret("bestell mir eine Pizza").language.code).toBe("de");
  expect(interpreter.interpret("order me a pizza").language.code).toBe("en");
});

test("to delete something is not to clear a field", () => {
  expect(interpreter.interpret("lösche den Plan").requests).toEqual([]);
});

test("nothing is made of what is no request", () => {
  for (const said of ["the weather is nice", "why is the sky blue", "", "lorem ipsum dolor"]) {
    expect([said, interpreter.interpret(said).requests]).toEqual([said, []]);
  }
});
