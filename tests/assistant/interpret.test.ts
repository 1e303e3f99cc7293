import { describe, expect, test } from "bun:test";
import { Interpreter } from "../../src/assistant/interpret.ts";
import { languages } from "../../src/assistant/languages/index.ts";

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
  ["undo that", key("ctrl+z")],
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

test("nothing is made of what is no request", () => {
  for (const said of ["the weather is nice", "why is the sky blue", "", "lorem ipsum dolor"]) {
    expect([said, interpreter.interpret(said).requests]).toEqual([said, []]);
  }
});
