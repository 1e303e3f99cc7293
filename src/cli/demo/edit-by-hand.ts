import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Edited, findBrokenLink } from "../../demo/edit.ts";
import type { OpenedDemo } from "../../demo/edit-file.ts";
import { printDemo } from "../../demo/file.ts";
import { parseDemo } from "../../demo/read.ts";
import { messageOf } from "../../model/caught.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { folders } from "../../os/index.ts";

/** Opens a copy in the person's editor. Undefined if nothing was changed; a copy that is no demo any more is kept. */
export async function editByHand({ demo, file, text }: OpenedDemo): Promise<Result<Edited | undefined>> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (editor === undefined || editor === "") {
    return fail(describeUsage("no editor is set", "export EDITOR=nano; or give an option: deskmap demo edit --help"));
  }
  // Private: only its user can read a demo, and so its copy.
  const folder = mkdtempSync(join(folders.temporary(), "deskmap-edit-"));
  const copy = join(folder, basename(file));
  writeFileSync(copy, text, { mode: 0o600, flag: "wx" });
  const kept = (message: string): Result<never> => {
    const again = `deskmap demo import ${copy} --name ${JSON.stringify(demo.name)} --replace`;
    const done = `nothing was written; your copy is ${copy}`;
    return fail(makeFailure("USAGE", message, `mend the copy, then: ${again}`, { done }));
  };
  // As git does: the variable may hold options.
  const run = Bun.spawn(["/bin/sh", "-c", `${editor} "$1"`, editor, copy], {
    stdio: ["inherit", "inherit", "inherit"],
  });
  const code = await run.exited;
  if (code !== 0) return kept(`the editor ended with code ${code}`);
  let changed: string;
  try {
    changed = readFileSync(copy, "utf8");
  } catch (error) {
    return fail(makeFailure("FAILED", `the copy cannot be read: ${messageOf(error)}`));
  }
  const parsed = parseDemo(changed, copy);
  if (!parsed.ok) return kept(parsed.failure.message);
  if (parsed.value.name !== demo.name) return kept("name: deskmap demo rename gives a demo another name");
  const link = findBrokenLink(parsed.value);
  if (link !== undefined) return kept(`${copy}: ${link}`);
  rmSync(folder, { recursive: true, force: true });
  if (printDemo(parsed.value) === printDemo(demo)) return succeed(undefined);
  return succeed({ demo: parsed.value, places: (n) => n });
}
