import { expect, test } from "bun:test";
import { exitCodeOf, fail, succeed } from "../../src/model/failure.ts";

test("the exit code distinguishes not done, wrong usage and refused", () => {
  expect(exitCodeOf("USAGE")).toBe(2);
  expect(exitCodeOf("REFUSED")).toBe(3);
  for (const code of ["NOT_FOUND", "AMBIGUOUS", "UNAVAILABLE", "TIMEOUT", "FAILED"] as const) {
    expect(exitCodeOf(code)).toBe(1);
  }
});

test("a result is a value or a failure", () => {
  expect(succeed(3)).toEqual({ ok: true, value: 3 });
  const failure = { code: "NOT_FOUND", message: "no", done: "nothing was done." } as const;
  expect(fail(failure)).toEqual({ ok: false, failure });
});
