import { describe, expect, test } from "bun:test";
import { Assistant } from "../../src/assistant/assistant.ts";
import type { AssistantHost } from "../../src/assistant/desk.ts";
import { type CallRequest, replyWithFailure } from "../../src/host/port.ts";
import { makeFailure } from "../../src/model/failure.ts";

// The conversation itself; tests/desktop/ask.test.ts has real controls.

interface Control {
  readonly i: number;
  readonly r: string;
  readonly t: string;
  readonly v?: string;
  readonly f?: true;
  readonly c?: readonly Control[];
}

const form: readonly Control[] = [
  { i: 1, r: "btn", t: "Save" },
  { i: 2, r: "btn", t: "Save As" },
  { i: 3, r: "btn", t: "Delete" },
  { i: 4, r: "btn", t: "Delete" },
  { i: 5, r: "btn", t: "Calculator" },
];
const window = { app: "Editor", title: "Notes", pid: 7, id: 70, focused: true, state: [] };

/** A host with one window; every action is confirmed. */
function openHost(controls: readonly Control[] = form, text = "") {
  const actions: CallRequest[] = [];
  const find = (words: string) =>
    controls.filter(({ t }) => words.split(" ").some((word) => t.toLowerCase().includes(word.toLowerCase())));
  const answers: Readonly<Record<string, (input: CallRequest["input"]) => object | undefined>> = {
    list: () => ({ windows: [window] }),
    text: () => ({ text }),
    read: () => ({ elements: controls }),
    find: ({ words }) => ({
      matches: find(String(words)).map((one) => ({ ...one, score: 1, why: "", in: [], id: 70 })),
    }),
    open: ({ what }) => (/calculator/i.test(String(what)) ? { effect: "would" } : undefined),
  };
  const host: AssistantHost = {
    call: async (request) => {
      const { tool, input } = request;
      const answer = answers[tool];
      if (answer === undefined || (tool === "open" && input.dryRun !== true)) actions.push(request);
      const data = answer === undefined ? { effect: "confirmed", target: {} } : answer(input);
      if (data === undefined) return replyWithFailure(makeFailure("NOT_FOUND", "nothing is called so"));
      return { outputs: {}, data: { ...data }, exitCode: 0, warnings: [] };
    },
  };
  return { assistant: new Assistant(host), done: () => actions.map(({ tool, input }) => [tool, input]) };
}

