import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../wait.ts";
import { SmallTree } from "./small-tree.ts";

const PASSING = 'import { expect, test } from "bun:test";\n\ntest("it holds", () => expect(1).toBe(1));\n';
const FAILING = 'import { expect, test } from "bun:test";\n\ntest("it does not hold", () => expect(1).toBe(2));\n';
const SKIPPED = 'import { test } from "bun:test";\n\ntest.skip("it waits", () => {});\n';

function lastLine(output: string): string | undefined {
  return output.trimEnd().split("\n").at(-1);
}

test("a run with no tests fails, and says so in its last line", async () => {
  using tree = new SmallTree();
  tree.needNoPackages();
  const { code, stdout, output } = await tree.run([".ci/run"]);
  expect(output).toContain("There is no test to run");
  expect(lastLine(stdout)).toBe("7 passed, 1 failed");
  expect(code).toBe(1);
});

test("the last line summarises everything that passed: checks and suites", async () => {
  using tree = new SmallTree();
  tree.needNoPackages();
  tree.write("tests/model/a.test.ts", PASSING);
  tree.write("tests/show/b.test.ts", PASSING);
  tree.write("tests/show/c.test.ts", `${SKIPPED}\ntest("it holds", () => {});\n`);
  const { code, stdout, output } = await tree.run([".ci/run"]);
  expect(lastLine(stdout)).toBe("10 passed, 0 failed");
  expect(output).toMatch(/ok {5}tests\/show +2 passed, 0 failed, 1 skipped/);
  expect(code).toBe(0);
});

test("only the folders given are run, without the checks", async () => {
  using tree = new SmallTree();
  tree.write("tests/model/a.test.ts", FAILING);
  tree.write("tests/show/b.test.ts", PASSING);
  const { code, stdout, output } = await tree.job("test", "tests/show");
  expect(lastLine(stdout)).toBe("1 passed, 0 failed");
  expect(output).not.toContain("tests/model");
  expect(code).toBe(0);
});

test("a failing test makes the run fail", async () => {
  using tree = new SmallTree();
  tree.write("tests/show/b.test.ts", FAILING);
  const { code, stdout } = await tree.job("test", "tests/show");
  expect(lastLine(stdout)).toBe("0 passed, 1 failed");
  expect(code).toBe(1);
});

test("a folder without tests fails", async () => {
  using tree = new SmallTree();
  tree.write("tests/show/readme.ts", "export const nothing = 1;\n");
  const { code, output } = await tree.job("test", "tests/show");
  expect(output).toContain("tests/show holds no test file");
  expect(code).toBe(1);
});

test("a test file that cannot be loaded fails, also beside one that passes", async () => {
  using tree = new SmallTree();
  tree.write("tests/show/a.test.ts", PASSING);
  tree.write("tests/show/b.test.ts", `import "./nowhere.ts";\n${PASSING}`);
  const { code, stdout, output } = await tree.job("test", "tests/show");
  expect(output).toContain("no test ran in: tests/show/b.test.ts");
  expect(lastLine(stdout)).toBe("1 passed, 1 failed");
  expect(code).toBe(1);
});

test("a test file without a test fails, also beside one that passes", async () => {
  using tree = new SmallTree();
  tree.write("tests/show/a.test.ts", PASSING);
  tree.write("tests/show/b.test.ts", "export const nothing = 1;\n");
  const { code, output } = await tree.job("test", "tests/show");
  expect(output).toContain("no test ran in: tests/show/b.test.ts");
  expect(code).toBe(1);
});

test("a run in which every test is skipped fails", async () => {
  using tree = new SmallTree();
  tree.write("tests/show/a.test.ts", SKIPPED);
  const { code, stdout } = await tree.job("test", "tests/show");
  expect(lastLine(stdout)).toBe("0 passed, 0 failed");
  expect(code).toBe(1);
});

