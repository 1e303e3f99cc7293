import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { casesOf } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

const secret = "Tr0ub4dor&3-xyzzy";
const shortSecret = "7x9";
const page = `<!doctype html><title>Secrets</title><input type="password" value="${secret}" aria-label="Login">
<label>Password (shown) <input value="${secret}"></label><input autocomplete="new-password" id="new-password" value="${secret}">
<label>CVV <input value="${shortSecret}"></label>
<table><tr><td>Password</td><td><input value="${secret}"></td></tr><tr><td>Passphrase <input value="${secret}"></td></tr></table>
<ul><li>Password <input value="${secret}"></li></ul><h2>Password <input value="${secret}"></h2>
<div><span>Password</span> <input value="${secret}"></div>
<label><input type="checkbox"> Use PIN <input value="${secret}"></label>
<label><input type="checkbox"> With CVV <input value="${shortSecret}"></label><label>City <input value="Oslo"></label>`;
const browsers = [
  ["Firefox", "firefox", prepareFirefox(page)],
  ["Chromium", "chromium", prepareChromium(page)],
] as const;
afterAll(() => {
  for (const [, , browser] of browsers) browser.remove();
});

let scene: Scene;
afterEach(() => scene.close());

describe("the text of a secret field", () => {
  test("typed into a GTK 3 password field appears in no output format and in no file of the map", async () => {
    scene = await openScene();
    const child = await scene.start(
      ["zenity", "--forms", "--text=Login", "--add-password=Secret", "--add-entry=User"],
      "zenity",
    );
    await scene.settle();
    const fields = scene.deskmap("read", "--app", "zenity", "--roles", "input", "--compact", "--points").stdout;
    const [x, y] = (JSON.parse(fields) as { elements: { t: string; p: [number, number] }[] }).elements.find(
      (field) => field.t === "Secret",
    )?.p ?? [0, 0];
    scene.run("xdotool", "mousemove", "--sync", String(x), String(y), "click", "1", "type", "--delay", "20", secret);
    await waitFor("the field to hold the text", () => {
      const [text = ""] = scene.ask("text", String(child.pid), "password text") as string[];
      return text.length === secret.length;
    });
    expectNoTrace(everyOutput("zenity"));
  });

  test("of a GTK 3 form is that of the field beside the label, not of the one listed after it", async () => {
    scene = await openScene();
    const child = await scene.start(
      ["zenity", "--forms", "--text=Visit", "--add-entry=Name", "--add-entry=PIN", "--add-entry=Town"],
      "zenity",
    );
    await scene.settle();
    for (const [text, on] of [
      ["Ada", "name"],
      [shortSecret, "pin"],
      ["Oslo", "town"],
    ] as const) {
      expect(scene.deskmap("set-value", text, "--on", on, "--app", "zenity", "--role", "input").stdout).toContain(
        '"confirmed"',
      );
    }
    expect(scene.ask("text", String(child.pid), "text")).toEqual(expect.arrayContaining(["Ada", shortSecret, "Oslo"]));
    const fields = scene.deskmap("read", "--app", "zenity", "--roles", "input", "--format", "text").stdout;
    expect(fields).toMatch(/input "Name"="Ada"(?!.* secret)/);
    expect(fields).toMatch(/input "Town"="Oslo"(?!.* secret)/);
    expect(fields).toMatch(/input "PIN".* secret/);
    expectNoTrace(everyOutput("zenity"));
  });

  for (const [name, app, { command }] of casesOf([], browsers)) {
    test(`shown in plain by a page's field that is called a password appears nowhere, and an ordinary field does: ${name}`, async () => {
      scene = await openScene({ width: 1280, height: 1000 });
      await scene.start(command, "Secrets");
      await scene.settle();
      const outputs = [...everyOutput(app), ...everyText(app), ...everyFinding(app)];
      expect(outputs.join("\n")).toContain("Oslo");
      expectNoTrace(outputs);
      const text = scene.deskmap("read", "--app", app, "--roles", "input", "--format", "text").stdout;
      expect(text.match(/ secret$/gm)).toHaveLength(11);
    });
  }
});

function everyOutput(app: string): string[] {
  const forms = [
    ["--format", "json"],
    ["--format", "text"],
    ["--format", "csv"],
    ["--compact"],
    ["--all"],
    ["--all", "--format", "text"],
  ];
  return forms.flatMap((form) => {
    const { stdout, stderr } = scene.deskmap("read", "--app", app, "--timeout-ms", "10000", ...form);
    expect(stdout).not.toBe("");
    return [stdout, stderr];
  });
}

/** The text of every marked element. */
function everyText(app: string): string[] {
  const { stdout } = scene.deskmap("read", "--app", app, "--bbox", "0,100,1280,900", "--compact");
  const marks = (JSON.parse(stdout) as { elements: { i: number }[] }).elements.map(({ i }) => i);
  expect(marks.length).toBeGreaterThan(20);
  return marks.map((mark) => scene.deskmap("text", "--id", String(mark)).stdout);
}

function everyFinding(app: string): string[] {
  return [secret, shortSecret, "pin", "cvv", "password"].map((words) => {
    return scene.deskmap("find", words, "--app", app, "--max", "50").stdout.replace(`"words":"${words}"`, "");
  });
}

function expectNoTrace(outputs: readonly string[]): void {
  for (const output of outputs) {
    expect(output).not.toContain(secret);
    expect(output).not.toContain(shortSecret);
  }
  const data = join(scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap");
  const files = readdirSync(data).map((name) => join(data, name));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect(readFileSync(file).includes(secret)).toBe(false);
    expect(statSync(file).mode & 0o077).toBe(0);
  }
}
