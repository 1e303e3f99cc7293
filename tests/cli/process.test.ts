import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { openEnvelope } from "../envelope.ts";

// The program as a user starts it, in an environment without a desktop.

const launcher = join(import.meta.dir, "../../deskmap");
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-cli-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(args: readonly string[], env: Record<string, string> = {}): SpawnSyncReturns<string> {
  const bare = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: tmpdir() };
  return spawnSync(launcher, args, { env: { ...bare, ...env }, encoding: "utf8", timeout: 20_000 });
}

/** Parses standard error as JSON; fails the test if it is anything else. */
function errorOf({ stderr }: SpawnSyncReturns<string>): { code: string; message: string; try: string; done: string } {
  return JSON.parse(stderr).error;
}

describe("an unknown command", () => {
  test.each(["nonsense", "nonsense --help", "nonsense -h", "map nonsense --help"])(
    "is wrong usage, even with a request for help: %s",
    (line) => {
      const ended = run(line.split(" "));
      expect(ended.status).toBe(2);
      expect(ended.stdout).toBe("");
      expect(errorOf(ended)).toMatchObject({ code: "USAGE", message: "unknown command 'nonsense'" });
    },
  );
});

describe("without a display", () => {
  test.each([["read"], ["list"]])("%s exits with 1 and suggests a next step", (command) => {
    const ended = run([command, "--format", "text"]);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toBe("");
    expect(openEnvelope(ended.stderr)).toBe(
      "UNAVAILABLE  no display to read: DISPLAY is not set\n" +
        "try: run inside a desktop session, or open a private one: deskmap sandbox -- mousepad   nothing was done.",
    );
  });

  test("the error is JSON when JSON is requested, and when the output is piped", () => {
    for (const args of [["read", "--format", "json"], ["read"]]) {
      const ended = run(args);
      expect(ended.status).toBe(1);
      expect(ended.stdout).toBe("");
      expect(errorOf(ended)).toMatchObject({ code: "UNAVAILABLE", done: "nothing was done." });
      expect(errorOf(ended).try).toContain("deskmap sandbox");
    }
  });

  test.each([":987", "somewhere.example:0", "nonsense", ":1; rm"])("a missing display %p exits with 1", (display) => {
    const ended = run(["list", "--timeout-ms", "2000"], { DISPLAY: display });
    expect(ended.status).toBe(1);
    expect(ended.stdout).toBe("");
    expect(errorOf(ended).code).toBe("UNAVAILABLE");
  });
});

