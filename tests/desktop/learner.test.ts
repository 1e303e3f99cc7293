import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setPolicy } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Learned data holds on real applications across restarts; every effect is read from the application itself.

const fixture = join(import.meta.dir, "../fixtures/apps/deeds-gtk3.py");
let scene: Scene;
let log: string;
beforeAll(async () => {
  scene = await openScene({ width: 1200, height: 900 });
  log = join(scene.sandbox.env.HOME ?? "", "deeds.log");
});
afterAll(() => scene.close());

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly position: string;
  readonly confidence: string;
  readonly learned: boolean;
  readonly stale?: true;
  readonly source?: string;
}

function tell(...args: string[]) {
  const { status, stdout, stderr } = scene.deskmap(...args, "--format", "json");
  return { status, told: JSON.parse(stdout === "" ? stderr : stdout) };
}

function listTargets(...args: string[]): readonly Listed[] {
  return tell("get_screen_targets", ...args).told.elements;
}

function findTarget(label: string, ...args: string[]): Listed {
  const listed = listTargets(...args);
  const found = listed.find((one) => one.label === label);
  if (found === undefined) throw new Error(`no "${label}" among ${listed.map((one) => one.label).join(", ")}`);
  return found;
}

function pointOf({ position }: Listed): [number, number] {
  const [x = 0, y = 0] = /\((-?\d+), (-?\d+)\)/.exec(position)?.slice(1).map(Number) ?? [];
  return [x, y];
}

function readLog(): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

async function startDeeds(): Promise<ChildProcess> {
  const child = await scene.start(["/usr/bin/python3", fixture, log, "Deeds"], "Deeds");
  await scene.settle();
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  await waitFor("its window to be gone", () => scene.run("xdotool", "search", "--name", "Deeds").stdout.trim() === "");
}

describe("in an application with a tree", () => {
  test("a list of targets leads to fields and buttons, and the map learns from observed effects", async () => {
    const child = await startDeeds();
    const entry = findTarget("Entry", "--role-filter", "input");
    const typed = tell("type_in_element", "--element-id", entry.id, "--text", "Grüße");
    expect(typed).toMatchObject({
      status: 0,
      told: { success: true, typed: "Grüße", in: "Entry", effect: "confirmed" },
    });
    expect(readLog().at(-1)).toBe("Entry=Grüße");
    expect(entry).toMatchObject({ type: "input", learned: false });
    expect(findTarget("Entry", "--role-filter", "input")).toMatchObject({ id: entry.id, learned: true });
    const { told } = tell("get_screen_context");
    expect(told.learnedPatterns.commonActions).toContain("Entry");
    expect(told.targets.find(({ id }: { id: string }) => id === entry.id)).toMatchObject({ hitCount: 1, missCount: 0 });
    await end(child);
  });

  test("a name taught by pointing belongs to the control: it is found, and pressed, after a restart elsewhere", async () => {
    const child = await startDeeds();
    const button = findTarget("Press", "--role-filter", "button");
    const [x, y] = pointOf(button);
    const taught = tell("teach", "Make it so", String(x), String(y));
    expect(taught).toMatchObject({ status: 0, told: { targetId: button.id, role: "button", place: false } });
    await end(child);

    const again = await startDeeds();
    const window =
      scene.run("xdotool", "search", "--onlyvisible", "--name", "Deeds").stdout.trim().split("\n")[0] ?? "";
    scene.run("xdotool", "windowmove", "--sync", window, "300", "60");
    await scene.settle();
    const found = tell("find", "make it so").told.matches;
    expect(found).toMatchObject([{ i: Number(button.id), t: "Press", n: "Make it so" }]);
    expect(found[0].p).not.toEqual([x, y]);
    const before = readLog().length;
    scene.deskmap("click", "make it so");
    expect(readLog().slice(before)).toEqual(["Press"]);
    await end(again);
  });

  test("the context names the desktop file, the focus and what keys do to it", async () => {
    const mousepad = await scene.start(["mousepad", "--disable-server"], "Mousepad");
    await scene.settle();
    const { told } = tell("get_screen_context");
    expect(told.activeApp).toMatchObject({ name: "Mousepad", bundleId: "org.xfce.mousepad.desktop" });
    expect(told.focused.keyboardActions).toContainEqual({ keys: "text", does: "type into it" });
    expect(told.screenSize).toEqual({ width: 1200, height: 900 });
    mousepad.kill();
    await waitFor(
      "its window to be gone",
      () => scene.run("xdotool", "search", "--name", "Mousepad").stdout.trim() === "",
    );
  });
});

describe("in an application without a tree", () => {
  /** Shows a dialog with these buttons; its exit code is the number of the pressed one. */
  async function ask(...buttons: readonly string[]) {
    const named = buttons.map((name, at) => `${name}:${at + 10}`).join(",");
    const font = [
      "-xrm",
      "*font: -*-helvetica-bold-r-*-*-24-*-*-*-*-*-*-*",
      "-xrm",
      "*Command.font: -*-helvetica-bold-r-*-*-24-*-*-*-*-*-*-*",
    ];
    const child = await scene.start(
      ["xmessage", "-title", "Ask", ...font, "-buttons", named, "Shall the report be printed now?"],
      "Ask",
    );
    await scene.settle();
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    return { child, ended };
  }

  test("its picture is read, and a button is pressed by the id of its label", async () => {
    const { ended } = await ask("Print", "Discard");
    const target = findTarget("Discard");
    expect(target.source).toBe("ocr");
    expect(findTarget("Discard").id).toBe(target.id);
    scene.deskmap("click_element", "--element-id", target.id);
    expect(await ended).toBe(11);
  });

  test("a taught place is pressed while it looks the same, wherever its window is, and never otherwise", async () => {
    const first = await ask("Print", "Discard");
    const [x, y] = pointOf(findTarget("Print"));
    const taught = tell("teach", "On paper", String(x), String(y));
    expect(taught).toMatchObject({ status: 0, told: { place: true } });
    const id = taught.told.targetId;
    const { told } = tell("map", "show", id);
    expect(told).toMatchObject({
      confidence: 0.8,
      source: "learned",
      taught: "On paper",
      ref: { bounds: { width: 50, height: 30 } },
    });
    first.child.kill();
    await first.ended;

    const other = await ask("Later", "Discard");
    expect(tell("click", "--id", id)).toMatchObject({ status: 1, told: { error: { code: "NOT_FOUND" } } });
    expect(other.child.exitCode).toBeNull();
    other.child.kill();
    await other.ended;

    const again = await ask("Print", "Discard");
    const window = scene.run("xdotool", "search", "--onlyvisible", "--name", "Ask").stdout.trim().split("\n")[0] ?? "";
    scene.run("xdotool", "windowmove", "--sync", window, "400", "300");
    await scene.settle();
    scene.deskmap("click", "--id", id);
    expect(await again.ended).toBe(10);
  });

  test("a button label read from a picture is judged like any label: deletion needs approval", async () => {
    const asked = await ask("Keep", "Delete");
    const target = findTarget("Delete");
    const policy = setPolicy(scene, { actionsPerMinute: 0, hotkey: false });
    try {
      const refused = tell("click_element", "--element-id", target.id);
      expect(refused).toMatchObject({ status: 3, told: { error: { code: "REFUSED", reason: "unasked" } } });
      expect(asked.child.exitCode).toBeNull();
    } finally {
      rmSync(policy);
    }
    scene.deskmap("click_element", "--element-id", target.id);
    expect(await asked.ended).toBe(11);
  });
});
