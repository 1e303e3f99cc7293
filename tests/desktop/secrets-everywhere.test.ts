import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareChromium } from "./chromium.ts";
import { card, countRead, findPlanted, key, Reader, readOwnFiles, secret } from "./planted.ts";
import { openScene, prepareFirefox, type Scene } from "./scene.ts";

// A secret in every kind of field: no byte of any output or file holds it, and no picture shows it.

const fixtures = join(import.meta.dir, "../fixtures/apps");
const page = `<!doctype html><title>Shop</title><style>body { font: 20px DejaVu Sans } input, textarea { font: inherit }</style>
<label>Login <input type="password" value="${secret}"></label><br><label>Password <input id="shown" value="${secret}"></label><br>
<label>PIN <input value="${secret}"></label><br><label>Access token <input value="${secret}"></label><br>
<label>One-time code <input autocomplete="one-time-code" value="${secret}"></label><br><label>City <input value="OSLO"></label>
<p>Paid with ${card}</p><textarea aria-label="Notes" cols="40" rows="3">${card}\n${key}</textarea><p>FINLAND</p>`;
const folder = mkdtempSync(join(tmpdir(), "deskmap-planted-"));
const browsers = [
  ["Firefox", "firefox", prepareFirefox(page)],
  ["Chromium", "chromium", prepareChromium(page)],
] as const;
const toolkits = [
  ["GTK 3", "secrets-gtk3.py", "Three", 10],
  ["GTK 4", "secrets-gtk4.py", "Four", 440],
  ["Qt", "secrets-qt5.py", "Quint", 870],
] as const;
afterAll(() => {
  for (const [, , browser] of browsers) browser.remove();
  rmSync(folder, { recursive: true, force: true });
});

let scene: Scene;
let reader: Reader;
afterEach(async () => {
  reader.close();
  await scene.close();
});

describe("no output, no file and no picture has a planted secret:", () => {
  test("of fields and texts in GTK 3, GTK 4 and Qt", async () => {
    scene = await openScene({ width: 1300, height: 620 });
    reader = new Reader(scene);
    for (const [, file, title, x] of toolkits) {
      const state = join(folder, `${title}.json`);
      await scene.start(["/usr/bin/python3", join(fixtures, file), state, title, secret, card, key], title);
      scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowmove", "--sync", String(x), "40");
    }
    await scene.settle();
    const seen = countRead(reader.readScreen());
    expect(seen.plain).toBeGreaterThanOrEqual(2);
    expect(seen.secrets).toBeGreaterThanOrEqual(8);
    expect(seen.cards).toBeGreaterThanOrEqual(5);
    expect(seen.keys).toBeGreaterThanOrEqual(2);
    expectUnread(reader.shoot());
    for (const [, , title] of toolkits) {
      expectUnread(reader.shoot("--window", title));
      expectNoTrace(tryEverything(["--window", title]));
      // All three are Python, with the same fields: to a map they are one application that looks different each time.
      rmSync(join(scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap"), { recursive: true });
    }
  });

  test("at the end of a text of which a read shows only the beginning", async () => {
    scene = await openScene({ width: 900, height: 700 });
    reader = new Reader(scene);
    const file = join(folder, "long.txt");
    writeFileSync(file, `${"word and word again\n".repeat(400)}pay with ${card}\n`);
    await scene.start(["mousepad", file], "long");
    await scene.settle();
    scene.run("xdotool", "key", "ctrl+End");
    await scene.settle();
    expect(countRead(reader.readScreen()).cards).toBe(1);
    const { text, masked } = reader.shoot();
    expect([countRead(text).cards, masked]).toEqual([0, 1]);
  });

  for (const [name, app, { command }] of browsers) {
    test(`of fields and texts in ${name}`, async () => {
      scene = await openScene({ width: 1000, height: 760 });
      reader = new Reader(scene);
      await scene.start(command, "Shop");
      await scene.settle();
      const seen = countRead(reader.readScreen());
      expect(seen.secrets).toBeGreaterThanOrEqual(2);
      expect(seen.cards).toBeGreaterThanOrEqual(2);
      expectUnread(reader.shoot());
      expectUnread(reader.shoot("--app", app));
      expectNoTrace(tryEverything(["--app", app]));
    });
  }
});

function expectUnread({ text, masked }: ReturnType<Reader["shoot"]>): void {
  const { plain, ...secrets } = countRead(text);
  expect(secrets).toEqual({ secrets: 0, cards: 0, keys: 0 });
  expect(plain).toBeGreaterThanOrEqual(1);
  expect(masked).toBeGreaterThanOrEqual(6);
}

interface Field {
  readonly i: number;
  readonly t?: string;
  readonly p?: readonly [number, number];
}

/** Every tool that reads or acts, in every format. What only reads is done in batches, which answer in full. */
function tryEverything(window: readonly string[]): string[] {
  const outputs: string[] = [];
  const run = (...args: string[]): string => {
    const { stdout, stderr } = scene.deskmap(...args);
    outputs.push(stdout, stderr);
    return stdout;
  };
  const runBatch = (format: string, ...steps: string[]): void => {
    const file = join(folder, "steps.txt");
    writeFileSync(file, steps.map((step) => `${step} ${window.join(" ")}`).join("\n"));
    // Where a step fails the rest is not done: what it told comes last.
    const told = run("do", file, "--format", format);
    expect(told.includes('"done":false') || told.includes("not done.") ? told.slice(-700) : "done").toBe("done");
  };
  const { elements } = JSON.parse(run("read", ...window, "--compact", "--points", "--max", "500")) as {
    elements: Field[];
  };
  const named = (pattern: RegExp): Field[] => elements.filter(({ t = "" }) => pattern.test(t));
  const secrets = named(/^(Login|Password|PIN|Access token|One-time code)/);
  expect(secrets.length).toBeGreaterThanOrEqual(5);
  const texts = named(/^(Notes|City)|card number/).flatMap(({ i }) => {
    return [`text --id ${i}`, `text --id ${i} --start 2 --end 8`, `text --id ${i} --start 7`];
  });
  expect(texts.length).toBeGreaterThanOrEqual(6);
  const points = [...secrets.slice(0, 2), ...named(/card number/).slice(0, 1)].flatMap(({ p }) =>
    p === undefined ? [] : [`at ${p.join(" ")}`],
  );
  const reading = ["read --all", "find password --max 50", ...texts];
  runBatch("json", ...reading);
  runBatch("text", "read", ...texts.slice(-3));
  writeFileSync(join(folder, "points.txt"), ["list", ...points].join("\n"));
  run("do", join(folder, "points.txt"));
  run("read", ...window, "--all", "--format", "csv");
  run("text", "--id", String(secrets[1]?.i), ...window);
  runBatch("json", `type "${secret}" --on pin`, "read");
  run("set-value", secret, "--on", "password", "--role", "input", ...window);
  run("type", secret, "--on", "access token", ...window, "--format", "text");
  run("click", "--id", String(secrets[2]?.i), ...window, "--format", "text");
  run("click", "no such thing", ...window);
  return outputs;
}

function expectNoTrace(outputs: readonly string[]): void {
  expect(outputs.join("\n")).toContain("OSLO");
  for (const output of outputs) expect([findPlanted(output), output]).toEqual([[], output]);
  const files = readOwnFiles(scene);
  expect(files.map(([path]) => path).join("\n")).toMatch(/map\.db[\s\S]*audit\.jsonl/);
  for (const [path, content] of files) expect([path, findPlanted(content)]).toEqual([path, []]);
}
