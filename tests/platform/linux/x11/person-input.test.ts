import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { PersonInput } from "../../../../src/model/person-input.ts";
import { XConnection } from "../../../../src/platform/linux/x11/connection.ts";
import { XInput } from "../../../../src/platform/linux/x11/input.ts";
import { listenToPerson } from "../../../../src/platform/linux/x11/person-input.ts";
import { waitFor } from "../../../wait.ts";

let server: ChildProcess;
let env: Record<string, string>;
const inputs: PersonInput[] = [];
let end: () => void = () => undefined;
let ownInput: XInput;

beforeAll(async () => {
  server = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", "-noreset"], { stdio: ["ignore", "pipe", "ignore"] });
  const lines: string[] = [];
  if (server.stdout !== null) createInterface(server.stdout).on("line", (line) => lines.push(line));
  await waitFor("a display", () => lines.length > 0);
  env = { DISPLAY: `:${lines[0]}`, PATH: process.env.PATH ?? "", HOME: "/nowhere", LC_ALL: "C.UTF-8" };
  const listening = await listenToPerson(
    { env, timeoutMs: 5000 },
    (input) => inputs.push(input),
    () => undefined,
  );
  if (!listening.ok) throw new Error(listening.failure.message);
  end = listening.value;
  ownInput = new XInput(await XConnection.connect(env, 5000), env, 5000);
});
afterAll(async () => {
  end();
  ownInput.close();
  server.kill();
  await once(server, "exit");
});

function robot(...args: string[]): void {
  expect(spawnSync("xdotool", args, { env }).status).toBe(0);
}

/** What was observed since the last call, up to the first release of F12, which is pressed for it. */
async function take(): Promise<readonly PersonInput[]> {
  robot("key", "F12");
  const isLast = (input: PersonInput): boolean => input.kind === "key-release" && input.key === "F12";
  await waitFor("the last key", () => inputs.some(isLast));
  return inputs.splice(0).filter((input) => !("key" in input && input.key === "F12"));
}

const textOf = (seen: readonly PersonInput[]): string =>
  seen.map((input) => (input.kind === "key" ? (input.text ?? "") : "")).join("");

test("each button is observed with the place of its press", async () => {
  robot("mousemove", "100", "120", "click", "1", "mousemove", "300", "40", "click", "3", "click", "5");
  const seen = await take();
  expect(seen.map(({ atMs: _, lagMs: __, modifiers: ___, ...rest }) => rest)).toEqual([
    { kind: "press", button: "left", point: { x: 100, y: 120 } },
    { kind: "release", button: "left", point: { x: 100, y: 120 } },
    { kind: "press", button: "right", point: { x: 300, y: 40 } },
    { kind: "release", button: "right", point: { x: 300, y: 40 } },
    { kind: "wheel", direction: "down", point: { x: 300, y: 40 } },
  ]);
  expect(seen.every(({ atMs, lagMs }) => Math.abs(Date.now() - atMs) < 60_000 && lagMs >= 0)).toBe(true);
});

test("keys are observed with their text and their modifiers", async () => {
  robot("type", "--delay", "1", "Hello, World: 42 (a+b)");
  expect(textOf(await take())).toBe("Hello, World: 42 (a+b)");
  robot("key", "ctrl+shift+t", "Return");
  const keys = (await take()).filter(({ kind }) => kind === "key");
  expect(keys).toMatchObject([
    { key: "Control_L", modifiers: [] },
    { key: "Shift_L", modifiers: ["ctrl"] },
    { key: "T", modifiers: ["ctrl", "shift"] },
    { key: "Return", text: undefined, modifiers: [] },
  ]);
});

test("another layout's characters are observed", async () => {
  expect(spawnSync("setxkbmap", ["de"], { env }).status).toBe(0);
  await waitFor("the new layout", async () => {
    robot("key", "z");
    return textOf(await take()) === "z";
  });
  robot("type", "--delay", "1", "größe z@y");
  expect(textOf(await take())).toBe("größe z@y");
});

test("Deskmap's own clicks, keys and texts are left out, those of another program at the same time are not", async () => {
  const typing = spawn("xdotool", ["type", "--delay", "3", "abcdefghijklmnopqrstuvwxyz".repeat(4)], { env });
  const isDone = once(typing, "exit");
  for (let turn = 0; turn < 8; turn += 1) {
    const click = await ownInput.carryOut({ kind: "click", point: { x: 5, y: 5 }, button: "left", count: 2 });
    expect(click.ok).toBe(true);
    const wheel = await ownInput.carryOut({ kind: "wheel", point: { x: 5, y: 5 }, direction: "down", amount: 3 });
    expect(wheel.ok).toBe(true);
    const keys = await ownInput.carryOut({ kind: "keys", combo: { modifiers: ["ctrl"], key: "9" } });
    expect(keys.ok).toBe(true);
    const text = await ownInput.carryOut({ kind: "type", text: "0123456789", delayMs: 0 });
    expect(text.ok).toBe(true);
  }
  await isDone;
  const seen = await take();
  expect(seen.filter((input) => !("key" in input))).toEqual([]);
  expect(textOf(seen)).toBe("abcdefghijklmnopqrstuvwxyz".repeat(4));
});
