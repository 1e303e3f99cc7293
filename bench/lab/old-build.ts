import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE } from "../../scripts/jobs/build.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

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
  const program = join(folder, `deskmap-${commit}`);
  const compiled = spawnSync(process.execPath, ["build", "src/cli/main.ts", ...COMPILE, "--outfile", program], {
    cwd: tree,
    encoding: "utf8",
  });
  if (compiled.status !== 0) throw new Error(`${commit} could not be compiled: ${compiled.stderr}`);
  return program;
}
