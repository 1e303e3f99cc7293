import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { pick, readShown } from "./shown.ts";

const apps = join(import.meta.dir, "../fixtures/apps");
const folder = mkdtempSync(join(tmpdir(), "deskmap-consent-"));
const log = join(folder, "log");
const plan = join(folder, "confidential-plan.txt");
const words = "the plan is to leave at dawn";

let scene: Scene;
let padPid = 0;
let deedsPid = 0;

beforeAll(async () => {
  writeFileSync(plan, words);
  scene = await openScene({ width: 1400, height: 1000 });
  deedsPid = (await scene.start(["/usr/bin/python3", join(apps, "deeds-gtk3.py"), log, "Deeds"], "Deeds")).pid ?? 0;
  padPid = (await scene.start(["mousepad", "--disable-server", plan], "confidential-plan")).pid ?? 0;
  await waitFor("the text", () => String(scene.ask("text", String(padPid), "text")).includes(words));
  await scene.settle();
});

afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const recorded = (): string => (existsSync(log) ? readFileSync(log, "utf8") : "");
const padText = (): unknown => scene.ask("text", String(padPid), "text");
const pointer = (): string => scene.run("xdotool", "getmouselocation").stdout;

/** Every byte of the map on disk. */
function readMapBytes(): string {
  const data = join(scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap");
  return readdirSync(data)
    .map((name) => readFileSync(join(data, name), "latin1"))
    .join("");
}

/** The centre of a window, from xdotool. */
function findMiddle(title: string): [string, string] {
  const id = scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n").at(-1) ?? "";
  const text = scene.run("xdotool", "getwindowgeometry", "--shell", id).stdout;
  const get = (name: string): number => Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(text)?.[1]);
  return [String(get("X") + Math.floor(get("WIDTH") / 2)), String(get("Y") + Math.floor(get("HEIGHT") / 2))];
}

describe("an application that is hands-off", () => {
  test("is read, and no acting tool does anything to it", () => {
    // By the name of the script, because the program is Python.
    setPolicy(scene, { ...permissive, apps: { "deeds-gtk3": "hands-off" } });
    const shown = readShown(scene, "--window", "Deeds");
    const mark = (role: string, name: string): string => String(pick(shown, role, name).i);
    const [press, entry, check] = [mark("btn", "Press"), mark("input", "Entry"), mark("chk", "Check")];
    const [x = 0, y = 0] = pick(shown, "btn", "Press").p ?? [];
    const before = [recorded(), pointer(), JSON.stringify(scene.ask("walk", String(deedsPid)))];
    const attempts = [
      ["click", "--id", press],
      ["click", "--id", press, "--double"],
      ["click", "--x", String(x), "--y", String(y)],
      ["type", "hi", "--id", entry],
      ["type", "--key", "space", "--window", "Deeds"],
      ["set-value", "hi", "--id", entry],
      ["toggle", "--id", check],
      ["check", "--id", check],
      ["expand", "More", "--window", "Deeds"],
      ["select", "Row-2", "--window", "Deeds"],
      ["action", "click", "--id", press],
      ["hover", "--id", press],
      ["scroll", "--direction", "down", "--x", String(x), "--y", String(y)],
      ["drag", "--from-id", press, "--to-id", entry],
      ["focus", "--id", entry],
      ["window", "maximize", "--window", "Deeds"],
      ["window", "close", "--window", "Deeds"],
      ["quit", "--pid", String(deedsPid), "--force"],
    ];
    for (const attempt of attempts) {
      expect([attempt, tryCommand(scene, ...attempt)]).toMatchObject([attempt, { status: 3, reason: "hands-off" }]);
    }
    expect([recorded(), pointer(), JSON.stringify(scene.ask("walk", String(deedsPid)))]).toEqual(before);
  });

  test("is controlled again when the policy says so", async () => {
    setPolicy(scene, { ...permissive, apps: { "deeds-gtk3": "normal" } });
    expect(tryCommand(scene, "click", "Press", "--role", "button", "--window", "Deeds").status).toBeLessThan(5);
    await waitFor("the press", () => recorded().includes("Press"));
  });
});