test("a new folder of tests, and a test file beside the folders, are found without being listed", async () => {
  using tree = new SmallTree();
  tree.write("tests/novelty/a.test.ts", FAILING);
  tree.write("tests/loose.test.ts", FAILING);
  const { code, output } = await tree.job("test");
  expect(output).toMatch(/FAILED tests\/novelty +0 passed, 1 failed/);
  expect(output).toMatch(/FAILED tests\/loose.test.ts +0 passed, 1 failed/);
  expect(code).toBe(1);
});

test("no test can reach the developer's own desktop or home", async () => {
  using tree = new SmallTree();
  const names = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "XDG_RUNTIME_DIR"];
  const queries = names.map((name) => `  expect(process.env.${name}).toBeUndefined();\n`).join("");
  const home = `  expect(process.env.HOME).toContain("/deskmap-");\n  expect(process.env.TMPDIR).toBe(process.env.HOME + "/t");\n`;
  tree.write(
    "tests/show/a.test.ts",
    `import { expect, test } from "bun:test";\n\ntest("alone", () => {\n${queries}${home}});\n`,
  );
  const env = Object.fromEntries(names.map((name) => [name, "the developer's"]));
  const { stdout } = await tree.run([tree.node, "scripts/run.mjs", "test", "tests/show"], env);
  expect(lastLine(stdout)).toBe("1 passed, 0 failed");
});

