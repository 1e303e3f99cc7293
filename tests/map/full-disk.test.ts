import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { firstPassingMark } from "../../src/model/passing-mark.ts";

// A real file system of two megabytes that fills up, and gets room again. Its mount is seen by the processes of this test alone.

interface Told {
  readonly marks: readonly (readonly number[])[];
  readonly again: readonly (readonly number[])[];
  readonly warnings: readonly string[];
  readonly failure: string | null;
}

interface Checked {
  readonly integrity: string;
  readonly targets: number;
}

const child = fileURLToPath(new URL("./open-in-process.ts", import.meta.url));
const [bun, python] = [process.execPath, "/usr/bin/python3"];

/** By another program: a copy is looked at, since to look at the map itself takes room beside it. */
const check = `
import json, os, shutil, sqlite3, sys, tempfile
copy = tempfile.mkdtemp(dir=sys.argv[2])
for end in ("", "-wal"):
    if os.path.exists(sys.argv[1] + end): shutil.copy(sys.argv[1] + end, copy + "/map" + end)
map = sqlite3.connect(copy + "/map")
print(json.dumps({"integrity": map.execute("PRAGMA integrity_check").fetchone()[0],
  "targets": map.execute("SELECT count(*) FROM targets").fetchone()[0]}))`;

const many = Array.from({ length: 150 }, (_, index) => String(index + 1)).join(" ");

/** One line of JSON for each step. */
const script = `
set -e
mount -t tmpfs -o size=2m,mode=700 deskmap-full "$HOME_THERE"
trap 'cd /; umount "$HOME_THERE"' EXIT
fill() { dd if=/dev/zero of="$HOME_THERE/$1" bs=1k count=$2 2>/dev/null || true; }
fill ballast 512
"$BUN" "$CHILD" "$HOME_THERE" ${many}
"$PYTHON" -c "$CHECK" "$HOME_THERE/deskmap/map.db" "$OUTSIDE"
fill rest 4096
"$BUN" "$CHILD" "$HOME_THERE" 1 501
"$PYTHON" -c "$CHECK" "$HOME_THERE/deskmap/map.db" "$OUTSIDE"
rm "$HOME_THERE/ballast" "$HOME_THERE/rest"
"$BUN" "$CHILD" "$HOME_THERE" 1 501
"$BUN" "$CHILD" "$HOME_THERE" 1 501
"$PYTHON" -c "$CHECK" "$HOME_THERE/deskmap/map.db" "$OUTSIDE"
`;

/** As root; as root in a chroot, whose root is no mount; as any user where the kernel lets users have namespaces. */
const ways = [
  ["unshare", "--mount"],
  ["unshare", "--mount", "--propagation", "unchanged"],
  ["unshare", "--user", "--map-root-user", "--mount"],
];

const folder = mkdtempSync(join(tmpdir(), "deskmap-full-"));
let steps: readonly string[] = [];

beforeAll(() => {
  const there = join(folder, "there");
  spawnSync("mkdir", [there]);
  const probe = `mount -t tmpfs -o size=2m deskmap-full '${there}' && umount '${there}'`;
  const tried = ways.map((way) => ({ way, run: spawnSync(way[0] ?? "", [...way.slice(1), "sh", "-c", probe]) }));
  const [program = "", ...words] = tried.find(({ run }) => run.status === 0)?.way ?? [];
  if (program === "") {
    const reasons = tried.map(({ way, run }) => `${way.join(" ")}: ${run.stderr || run.error}`.trim());
    throw new Error(`this test needs to mount a small file system, as root or in a namespace:\n${reasons.join("\n")}`);
  }
  const { status, stdout, stderr } = spawnSync(program, [...words, "bash", "-c", script], {
    encoding: "utf8",
    env: {
      ...{ PATH: process.env.PATH, HOME_THERE: there, OUTSIDE: folder },
      ...{ BUN: bun, CHILD: child, PYTHON: python, CHECK: check },
    },
  });
  if (status !== 0) throw new Error(`the steps ended with ${status}: ${stdout}\n${stderr}`);
  steps = stdout.trim().split("\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readStep = <T>(at: number): T => JSON.parse(steps[at] ?? "null");
const isLasting = (mark: number): boolean => mark < firstPassingMark;

describe("a file system that fills up", () => {
  test("fails no read: from then on new marks hold for the process only, and it is said once", () => {
    const told = readStep<Told>(0);
    const all = told.marks.flat();
    expect(told.failure).toBeNull();
    expect(told.warnings).toEqual([expect.stringMatching(/full.*hold for this process only/)]);
    // The first ones were written, then none.
    const firstPassing = all.findIndex((mark) => !isLasting(mark));
    expect(firstPassing).toBeGreaterThan(0);
    expect(all.slice(firstPassing).filter(isLasting)).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
    expect(told.again).toEqual(told.marks);
  });

  test("leaves a whole map with every look that was taken in, and nothing of the others", () => {
    const lasting = readStep<Told>(0).marks.flat().filter(isLasting);
    expect(readStep<Checked>(1)).toEqual({ integrity: "ok", targets: lasting.length });
  });

  test("and one without a byte left is no error either", () => {
    const told = readStep<Told>(2);
    expect([told.failure, told.warnings.length, told.again]).toEqual([null, 1, told.marks]);
    expect((told.marks[1] ?? []).filter(isLasting)).toEqual([]);
    expect(readStep<Checked>(3)).toEqual(readStep<Checked>(1));
  });

  test("works again once there is room: what was known is known, and what is new lasts", () => {
    const [before, now, next] = [readStep<Told>(0), readStep<Told>(4), readStep<Told>(5)];
    expect([now.failure, now.warnings]).toEqual([null, []]);
    expect(now.marks[0]).toEqual(before.marks[0]);
    expect((now.marks[1] ?? []).every(isLasting)).toBe(true);
    expect(before.marks.flat()).not.toContain(now.marks[1]?.[0]);
    expect(next).toEqual(now);
    expect(readStep<Checked>(6)).toEqual({ integrity: "ok", targets: readStep<Checked>(1).targets + 40 });
  });
});
