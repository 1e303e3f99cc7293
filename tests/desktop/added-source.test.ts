import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalHost } from "../../src/host/local-host.ts";
import { openRuntime, type Runtime } from "../../src/host/runtime.ts";
import { openSession } from "../../src/host/session.ts";
import type { ChangeLine } from "../../src/model/change-line.ts";
import { launcher, startAtTerminal } from "../guard/terminal-session.ts";
import { PageSource } from "../sources/page-source.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// A second source that reads and acts, on a real desktop, needs nothing but an entry in the runtime's list. Its page lies in
// the window of a real application; the source itself records what was done to it.

const title = "Untitled 1 - Mousepad";
let scene: Scene;
let runtime: Runtime;
let host: LocalHost;
const page = new PageSource(title, ({ bounds }) => ({ ...bounds, y: bounds.y + 120, height: bounds.height - 120 }));

beforeAll(async () => {
  scene = await openScene();
  const { env } = scene.sandbox;
  const config = join(env.XDG_CONFIG_HOME ?? "", "deskmap");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "policy.json"), JSON.stringify({ sensitive: "ask", hotkey: false }));
  await scene.start(["mousepad"], title);
  await scene.settle();
  runtime = openRuntime(env, 5000, [page.added]);
  host = new LocalHost(env, runtime);
});
afterAll(async () => {
  runtime.close();
  expect(page.isClosed).toBe(true);
  await scene.close();
});

const call = (tool: string, input: Readonly<Record<string, unknown>>) => host.call({ tool, input, formats: ["text"] });

test("is read beside the tree, found, and its secrets are masked", async () => {
  const { outputs, failure } = await call("read", { app: "mousepad" });
  expect(failure).toBeUndefined();
  expect(outputs.text).toContain('"File"');
  expect(outputs.text).toContain('"Choose" dom');
  expect(outputs.text).toContain('"Card"');
  expect(outputs.text).not.toContain("4242");
  expect((await call("find", { words: "choose" })).outputs.text).toContain('"Choose"');
});

test("has its control pressed by its own actor, and the effect is confirmed from the page", async () => {
  const { failure, outputs, exitCode } = await call("click", { words: "choose", app: "mousepad" });
  expect(failure).toBeUndefined();
  expect([exitCode, page.orders, page.commands.map(({ kind }) => kind)]).toEqual([0, 1, ["invoke"]]);
  expect(outputs.text).toContain("1 chosen");
});

test("has a sensitive control approved, looked up again after the yes, and pressed once", async () => {
  const alone = await call("click", { words: "delete account", app: "mousepad" });
  expect(alone.failure).toMatchObject({ code: "REFUSED", reason: "unasked" });
  expect(page.commands).toHaveLength(1);
  const person = startAtTerminal([launcher, "approve"], scene.sandbox.env);
  try {
    await person.see("Deskmap asks here");
    const clicked = call("click", { words: "delete account", app: "mousepad" });
    expect(await person.see("then Enter: ")).toContain("Delete account");
    person.type("y\n");
    expect((await clicked).failure).toBeUndefined();
  } finally {
    await person.leave();
  }
  expect(page.commands.map((one) => [one.kind, one.element.name])).toEqual([
    ["invoke", "Choose"],
    ["invoke", "Delete account"],
  ]);
});

test("has its secret field painted over in pictures of the window", async () => {
  const session = openSession(scene.sandbox.env, 5000, runtime);
  try {
    const platform = await session.openPlatform();
    if (!platform.ok) throw new Error(platform.failure.message);
    const list = await platform.value.listWindows();
    const window = list.ok ? list.value.windows.find((one) => one.title === title) : undefined;
    if (window === undefined) throw new Error("there is no window");
    const picture = await platform.value.captureWindow(window);
    if (!picture.ok) throw new Error(picture.failure.message);
    const { pixels, bounds, covered } = picture.value;
    const field = { x: window.bounds.x + 4, y: window.bounds.y + 120 + 4 + 60, width: 120, height: 24 };
    expect(covered?.filter(({ what }) => what === "secret")).toHaveLength(1);
    const colourAt = (x: number, y: number): number[] => {
      const at = ((y - bounds.y) * bounds.width + (x - bounds.x)) * 4;
      return [...pixels.subarray(at, at + 3)];
    };
    // The application itself draws an empty white page there.
    const [left, top] = [field.x - window.bounds.x, field.y - window.bounds.y];
    const shown = colourAt(field.x + field.width + 40, field.y + 12);
    for (const [x, y] of [
      [0, 0],
      [60, 12],
      [119, 23],
    ] as const) {
      expect([left + x, top + y, colourAt(field.x + x, field.y + y)]).toEqual([left + x, top + y, [72, 72, 72]]);
    }
    expect(shown).not.toEqual([72, 72, 72]);
  } finally {
    session.close();
  }
});

test("reports changes in its page to a watch", async () => {
  const ending = new AbortController();
  const lines: ChangeLine[] = [];
  const watching = (async () => {
    for await (const batch of host.watch({ input: { app: "mousepad" } }, ending.signal)) {
      if (!batch.ok) throw new Error(batch.failure.message);
      lines.push(...batch.value);
    }
  })();
  try {
    await waitFor("what is there", () => lines.some(({ kind }) => kind === "token"));
    const before = lines.length;
    page.order();
    const told = `${page.orders} chosen`;
    await waitFor("the change", () => JSON.stringify(lines.slice(before)).includes(told));
  } finally {
    ending.abort();
    await watching;
  }
});
