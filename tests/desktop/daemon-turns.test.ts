import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DaemonConnection } from "../../src/client/connection.ts";
import { protocolVersion } from "../../src/client/protocol.ts";
import { findHolder } from "../../src/guard/turn.ts";
import { matrix } from "../tier.ts";
import { type GuardedScene, guardScene } from "./guarded-scene.ts";
import { type Field, openField, readHeld } from "./input-scene.ts";
import { waitFor } from "./scene.ts";

// Turns held over several commands, in the daemon of a private desktop under the rules of a person's own.

const launcher = join(import.meta.dir, "../../deskmap");
let field: Field;
let guarded: GuardedScene;

beforeAll(async () => {
  field = await openField("mousepad");
  guarded = guardScene(field.scene, { hotkey: false, actionsPerMinute: 0, sensitive: "ask" });
});
afterEach(() => {
  guarded.resume();
  // A turn left by a failed test would block the next one.
  for (const turn of turns.splice(0)) field.scene.deskmap("end", turn);
});
afterAll(async () => {
  field.scene.deskmap("serve", "stop");
  await field.close();
});

const turns: string[] = [];

function begin(...args: string[]): string {
  const { status, stdout, stderr } = field.scene.deskmap("begin", "--format", "text", ...args);
  expect([status, stderr]).toEqual([0, ""]);
  turns.push(stdout.trim());
  return stdout.trim();
}

function findDaemon(): number {
  return Number(JSON.parse(field.scene.deskmap("serve", "status", "--format", "json").stdout).pid);
}

const failureOf = (stderr: string): { reason?: string; message: string } => JSON.parse(stderr).error;

test("commands with its token belong to it; others wait or learn until when, and reads always work", async () => {
  const turn = begin("--for", "20s");
  const before = field.read();
  const other = field.scene.deskmap("type", "OTHER", "--timeout-ms", "1500");
  expect(other.status).toBe(3);
  expect(failureOf(other.stderr).message).toMatch(
    /^"cli" \(begin, process \d+, since .*, until .* at the latest\) has/,
  );
  expect(field.scene.deskmap("read").status).toBe(0);
  expect(field.scene.deskmap("read", "--no-daemon").status).toBe(0);
  for (const word of ["one ", "two "]) expect(field.scene.deskmap("type", word, "--turn", turn).status).toBe(0);
  const waiting = guarded.begin(["type", "three", "--timeout-ms", "20000"]);
  expect(field.scene.deskmap("end", turn).status).toBe(0);
  expect((await waiting.ended).status).toBe(0);
  expect(field.read()).toBe(`${before}one two three`);
  expect(failureOf(field.scene.deskmap("type", "late", "--turn", turn).stderr)).toMatchObject({ reason: "turn" });
});

test("it expires by itself, and a client that comes too late is told so", async () => {
  const turn = begin("--for", "300ms");
  await waitFor("its end", () => findHolder(guarded.places) === "free");
  const { status, stderr } = field.scene.deskmap("type", "LATE", "--turn", turn);
  expect(status).toBe(3);
  expect(failureOf(stderr).message).toContain("its time was up at");
  expect(field.read()).not.toContain("LATE");
});

test("a client whose connection ends, in whatever way, gives its turn back", async () => {
  const client = spawn(
    "/usr/bin/python3",
    ["-c", holdTurn, JSON.parse(field.scene.deskmap("serve", "status", "--format", "json").stdout).socket],
    { env: field.scene.sandbox.env, stdio: ["ignore", "pipe", "inherit"] },
  );
  let told = "";
  client.stdout.on("data", (chunk) => (told += String(chunk)));
  // A daemon that rejects its greeting closes the connection, and the client exits silently.
  await waitFor("its turn, or its end", () => told !== "" || client.exitCode !== null);
  expect(told).toContain('"ok":true');
  expect(findHolder(guarded.places)).toMatchObject({ client: "python" });
  client.kill("SIGKILL");
  await waitFor("its turn to be free", () => findHolder(guarded.places) === "free");
});

