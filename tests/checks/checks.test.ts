import { beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Outcome, SmallTree } from "./small-tree.ts";

const ROOT = dirname(dirname(import.meta.dir));

interface Planted {
  readonly check: string;
  readonly path: string;
  readonly text: string;
  readonly says: readonly string[];
}

async function plant({ check, path, text }: Planted): Promise<Outcome> {
  using tree = new SmallTree();
  tree.write(path, text);
  return await tree.job("check", check);
}

async function expectFailure(planted: Planted): Promise<void> {
  const { code, output } = await plant(planted);
  for (const words of [`FAILED ${planted.check}`, ...planted.says]) expect(output).toContain(words);
  expect(code).toBe(1);
}

test("a small project in order passes every check", async () => {
  using tree = new SmallTree();
  const { code, output } = await tree.job("check");
  expect(output).toContain("All checks passed.");
  expect(output).not.toContain("FAILED");
  expect(code).toBe(0);
});

test("the other checks still run after one has failed", async () => {
  using tree = new SmallTree();
  tree.write("src/model/part0.ts", "export const part0 = 'part0'");
  const { code, output } = await tree.job("check");
  expect(output).toContain("FAILED format");
  expect(output).toContain("ok     generated");
  expect(output).toContain("1 of 7 checks failed.");
  expect(code).toBe(1);
});

// Planted together in one tree, each in its own file: most of the time goes into starting the tools.
const LINT: readonly (readonly [name: string, file: string, text: string, rule: string])[] = [
  ["a badly formatted file", "format", "export const a = 'a'", "format"],
  [
    "unordered imports",
    "order",
    'import { part1 } from "./part1.ts";\nimport { part0 } from "./part0.ts";\n\nexport const a = part0 + part1;\n',
    "assist/source/organizeImports",
  ],
  ["any", "any", "export function a(value: any): void {\n  console.log(value);\n}\n", "lint/suspicious/noExplicitAny"],
  ["a non-null assertion", "bang", "export const a = [1].at(0)!;\n", "lint/style/noNonNullAssertion"],
  [
    "a cast",
    "cast",
    "const value: unknown = 1;\nexport const a = value as string;\n",
    "lint/nursery/noUnsafeTypeAssertion",
  ],
  [
    "a promise that nobody awaits",
    "floating",
    "async function go(): Promise<void> {}\ngo();\nexport const a = 1;\n",
    "lint/nursery/noFloatingPromises",
  ],
  ["a default export", "default", "export default 1;\n", "lint/style/noDefaultExport"],
  ["an unused variable", "unused", "const unused = 1;\nexport const a = 1;\n", "lint/correctness/noUnusedVariables"],
];

describe("format and lint refuse", () => {
  let outcome: Outcome;

  beforeAll(async () => {
    using tree = new SmallTree();
    for (const [, file, text] of LINT) tree.write(`src/model/${file}.ts`, text);
    outcome = await tree.job("check", "format");
  });

  for (const [name, file, , rule] of LINT) {
    test(name, () => {
      expect(outcome.output).toMatch(new RegExp(`src/model/${file}\\.ts\\S* ${rule} `));
      expect(outcome.code).toBe(1);
    });
  }
});

test("a cast is allowed where bytes from outside become values", async () => {
  const text = "const value: unknown = 1;\nexport const wire = value as string;\n";
  const { code } = await plant({ check: "format", path: "src/platform/linux/dbus/wire.ts", text, says: [] });
  expect(code).toBe(0);
});

test("types refuse a type error", () =>
  expectFailure({
    check: "types",
    path: "src/model/part0.ts",
    text: "export const part0: number = 'a';\n",
    says: ["TS2322"],
  }));

test("dead code refuses an unused export", () =>
  expectFailure({
    check: "dead",
    path: "src/model/part0.ts",
    text: 'export const part0 = "a";\nexport const forgotten = 1;\n',
    says: ["Unused exports", "forgotten"],
  }));

test("dead code refuses an unused file", () =>
  expectFailure({
    check: "dead",
    path: "src/model/lost.ts",
    text: "export const lost = 1;\n",
    says: ["src/model/lost.ts"],
  }));

test("dead code refuses an unlisted dependency", () =>
  expectFailure({
    check: "dead",
    path: "src/model/part0.ts",
    text: 'import { z } from "zod";\n\nexport const part0 = z.string();\n',
    says: ["Unlisted dependencies", "zod"],
  }));

