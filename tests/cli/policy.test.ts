import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { acceptAsItIs } from "../guard/accept.ts";

// The person-only commands as a person runs them, but without a desktop, and without a terminal unless the test creates one.

const launcher = join(import.meta.dir, "../../deskmap");
let home = "";
let policy = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-person-"));
  policy = join(home, ".config/deskmap/policy.json");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function run(args: readonly string[], env: Record<string, string> = {}): SpawnSyncReturns<string> {
  const bare = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: tmpdir(), ...env };
  // A new session has no controlling terminal, wherever the tests were started.
  return spawnSync("setsid", ["--wait", launcher, ...args], { env: bare, encoding: "utf8", timeout: 20_000 });
}

function write(text: string): void {
  mkdirSync(join(home, ".config/deskmap"), { recursive: true, mode: 0o700 });
  writeFileSync(policy, text, { mode: 0o600 });
}

const readLog = (): Record<string, unknown>[] => {
  const path = join(home, ".local/state/deskmap/audit.jsonl");
  const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  return lines.map((line) => JSON.parse(line));
};

describe("deskmap policy", () => {
  test("check says that there is no file, that it is valid, or where it is not", () => {
    expect(run(["policy", "check", "--format", "text"]).stdout).toBe(`${policy} does not exist: the defaults apply\n`);
    write("{ /* mine */ }");
    const unaccepted = run(["policy", "check", "--format", "text"]);
    expect([unaccepted.status, unaccepted.stderr]).toEqual([3, expect.stringContaining("deskmap policy accept")]);
    acceptAsItIs(findPlaces({ HOME: home }));
    expect(run(["policy", "check", "--format", "text"]).stdout).toBe(`${policy} is right\n`);
    write(`{\n  "sensitive": 1,\n  "hotkey": 2\n}`);
    const wrong = run(["policy", "check", "--format", "text"]);
    expect([wrong.status, wrong.stdout]).toEqual([
      3,
      `${policy}:2:16: 1 is not one of "allow", "ask", "deny"\n${policy}:3:13: 2 is neither true nor false\n`,
    ]);
    expect(JSON.parse(run(["policy", "check"]).stdout).problems).toHaveLength(2);
  });

  test("check reports on another file, on who may write it, and on a missing one", () => {
    const other = join(home, "other.json");
    writeFileSync(other, `{ "readOnly": true }`, { mode: 0o666 });
    expect(run(["policy", "check", other]).status).toBe(0);
    const missing = run(["policy", "check", join(home, "none.json")]);
    expect([missing.status, JSON.parse(missing.stderr).error.reason]).toEqual([3, "policy"]);
  });

  test("show prints each value and its origin", () => {
    write(`{ "sensitive": "deny", "apps": { "gimp": "blind" }, "clients": { "a*": { "actionsPerMinute": 3 } } }`);
    acceptAsItIs(findPlaces({ HOME: home }));
    const { settings } = JSON.parse(run(["policy", "show", "--client", "agent"]).stdout);
    expect(settings).toContainEqual({ setting: "actionsPerMinute", value: 3, from: 'policy, clients "a*"' });
    expect(settings).toContainEqual({ setting: "sensitive", value: "deny", from: "policy" });
    expect(settings).toContainEqual({ setting: "hotkey", value: true, from: "default" });
    expect(settings).toContainEqual({ setting: "blind", value: ["gimp"], from: "policy" });
    const text = run(["policy", "show", "--format", "text"], { DESKMAP_READ_ONLY: "1" }).stdout;
    const from = "policy, the strictest of all clients: the name is only claimed";
    expect(text).toContain(`actionsPerMinute: 3   (${from})\n`);
    expect(text).toContain("readOnly: true   (--read-only or DESKMAP_READ_ONLY)\n");
  });

  test("init writes a file that changes nothing, with private permissions, and never overwrites one", () => {
    const before = JSON.parse(run(["policy", "show"]).stdout).settings.map(
      ({ from: _, ...one }: { from: string }) => one,
    );
    expect(run(["policy", "init"]).status).toBe(0);
    expect(statSync(policy).mode & 0o777).toBe(0o600);
    const after = JSON.parse(run(["policy", "show"]).stdout).settings.map(
      ({ from: _, ...one }: { from: string }) => one,
    );
    expect(after).toEqual(before);
    const text = readFileSync(policy, "utf8");
    expect(run(["policy", "init"]).status).toBe(1);
    expect(readFileSync(policy, "utf8")).toBe(text);
  });
});

test("deskmap policy accept is refused without a terminal, whatever is piped in, and that is logged", () => {
  write(`{ "sensitive": "allow" }`);
  const refused = spawnSync("setsid", ["--wait", launcher, "policy", "accept"], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    input: "yes\nyes\n",
    encoding: "utf8",
  });
  expect([refused.status, JSON.parse(refused.stderr).error.reason]).toEqual([3, "unasked"]);
  expect(readLog()).toMatchObject([{ what: "refused", tool: "policy accept" }]);
  expect(run(["policy", "show"]).status).toBe(3);
});

describe("deskmap apps", () => {
  test("tightens without a question, and logs it", () => {
    expect(run(["apps", "blind", "xterm", "--format", "text"]).stdout).toBe("xterm is blind\n");
    expect(JSON.parse(run(["apps"]).stdout)).toMatchObject([{ app: "xterm", standing: "blind", why: "policy" }]);
    expect(readLog()).toMatchObject([{ what: "policy", client: "person", apps: ["xterm"], effect: "blind" }]);
  });

  test("loosens nothing without a person at a terminal", () => {
    const refused = run(["apps", "normal", "keepassxc"]);
    expect([refused.status, JSON.parse(refused.stderr).error.reason]).toEqual([3, "unasked"]);
    expect(existsSync(policy)).toBe(false);
    expect(readLog()).toMatchObject([{ what: "refused", tool: "apps" }]);
  });

  test("suggests the nearest names for an unknown one, and accepts it when forced", () => {
    const unknown = run(["apps", "blind", "keepasxc"]);
    expect([unknown.status, JSON.parse(unknown.stderr).error.nearest[0]]).toEqual([1, "keepassxc"]);
    expect(run(["apps", "blind", "newcomer", "--unseen"]).status).toBe(0);
    expect(readFileSync(policy, "utf8")).toContain(`"newcomer": "blind"`);
  });

  test("refuses invalid commands and names", () => {
    for (const args of [["bind", "gimp"], ["blind"], ["blind", "a*b"], ["blind", "a\u202eb"]]) {
      expect([args, run(["apps", ...args, "--unseen"]).status]).toEqual([args, 2]);
    }
    expect([existsSync(policy), readLog()]).toEqual([false, []]);
  });

  test("cannot be called in a batch", () => {
    const steps = join(home, "steps.txt");
    for (const line of ["apps normal xterm", "policy init"]) {
      writeFileSync(steps, line);
      expect([line, run(["do", steps]).status]).toEqual([line, 2]);
    }
  });
});
