import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findHolder } from "../../src/guard/turn.ts";
import { processes } from "../../src/os/index.ts";
import { type Call, type GuardedScene, guardScene } from "./guarded-scene.ts";
import { type Field, openField } from "./input-scene.ts";
import { waitFor } from "./scene.ts";

let field: Field;
let guarded: GuardedScene;
const calls: Call[] = [];

beforeAll(async () => {
  field = await openField("mousepad");
  guarded = guardScene(field.scene, { hotkey: false, actionsPerMinute: 0, sensitive: "allow" });
});
afterEach(async () => {
  for (const { child, ended } of calls.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
});
afterAll(() => field.close());

function begin(client: string, ...args: string[]): Call {
  const call = guarded.begin(args, client);
  calls.push(call);
  return call;
}

function writeSteps(name: string, lines: readonly string[]): string {
  const path = join(field.scene.sandbox.env.HOME ?? "", name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const reason = (stderr: string): { reason: string; message: string } => JSON.parse(stderr).error;

/** A client that holds the desktop for long: it types slowly. */
async function occupy(client: string): Promise<Call> {
  const before = field.read().length;
  const call = begin(client, "type", "--text", "slow ".repeat(2000), "--delay", "5");
  await waitFor("its first characters", () => field.read().length > before + 5);
  return call;
}

/** src/platform/linux/x11/xtest.ts: while a part of a text is sent, nobody else is served. */
const longestSuspensionMs = 250;

test("batches of two clients never interleave: the text contains each of them whole", async () => {
  const clients = ["anna", "berta"];
  const batches = clients.map((client) =>
    writeSteps(client, [
      `type --text ${client}-1,`,
      `type --text ${client}-2,`,
      `{"do":"type","text":"${client}-3\\n"}`,
    ]),
  );
  const before = field.read();
  const runs = clients.map(async (client, index) => {
    for (let time = 0; time < 2; time += 1) {
      const { status, stderr } = await begin(client, "do", batches[index] ?? "", "--timeout-ms", "30000").ended;
      expect([client, status, stderr]).toEqual([client, 0, ""]);
    }
  });
  await Promise.all(runs);
  const lines = field.read().slice(before.length).trim().split("\n");
  expect(lines.toSorted()).toEqual([
    "anna-1,anna-2,anna-3",
    "anna-1,anna-2,anna-3",
    "berta-1,berta-2,berta-3",
    "berta-1,berta-2,berta-3",
  ]);
});

test("a second client is told who has the desktop and since when; reading is not delayed", async () => {
  const first = await occupy("the first");
  const second = begin("the second", "type", "--text", "NOT", "--timeout-ms", "1500");
  const { status, stderr } = await second.ended;
  expect(status).toBe(3);
  expect(reason(stderr)).toMatchObject({ reason: "turn" });
  expect(reason(stderr).message).toMatch(
    /^"the first" \(type, process \d+, since [-\d]{10} [:\d]{8} [-+]\d\d:\d\d\) has the desktop/,
  );
  expect(field.scene.deskmap("read").status).toBe(0);
  expect(field.scene.deskmap("list").status).toBe(0);
  expect(first.child.exitCode).toBeNull();
  expect(field.read()).not.toContain("NOT");
});

test("a client killed in its turn frees it at once", async () => {
  const first = await occupy("the killed");
  first.child.kill("SIGKILL");
  await first.ended;
  expect(findHolder(guarded.places)).toBe("free");
  // The application is still processing earlier text; meanwhile nothing could be confirmed.
  await field.scene.settle();
  const { status } = await begin("the next", "type", "--text", "NEXT").ended;
  expect(status).toBe(0);
  expect(field.read()).toEndWith("NEXT");
});

test("a client suspended in its turn keeps it, and the others are told that it is suspended", async () => {
  const first = await occupy("the suspended");
  await waitFor("a suspension between two parts of its text: during one, it goes on by itself", async () => {
    first.child.kill("SIGSTOP");
    // The kernel ends a suspension during a part after this time.
    await Bun.sleep(2 * longestSuspensionMs);
    return processes.isSuspended(first.child.pid ?? 0);
  });
  const { status, stderr } = await begin("the next", "type", "--text", "NOT", "--timeout-ms", "1500").ended;
  expect([status, stderr]).toEqual([3, expect.stringContaining("but its process is suspended")]);
  expect(field.read()).not.toContain("NOT");
  // A person can end it.
  expect(JSON.parse(field.scene.deskmap("stop").stdout)).toMatchObject({
    stopped: [{ interrupted: [{ client: "the suspended" }], isReleased: true }],
  });
  expect((await first.ended).status).toBe("SIGKILL");
  guarded.resume();
});
