import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = dirname(dirname(import.meta.dir));
const COPIED = [
  "scripts",
  ".ci",
  "biome.json",
  "knip.json",
  ".dependency-cruiser.cjs",
  "tsconfig.json",
  "package-lock.json",
];
const TOOLS = ["@biomejs/biome", "@swc/core", "@types/bun", "dependency-cruiser", "knip", "typescript"];
const MODULES = Array.from({ length: 20 }, (_, index) => `part${index}`);

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly output: string;
}

// A small valid project with the real scripts and settings: the only faults are those that a test plants.
export class SmallTree {
  readonly node = findNode();
  readonly realModules = join(ROOT, "node_modules");
  readonly root = mkdtempSync(join(tmpdir(), "deskmap-checks-"));

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.root, name), { recursive: true });
    symlinkSync(this.realModules, join(this.root, "node_modules"));
    this.write("package.json", describePackage());
    this.write("scripts/generate.ts", "process.exitCode = 0;\n");
    for (const name of MODULES) this.write(`src/model/${name}.ts`, `export const ${name} = "${name}";\n`);
    this.write("src/platform/port.ts", "export interface Port {\n  readonly name: string;\n}\n");
    for (const name of ["fake", "linux"]) this.write(`src/platform/${name}/port.ts`, describePlatform(name));
    this.write("src/platform/pick.ts", PICK);
    this.write("src/host/session.ts", 'export { pick } from "../platform/pick.ts";\n');
    this.write("src/cli/main.ts", describeMain());
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  /** Otherwise `.ci/run` installs every desktop session, where `npm test` alone did not need them. */
  needNoPackages(): void {
    this.write("scripts/packages.mjs", NO_PACKAGES);
  }

  async run(command: readonly string[], env: Record<string, string | undefined> = {}): Promise<Outcome> {
    const child = Bun.spawn([...command], {
      cwd: this.root,
      env: { ...process.env, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, stdout, output: stdout + stderr };
  }

  job(...args: readonly string[]): Promise<Outcome> {
    return this.run([this.node, "scripts/run.mjs", ...args]);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function findNode(): string {
  const node = Bun.which("node");
  if (node === null) throw new Error("Node is not on the PATH, so the scripts cannot be tested");
  return node;
}

function describePackage(): string {
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const kept = Object.entries(devDependencies).filter(([name]) => TOOLS.includes(name));
  const settings = { name: "small", version: "0.0.0", type: "module", private: true };
  return `${JSON.stringify({ ...settings, scripts, devDependencies: Object.fromEntries(kept) }, null, 2)}\n`;
}

function describePlatform(name: string): string {
  return `import type { Port } from "../port.ts";\n\nexport const port: Port = { name: "${name}" };\n`;
}

function describeMain(): string {
  const imports = ['import { pick } from "../host/session.ts";', ...MODULES.map(importModule).sort(compareNaturally)];
  return `${imports.join("\n")}\n\nconsole.log("tour", await pick(), ${MODULES.at(0)});\n${MODULES.slice(1).map(print).join("")}`;
}

function importModule(name: string): string {
  return `import { ${name} } from "../model/${name}.ts";`;
}

function print(name: string): string {
  return `console.log(${name});\n`;
}

function compareNaturally(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

const NO_PACKAGES = `export const GROUPS = { none: [], start: [], test: [], all: [] };

export function listPackages(groups) {
  return groups;
}
`;

const PICK = `import type { Port } from "./port.ts";

export async function pick(): Promise<Port> {
  const folder = process.platform === "linux" ? import("./linux/port.ts") : import("./fake/port.ts");
  return (await folder).port;
}
`;
