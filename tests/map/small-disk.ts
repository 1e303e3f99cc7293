import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** As root; as root in a chroot, whose root is not a mount; as any user if the kernel allows user namespaces. */
const ways = [
  ["unshare", "--mount"],
  ["unshare", "--mount", "--propagation", "unchanged"],
  ["unshare", "--user", "--map-root-user", "--mount"],
];

/** Checked with a separate program on a copy, because opening the map itself needs free space beside it. */
const check = `
import json, os, shutil, sqlite3, sys, tempfile
copy = tempfile.mkdtemp(dir=sys.argv[2])
for end in ("", "-wal"):
    if os.path.exists(sys.argv[1] + end): shutil.copy(sys.argv[1] + end, copy + "/map" + end)
map = sqlite3.connect(copy + "/map")
print(json.dumps({"integrity": map.execute("PRAGMA integrity_check").fetchone()[0],
  "targets": map.execute("SELECT count(*) FROM targets").fetchone()[0]}))`;

const taker = fileURLToPath(new URL("./open-in-process.ts", import.meta.url));
const forgetter = fileURLToPath(new URL("./forget-in-process.ts", import.meta.url));

/**
 * Runs bash steps on a real file system of this many megabytes that holds a map and is visible to these steps only. Returns
 * their output, line by line.
 *   fill NAME KILOBYTES    creates a file of this size, or as large as there is room for
 *   leave KILOBYTES        fills all but this much, in a file "rest"
 *   take APP…              runs a process that takes in windows (open-in-process.ts)
 *   forget APP             runs a process that forgets an application (forget-in-process.ts)
 *   check                  prints whether the map is intact, and how many controls are in it
 */
export function runOnSmallDisk(megabytes: number, steps: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-full-"));
  const there = join(folder, "there");
  mkdirSync(there);
  const script = `
set -e
mount -t tmpfs -o size=${megabytes}m,mode=700 deskmap-full "$THERE"
trap 'cd /; umount "$THERE"' EXIT
fill() { dd if=/dev/zero of="$THERE/$1" bs=1k count=$2 2>/dev/null || true; }
leave() { fill rest $(( $(df --output=avail -k "$THERE" | tail -n 1) - $1 )); }
take() { "$BUN" "$TAKE" "$THERE" "$@"; }
forget() { "$BUN" "$FORGET" "$THERE" "$@"; }
check() { /usr/bin/python3 -c "$CHECK" "$THERE/deskmap/map.db" "$OUTSIDE"; }
${steps}`;
  try {
    const [program = "", ...words] = findWay(there);
    const { status, stdout, stderr } = spawnSync(program, [...words, "bash", "-c", script], {
      encoding: "utf8",
      env: {
        ...{ PATH: process.env.PATH, THERE: there, OUTSIDE: folder, BUN: process.execPath, CHECK: check },
        ...{ TAKE: taker, FORGET: forgetter },
      },
    });
    if (status !== 0) throw new Error(`the steps ended with ${status}: ${stdout}\n${stderr}`);
    return stdout.trim().split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function findWay(there: string): readonly string[] {
  const probe = `mount -t tmpfs -o size=2m deskmap-full '${there}' && umount '${there}'`;
  const tried = ways.map((way) => ({ way, run: spawnSync(way[0] ?? "", [...way.slice(1), "sh", "-c", probe]) }));
  const found = tried.find(({ run }) => run.status === 0);
  if (found !== undefined) return found.way;
  const reasons = tried.map(({ way, run }) => `${way.join(" ")}: ${run.stderr || run.error}`.trim());
  throw new Error(`this test needs to mount a small file system, as root or in a namespace:\n${reasons.join("\n")}`);
}