test("an interrupted run ends its tests and removes its home", async () => {
  using tree = new SmallTree();
  const note = join(tree.root, "note.json");
  tree.write(
    "tests/show/a.test.ts",
    `import { test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";

test("hang", async () => {
  writeFileSync("note.part", JSON.stringify({ pid: process.pid, home: process.env.HOME }));
  renameSync("note.part", "note.json");
  await new Promise(() => {});
});
`,
  );
  const run = Bun.spawn([tree.node, "scripts/run.mjs", "test", "tests/show"], {
    cwd: tree.root,
    stdio: ["ignore", "ignore", "ignore"],
  });
  await waitFor("the note of the test", () => existsSync(note));
  const { pid, home } = JSON.parse(readFileSync(note, "utf8"));
  run.kill("SIGINT");
  expect(await run.exited).toBe(130);
  await waitFor("the end of the test", () => !isRunning(pid));
  expect(existsSync(home)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("the files of a desktop suite run in parallel, and each one counts", async () => {
  using tree = new SmallTree();
  for (const name of ["a", "b", "calc"]) tree.write(`tests/desktop/${name}.test.ts`, PASSING);
  tree.write("tests/desktop/c.test.ts", FAILING);
  tree.write("tests/desktop/d.test.ts", "export const nothing = 1;\n");
  const { code, stdout, output } = await tree.job("test", "tests/desktop");
  expect(lastLine(stdout)).toBe("3 passed, 2 failed");
  expect(output).toContain("no test ran in: tests/desktop/d.test.ts");
  expect(stdout).toMatch(/FAILED tests\/desktop .*\n(?: {7}.*\n)* {7}tests\/desktop\/c.test.ts:3 it does not hold\n/);
  expect(stdout.split("\n").slice(-4).join("\n")).toMatch(
    /failed: tests\/desktop\/c.test.ts:3 it does not hold\n.*Expected: 2.*\n3 passed, 2 failed/,
  );
  expect(code).toBe(1);
});

// Fails on its first run in its tree.
const HASTY = `import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";

test("it holds at last", () => {
  const isSecond = existsSync(import.meta.path + ".ran");
  writeFileSync(import.meta.path + ".ran", "");
  expect(isSecond).toBe(true);
});
`;

test("a retry is not a pass: a file that passes when run again alone is named, and counts as failed", async () => {
  using tree = new SmallTree();
  tree.write("tests/desktop/a.test.ts", PASSING);
  tree.write("tests/desktop/b.test.ts", HASTY);
  const { code, stdout } = await tree.job("test", "tests/desktop");
  expect(stdout).toContain("failed, then passed when run again alone: tests/desktop/b.test.ts:4 it holds at last");
  expect(stdout).toContain("failed only in parallel, still counted as failed: tests/desktop/b.test.ts");
  expect(lastLine(stdout)).toBe("1 passed, 1 failed");
  expect(code).toBe(1);
});

// Leaves the report of a referee that found a false verdict, and hides it from the run.
const ACCUSED = `import { test } from "bun:test";
import { writeFileSync } from "node:fs";

test("it ends well", () => {
  const table = { confirmed: { changed: 4, drawn: 3, nothing: 1, unknown: 2 } };
  const report = { file: "tests/desktop/a.test.ts", table, accused: ["false confirmed: click"] };
  writeFileSync(process.env.DESKMAP_REFEREE + "/a.json", JSON.stringify(report));
});
`;

test("what was said and what was true is printed, and a false verdict fails a run in which every test passed", async () => {
  using tree = new SmallTree();
  tree.write("tests/desktop/a.test.ts", ACCUSED);
  const { code, stdout } = await tree.job("test", "tests/desktop");
  expect(stdout).toContain("What was said of 10 actions, and what was true:");
  expect(stdout).toMatch(/said +changed +only drawn +nothing +could not tell\n +confirmed +4 +3 +1 +2\n/);
  expect(stdout).toContain("tests/desktop/a.test.ts: false confirmed: click");
  expect(lastLine(stdout)).toBe("1 passed, 1 failed");
  expect(code).toBe(1);
});

const TIERED = `import { expect, test } from "bun:test";

test("it is told its tier", () => expect(process.env.DESKMAP_TESTS).toBe("TIER"));
`;

test("the matrix runs only with --all or when its files are named", async () => {
  using tree = new SmallTree();
  tree.needNoPackages();
  tree.write("tests/show/a.test.ts", TIERED.replace("TIER", "once"));
  tree.write("tests/show/b.matrix.test.ts", TIERED.replace("TIER", "all"));
  tree.write("tests/marks/c.matrix.test.ts", PASSING);
  const quick = await tree.job("test");
  expect(lastLine(quick.stdout)).toBe("8 passed, 0 failed");
  expect(quick.stdout).toContain("npm test -- --all");
  expect(quick.output).not.toContain("matrix.test.ts");
  tree.write("tests/show/a.test.ts", TIERED.replace("TIER", "all"));
  expect(lastLine((await tree.job("test", "--all")).stdout)).toBe("10 passed, 0 failed");
  expect(lastLine((await tree.job("test", "tests/show")).stdout)).toBe("2 passed, 0 failed");
  expect(lastLine((await tree.job("test", "tests/marks/c.matrix.test.ts")).stdout)).toBe("1 passed, 0 failed");
});

test("an unknown option fails instead of running something else", async () => {
  using tree = new SmallTree();
  tree.write("tests/show/a.test.ts", PASSING);
  const { code, stdout, output } = await tree.job("test", "--al");
  expect(output).toContain("There is no option --al");
  expect(lastLine(stdout)).toBe("0 passed, 1 failed");
  expect(code).toBe(1);
});

test("the ten slowest files are named, slowest first, before the last line", async () => {
  using tree = new SmallTree();
  for (let index = 0; index < 11; index += 1) tree.write(`tests/show/quick-${index}.test.ts`, PASSING);
  tree.write("tests/show/slow.test.ts", PASSING.replace("() => expect(1)", "() => (Bun.sleepSync(300), expect(1))"));
  const { stdout } = await tree.job("test", "tests/show");
  const lines = stdout.trimEnd().split("\n");
  const start = lines.indexOf("The 10 slowest of 12 files:");
  expect(lines[start + 1]).toMatch(/^ +[\d.]+ s {2}tests\/show\/slow.test.ts$/);
  expect(lines.slice(start + 1)).toHaveLength(11);
  expect(lines.at(-1)).toBe("12 passed, 0 failed");
});
