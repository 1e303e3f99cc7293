import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { launcher } from "./watched.ts";

// A turn begun in one folder, and files opened within it from another.

let scene: Scene;
let home = "";

beforeAll(async () => {
  scene = await openScene();
  home = scene.sandbox.env.HOME ?? "";
  for (const name of ["one", "other"]) {
    mkdirSync(join(home, name));
    const script = `#!/bin/sh\n{ echo ${name}; pwd; echo "$1"; } > ${join(home, "told")}.new\nmv ${join(home, "told")}.new ${join(home, "told")}\n`;
    writeFileSync(join(home, name, "tell"), script, { mode: 0o755 });
  }
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

const run = (folder: string, line: string) =>
  scene.run("sh", "-c", `cd ${join(home, folder)} && rm -f ../told && "${launcher}" ${line}`);

test.each([
  ["a command", "open ./tell --timeout-ms 300 -- word"],
  ["a step of a batch", `do --timeout-ms 300 --steps 'open ./tell word'`],
])("%s means its own folder, not the one in which the turn was begun", async (_what, line) => {
  const { stdout } = run("one", "begin --for 60s --format text");
  const turn = stdout.trim();
  const { stderr } = run("other", `${line.replace(" --", ` --turn ${turn} --`)}`);
  await waitFor(
    () => `the word of the program; ${stderr}`,
    () => existsSync(join(home, "told")),
  );
  expect(readFileSync(join(home, "told"), "utf8").split("\n")).toEqual(["other", join(home, "other"), "word", ""]);
  expect(scene.deskmap("end", turn).status).toBe(0);
});
