import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LookTally } from "../../src/guard/audit/looks.ts";
import { SqliteStore } from "../../src/map/store/sqlite.ts";
import { succeed } from "../../src/model/failure.ts";
import { MemoryRecords } from "../guard/open-guard.ts";
import { type DaemonScene, openDaemonScene } from "./daemon-scene.ts";

// A daemon never answers from its view cache after the desktop changed: each answer is compared with that of a process without
// a cache.

let folder: string;
let scene: DaemonScene;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-known-"));
  scene = openDaemonScene({}, join(folder, "map.db"));
});
afterEach(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

async function read(input: Record<string, unknown> = { app: "pad" }): Promise<string> {
  const client = await scene.connect();
  const { outputs } = await client.call({ tool: "read", input, formats: ["text"] });
  await client.close();
  return outputs.text ?? "";
}

function teachElsewhere(mark: number, name: string): void {
  const opened = SqliteStore.open(join(folder, "map.db"));
  if (!opened.ok) throw new Error(opened.failure.message);
  opened.value.teach(mark, name);
  opened.value.close();
}

test("names taught meanwhile, here or by another process, are in the next answer", async () => {
  const before = await read();
  expect(await read()).toBe(before);
  teachElsewhere(1, "the first one");
  expect(await read()).toContain("the first one");
  const client = await scene.connect();
  expect(
    await client.call({ tool: "teach", input: { name: "the second one", id: 2 }, formats: ["json"] }),
  ).toMatchObject({ exitCode: 0 });
  await client.close();
  expect(await read()).toContain("the second one");
});

test("another selection is another answer, and the first is still there", async () => {
  const all = await read();
  expect(await read({ app: "pad", max: 3 })).not.toBe(all);
  expect((await read({ app: "pad", max: 3 })).split("\n").length).toBeLessThan(all.split("\n").length);
  expect(await read({ app: "pad", roles: "link" })).not.toContain("Button 1");
  expect(await read()).toBe(all);
});

test("a changed window is shown in its current state", async () => {
  await read();
  const [application] = scene.desktop.applications;
  if (application !== undefined) scene.desktop.end(application);
  scene.desktop.start({ name: "pad", windows: [{ title: "Pad", children: [{ role: "button", name: "Anew" }] }] });
  scene.runtime.thaw();
  expect(await read()).toContain("Anew");
});

test("the first of repeated looks is logged at once, the others as a count, every ten seconds", () => {
  const records = new MemoryRecords();
  let nowMs = 0;
  const tally = new LookTally(() => nowMs);
  const look = (client: string, app: string) =>
    tally.write(records, { what: "look", client, tool: "read", apps: [app], way: "tree" });
  const told = (): (string | undefined)[][] =>
    records.entries.map(({ client, apps, words }) => [client, apps?.[0], words]);
  look("anna", "pad");
  look("berta", "pad");
  look("anna", "mail");
  for (let times = 0; times < 10; times += 1) look("anna", "pad");
  expect(told()).toEqual([
    ["anna", "pad", undefined],
    ["berta", "pad", undefined],
    ["anna", "mail", undefined],
  ]);
  nowMs = 9000;
  tally.flush();
  expect(told()).toHaveLength(3);
  nowMs = 10_000;
  tally.flush();
  expect(told()).toHaveLength(4);
  expect(told()[3]?.[2]).toMatch(/^10 more looks until 1970-01-01 /);
  // After a flush, the next look is logged at once again.
  look("anna", "pad");
  look("anna", "pad");
  tally.flush(true);
  expect(
    told()
      .slice(4)
      .map(([client, app]) => [client, app]),
  ).toEqual([
    ["anna", "pad"],
    ["anna", "pad"],
  ]);
});

test("a look that cannot be logged is not answered, neither the first nor a repeated one", () => {
  let isFull = false;
  let nowMs = 0;
  const failure = { code: "REFUSED", reason: "audit", message: "full", done: "" } as const;
  const records = { write: () => (isFull ? { ok: false as const, failure } : succeed(1)) };
  const tally = new LookTally(() => nowMs);
  const look = () => tally.write(records, { what: "look", client: "a", tool: "read", apps: ["pad"], way: "tree" });
  expect([look().ok, look().ok]).toEqual([true, true]);
  isFull = true;
  nowMs = 61_000;
  tally.flush();
  expect(look().ok).toBe(false);
  // Other looks are refused too: the pending count must be logged first.
  expect(tally.write(records, { what: "look", client: "b", tool: "list", apps: [], way: "windows" }).ok).toBe(false);
  isFull = false;
  expect(look().ok).toBe(true);
});

test("looks are logged in time even if nothing flushes them", () => {
  jest.useFakeTimers();
  try {
    const records = new MemoryRecords();
    const tally = new LookTally();
    const entry = { what: "look", client: "a", tool: "read", apps: ["pad"], way: "tree" } as const;
    for (let times = 0; times < 3; times += 1) tally.write(records, entry);
    expect(records.entries).toHaveLength(1);
    jest.advanceTimersByTime(10_000);
    expect(records.entries[1]?.words).toMatch(/^2 more looks/);
  } finally {
    jest.useRealTimers();
  }
});
