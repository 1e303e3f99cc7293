import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// A client that controls an editor, on a desktop under the rules of a person's own: the environment does not point to the
// sandbox, so Deskmap treats its display like any other.

const accepted = `{ "actionsPerMinute": 10, "hotkey": false, "apps": { "xmessage": "blind" } }`;
const wanted = `{ "actionsPerMinute": 0, "sensitive": "allow", "hotkey": false }`;

let scene: Scene;
let places: Places;
let env: Record<string, string | undefined>;
let padPid = 0;
const terminals: TerminalSession[] = [];

beforeAll(async () => {
  scene = await openScene({ width: 1000, height: 700 });
  const { DESKMAP_SANDBOX_ROOT: _root, ...rest } = scene.sandbox.env;
  env = { ...rest, TERM: "xterm" };
  places = findPlaces(env);
  mkdirSync(dirname(places.policy), { recursive: true, mode: 0o700 });
  writeFileSync(places.policy, accepted, { mode: 0o600 });
  // Under a title that does not reveal which file it is: the path of a symbolic link would be followed, and the window not read.
  const folder = join(dirname(dirname(places.policy)), "plans");
  mkdirSync(folder);
  linkSync(places.policy, join(folder, "notes.json"));
  await accept();
  padPid = (await scene.start(["mousepad", "--disable-server", join(folder, "notes.json")], "notes.json")).pid ?? 0;
  await waitFor("the text", () => String(scene.ask("text", String(padPid), "text")).includes("xmessage"));
  await scene.settle();
});

afterAll(async () => {
  await Promise.all(terminals.map((one) => one.leave()));
  await scene.close();
});

interface CommandResult {
  readonly status: number;
  readonly reason: string | undefined;
  readonly text: string;
}

function deskmap(...args: string[]): CommandResult {
  const { status, stdout, stderr } = spawnSync(launcher, args, { env: { ...env }, encoding: "utf8", timeout: 30_000 });
  const error = /^\{"error"/.test(stderr) ? JSON.parse(stderr).error : undefined;
  return { status: status ?? -1, reason: error?.reason, text: `${stdout}${stderr}` };
}

async function accept(answer = "yes"): Promise<string> {
  const person = startAtTerminal([launcher, "policy", "accept"], env);
  terminals.push(person);
  await person.see("Type yes to allow it: ");
  person.type(`${answer}\n`);
  await person.ended;
  return person.shown();
}

const readLog = (): Record<string, unknown>[] =>
  readFileSync(places.audit, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("a client that edits the policy through an editor", () => {
  test("can read and write in it, since its title reveals nothing", () => {
    expect(deskmap("read", "--app", "mousepad").status).toBe(0);
    for (const args of [
      ["--key", "ctrl+a"],
      ["--text", wanted],
      ["--key", "ctrl+s"],
    ]) {
      expect(deskmap("type", "--app", "mousepad", ...args).reason).toBeUndefined();
    }
    expect(scene.ask("text", String(padPid), "text")).toContain(wanted);
  });

  test("gains nothing: from then on nothing is looked at or done, and it is told what a person has to do", async () => {
    await waitFor("the file on the disk", () => readFileSync(places.policy, "utf8").includes(`"sensitive": "allow"`));
    for (const args of [
      ["read"],
      ["list"],
      ["screenshot"],
      ["click", "File", "--app", "mousepad"],
      ["clipboard", "read"],
    ]) {
      const told = deskmap(...args);
      expect([args[0], told.status, told.reason]).toEqual([args[0], 3, "policy"]);
      expect(told.text).toContain("was changed since it was accepted");
      expect(told.text).toContain("deskmap policy accept");
    }
    expect(deskmap("apps", "hands-off", "mousepad").reason).toBe("policy");
    expect(readLog().filter(({ what, effect }) => what === "refused" && effect === "policy").length).toBeGreaterThan(3);
  });

  test("is not helped by a person who says no, and a person who restores the file has lost nothing", async () => {
    expect(await accept("no")).toContain('looser? apps "xmessage": "blind" → "normal"');
    expect(deskmap("list").reason).toBe("policy");
    writeFileSync(places.policy, accepted, { mode: 0o600 });
    expect(deskmap("list").status).toBe(0);
  });

  test("nor by removing the file", () => {
    rmSync(places.policy);
    expect(deskmap("list").text).toContain("is gone, which was accepted");
    writeFileSync(places.policy, accepted, { mode: 0o600 });
  });

  test("and a grant that it writes into the ledger does not count", () => {
    const grant = { isSensitive: true, untilMs: Date.now() + 600_000, seal: "0".repeat(64) };
    const actions = Array.from({ length: 10 }, () => ({ atMs: Date.now(), client: "cli", app: "Mousepad" }));
    writeFileSync(places.ledger, JSON.stringify({ actions, grants: [grant] }));
    expect(deskmap("type", "--app", "mousepad", "--key", "End").reason).toBe("rate");
    expect(readLog().some(({ effect }) => effect === "forged")).toBe(true);
  });
});

test("refusals by the redacted view and the lists are logged, for looks as well as actions", async () => {
  await scene.start(["xmessage", "a secret of its own"], "xmessage");
  const before = readLog().length;
  const point = scene.run("xdotool", "search", "--onlyvisible", "--name", "xmessage").stdout.trim();
  const place = scene.run("xdotool", "getwindowgeometry", "--shell", point).stdout;
  const get = (name: string): string => new RegExp(`^${name}=(\\d+)$`, "m").exec(place)?.[1] ?? "";
  const tries: readonly (readonly [string, ...string[]])[] = [
    ["read", "--app", "xmessage"],
    ["screenshot", "--app", "xmessage"],
    ["at", get("X"), get("Y")],
    ["click", "okay", "--app", "xmessage"],
    ["click", "--x", get("X"), "--y", get("Y")],
    ["window", "close", "--app", "xmessage"],
    ["quit", "--app", "xmessage"],
  ];
  for (const args of tries) expect([args, deskmap(...args).reason]).toEqual([args, "blind"]);
  // Looking at the window list is logged, too.
  const lines = readLog()
    .slice(before)
    .filter(({ what }) => what !== "look");
  expect(lines.map(({ what, tool, effect }) => [what, tool, effect])).toEqual(
    tries.map(([tool]) => ["refused", tool, "blind"]),
  );
});

test("on the private desktop itself the same policy holds without a person's acceptance", () => {
  rmSync(places.seal);
  const { status } = scene.deskmap("list");
  expect(status).toBe(0);
  expect(deskmap("list").text).toContain("was never accepted");
  // An environment that merely claims to be a sandbox is not believed: no sandbox of that folder is running.
  env = { ...env, DESKMAP_SANDBOX_ROOT: dirname(places.policy) };
  expect(deskmap("list").text).toContain("was never accepted");
});