/** A client in another language that speaks the protocol. */
const holdTurn = `import json, socket, sys
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f = s.makefile("rw")
def say(**frame): f.write(json.dumps(frame) + "\\n"); f.flush(); return json.loads(f.readline())
hello = dict(t="hello", protocol=${protocolVersion}, client="python", isReadOnly=False, settings={})
build = say(**hello, build="?")["build"]
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f = s.makefile("rw")
say(**hello, build=build)
print(json.dumps(say(t="begin", id=1, forMs=200000, isKept=False, waitMs=5000), separators=(",", ":")), flush=True)
f.readline()
`;

matrix.test("a client that leaves in the middle of an action ends it, and its turn", async () => {
  const turn = begin("--for", "60s");
  const before = field.read().length;
  const typing = guarded.begin(["type", "slow ".repeat(2000), "--delay", "5", "--turn", turn], "cli");
  await waitFor("its first characters", () => field.read().length > before + 5);
  typing.child.kill("SIGINT");
  await typing.ended;
  await waitFor("its turn to be free", () => findHolder(guarded.places) === "free");
  expect(field.read().length).toBeLessThan(before + 5 * 2000);
  expect(readHeld(field.scene)).toContain("keys []");
  const { stderr } = field.scene.deskmap("type", "NOT", "--turn", turn);
  expect(failureOf(stderr).message).toContain("left in the middle");
});

matrix.test("a batch belongs to a turn, wherever its steps come from, and ends with its client", async () => {
  const turn = begin("--for", "60s");
  const folder = field.scene.sandbox.env.HOME ?? "";
  writeFileSync(join(folder, "steps"), "type from-a-file\n");
  const run = (line: string) => field.scene.run("sh", "-c", `cd "$HOME" && ${line}`);
  // Delivered, and confirmed if the application is quick enough; the application's content is the proof.
  expect([0, 4]).toContain(run(`"${launcher}" do steps --turn ${turn}`).status);
  expect([0, 4]).toContain(run(`echo 'type from-a-pipe' | DESKMAP_TURN=${turn} "${launcher}" do -`).status);
  await waitFor("both texts", () => field.read().endsWith("from-a-filefrom-a-pipe"));
  expect(findHolder(guarded.places)).toMatchObject({ tool: "begin" });
  const before = field.read().length;
  const typing = guarded.begin(["do", "--steps", `type "${"slow ".repeat(2000)}" --delay 5`, "--turn", turn], "cli");
  await waitFor("its first characters", () => field.read().length > before + 5);
  typing.child.kill("SIGKILL");
  await waitFor("its turn to be free", () => findHolder(guarded.places) === "free");
  expect(field.read().length).toBeLessThan(before + 5 * 2000);
  expect(readHeld(field.scene)).toContain("keys []");
});

matrix.test("an action in progress ends when the time is up", async () => {
  const turn = begin("--for", "5s");
  const before = field.read().length;
  const typing = guarded.begin(["type", "slow ".repeat(2000), "--delay", "5", "--turn", turn], "cli");
  await waitFor("its first characters", () => field.read().length > before + 5);
  expect((await typing.ended).status).not.toBe(0);
  await waitFor("its turn to be free", () => findHolder(guarded.places) === "free");
  expect(field.read().length).toBeLessThan(before + 5 * 2000);
  expect(readHeld(field.scene)).toContain("keys []");
});

test("a stop ends running actions in the daemon in time, and its turn; nothing is held, and the daemon continues", async () => {
  const turn = begin("--for", "60s");
  const daemon = findDaemon();
  const before = field.read().length;
  const typing = guarded.begin(["type", "slow ".repeat(2000), "--delay", "5", "--turn", turn], "cli");
  await waitFor("its first characters", () => field.read().length > before + 5);
  const stop = field.scene.deskmap("stop");
  expect(JSON.parse(stop.stdout)).toMatchObject({ stopped: [{ interrupted: [{ pid: daemon }], isReleased: true }] });
  const { status, stderr } = await typing.ended;
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/stopped/);
  expect(readHeld(field.scene)).toContain("keys []");
  expect(findHolder(guarded.places)).toBe("free");
  // Keys pressed before the stop may still be in the application's queue.
  await field.scene.settle();
  const length = field.read().length;
  for (const word of [["read"], ["list"], ["type", "NOT", "--turn", turn]]) {
    expect(field.scene.deskmap(...word).status).toBe(3);
  }
  guarded.resume();
  expect(field.read()).toHaveLength(length);
  expect(field.scene.deskmap("read").status).toBe(0);
  expect(failureOf(field.scene.deskmap("type", "NOT", "--turn", turn).stderr).message).toContain("stopped everything");
  expect(findDaemon()).toBe(daemon);
});

