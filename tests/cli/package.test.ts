import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Registry, startRegistry } from "./registry.ts";

const root = join(import.meta.dir, "../..");
const home = mkdtempSync(join(tmpdir(), "deskmap-package-"));
const tree = join(home, "tree");
const prefix = join(home, "prefix");
const program = join(prefix, "bin/deskmap");
const own = join(prefix, "lib/node_modules/deskmap");
const maxPackedBytes = 5 << 20;
const contents = [
  ...["CHANGELOG.md", "LICENSE", "README.md", "deskmap", "dist", "docs", "examples", "package.json", "skills", "src"],
  "web",
];
let registry: Registry;
let packed: { readonly filename: string; readonly size: number; readonly files: readonly { readonly path: string }[] };

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Standard input closes once `until` is printed, or immediately. */
async function run(
  command: string,
  args: readonly string[],
  { cwd = home, input = "", until = "" } = {},
): Promise<Outcome> {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    XDG_CACHE_HOME: join(home, "cache"),
    DESKMAP_DAEMON: "never",
    npm_config_cache: join(home, "npm"),
    npm_config_registry: registry.url,
    npm_config_update_notifier: "false",
  };
  const child = spawn(command, args, { env, cwd, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (bytes) => {
    stdout += bytes;
    if (stdout.includes(until)) child.stdin.end();
  });
  child.stderr.on("data", (bytes) => {
    stderr += bytes;
  });
  child.stdin.write(input);
  if (until === "") child.stdin.end();
  const [status] = await once(child, "close");
  return { status, stdout, stderr };
}

function plant(path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), bytes);
}

beforeAll(async () => {
  for (const name of contents)
    if (existsSync(join(root, name)) && name !== "dist")
      cpSync(join(root, name), join(tree, name), { recursive: true });
  // A developer's tree also contains the executable from `npm run build`, which does not compress, and the tests.
  plant("dist/deskmap", randomBytes(maxPackedBytes));
  plant("dist/library/index.js", "export {};\n");
  for (const path of ["tests/a.test.ts", "bench/b.ts", "scripts/run.mjs", ".npmrc"]) plant(path, "\n");
  registry = startRegistry(home, tree);
  const { status, stdout, stderr } = await run(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", home],
    { cwd: tree },
  );
  if (status !== 0) throw new Error(stderr);
  [packed] = JSON.parse(stdout);
  renameSync(join(home, packed.filename), join(home, "deskmap.tgz"));
  const installed = await run("npm", ["install", "--global", "--prefix", prefix, "deskmap"]);
  if (installed.status !== 0) throw new Error(installed.stderr);
}, 180_000);
afterAll(async () => {
  await registry.stop();
  rmSync(home, { recursive: true, force: true });
});

test("a package contains what it needs, and no build output or developer files", () => {
  const paths = packed.files.map(({ path }) => path);
  expect([...new Set(paths.map((path) => path.split("/")[0]))].toSorted()).toEqual(contents.toSorted());
  expect(paths.filter((path) => path.startsWith("dist/"))).toEqual(["dist/library/index.js"]);
  expect(packed.size).toBeLessThanOrEqual(maxPackedBytes);
});

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("npm install --global gives a command that runs, the first time and the next", async () => {
  const told = { status: 0, stdout: `${version}\n`, stderr: "" };
  expect(await run(program, ["--version"])).toEqual(told);
  expect(await run(program, ["--version"])).toEqual(told);
}, 180_000);

test("npx runs it without installing it", async () => {
  const { status, stdout } = await run("npx", ["--yes", "--prefer-offline", "deskmap", "--version"]);
  expect([status, stdout]).toEqual([0, `${version}\n`]);
}, 180_000);

test("an installed package serves MCP, from a read-only folder", async () => {
  const greeting = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  ];
  const input = greeting.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const before = readdirSync(own).toSorted();
  const modules = readdirSync(join(own, "node_modules")).toSorted();
  const served = await run(program, ["mcp"], { input, until: '"id":2' });
  expect([served.status, served.stderr]).toEqual([0, ""]);
  const [greeted, listed] = served.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(greeted.result.serverInfo).toMatchObject({ name: "deskmap" });
  expect(listed.result.tools.map(({ name }: { name: string }) => name)).toContain("click");
  expect([readdirSync(own).toSorted(), readdirSync(join(own, "node_modules")).toSorted()]).toEqual([before, modules]);
  // The compiled program is in the user's cache, and names the launcher that a client should start.
  expect(existsSync(join(home, "cache/deskmap", own, "stamp"))).toBe(true);
  const config = await run(program, ["mcp", "--print-config", "codex"]);
  expect(config.stdout).toContain(JSON.stringify(join(own, "deskmap")));
}, 180_000);
