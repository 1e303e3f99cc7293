import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE } from "../../scripts/jobs/build.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** This source as one executable. */
export function compileThis(folder: string): string {
  return compile(root, join(folder, "deskmap"));
}

/** An earlier commit of this repository as one executable, with the packages of this one. */
export function compileCommit(commit: string, folder: string): string {
  const tree = join(folder, commit);
  mkdirSync(tree);
  const unpacked = spawnSync("sh", ["-c", `git archive ${commit} src web package.json | tar -x -C "$0"`, tree], {
    cwd: root,
    encoding: "utf8",
  });
  if (unpacked.status !== 0) throw new Error(`${commit} is not in this clone: ${unpacked.stderr}`);
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  return compile(tree, join(folder, `deskmap-${commit}`));
}

function compile(tree: string, program: string): string {
  const args = ["build", "src/cli/main.ts", ...COMPILE, "--outfile", program];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} could not be compiled: ${stderr}`);
  return program;
}
