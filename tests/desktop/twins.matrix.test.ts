import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";

// GTK 4 tells neither the position of a window nor its X window. The program's own log says which window was pressed.

const fixture = join(import.meta.dir, "../fixtures/apps/twins-gtk4.py");
const folder = mkdtempSync(join(tmpdir(), "deskmap-twins-"));
const log = join(folder, "log");
let scene: Scene;

interface ReadWindow {
  readonly id: number;
  readonly elements?: readonly { readonly i: number; readonly r: string; readonly t?: string }[];
}

interface Twin {
  /** As the program counts. */
  readonly number: number;
  readonly id: number;
  readonly mark: number;
}

beforeAll(async () => {
  scene = await openScene();
  writeFileSync(log, "");
  await scene.start(["/usr/bin/python3", fixture, log, "2"], "Twin");
  await waitFor("both windows", () => listIds().length === 2);
  await scene.settle();
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
  rmSync(folder, { recursive: true });
});

const listIds = (): number[] => {
  const { stdout } = scene.run("xdotool", "search", "--onlyvisible", "--name", "^Twin$");
  return stdout.trim().split("\n").filter(Boolean).map(Number);
};

function read(...how: string[]): readonly ReadWindow[] {
  return JSON.parse(scene.deskmap("read", ...how, "--window", "Twin").stdout).windows;
}

function findTwins(...how: string[]): readonly Twin[] {
  return read(...how).map(({ id, elements = [] }) => {
    const number = elements.flatMap(({ t = "" }) => /^This is window (\d)$/.exec(t)?.[1] ?? []).map(Number)[0];
    const mark = elements.find(({ r }) => r === "btn")?.i;
    if (number === undefined || mark === undefined) throw new Error(`nothing read of ${id}`);
    return { number, id, mark };
  });
}

async function activate(id: number): Promise<void> {
  scene.run("xdotool", "windowactivate", "--sync", String(id));
  await scene.settle();
}

/** The windows in which the program noted a press. */
async function press(...args: string[]): Promise<string> {
  writeFileSync(log, "");
  const { stdout, stderr } = scene.deskmap("click", ...args);
  if (stdout === "") throw new Error(stderr);
  expect(JSON.parse(stdout).effect).toBe("confirmed");
  await waitFor("a press", () => readFileSync(log, "utf8") !== "");
  await scene.settle();
  return readFileSync(log, "utf8").trim();
}

test.each([true, false])("two windows that look the same are not mixed up (alone: %p)", async (isAlone) => {
  if (!isAlone) expect(scene.deskmap("serve", "--detach").status).toBe(0);
  const how = isAlone ? ["--no-daemon"] : [];
  const ids = listIds();
  const found: (readonly Twin[])[] = [];
  for (const id of ids) {
    await activate(id);
    const twins = findTwins(...how);
    found.push(twins.toSorted((a, b) => a.number - b.number));
    expect(twins.map((twin) => twin.id).sort()).toEqual(ids.toSorted());
    for (const { number, mark, id: own } of twins) {
      expect(await press("--id", String(mark), ...how)).toBe(String(number));
      expect(await press("Press", "--role", "btn", "--window-id", String(own), ...how)).toBe(String(number));
    }
  }
  // The same marks and X windows, whichever has the focus.
  expect(found[1]).toEqual(found[0] ?? []);
});

test("while another application has the focus, they are remembered, or refused", async () => {
  const twins = findTwins();
  const [first] = twins;
  if (first === undefined) throw new Error("no window");
  const other = await scene.start(["xmessage", "-geometry", "200x100+1000+600", "Other"], "xmessage");
  scene.run("xdotool", "search", "--sync", "--name", "xmessage", "windowactivate", "--sync");
  await scene.settle();
  const byId = (all: readonly Twin[]): readonly Twin[] => all.toSorted((a, b) => a.id - b.id);
  expect(byId(findTwins())).toEqual(byId(twins));
  writeFileSync(log, "");
  const { status, stderr } = scene.deskmap("click", "--id", String(first.mark), "--no-daemon");
  expect([status === 0, readFileSync(log, "utf8")]).toEqual([false, ""]);
  expect(stderr).toContain("deskmap focus --window-id");
  expect(scene.deskmap("focus", "--window-id", String(first.id), "--no-daemon").status).toBe(0);
  await scene.settle();
  expect(await press("--id", String(first.mark), "--no-daemon")).toBe(String(first.number));
  other.kill("SIGKILL");
});