describe("an application that is made blind", () => {
  let marks: number[] = [];

  test("was remembered, and is forgotten down to the last byte", () => {
    setPolicy(scene, `{ ${JSON.stringify(permissive).slice(1, -1)}, // mine\n}`);
    marks = readShown(scene, "--app", "mousepad").map(({ i }) => i);
    readShown(scene, "--window", "Deeds");
    expect(readMapBytes()).toContain("confidential-plan");
    expect(scene.deskmap("apps", "blind", "mousepad", "--format", "text").stdout).toMatch(
      /^mousepad is blind\nforgotten: \d+ marks\n$/,
    );
    const bytes = readMapBytes();
    expect(bytes).not.toContain("confidential-plan");
    expect(bytes.toLowerCase()).not.toContain("mousepad");
    expect(bytes).toContain("Row-1");
    const policy = readFileSync(join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap/policy.json"), "utf8");
    expect(policy).toContain("// mine");
  });

  test("is absent at once from every answer that does not name it", () => {
    for (const args of [["list"], ["list", "--apps"], ["read"], ["read", "--all"], ["find", "plan"], ["doctor"]]) {
      const { stdout, stderr } = scene.deskmap(...args);
      expect([args, /confidential|mousepad|dawn/i.exec(stdout + stderr)]).toEqual([args, null]);
    }
    expect(scene.deskmap("list").stdout).toContain("Deeds");
  });

  test("is refused when named, with the one command that changes it", () => {
    const [x, y] = findMiddle("confidential-plan");
    const attempts = [
      ["read", "--app", "mousepad"],
      ["read", "--app", "Mouse"],
      ["list", "--app", "mousepad"],
      ["read", "--pid", String(padPid)],
      ["read", "--class", "Mousepad"],
      ["find", "plan", "--app", "mousepad"],
      ["at", x, y],
      ["screenshot", "--output", join(folder, "no.png"), "--app", "mousepad"],
      ["wait", "--for", "plan appears", "--app", "mousepad"],
      ["expect", "plan appears", "--app", "mousepad"],
      ["click", "File", "--app", "mousepad"],
      ["click", "--x", x, "--y", y],
      ["type", "hi", "--app", "mousepad"],
      ["set-value", "hi", "--on", "text", "--app", "mousepad"],
      ["focus", "--app", "mousepad"],
      ["window", "close", "--app", "mousepad"],
      ["quit", "--app", "mousepad", "--force"],
      ["open", "mousepad"],
    ];
    for (const attempt of attempts) {
      expect([attempt, tryCommand(scene, ...attempt)]).toMatchObject([attempt, { status: 3, reason: "blind" }]);
    }
    expect(tryCommand(scene, "read", "--app", "mousepad").try).toEndWith("deskmap apps normal Mousepad");
    // Its title matches nothing, so it cannot be guessed.
    expect(tryCommand(scene, "read", "--window", "confidential")).toMatchObject({ status: 1, code: "NOT_FOUND" });
    for (const attempt of [
      ["text", "--id", String(marks[0])],
      ["click", "--id", String(marks[0])],
    ]) {
      expect([attempt, tryCommand(scene, ...attempt)]).toMatchObject([attempt, { status: 1, code: "NOT_FOUND" }]);
    }
    expect(String(padText())).toContain(words);
  });

  test("is listed in apps with its standing, the reason, and when it was looked at", () => {
    const listed = JSON.parse(scene.deskmap("apps", "--format", "json").stdout) as { app: string }[];
    const find = (name: string) => listed.find(({ app }) => app.toLowerCase() === name);
    expect(find("mousepad")).toMatchObject({ standing: "blind", why: "policy", running: true, marks: 0 });
    expect(find("mousepad")).toMatchObject({ lookedAt: { client: "cli" }, actedOn: null });
    expect(find("deeds-gtk3.py")).toMatchObject({ standing: "normal", why: "", running: true });
    expect(find("deeds-gtk3.py")).toMatchObject({ actedOn: { client: "cli" } });
  });

  test("stays so until a person at a terminal changes it", () => {
    const refused = scene.run("setsid", join(import.meta.dir, "../../deskmap"), "apps", "normal", "mousepad");
    expect(refused.status).toBe(3);
    expect(JSON.parse(refused.stderr).error).toMatchObject({ code: "REFUSED", reason: "unasked" });
    expect(tryCommand(scene, "read", "--app", "mousepad")).toMatchObject({ status: 3, reason: "blind" });
  });

  test("gets new numbers when it is looked at again, never old ones", () => {
    setPolicy(scene, permissive);
    const fresh = readShown(scene, "--app", "mousepad").map(({ i }) => i);
    expect(fresh.length).toBeGreaterThan(5);
    expect(Math.min(...fresh)).toBeGreaterThan(Math.max(...marks));
  });
});

describe("a policy file", () => {
  test("that is broken lets nothing be looked at or done, and says where", () => {
    const path = setPolicy(scene, `{\n  "sensitive": "ask",\n  "apps": { "gimp": "blnd" }\n}`);
    const before = recorded();
    for (const args of [
      ["list"],
      ["read"],
      ["click", "Press"],
      ["screenshot", "--output", join(folder, "no.png")],
      ["apps"],
    ]) {
      const refused = tryCommand(scene, ...args);
      expect([args, refused]).toMatchObject([args, { status: 3, reason: "policy" }]);
      expect(refused.message).toStartWith(`${path}:3:21: "blnd" is not one of`);
    }
    expect(scene.deskmap("policy", "check", "--format", "text").stdout).toStartWith(`${path}:3:21: `);
    expect(scene.deskmap("doctor", "--format", "text").stdout).toMatch(/broken +policy: .*policy\.json:3:21/);
    expect(recorded()).toBe(before);
  });

  test("that says read-only leaves no acting tool", () => {
    setPolicy(scene, { ...permissive, readOnly: true });
    const before = recorded();
    for (const args of [
      ["click", "Press"],
      ["type", "x"],
      ["open", "mousepad"],
      ["clipboard", "write", "x"],
    ]) {
      expect([args, tryCommand(scene, ...args)]).toMatchObject([args, { status: 3, reason: "read-only" }]);
    }
    const steps = join(folder, "steps.txt");
    writeFileSync(steps, "read --window Deeds\nclick Press --window Deeds\n");
    expect(tryCommand(scene, "do", steps)).toMatchObject({ status: 3, reason: "read-only" });
    expect(scene.deskmap("--help").stdout).not.toMatch(/^ {2}(click|type|open|quit|drag|window)\b/m);
    expect(scene.deskmap("read", "--window", "Deeds").status).toBe(0);
    expect(recorded()).toBe(before);
  });
});
