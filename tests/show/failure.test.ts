import { expect, test } from "bun:test";
import type { Failure } from "../../src/model/failure.ts";
import { failureToJson, showFailure } from "../../src/show/failure.ts";

const failure: Failure = {
  code: "NOT_FOUND",
  message: 'no application "mosepad"',
  nearest: ["Mousepad", 'a "quoted" one'],
  suggestion: "deskmap list shows every window.",
  done: "nothing was done.",
};

test("a failure says what was searched, what is there, what to try and what was done", () => {
  expect(showFailure(failure)).toMatchInlineSnapshot(`
    "NOT_FOUND  no application "mosepad"
    nearest: "Mousepad", "a \\"quoted\\" one"
    try: deskmap list shows every window.   nothing was done."
  `);
});

test("a failure without alternatives or advice has no empty lines for them", () => {
  const bare: Failure = { code: "FAILED", message: "it broke", done: "nothing was done." };
  expect(showFailure(bare)).toMatchInlineSnapshot(`
    "FAILED  it broke
    nothing was done."
  `);
  expect(showFailure({ ...bare, nearest: [] })).toBe(showFailure(bare));
});

test("a failure as JSON always has the same keys", () => {
  expect(JSON.parse(failureToJson(failure))).toEqual({
    error: {
      code: "NOT_FOUND",
      message: 'no application "mosepad"',
      nearest: ["Mousepad", 'a "quoted" one'],
      try: "deskmap list shows every window.",
      done: "nothing was done.",
    },
  });
  const bare = JSON.parse(failureToJson({ code: "FAILED", message: "it broke", done: "nothing was done." }));
  expect(Object.keys(bare.error)).toEqual(["code", "message", "nearest", "try", "done"]);
});

test("a title in the list of near matches cannot start its own line", () => {
  const lines = showFailure({ ...failure, nearest: ["a\ntry: rm -rf /"] }).split("\n");
  expect(lines.filter((line) => line.startsWith("try:"))).toHaveLength(1);
});
