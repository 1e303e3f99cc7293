import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What `npm pack` gives, put where npm would put it: in a node_modules, beside its packages. They are those of this copy, so
// that nothing is fetched; the launcher in .bin is a link, as npm makes it.

const root = join(import.meta.dir, "../..");
const home = mkdtempSync(join(tmpdir(), "deskmap-package-"));
const modules = join(home, "project/node_modules");
const own = join(modules, "deskmap");
const program = join(modules, ".bin/deskmap");
const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache"), DESKMAP_DAEMON: "never" };
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(command: string, args: readonly string[], input?: string) {
  return spawnSync(command, args, { env, cwd: home, encoding: "utf8", input, maxBuffer: 16 << 20 });
}

beforeAll(() => {
  const packed = spawnSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", home], {
    cwd: root,
    encoding: "utf8",
  });
  if (packed.status !== 0) throw new Error(packed.stderr);
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const file = readdirSync(home).find((name) => name.endsWith(".tgz")) ?? "";
  expect(run("tar", ["-xzf", join(home, file), "-C", modules]).status).toBe(0);
  cpSync(join(modules, "package"), own, { recursive: true });
  rmSync(join(modules, "package"), { recursive: true });
  for (const name of listNeeded()) {
    mkdirSync(join(modules, name, ".."), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  symlinkSync("../deskmap/deskmap", program);
});

/** Every package that is not for developers, as the lock file has them. */
function listNeeded(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: true; optional?: true; devOptional?: true }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && dev !== true && devOptional !== true)
    .map(([path]) => path.slice("node_modules/".length))
    .filter((name) => existsSync(join(root, "node_modules", name)));
}

const greeting = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];

test("an installed package serves MCP, from a folder that it does not write to", () => {
  const input = greeting.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const before = readdirSync(own).toSorted();
  // Standard input stays open until the answers are there: the shell's sleep is ended by the end of the pipe.
  const script = '{ cat; while [ ! -s "$1" ] || ! grep -q \'"id":2\' "$1"; do sleep 0.1; done; } | "$0" mcp >"$1"';
  const answers = join(home, "answers");
  const served = run("sh", ["-c", script, program, answers], input);
  expect([served.status, served.stderr]).toEqual([0, ""]);
  const [greeted, listed] = readFileSync(answers, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(greeted.result.serverInfo).toMatchObject({ name: "deskmap" });
  expect(listed.result.tools.map(({ name }: { name: string }) => name)).toContain("click");
  expect(readdirSync(own).toSorted()).toEqual(before);
  // The program was compiled where the user keeps such things, and names the launcher that a client is to start.
  expect(existsSync(join(home, "cache/deskmap", own, "stamp"))).toBe(true);
  expect(run(program, ["mcp", "--print-config", "codex"]).stdout).toContain(JSON.stringify(join(own, "deskmap")));
});

test("a package holds what it needs, and neither tests nor tools", () => {
  const files = readdirSync(own).toSorted();
  expect(files).toContain("deskmap");
  expect(files).toContain("src");
  expect(files.filter((name) => ["tests", "bench", "scripts", "node_modules", ".npmrc"].includes(name))).toEqual([]);
});
