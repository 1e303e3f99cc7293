import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { InputCommand } from "../../../../src/model/command.ts";
import { XConnection } from "../../../../src/platform/linux/x11/connection.ts";
import { XInput } from "../../../../src/platform/linux/x11/input.ts";
import { planDrag } from "../../../../src/platform/linux/x11/pointer.ts";

const deeds: readonly InputCommand[] = [
  { kind: "point", point: { x: 5, y: 5 } },
  { kind: "click", point: { x: 5, y: 5 }, button: "left", count: 1 },
  { kind: "drag", from: { x: 5, y: 5 }, to: { x: 50, y: 5 }, button: "left" },
  { kind: "wheel", point: { x: 5, y: 5 }, direction: "down", amount: 1 },
  { kind: "type", text: "a", delayMs: 0 },
  { kind: "keys", combo: { modifiers: ["ctrl"], key: "s" } },
];

describe("a display without XTEST", () => {
  let server: ChildProcess;
  let x: XConnection;
  let input: XInput;
  beforeAll(async () => {
    const started = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-extension", "XTEST"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    server = started;
    const number = await new Promise<string>((resolve) => createInterface(started.stdout).once("line", resolve));
    const env = { DISPLAY: `:${number}`, HOME: "/nowhere", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
    x = await XConnection.connect(env, 5000);
    input = new XInput(x, env, 5000);
  });
  afterAll(() => {
    x.close();
    server.kill();
  });

  for (const command of deeds) {
    test(`says so when it is to ${command.kind}`, async () => {
      expect(await input.carryOut(command)).toEqual({
        ok: false,
        failure: {
          code: "UNAVAILABLE",
          message: "this X server accepts no input from programs: it has no XTEST extension",
          suggestion: "start it without “-extension XTEST”; actions through accessibility still work.",
          done: "nothing was done.",
        },
      });
    });
  }

  test("a lost display is a failure, not an exception", async () => {
    const lost = await XConnection.connect(input.env, 5000);
    lost.close();
    const other = new XInput(lost, input.env, 5000);
    expect(await other.carryOut({ kind: "point", point: { x: 5, y: 5 } })).toMatchObject({
      ok: false,
      failure: { code: "UNAVAILABLE", message: "the display went away: the connection was closed" },
    });
  });
});

describe("a drag", () => {
  test("begins with small moves and ends at its end", () => {
    const { first, rest } = planDrag({ x: 100, y: 100 }, { x: 500, y: 100 });
    expect(first.map(({ x }) => x)).toEqual([101, 102, 104, 108, 116]);
    expect(rest.at(-1)).toEqual({ x: 500, y: 100 });
  });

  test("over a few pixels goes no further than its end", () => {
    const { first, rest } = planDrag({ x: 10, y: 10 }, { x: 10, y: 7 });
    expect([...first, ...rest].every(({ y }) => y >= 7 && y <= 10)).toBe(true);
    expect(rest.at(-1)).toEqual({ x: 10, y: 7 });
  });

  test("to where it began stays there", () => {
    const { first, rest } = planDrag({ x: 3, y: 4 }, { x: 3, y: 4 });
    expect(new Set([...first, ...rest].map(({ x, y }) => `${x},${y}`))).toEqual(new Set(["3,4"]));
  });
});
