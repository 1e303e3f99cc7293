import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { flatten } from "../../src/model/element.ts";
import { openLivePlatform, openPlatform } from "../../src/platform/pick.ts";
import { unwrap } from "./controls-scene.ts";
import { agree } from "./live-compare.ts";
import { openScene, waitFor } from "./scene.ts";

const program = join(import.meta.dir, "../fixtures/apps/behind-gtk3.py");
const timeoutMs = 5000;

test("unreported changes behind another window are read nevertheless", async () => {
  const scene = await openScene();
  const live = unwrap(await openLivePlatform({ env: scene.sandbox.env, timeoutMs }));
  const cold = unwrap(await openPlatform({ env: scene.sandbox.env, timeoutMs }));
  try {
    const done = join(scene.sandbox.env.HOME ?? "", "done");
    const hidden = await scene.start(["/usr/bin/python3", program, "Behind", done], "Behind");
    await scene.start(["xterm", "-maximized", "-T", "Curtain"], "Curtain");
    await scene.settle();
    expect((await agree(live, cold, 500)).differences).toEqual([]);
    hidden.kill("SIGUSR1");
    await waitFor("the change", () => existsSync(done));
    expect((await agree(live, cold, 600)).differences).toEqual([]);
    const { windows } = unwrap(await live.listWindows());
    const reads = unwrap(await live.readWindows({ windows, includeHidden: false, timeoutMs }));
    const elements = flatten(reads.flatMap(({ root }) => root ?? []));
    expect(elements.filter(({ role }) => role === "cell").map(({ name }) => name)).toEqual(["three", "two", "one"]);
    expect(elements.filter(({ role }) => role === "input").map(({ name }) => name)).toEqual(["after"]);
  } finally {
    live.close();
    cold.close();
    await scene.close();
  }
});
