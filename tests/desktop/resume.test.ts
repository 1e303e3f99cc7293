import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEvents } from "../../src/guard/audit/read.ts";
import { findPlaces } from "../../src/guard/places.ts";

const launcher = join(import.meta.dir, "../../deskmap");

/** A separate terminal in which every question gets the same answer. */
const answering = `import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b""
try:
    while True:
        piece = os.read(terminal, 4096)
        if not piece:
            break
        seen += piece
        if seen.rstrip().endswith(b":"):
            os.write(terminal, sys.argv[1].encode() + b"\\n")
            seen = b""
        sys.stdout.write(piece.decode("utf-8", "replace"))
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

let folder = "";
let env: Record<string, string | undefined>;

/** A person's home, with two private desktops. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-resume-"));
  const { DISPLAY: _display, ...outside } = process.env;
  env = { ...outside, HOME: folder, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
  env.DESKMAP_SANDBOX_DIR = join(folder, "run", "sandboxes");
  for (const name of ["one", "two"]) {
    const opened = run("sandbox", "--detach", "--name", name);
    expect([opened.status, opened.stderr]).toEqual([0, ""]);
  }
});
afterAll(() => {
  run("sandbox", "stop", "--all");
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]) {
  return spawnSync(launcher, args, { env, encoding: "utf8" });
}

function resumeSaying(word: string) {
  return spawnSync("/usr/bin/python3", ["-c", answering, word, launcher, "resume"], { env, encoding: "utf8" });
}

/** The exit code of a read inside a private desktop. */
const lookInside = (name: string): number | null => run("sandbox", "exec", name, "--", launcher, "list").status;

test("deskmap stop stops a person's own desktop and every private one, and says so", () => {
  expect([lookInside("one"), lookInside("two")]).toEqual([0, 0]);
  const { status, stdout } = run("stop", "--format", "text");
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^everything is stopped; .*\nso is the private desktop one; .*\nso is the private desktop two; /,
  );
  expect([run("list").status, lookInside("one"), lookInside("two")]).toEqual([3, 3, 3]);
});

test("deskmap resume asks a person at a terminal: everything but yes is a no", () => {
  const refused = resumeSaying("no");
  expect([refused.status, refused.stdout.includes("It was stopped by deskmap stop at")]).toEqual([3, true]);
  expect(lookInside("one")).toBe(3);
  expect(existsSync(findPlaces(env).stopped)).toBe(true);
  const resumed = resumeSaying("yes");
  expect(resumed.stdout).toContain("it goes on: this desktop, the private desktop one, the private desktop two");
  expect([resumed.status, lookInside("one"), lookInside("two")]).toEqual([0, 0, 0]);
  const told = readEvents(findPlaces(env), {}).events.map(({ what, client }) => `${what} by ${client}`);
  expect(told).toEqual(["stop by deskmap stop", "refused by cli", "resume by deskmap resume"]);
});

test("from within a private desktop only that one is stopped", () => {
  expect(run("sandbox", "exec", "two", "--", launcher, "stop").status).toBe(0);
  expect([lookInside("one"), lookInside("two"), existsSync(findPlaces(env).stopped)]).toEqual([0, 3, false]);
});
