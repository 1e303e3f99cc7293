import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Machine } from "./machine.ts";
import { SmallTree } from "./small-tree.ts";

test("without privileges the exact command is printed, and nothing is done", async () => {
  using machine = new Machine();
  const { code, output } = await machine.start();
  expect(output).toContain("openbox            the window manager of the private desktop");
  expect(output).toContain("  sudo apt-get update && sudo apt-get install --no-install-recommends -y openbox\n");
  expect(output).not.toContain("tour");
  expect(machine.listAptCalls()).toEqual([]);
  expect(code).toBe(1);
});

test("root gets the packages installed, and the job continues", async () => {
  using machine = new Machine();
  machine.replace("id", "echo 0");
  const { code, output } = await machine.start();
  expect(machine.listAptCalls().map((call) => call.replace(/^.*=300 /, ""))).toEqual([
    "update",
    "install --no-install-recommends -y openbox",
  ]);
  expect(output).toContain("apt-get install (1 packages and what they need): done in ");
  expect(output).toContain("tour");
  expect(code).toBe(0);
});

test("a user with passwordless sudo gets them installed too", async () => {
  using machine = new Machine();
  machine.replace("sudo", '[ "$2" = true ] && exit 0; shift; exec "$@"');
  const { code } = await machine.start();
  expect(machine.listAptCalls()).toHaveLength(2);
  expect(code).toBe(0);
});

test("apt is not called when nothing is missing", async () => {
  using machine = new Machine();
  machine.replace("id", "echo 0");
  await machine.start();
  await machine.start();
  expect(machine.listAptCalls()).toHaveLength(2);
});

test("when apt fails, the end of its output and the command are shown", async () => {
  using machine = new Machine();
  machine.replace("id", "echo 0");
  machine.replace("apt-get", 'echo "E: Unable to locate package openbox" >&2; exit 100');
  const { code, output } = await machine.start();
  expect(output).toContain("E: Unable to locate package openbox");
  expect(output).toContain("See for yourself with: sudo apt-get update");
  expect(code).toBe(1);
});

test("an apt that claims success without installing is not believed", async () => {
  using machine = new Machine();
  machine.replace("id", "echo 0");
  machine.replace("apt-get", "exit 0");
  const { code, output } = await machine.start();
  expect(output).toContain("still missing: openbox");
  expect(code).toBe(1);
});

test("on a system without apt the packages are listed", async () => {
  using machine = new Machine();
  machine.remove("dpkg-query");
  machine.remove("apt-get");
  const { code, output } = await machine.start();
  expect(output).toContain("openbox ");
  expect(output).toContain("This system has no apt-get.");
  expect(code).toBe(1);
});

test("two concurrent runs install once, and both continue", async () => {
  using machine = new Machine();
  machine.replace("id", "echo 0");
  const outcomes = await Promise.all([machine.start(), machine.start()]);
  expect(outcomes.map((outcome) => outcome.code)).toEqual([0, 0]);
  expect(machine.listAptCalls()).toHaveLength(2);
});

test("the lock of a killed run is taken over", async () => {
  using machine = new Machine();
  machine.replace("id", "echo 0");
  const dead = Bun.spawn(["/bin/true"]);
  await dead.exited;
  machine.tree.write(".cache/install.lock", JSON.stringify({ pid: dead.pid, startedAt: "1" }));
  const { code } = await machine.start();
  expect(code).toBe(0);
  expect(readdirSync(join(machine.tree.root, ".cache"))).toEqual([]);
});

test("on an old Node the required version is named", async () => {
  using tree = new SmallTree();
  tree.write("old.cjs", 'Object.defineProperty(process, "versions", { value: { node: "18.19.0" } });\n');
  const { code, output } = await tree.run([tree.node, "-r", "./old.cjs", "scripts/run.mjs", "test"]);
  expect(output).toContain("Deskmap needs Node 20 or newer; this is Node 18.19.0.");
  expect(code).toBe(1);
});

test("a linked node_modules that does not match is refused, not emptied", async () => {
  using tree = new SmallTree();
  const lock = JSON.parse(readFileSync(join(tree.root, "package-lock.json"), "utf8"));
  lock.packages["node_modules/zod"].version = "0.0.1";
  tree.write("package-lock.json", JSON.stringify(lock));
  const { code, output } = await tree.job("check", "source");
  expect(output).toContain("node_modules is a link, and zod 0.0.1 is not installed.");
  expect(code).toBe(1);
});

test("Bun is put in place when npm did not run its install script", async () => {
  using tree = new SmallTree();
  tree.remove("node_modules");
  const kept = readdirSync(tree.realModules).filter((name) => name !== "bun" && name !== "@oven");
  for (const name of ["bun", "@oven/bun-linux-x64/bin"]) {
    mkdirSync(join(tree.root, "node_modules", name), { recursive: true });
  }
  for (const name of kept) symlinkSync(join(tree.realModules, name), join(tree.root, "node_modules", name));
  cpSync(join(tree.realModules, "bun/bin/bun.exe"), join(tree.root, "node_modules/@oven/bun-linux-x64/bin/bun"));
  const { code, output } = await tree.job("check", "source");
  expect(output).toContain("Putting Bun's binary in place");
  expect(code).toBe(0);
  const bun = await tree.run(["node_modules/bun/bin/bun.exe", "--version"]);
  expect(bun.output.trim()).toBe(Bun.version);
});

test("an unknown job is named, with the known jobs", async () => {
  using tree = new SmallTree();
  const { code, output } = await tree.job("strat");
  expect(output).toContain('There is no job named "strat". The jobs are:');
  expect(output).toContain("  start ");
  expect(code).toBe(2);
});
