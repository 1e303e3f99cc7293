import { describe, expect, test } from "bun:test";
import { DoubleEscape, type Meaning } from "../../../../src/platform/linux/x11/double-escape.ts";

const person = 9;
const otherKeyboard = 11;
const programs = 5;
const codes: Readonly<Record<string, number>> = { esc: 9, caps: 66, a: 38, ctrl: 37 };

/** "esc" is a key press and release, "+ctrl" a key going down, "-ctrl" up, "click" a button. */
function hear(keys: DoubleEscape, words: string, { source = person, fromMs = 1000, stepMs = 50 } = {}): Meaning[] {
  return words.split(" ").map((word, index) => {
    const timeMs = fromMs + index * stepMs;
    const name = word.replace(/^[+-]/, "");
    const isEscape = name === "esc" || name === "caps";
    const stroke = { source, keycode: codes[name] ?? 0, isEscape, timeMs };
    if (word === "click") return keys.judge({ ...stroke, kind: "button", isEscape: false });
    const pressed = word.startsWith("-") ? "nothing" : keys.judge({ ...stroke, kind: "press" });
    if (!word.startsWith("+")) keys.judge({ ...stroke, kind: "release" });
    return pressed;
  });
}

function make(): DoubleEscape {
  return new DoubleEscape((source) => source === programs);
}

function endsIn(words: string, query?: Parameters<typeof hear>[2]): Meaning | undefined {
  return hear(make(), words, query).at(-1);
}

describe("two Escapes stop everything", () => {
  test("when they come in quick succession, on any key that means Escape", () => {
    expect(endsIn("esc esc")).toBe("stop");
    expect(endsIn("esc caps")).toBe("stop");
    expect(endsIn("esc esc", { source: programs })).toBe("stop");
    expect(endsIn("a esc esc")).toBe("stop");
    expect(endsIn("esc esc", { stepMs: 400 })).toBe("stop");
  });

  test("not when they are slow, separated by another key, or combined with a modifier", () => {
    for (const words of ["esc", "esc a esc", "esc click esc", "+ctrl esc esc", "esc +ctrl esc", "+a esc esc"]) {
      expect([words, endsIn(words)]).toEqual([words, "nothing"]);
    }
    expect(endsIn("esc esc", { stepMs: 401 })).toBe("nothing");
  });

  test("not when one is held down and repeats", () => {
    expect(endsIn("+esc +esc +esc -esc")).toBe("nothing");
  });

  test("the second after another key may be the first of two", () => {
    expect(endsIn("esc a esc esc")).toBe("stop");
    expect(endsIn("+ctrl esc -ctrl esc esc")).toBe("stop");
  });

  test("not when they come from different keyboards", () => {
    const keys = make();
    expect(hear(keys, "esc")).toEqual(["nothing"]);
    expect(hear(keys, "esc", { source: otherKeyboard, fromMs: 1050 })).toEqual(["nothing"]);
    expect(hear(keys, "esc", { fromMs: 1100 })).toEqual(["stop"]);
  });

  test("of programs, with keys between them, only if those may be Deskmap's own typing", () => {
    expect(endsIn("esc a a esc", { source: programs })).toBe("stop-while-typing");
  });
});

describe("Deskmap's own Escapes", () => {
  test("do not count, however many", () => {
    const keys = make();
    for (let at = 1000; at < 1500; at += 50) {
      keys.expectOwn(at);
      expect(hear(keys, "esc", { source: programs, fromMs: at })).toEqual(["nothing"]);
    }
  });

  test("when announced do not hide a person's", () => {
    const keys = make();
    keys.expectOwn(1000);
    keys.expectOwn(1000);
    expect(hear(keys, "esc esc").at(-1)).toBe("stop");
  });

  test("that never came do not hide another program's for long", () => {
    const keys = make();
    keys.expectOwn(1000);
    expect(hear(keys, "esc esc", { source: programs, fromMs: 2500 }).at(-1)).toBe("stop");
  });

  test("with a modifier are announced too, and use up the announcement", () => {
    const keys = make();
    keys.expectOwn(1000);
    hear(keys, "+ctrl esc -ctrl", { source: programs });
    expect(hear(keys, "esc esc", { source: programs, fromMs: 1300 }).at(-1)).toBe("stop");
  });
});