const SOURCE: readonly (readonly [name: string, file: string, text: string, says: string])[] = [
  ["an oversized file", "long", "// line\n".repeat(351), ": 351 lines, more than 350"],
  [
    "asking for the system outside pick.ts",
    "system",
    "export const a = process.platform;\n",
    ":1: only src/platform/pick.ts and src/os/index.ts may ask which system this is.",
  ],
  [
    "reading the process table outside src/os",
    "table",
    'export const table = "/proc/1/stat";\n',
    ":1: ask the operating system through src/os.",
  ],
  [
    "calling the C library outside src/os",
    "library",
    'import "bun:ffi";\n',
    ":1: ask the operating system through src/os.",
  ],
  [
    "asking for the user outside src/os",
    "user",
    "export const user = process.getuid?.();\n",
    ":1: ask the operating system through src/os.",
  ],
  [
    "an import hidden inside a type",
    "hidden",
    'export type Mine = import("../platform/port.ts").Port;\n',
    ":1: write this as `import type`",
  ],
];

describe("the source rules refuse", () => {
  let outcome: Outcome;

  beforeAll(async () => {
    using tree = new SmallTree();
    tree.write("src/act/toolkit.ts", "// GTK 3 does otherwise.\n");
    for (const [, file, text] of SOURCE) tree.write(`src/model/${file}.ts`, text);
    outcome = await tree.job("check", "source");
  });

  for (const [name, file, , says] of SOURCE) {
    test(name, () => {
      expect(outcome.output).toContain(`src/model/${file}.ts${says}`);
      expect(outcome.code).toBe(1);
    });
  }

  test("the name of a toolkit in what acts", () => {
    expect(outcome.output).toContain("src/act/toolkit.ts:1: say this as a trait");
  });
});

describe("the lock file is refused when", () => {
  async function check(change: (lock: string) => string): Promise<Outcome> {
    using tree = new SmallTree();
    tree.write("package-lock.json", change(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
    return await tree.job("check", "lock");
  }

  test("it names a registry", async () => {
    const { code, output } = await check((lock) =>
      lock.replace('"integrity":', '"resolved": "https://a.example/a.tgz",$&'),
    );
    expect(output).toContain("package-lock.json names a registry host");
    expect(code).toBe(1);
  });

  test("an entry for another system is missing", async () => {
    const { code, output } = await check((lock) =>
      lock.replace('"node_modules/@swc/core-darwin-arm64"', '"node_modules/x"'),
    );
    expect(output).toContain("package-lock.json lacks @swc/core-darwin-arm64, a part of node_modules/@swc/core");
    expect(code).toBe(1);
  });

  test("package.json disagrees with it", async () => {
    using tree = new SmallTree();
    const settings = readFileSync(join(tree.root, "package.json"), "utf8");
    tree.write("package.json", settings.replace(/"knip": "[^"]*"/, '"knip": "0.0.1"'));
    const { code, output } = await tree.job("check", "lock");
    expect(output).toContain("package.json asks for knip 0.0.1, package-lock.json does not.");
    expect(code).toBe(1);
  });
});

test("a stale docs/tools.md is refused, and a fresh one is not", async () => {
  using tree = new SmallTree();
  tree.remove("src");
  for (const name of ["src", "docs", "scripts/generate.ts"]) {
    cpSync(join(ROOT, name), join(tree.root, name), { recursive: true });
  }
  const fresh = await tree.job("check", "generated");
  expect(fresh.output).toContain("ok     generated");
  appendFileSync(join(tree.root, "docs/tools.md"), "\nA line that no generator wrote.\n");
  const stale = await tree.job("check", "generated");
  expect(stale.output).toContain("FAILED generated");
  expect(stale.output).toContain("docs/tools.md");
  expect(stale.code).toBe(1);
});

test("a missing generator is a failure, not a pass", async () => {
  using tree = new SmallTree();
  tree.remove("scripts/generate.ts");
  const { code, output } = await tree.job("check", "generated");
  expect(output).toContain("scripts/generate.ts is not there");
  expect(code).toBe(1);
});

test("an unknown check is named, with the known checks", async () => {
  using tree = new SmallTree();
  const { code, output } = await tree.job("check", "spelling");
  expect(output).toContain('no check named "spelling". The checks are: format, types, fences');
  expect(code).toBe(2);
});