test("an action that a client requested over the wire, without a turn of its own, is stopped in time as well", async () => {
  const { socket, build, pid } = JSON.parse(field.scene.deskmap("serve", "status", "--format", "json").stdout);
  const hello = { protocol: protocolVersion, build, client: "wire", isReadOnly: false, settings: {} };
  const client = await DaemonConnection.open(socket, hello);
  const before = field.read().length;
  const input = { text: "slow ".repeat(2000), delay: 5 };
  const typing = client.call({ tool: "type", input, formats: ["json"] });
  await waitFor("its first characters", () => field.read().length > before + 5);
  // Sent by a separate process, because this one must receive the answer meanwhile.
  const stop = await guarded.begin(["stop"]).ended;
  expect(JSON.parse(stop.stdout)).toMatchObject({
    stopped: [{ interrupted: [{ client: "wire", pid }], isReleased: true }],
  });
  expect(await typing).toMatchObject({ exitCode: 3, failure: { reason: "stopped" } });
  await client.close();
  guarded.resume();
  expect(field.scene.deskmap("read").status).toBe(0);
  expect(findDaemon()).toBe(pid);
});

matrix.test(
  "a daemon that is killed in a turn releases everything, and the next client that needs one gets another",
  async () => {
    const turn = begin("--for", "60s");
    const daemon = findDaemon();
    const before = field.read().length;
    const typing = guarded.begin(["type", "slow ".repeat(2000), "--delay", "5", "--turn", turn], "cli");
    await waitFor("its first characters", () => field.read().length > before + 5);
    process.kill(daemon, "SIGKILL");
    expect(failureOf((await typing.ended).stderr).message).toContain("the daemon does not answer");
    expect(findHolder(guarded.places)).toBe("free");
    await waitFor("nothing to be held", () => readHeld(field.scene).includes("keys []"));
    expect(failureOf(field.scene.deskmap("type", "NOT", "--turn", turn).stderr)).toMatchObject({ reason: "turn" });
    // Reading commands work without a daemon; commands that need one start it.
    expect(field.scene.deskmap("read").status).toBe(0);
    const next = begin("--for", "5s");
    expect(findDaemon()).not.toBe(daemon);
    expect(field.scene.deskmap("end", next).status).toBe(0);
  },
);

test("approval is requested where deskmap approve is open, and nowhere else", async () => {
  const state = join(field.scene.sandbox.env.HOME ?? "", "state.json");
  const danger = join(import.meta.dir, "../fixtures/apps/danger-gtk3.py");
  await field.scene.start(["/usr/bin/python3", danger, state, "Danger"], "Danger");
  const turn = begin("--for", "30s");
  const click = field.scene.deskmap("click", "Delete", "--window", "Danger", "--turn", turn);
  expect([click.status, failureOf(click.stderr).reason]).toEqual([3, "unasked"]);
  expect(field.scene.deskmap("end", turn).status).toBe(0);
  expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ presses: [] });
});

test("paths opened within a turn are relative to the folder where the command was called", async () => {
  const folder = field.scene.sandbox.env.HOME ?? "";
  const told = join(folder, "told");
  writeFileSync(join(folder, "tell"), `#!/bin/sh\nenv | grep -c DESKMAP_CWD >'${told}'; true\n`, { mode: 0o755 });
  guardScene(field.scene, { hotkey: false, actionsPerMinute: 0, sensitive: "allow" });
  const turn = begin("--for", "20s");
  const opened = field.scene.run("sh", "-c", `cd "$HOME" && "${launcher}" open ./tell --timeout-ms 500 --turn ${turn}`);
  expect([opened.status, opened.stderr]).toEqual([4, ""]);
  await waitFor("what it tells", () => existsSync(told) && readFileSync(told, "utf8") === "0\n");
  expect(field.scene.deskmap("end", turn).status).toBe(0);
});

matrix.test("a private desktop ends its daemon when it closes", async () => {
  begin("--for", "1s");
  const daemon = findDaemon();
  await field.close();
  await waitFor("its end", () => !existsSync(`/proc/${daemon}`));
});
