import { beforeAll, describe, expect, test } from "bun:test";
import { type Outcome, SmallTree } from "./small-tree.ts";

// Planted together in one tree, each in its own file: most of the time goes into starting the tools.
const FENCES: readonly (readonly [name: string, path: string, target: string, rule: string])[] = [
  ["the model importing a platform", "src/model/wrong.ts", "../platform/port.ts", "fence-model"],
  ["the model importing a system module", "src/model/impure.ts", "node:fs", "model-imports-nothing"],
  ["the map importing a platform folder", "src/map/wrong.ts", "../platform/linux/port.ts", "fence-map"],
  ["the store importing the map", "src/map/store/wrong.ts", "../learn.ts", "fence-map/store"],
  ["one platform importing another", "src/platform/linux/tree.ts", "../fake/port.ts", "fence-platform-folder"],
  ["a platform importing the choice of platforms", "src/platform/fake/a.ts", "../pick.ts", "fence-platform-folder"],
  ["the desktop importing a platform folder", "src/desktop/index.ts", "../platform/linux/port.ts", "fence-desktop"],
  ["loading a platform eagerly", "src/platform/pick.ts", "./linux/port.ts", "only-pick-imports-platforms-lazily"],
  ["a tool importing a platform", "src/tools/read.ts", "../platform/pick.ts", "fence-tools"],
  ["a tool importing the command line", "src/tools/list.ts", "../cli/main.ts", "fence-tools"],
  ["the sandbox importing the desktop", "src/sandbox/open.ts", "../desktop/index.ts", "fence-sandbox"],
  ["an action that takes the platform's hands", "src/act/wrong.ts", "../platform/hands.ts", "only-the-guard-has-hands"],
  [
    "a surface that opens the desktop itself",
    "src/server/wrong.ts",
    "../host/runtime.ts",
    "only-hosts-open-the-runtime",
  ],
  ["a tool that opens hands of its own", "src/tools/wrong.ts", "../platform/pick.ts", "only-session-opens-hands"],
  ["a reader that reaches for the pointer", "src/platform/linux/watch.ts", "./x11/input.ts", "only-hands-reach-input"],
  ["production code importing a test", "src/show/wrong.ts", "../../tests/show/text.ts", "no-tests-in-production"],
  ["an import that leads nowhere", "src/show/text.ts", "./nowhere.ts", "no-unknown-imports"],
  ["a folder that has no fence", "src/stuff/thing.ts", "../model/part0.ts", "every-importing-file-has-a-fence"],
];

const USING = `export async function open(list: Disposable[]): Promise<void> {
  using port = await import("../platform/port.ts");
  await using pick = await import("../platform/pick.ts");
  for (using one of list) console.log(one, port, pick, await import("../desktop/index.ts"));
}
`;

describe("the import fences refuse", () => {
  let outcome: Outcome;

  beforeAll(async () => {
    using tree = new SmallTree();
    for (const path of ["src/platform/hands.ts", "src/platform/linux/x11/input.ts"]) {
      tree.write(path, "export interface Hands {\n  readonly press: string;\n}\n");
    }
    tree.write("src/map/learn.ts", "export const learn = 1;\n");
    tree.write("src/host/runtime.ts", "export const runtime = 1;\n");
    tree.write("tests/show/text.ts", "export const text = 1;\n");
    tree.write("src/model/types.ts", 'import type { Port } from "../platform/port.ts";\n\nexport type Mine = Port;\n');
    tree.write("src/model/a.ts", 'import { b } from "./b.ts";\n\nexport const a = () => b;\n');
    tree.write("src/model/b.ts", 'import { a } from "./a.ts";\n\nexport const b = () => a;\n');
    tree.write("src/model/using.ts", USING);
    for (const [, path, target] of FENCES) {
      tree.write(path, `import * as target from "${target}";\n\nexport const pick = target;\n`);
    }
    outcome = await tree.job("check", "fences");
  });

  for (const [name, path, , rule] of FENCES) {
    test(name, () => {
      expect(outcome.output).toContain(`${rule}: ${path} → `);
      expect(outcome.code).toBe(1);
    });
  }

  test("an import of types only", () => {
    expect(outcome.output).toContain("fence-model: src/model/types.ts → src/platform/port.ts");
  });

  test("an import behind a using declaration", () => {
    for (const target of ["platform/port.ts", "platform/pick.ts", "desktop/index.ts"]) {
      expect(outcome.output).toContain(`fence-model: src/model/using.ts → src/${target}`);
    }
  });

  test("a cycle", () => {
    expect(outcome.output).toContain("no-cycles: src/model/a.ts → src/model/b.ts → src/model/a.ts");
  });
});

test("the import fences fail if they see hardly any files", async () => {
  using tree = new SmallTree();
  tree.remove("src");
  tree.write("src/cli/main.ts", "console.log(1);\n");
  const { code, output } = await tree.job("check", "fences");
  expect(output).toContain("In src only 1 modules, 0 imports were seen");
  expect(code).toBe(1);
});
