import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DaemonConnection } from "../../src/client/connection.ts";
import { findPlaces } from "../../src/guard/places.ts";
import type { DemoRef, RecordedAction } from "../../src/model/demo.ts";
import { introduce } from "../server/daemon-scene.ts";
import { prepareChromium } from "./chromium.ts";
import { readOwnFiles } from "./planted.ts";
import { openScene, type Scene } from "./scene.ts";

// What agents do is recorded with refs that pyatspi confirms, and that find the same control in another run.

const fixtures = join(import.meta.dir, "../fixtures/apps");
const password = "Vq4-never-recorded";
const filled = "Wb8-kept-by-a-person";
const page = (label: string): string => `<!doctype html><title>Chromed</title>
<h1>Order</h1><label>City <input></label><label>Login <input type="password"></label>
<p>Ada <button id="del-ada">Delete</button></p><p>Grace <button id="del-grace">${label}</button></p>
<label><input type="checkbox" id="gift">Gift</label><button id="more">More</button>`;
const chromium = prepareChromium(page("Delete"));

let scene: Scene;
let folder: string;
const running = new Map<string, ChildProcess>();
const outputs: string[] = [];

const toolkits = [
  { title: "Three", command: ["/usr/bin/python3", join(fixtures, "secrets-gtk3.py")], field: "City" },
  { title: "Quint", command: ["/usr/bin/python3", join(fixtures, "secrets-qt5.py")], field: "City" },
  { title: "Chromed", command: chromium.command, field: "City" },
] as const;

async function start(title: string): Promise<void> {
  const one = toolkits.find((toolkit) => toolkit.title === title);
  if (one === undefined) throw new Error(title);
  const [program, ...rest] = one.command;
  const more = title === "Chromed" ? [] : [join(folder, `${title}.json`), title, "x", "1", "1"];
  running.set(title, await scene.start([program, ...rest, ...more], title));
}

async function restart(title: string): Promise<void> {
  const child = running.get(title);
  if (child !== undefined && child.exitCode === null) {
    child.kill();
    await once(child, "exit");
  }
  await start(title);
  await scene.settle();
}

function deskmap(...args: string[]) {
  const run = scene.deskmap(...args);
  outputs.push(run.stdout, run.stderr);
  return run;
}

const places = () => findPlaces(scene.sandbox.env);
const readSteps = (): RecordedAction[] =>
  readFileSync(places().steps, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

function beginRecording(): void {
  rmSync(places().steps, { force: true });
  mkdirSync(dirname(places().recording), { recursive: true });
  writeFileSync(places().recording, JSON.stringify({ name: "test", startedMs: Date.now(), kind: "agent" }));
}

async function recall(): Promise<readonly RecordedAction[]> {
  // The daemon is the compiled program, and answers only its own build.
  const { socket, build } = JSON.parse(deskmap("serve", "status").stdout);
  const host = await DaemonConnection.open(socket, introduce({ build }));
  try {
    const recalled = await host.recall();
    if (!recalled.ok) throw new Error(recalled.failure.message);
    outputs.push(JSON.stringify(recalled.value));
    return recalled.value;
  } finally {
    await host.close();
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-recorded-"));
  scene = await openScene({ width: 1280, height: 900 });
  const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "secrets.env"), `MAIL="${filled}"\n`, { mode: 0o600 });
  writeFileSync(join(config, "policy.json"), JSON.stringify({ actionsPerMinute: 0, sensitive: "allow" }), {
    mode: 0o600,
  });
  for (const { title } of toolkits) await start(title);
  await scene.settle();
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
  chromium.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  readonly name: string;
  readonly role: string;
  readonly extents: readonly [x: number, y: number, width: number, height: number];
}

/** The entry that pyatspi finds in the place that the ref gives. */
function askAbout(title: string, { bbox }: DemoRef): Told[] {
  const [left, top, right, bottom] = bbox ?? [0, 0, 0, 0];
  const all = scene.ask("walk", String(running.get(title)?.pid)) as Told[];
  return all.filter(({ extents: [x, y, width, height] }) => {
    return x === left && y === top && x + width === right && y + height === bottom;
  });
}

/** What the fields hold, by pyatspi. */
function listTexts(title: string): string[] {
  const role = title === "Chromed" ? "entry" : "text";
  return scene.ask("text", String(running.get(title)?.pid), role) as string[];
}

const located = (ref: DemoRef | undefined, ...more: string[]) => {
  const run = deskmap("locate", JSON.stringify(ref), "--format", "json", ...more);
  return run.stdout === "" ? { error: run.stderr, status: run.status } : JSON.parse(run.stdout);
};

