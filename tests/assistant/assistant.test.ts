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
function openHost(controls = form) {
  const actions: CallRequest[] = [];
  const find = (words: string) =>
    controls.filter(({ t }) => words.split(" ").some((word) => t.toLowerCase().includes(word.toLowerCase())));
  const answers: Readonly<Record<string, (input: CallRequest["input"]) => object | undefined>> = {
    list: () => ({ windows: [window] }),
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