describe("wrong usage exits with 2, prints nothing on standard output, and says what to do:", () => {
  test.each([
    [["read", "--nope"]],
    [["read", "--al"]],
    [["reed"]],
    [["read", "--pid", "abc"]],
    [["read", "--pid", "-1"]],
    [["read", "--depth", "0"]],
    [["read", "--depth", "1.5"]],
    [["read", "--max"]],
    [["read", "--format", "xml"]],
    [["read", "--timeout-ms", "0"]],
    [["read", "--timeout-ms", "soon"]],
    [["read", "--all", "--visible-only"]],
    [["read", "--bbox", "1,2"]],
    [["read", "--roles", "buton"]],
    [["read", "--app", ""]],
    [["read", "stray"]],
    [["list", "--apps", "--windows"]],
    [["list", "--window-id", "99999999999999999999"]],
    [["screenshot", "--format", "xml"]],
    [["screenshot", "--scale", "0"]],
    [["screenshot", "--scale", "half"]],
    [["screenshot", "--quality", "101"]],
    [["screenshot", "--scope", "nope"]],
    [["screenshot", "--output", "missing/folder/a.png"]],
  ])("%j", (args) => {
    const ended = run(args);
    expect(ended.status).toBe(2);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toContain("USAGE");
    expect(ended.stderr).not.toContain("    at ");
    expect(ended.stderr).toMatch(/try/);
  });

  test("as JSON when JSON is requested, whichever layer finds the mistake", () => {
    expect(errorOf(run(["read", "--format", "json", "--depth", "0"])).code).toBe("USAGE");
    expect(errorOf(run(["read", "--format", "json", "--nope"])).code).toBe("USAGE");
  });

  test("as JSON when piped, also where --format is the tool's own", () => {
    expect(errorOf(run(["screenshot", "--format", "gif"])).message).toBe('--format "gif": takes one of png, jpg');
    expect(errorOf(run(["screenshot", "--format", "png", "--nope"])).code).toBe("USAGE");
  });

  test("for a wrong DESKMAP_TIMEOUT_MS, unless --timeout-ms is given", () => {
    expect(errorOf(run(["list"], { DESKMAP_TIMEOUT_MS: "soon" })).message).toBe(
      'DESKMAP_TIMEOUT_MS "soon" is not a time',
    );
    const given = run(["list", "--timeout-ms", "2000"], { DESKMAP_TIMEOUT_MS: "soon" });
    expect(errorOf(given).code).not.toBe("USAGE");
  });

  test("in the format of DESKMAP_FORMAT, unless --format says otherwise; a wrong one is named", () => {
    const text = run(["read", "--depth", "0"], { DESKMAP_FORMAT: "text" });
    expect([text.status, openEnvelope(text.stderr)]).toEqual([2, expect.stringMatching(/^USAGE {2}/)]);
    expect(errorOf(run(["read", "--depth", "0", "--format", "json"], { DESKMAP_FORMAT: "text" })).code).toBe("USAGE");
    const wrong = run(["read"], { DESKMAP_FORMAT: "xml" });
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('DESKMAP_FORMAT: no format is called "xml"'),
    ]);
  });

  test("with the closest known word", () => {
    expect(run(["reed"]).stderr).toContain("read");
    expect(run(["read", "--rolse", "x"]).stderr).toContain("--roles");
    expect(run(["read", "--format", "text", "--roles", "buton"]).stderr).toContain('"button"');
  });
});

describe("asked about itself, the program", () => {
  test("prints its version and exits with 0", () => {
    const ended = run(["--version"]);
    expect([ended.status, ended.stdout, ended.stderr]).toEqual([0, `${packageJson.version}\n`, ""]);
  });

  test("prints its help and exits with 0, for every command", () => {
    for (const args of [["--help"], ["read", "--help"], ["list", "--help"], ["help", "read"]]) {
      const ended = run(args);
      expect(ended.status).toBe(0);
      expect(ended.stdout).toContain("Usage: deskmap");
      expect(ended.stderr).toBe("");
    }
  });
});

test("without a display nothing is written, and a damaged map is not touched", () => {
  const data = join(home, "data");
  mkdirSync(join(data, "deskmap"), { recursive: true });
  const path = join(data, "deskmap", "map.db");
  const bytes = Buffer.from("not a map ".repeat(500));
  writeFileSync(path, bytes);
  for (const command of ["read", "list"]) {
    expect(run([command], { XDG_DATA_HOME: data }).status).toBe(1);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(join(data, "deskmap"))).toEqual(["map.db"]);
  }
});

test.each(["click --help", "--help", "--version", "sandbox list", "doctor", "completions bash", "man"])(
  "%s ends quietly if its output is not read",
  (line) => {
    const bare = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: tmpdir() };
    const args = ["-c", runUnread, launcher, ...line.split(" ")];
    const { stderr } = spawnSync("/usr/bin/python3", args, { env: bare, encoding: "utf8", timeout: 20_000 });
    expect(stderr).toMatch(/^(warning: .*\n)*ended [01]\n$/);
  },
);

/** Runs a program whose standard output is a pipe that is never read. */
const runUnread = `import os, subprocess, sys
reading, writing = os.pipe()
os.close(reading)
print("ended", subprocess.run(sys.argv[1:], stdout=writing).returncode, file=sys.stderr)
`;