for (const way of ["without", "with"] as const) {
  describe(`${way} a daemon`, () => {
    beforeAll(() => {
      if (way === "with") expect(deskmap("serve", "--detach").status).toBe(0);
      beginRecording();
    });

    for (const { title, field } of toolkits) {
      test(`actions on ${title} have refs that pyatspi confirms, and no secret is recorded`, async () => {
        const at = ["--window", title];
        const begun = countSteps();
        expect(deskmap("set-value", `Bergen ${way}`, "--on", field, "--role", "input", ...at).status).toBe(0);
        deskmap("type", password, "--on", "Login", "--role", "input", ...at);
        expect(deskmap("fill-secret", "Login", "--from", "MAIL", ...at).stdout).toContain("confirmed");
        const [set, typed, secret] = readSteps().slice(begun);
        expect(set).toMatchObject({
          tool: "set-value",
          input: { text: `Bergen ${way}` },
          window: expect.stringContaining(title),
        });
        expect(set?.ref).toMatchObject({ role: "input", name: field });
        expect(set?.evidence).toContainEqual({ by: "role+name", matches: 1 });
        expect(set?.evidence).toContainEqual({ by: "ref", matches: 1 });
        expect(set?.effect).toMatchObject({ verdict: "confirmed" });
        expect(typed).toMatchObject({ tool: "type", input: {}, secret: "Login" });
        expect(secret).toMatchObject({ tool: "fill-secret", input: { from: "MAIL" }, ref: { name: "Login" } });
        const told = askAbout(title, set?.ref ?? {});
        expect(told.some(({ role }) => role === "entry" || role === "text")).toBe(true);
        expect(listTexts(title)).toContain(`Bergen ${way}`);
        expect(Buffer.byteLength(JSON.stringify(set))).toBeLessThan(2048);
        if (way === "with")
          expect((await recall()).slice(-3).map(({ tool }) => tool)).toEqual(["set-value", "type", "fill-secret"]);
      });
    }
  });
}

function countSteps(): number {
  try {
    return readSteps().length;
  } catch {
    return 0;
  }
}

test("a recorded ref finds its control after restart, move and resize", async () => {
  for (const { title } of toolkits) {
    const set = readSteps().findLast((one) => one.tool === "set-value" && one.window?.includes(title));
    const secret = readSteps().findLast((one) => one.tool === "fill-secret" && one.window?.includes(title));
    await restart(title);
    deskmap("window", "move", "--window", title, "--x", "90", "--y", "120");
    deskmap("window", "resize", "--window", title, "--width", "700", "--height", "560");
    const found = located(set?.ref);
    expect(found).toMatchObject({ verdict: "match", role: "input", name: "City" });
    expect(deskmap("set-value", "Oslo again", "--id", String(found.id)).status).toBe(0);
    expect(listTexts(title)).toContain("Oslo again");
    expect(located(secret?.ref)).toMatchObject({ verdict: "match", name: "Login" });
  }
});

test("twins are told apart by what is beside them; a relabelled or removed one leads to no other", async () => {
  const ids = ["Ada", "Grace"].map((owner) => {
    const run = deskmap(
      "find",
      "delete",
      "--window",
      "Chromed",
      "--role",
      "button",
      "--nth",
      owner === "Ada" ? "1" : "2",
      "--format",
      "json",
    );
    return String(JSON.parse(run.stdout).matches[0].i);
  });
  const begun = countSteps();
  for (const id of ids) deskmap("click", "--id", id);
  const [ada, grace] = readSteps().slice(begun);
  expect(ada?.evidence).toContainEqual({ by: "role+name", matches: 2 });
  const pid = String(running.get("Chromed")?.pid);
  const buttons = ["push button", "button"].flatMap((role) => scene.ask("names", pid, role) as string[]);
  expect(buttons.filter((name) => name === "Delete")).toHaveLength(2);
  expect([ada?.ref?.accessibility_id, grace?.ref?.accessibility_id]).toEqual(["del-ada", "del-grace"]);
  for (const [action, id] of [
    [ada, ids[0]],
    [grace, ids[1]],
  ] as const) {
    expect(located(action?.ref)).toMatchObject({ verdict: "match", name: "Delete", id: Number(id) });
  }
  writeFileSync(chromium.page, page("Remove"));
  await restart("Chromed");
  const renamed = located(grace?.ref);
  expect(["Remove", undefined]).toContain(renamed.name);
  expect(located(ada?.ref)).toMatchObject({ verdict: "match", name: "Delete" });
  writeFileSync(chromium.page, page("Delete").replace(/<p>Grace.*?<\/p>/, ""));
  await restart("Chromed");
  const gone = located(grace?.ref);
  expect([gone.verdict === "match", gone.id]).toEqual([false, undefined]);
});

test("an application that does not run is named, and no secret is in any file, answer or message", async () => {
  const set = readSteps().find((one) => one.tool === "set-value" && one.window?.includes("Three"));
  const run = deskmap("locate", JSON.stringify({ ...set?.ref, app: "no-such-program" }));
  expect([run.status, run.stderr]).toEqual([1, expect.stringContaining("not running")]);
  expect(deskmap("locate", '{"role":[[[]]]}').status).toBe(2);
  await recall();
  const kept = [...outputs.map((text) => ["an answer", text] as const), ...readOwnFiles(scene)];
  const leaks = kept.filter(([path, content]) => {
    if (path.endsWith("secrets.env")) return false;
    return [password, filled].some((one) => Buffer.from(content).includes(one));
  });
  expect(leaks.map(([path]) => path)).toEqual([]);
});