describe("an assistant", () => {
  test("presses what is named whole, though another name begins alike", async () => {
    const { assistant, done } = openHost();
    expect((await assistant.answer("press save")).text).toContain("Save (button)");
    expect(done()).toEqual([["click", { id: 1 }]]);
  });

  test("asks which of two, and takes the answer by order, by number or not at all", async () => {
    for (const [answer, id] of [
      ["the second", undefined],
      ["second", 4],
      ["3", 3],
    ] as const) {
      const { assistant, done } = openHost();
      expect(await assistant.answer("press the delete button")).toMatchObject({ choices: [3, 4] });
      await assistant.answer(answer);
      expect([answer, done()]).toEqual([answer, id === undefined ? [] : [["click", { id }]]]);
    }
  });

  test("asks before it presses what was only named in part, and takes a yes", async () => {
    const { assistant, done } = openHost([{ i: 2, r: "btn", t: "Save As" }]);
    expect((await assistant.answer("press save")).text).toBe("Did you mean Save As (button) 2?");
    expect(done()).toEqual([]);
    await assistant.answer("yes");
    expect(done()).toEqual([["click", { id: 2 }]]);
    await assistant.answer("yes");
    expect(done()).toHaveLength(1);
  });

  test("asks whether a key or a control of that name is meant", async () => {
    const { assistant, done } = openHost();
    expect(await assistant.answer("press delete")).toMatchObject({ choices: [3, 4] });
    expect(done()).toEqual([]);
    await assistant.answer("press the delete key");
    await assistant.answer("press escape");
    expect(done()).toEqual(["Delete", "Escape"].map((key) => ["type", { key, windowId: 70 }]));
  });

  test("repeats the last action, whatever was asked in between", async () => {
    const { assistant, done } = openHost();
    expect((await assistant.answer("repeat")).text).toBe("There is nothing to repeat.");
    await assistant.answer("press save");
    await assistant.answer("where am i");
    await assistant.answer("again");
    expect(done()).toEqual([
      ["click", { id: 1 }],
      ["click", { id: 1 }],
    ]);
  });

  test("asks whether a control or an application of that name is meant", async () => {
    const { assistant, done } = openHost();
    expect(await assistant.answer("open calculator")).toMatchObject({ choices: [5] });
    expect(done()).toEqual([]);
    await assistant.answer("launch calculator");
    expect(done()).toEqual([["open", { what: "calculator" }]]);
  });

  test("asks if several controls and an application are called so", async () => {
    const { assistant, done } = openHost([...form, { i: 6, r: "btn", t: "Calculator" }]);
    expect(await assistant.answer("open calculator")).toMatchObject({ choices: [5, 6] });
    expect(done()).toEqual([]);
  });

  test("opens an entry of a list by two clicks", async () => {
    const { assistant, done } = openHost([{ i: 1, r: "cell", t: "Trash" }]);
    await assistant.answer("open trash");
    expect(done()).toEqual([["click", { id: 1, double: true }]]);
  });

  test("closes a window by a whole word of its title, not by a part of one", async () => {
    const { assistant, done } = openHost();
    expect((await assistant.answer("close the note")).text).toBe("There is no note here.");
    expect(done()).toEqual([]);
    await assistant.answer("close notes");
    expect(done()).toEqual([["window", { operation: "close", windowId: 70 }]]);
  });

  test("takes a control by its role alone if it is the only one, and a name before a role", async () => {
    const button: Control = { i: 1, r: "btn", t: "Go" };
    const alone = openHost([button, { i: 2, r: "menu", t: "File" }]);
    await alone.assistant.answer("press the button");
    expect(alone.done()).toEqual([["click", { id: 1 }]]);
    const named = openHost([button, { i: 3, r: "toggle", t: "Menu" }, { i: 4, r: "menu", t: "File" }]);
    await named.assistant.answer("press menu");
    expect(named.done()).toEqual([["click", { id: 3 }]]);
    const several = openHost([button, { i: 5, r: "btn", t: "Stop" }]);
    expect(await several.assistant.answer("press the button")).toMatchObject({ choices: [1, 5] });
    expect(several.done()).toEqual([]);
  });

  test("opens a menu that somebody goes to", async () => {
    const { assistant, done } = openHost([{ i: 1, r: "menu", t: "Help" }]);
    await assistant.answer("go to the help menu");
    expect(done()).toEqual([["click", { id: 1 }]]);
  });

  test("presses nothing if there are fewer than the one that is counted", async () => {
    const { assistant, done } = openHost([{ i: 1, r: "menu", t: "File" }]);
    expect((await assistant.answer("click the third file")).text).toBe("Did you mean File (menu) 1?");
    expect(done()).toEqual([]);
  });

  test("takes the control, not its label", async () => {
    const { assistant, done } = openHost([
      { i: 1, r: "txt", t: "Name" },
      { i: 2, r: "input", t: "Name" },
    ]);
    await assistant.answer("press name");
    expect(done()).toEqual([["click", { id: 2 }]]);
  });

  test("presses a sign by its name, and nothing that only has it somewhere", async () => {
    const keys: readonly Control[] = [
      { i: 1, r: "btn", t: "Undo Ctrl+Z" },
      { i: 2, r: "btn", t: "+" },
    ];
    const { assistant, done } = openHost(keys);
    await assistant.answer("hit the plus button");
    expect(done()).toEqual([["click", { id: 2 }]]);
    const other = openHost(keys.slice(0, 1));
    expect(await other.assistant.answer("click +")).toMatchObject({ isGuess: true });
    expect(other.done()).toEqual([]);
  });

  test("takes a number for what a button shows, asks if another has it as its mark, and is told which", async () => {
    const keys: readonly Control[] = [
      { i: 30, r: "btn", t: "7" },
      { i: 8, r: "btn", t: "Help" },
      { i: 31, r: "btn", t: "8" },
    ];
    for (const [said, id] of [
      ["press seven", 30],
      ["press 8", undefined],
      ["number 8", 8],
      ["click 31", 31],
    ] as const) {
      const { assistant, done } = openHost(keys);
      const reply = await assistant.answer(said);
      expect([said, done()]).toEqual([said, id === undefined ? [] : [["click", { id }]]]);
      if (id === undefined) expect(reply.choices).toEqual([31, 8]);
    }
  });

  test("asks about a name alone, and presses nothing", async () => {
    const { assistant, done } = openHost();
    expect(await assistant.answer("save as please")).toMatchObject({ choices: [2] });
    expect(done()).toEqual([]);
    await assistant.answer("yes");
    expect(done()).toEqual([["click", { id: 2 }]]);
  });

  test("presses the control in sight that does what a key would, and else the key", async () => {
    const { assistant, done } = openHost();
    await assistant.answer("save");
    await assistant.answer("copy");
    expect(done()).toEqual([
      ["click", { id: 1 }],
      ["type", { key: "ctrl+c", windowId: 70 }],
    ]);
  });

  test("tells whether something is checked, and what it is set to", async () => {
    const { assistant, done } = openHost([
      { i: 1, r: "chk", t: "Agree", v: "unchecked" },
      { i: 2, r: "toggle", t: "Bold" },
      { i: 3, r: "select", t: "Colour", v: "Red" },
    ]);
    expect((await assistant.answer("is agree ticked")).text).toBe("Agree (check box) is unchecked.");
    expect((await assistant.answer("is bold on")).text).toBe("Bold (toggle) is unchecked.");
    expect((await assistant.answer("which colour is chosen")).text).toBe("Colour (drop-down list) is Red.");
    expect((await assistant.answer("ist Agree angehakt")).text).toBe("Agree (Kontrollkästchen) ist nicht angehakt.");
    expect(done()).toEqual([]);
  });

  test("reads a line by its number, and says if there is none", async () => {
    const { assistant } = openHost([{ i: 1, r: "input", t: "Notes", v: "milk bread", f: true }], "milk\nbread\n");
    expect((await assistant.answer("read the second line")).text).toBe("2: bread");
    expect((await assistant.answer("read line five")).text).toBe("There is no line 5; the text has 2.");
    expect((await assistant.answer("what does the text say")).text).toContain("milk\nbread");
  });

  test("reads the headings and texts of a dialog", async () => {
    const inside: readonly Control[] = [
      { i: 2, r: "heading", t: "Close without saving?" },
      { i: 3, r: "txt", t: "Changes will be lost." },
      { i: 4, r: "btn", t: "Cancel" },
    ];
    const { assistant } = openHost([{ i: 1, r: "dialog", t: "Question", c: inside }]);
    const { text } = await assistant.answer("read the dialog");
    expect(text).toBe("Notes Close without saving? Changes will be lost. You can use: Cancel.");
  });

  test("answers in the language of the request", async () => {
    const { assistant } = openHost();
    expect((await assistant.answer("drücke Save")).text).toContain("gedrückt");
    expect((await assistant.answer("Wo bin ich?")).text).toContain("Fenster Notes");
  });

  test("does nothing with what it does not understand", async () => {
    const { assistant, done } = openHost();
    expect(await assistant.answer("sing a song about Save")).toMatchObject({
      text: expect.stringContaining("did not understand"),
    });
    expect(done()).toEqual([]);
  });
});
