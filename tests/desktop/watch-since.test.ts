import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { startWatch, type WatchLine } from "./watched.ts";

// The daemon remembers what it reported to one process for the next. Each command here is a separate process.

interface Answer {
  readonly since?: string;
  readonly token?: string;
  readonly changes?: readonly WatchLine[];
  readonly elements?: readonly unknown[];
}

let scene: Scene;
let pad: ChildProcess;

beforeAll(async () => {
  scene = await openScene();
  pad = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

function read(...args: string[]): Answer {
  const { status, stdout, stderr } = scene.deskmap("read", "--app", "mousepad", ...args);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

async function type(words: string): Promise<void> {
  expect(scene.run("xdotool", "type", words).status).toBe(0);
  await waitFor("the words", () => String(scene.ask("text", String(pad.pid), "text")).endsWith(words));
}

/** Retries until the change is reported: the daemon may be a moment behind the application. */
async function readUntil(token: string | undefined, isTold: (answer: Answer) => boolean): Promise<Answer> {
  const all: WatchLine[] = [];
  let answer = read("--since", token ?? "");
  const take = (): boolean => {
    all.push(...(answer.changes ?? []));
    return isTold({ ...answer, changes: all });
  };
  await waitFor("the change", () => {
    if (take()) return true;
    answer = read("--since", answer.token ?? "");
    return false;
  });
  return { ...answer, changes: all };
}

test("read --since reports only what changed since another process read", async () => {
  const whole = read("--token");
  expect(whole.elements?.length).toBeGreaterThan(2);
  expect(read("--since", whole.token ?? "")).toMatchObject({ changes: [] });
  await type("Oslo");
  const { changes, token, elements } = await readUntil(whole.token, ({ changes: told = [] }) =>
    told.some(({ v }) => v?.endsWith("Oslo")),
  );
  expect(elements).toBeUndefined();
  expect(changes?.map(({ kind }) => kind).every((kind) => kind === "changed" || kind === "window")).toBe(true);
  expect(changes?.at(-1)).toMatchObject({ kind: "changed", r: "input", v: "Oslo" });
  expect(token).not.toBe(whole.token);
  const text = scene.deskmap("read", "--app", "mousepad", "--since", whole.token ?? "", "--format", "text").stdout;
  expect(text).toMatch(/^~ window \d+ Mousepad "\*Untitled 1 - Mousepad" title "Untitled 1 - Mousepad" → "\*Untitled/m);
  expect(text).toMatch(/^~ \d+ input value "" → "Oslo"$/m);
  expect(text).toMatch(/^token [0-9a-z]+\.[0-9a-z]+$/m);
});

test("a token of another selection, or of a daemon that is gone, gives everything with the reason", () => {
  const { token = "" } = read("--token");
  expect(read("--since", token, "--roles", "menu")).toMatchObject({ since: "other-selection" });
  expect(scene.deskmap("serve", "stop").status).toBe(0);
  const again = read("--since", token);
  expect(again).toMatchObject({ since: "restarted" });
  expect(again.elements?.length).toBeGreaterThan(2);
  expect(read("--since", again.token ?? "")).toMatchObject({ changes: [] });
});

test("a process without memory says so, and still answers", () => {
  const answer = read("--no-daemon", "--since", "x.1");
  expect(answer).toMatchObject({ since: "restarted" });
  expect(answer.token).toBeUndefined();
});

test("watch --since continues where another watch ended", async () => {
  const first = startWatch(scene, "watch", "--app", "mousepad", "--from-now");
  const { token = "" } = await first.expectLine("the token", ({ kind }) => kind === "token");
  first.child.kill("SIGTERM");
  expect([await first.ended(), first.errors()]).toEqual([0, ""]);
  await type("Bergen");
  const second = startWatch(scene, "watch", "--app", "mousepad", "--since", token);
  const typed = await second.expectLine("what was missed", ({ v }) => v?.endsWith("Bergen") === true);
  expect(second.lines.some(({ kind }) => kind === "start" || kind === "appeared")).toBe(false);
  expect(scene.ask("text", String(pad.pid), "text")).toEqual([typed.v]);
  const status = JSON.parse(scene.deskmap("serve", "status").stdout) as { pid: number };
  process.kill(status.pid, "SIGKILL");
  expect(await second.ended()).toBe(1);
  expect(second.errors()).toMatch(/"code":"(UNAVAILABLE|FAILED)"/);
});

test("as text, changes are below the name that a read gives the window", async () => {
  const whole = scene.deskmap("read", "--app", "mousepad", "--token", "--format", "text").stdout.split("\n");
  const token = whole.find((line) => line.startsWith("token "))?.slice("token ".length) ?? "";
  const head = whole.find((line) => line.startsWith("# ")) ?? "";
  expect(head).toContain("Mousepad");
  await type(" more");
  const told = (): readonly string[] =>
    scene.deskmap("read", "--app", "mousepad", "--since", token, "--format", "text").stdout.split("\n");
  await waitFor("the change", () => told().some((line) => line.includes(' more"')));
  const lines = told();
  expect(lines[lines.findIndex((line) => line.includes(' more"')) - 1]).toBe(head);
});
