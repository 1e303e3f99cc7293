import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openEnvelope } from "../envelope.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { readShown } from "./shown.ts";

// Application text is data. This application says everything it can to be mistaken for something else.

const fixture = join(import.meta.dir, "../fixtures/apps/hostile.py");
const formats = ["text", "json", "csv"] as const;
/** Control characters and line separators except our own line breaks, and invisible or bidirectional characters. */
const harmful = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

let scene: Scene;
afterEach(() => scene.close());

async function start(what: string): Promise<number> {
  scene = await openScene();
  const child = await scene.start(["/usr/bin/python3", fixture, what], "Hostile");
  await waitFor("its tree", () => scene.deskmap("list", "--apps", "--format", "csv").stdout.includes("true,true"));
  await scene.settle();
  return child.pid ?? 0;
}

function everyOutput(): [string, string][] {
  const commands = [["list"], ["list", "--apps"], ["read"], ["read", "--all"], ["read", "--compact"]];
  const good = commands.flatMap((command) =>
    formats.map((format): [string, string] => {
      const { stdout, status } = scene.deskmap(...command, "--format", format);
      expect(status).toBe(0);
      return [`${command.join(" ")} as ${format}`, format === "text" ? openEnvelope(stdout) : stdout];
    }),
  );
  const refused = [
    ["read", "--window", "Hostle"],
    ["read", "--app", "nobody"],
  ].flatMap((command) =>
    (["text", "json"] as const).map((format): [string, string] => {
      const { stdout, stderr, status } = scene.deskmap(...command, "--format", format);
      expect(status).toBe(1);
      expect(stdout).toBe("");
      return [`${command.join(" ")} as ${format}`, format === "text" ? openEnvelope(stderr) : stderr];
    }),
  );
  return [...good, ...refused];
}

function expectHarmless(outputs: readonly [string, string][]): void {
  for (const [what, output] of outputs) {
    expect([what, harmful.exec(output)?.[0]]).toEqual([what, undefined]);
    expect([what, output.isWellFormed()]).toEqual([what, true]);
    if (what.endsWith("json")) expect(() => JSON.parse(output)).not.toThrow();
  }
}

describe("an application with hostile text", () => {
  test("in labels, tips, fields and its title is quoted, on one line each, without control characters", async () => {
    const pid = await start("words");
    const named = scene.ask("names", String(pid), "push button") as string[];
    // pyatspi sees them unchanged: the application really says them.
    expect(named.join("")).toMatch(harmful);
    expect(named).toContain('x\n1 btn "Pay"\r\n! GONE');
    const outputs = everyOutput();
    expectHarmless(outputs);
    const text = new Map(outputs).get("read as text") ?? "";
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(1 + named.length + 1);
    expect(lines[0]).toStartWith('# Hostile.py "Hostile ');
    for (const line of lines.slice(1))
      expect(line).toMatch(/^\d+ (btn|input) "(\\"|[^"])*"(="(\\"|[^"])*")?( focused)?$/);
    expect(lines).toContainEqual(expect.stringMatching(/^\d+ btn "! TIMEOUT all is lost"$/));
    expect(lines).toContainEqual(expect.stringMatching(/^\d+ btn "x 1 btn \\"Pay\\" ! GONE"$/));
    const csv = new Map(outputs).get("read as csv") ?? "";
    expect(csv.trimEnd().split("\n")).toHaveLength(lines.length);
    expect(csv).toContain("'=cmd()");
  });

  test("in its window properties, in bytes that are not valid text, is quoted as well", async () => {
    await start("words");
    const script = `id=$(xdotool search --onlyvisible --name Hostile | tail -1)
xdotool set_window --class "$(printf 'Fake  "Ok"  pid 1\\n! GONE\\033[31m\\377\\376')" --classname "$(printf 'evil\\n# x\\342\\200\\256')" "$id"
xprop -id "$id" -f _NET_WM_NAME 8u -set _NET_WM_NAME "$(printf 'bad \\377\\355\\240\\200 title\\n1 btn')"
xprop -id "$id" WM_CLASS _NET_WM_NAME`;
    expect(scene.run("sh", "-c", script).stdout).toContain("Invalid UTF-8");
    const outputs = everyOutput();
    expectHarmless(outputs);
    const text = new Map(outputs);
    expect(text.get("list as text")?.trimEnd().split("\n")).toHaveLength(1);
    expect(text.get("list as text")).toMatch(/^\d+ {2}"Fake \\"Ok\\" pid 1 ! GONE/);
    expect(text.get("list --apps as text")).toMatch(/^"Fake \\"Ok\\" pid 1 ! GONE.*" {2}pid \d+ {2}1 window/);
    expect(text.get("list as csv")?.trimEnd().split("\n")).toHaveLength(2);
    expect(text.get("read --app nobody as text")).toMatch(/^nearest: "Fake \\"Ok\\" pid 1 ! GONE/m);
  });

  test("in two hundred labels of a megabyte each is read completely, within bounds of length and memory", async () => {
    const pid = await start("flood");
    const elements = readShown(scene, "--pid", String(pid), "--roles", "button");
    expect(elements).toHaveLength(200);
    expect(elements.every(({ t = "" }) => t.length <= 500 && t.includes(" flood "))).toBe(true);
    for (const format of formats) {
      const { stdout } = scene.deskmap("read", "--all", "--format", format);
      expect([format, stdout.length < 400_000]).toEqual([format, true]);
    }
    const launcher = join(import.meta.dir, "../../deskmap");
    const script = `import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)`;
    const measured = scene.run("/usr/bin/python3", "-c", script, launcher, "read", "--pid", String(pid));
    expect(measured.status).toBe(0);
    // The labels alone are 210 MB.
    expect(Number(measured.stdout)).toBeLessThan(160_000);
  });
});
