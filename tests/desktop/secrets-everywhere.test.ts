import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { toolEntries } from "../../src/tools/index.ts";
import { casesOf, matrix } from "../tier.ts";
import { card, countRead, findPlanted, key, Reader, readOwnFiles, secret } from "./planted.ts";
import { permissive, setPolicy } from "./policy.ts";
import { prepareSavedPassword } from "./saved-password.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";
import { readShown, type Shown } from "./shown.ts";
import { StepsClient, type ToolResult } from "./steps-client.ts";
import { startWatch } from "./watched.ts";

// A secret in every kind of field, and in a blind window: no byte of any tool's answer or any file contains it, and no picture
// shows it. One desktop has all of them.

const fixtures = join(import.meta.dir, "../fixtures/apps");
const style = "<style>body { font: 20px DejaVu Sans } input, textarea, button { font: inherit }</style>";
const writePage = (title: string, more = ""): string => `<!doctype html><title>${title}</title>${style}
<label>Login <input type="password" value="${secret}"></label><br><label>Password <input id="shown" value="${secret}"></label><br>
<label>PIN <input value="${secret}"></label><br><label>Access token <input value="${secret}"></label><br>
<label>One-time code <input autocomplete="one-time-code" value="${secret}"></label><br><label>City <input value="OSLO"></label>
<p>Paid with ${card}</p><textarea aria-label="Notes" cols="40" rows="3">${card}\n${key}</textarea><p>FINLAND</p>${more}`;
/** What Chromium itself fills in; a page's script sees the password after the first user input. */
const filledForm = `<form method="post"><label>User <input name="user" autocomplete="username"></label><br>
<label>Saved password <input name="password" id="word" type="password" autocomplete="current-password"></label>
<button type="button" onclick="fetch('/', { method: 'POST', body: word.value })">Tell</button>
<button type="button" onclick="word.type = 'text'">Show</button></form>`;

const folder = mkdtempSync(join(tmpdir(), "deskmap-planted-"));
const firefox = prepareFirefox(writePage("Fox shop"));
const chromium = prepareSavedPassword(writePage("Chrome shop", filledForm), "BERGEN", secret);
const longText = join(folder, "long.txt");
writeFileSync(longText, `${"word and word again\n".repeat(400)}pay with ${card}\n`);

interface Place {
  readonly words: string;
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  readonly bounds: readonly [number, number, number, number];
}

function fixture(file: string, title: string): Place["command"] {
  return ["/usr/bin/python3", join(fixtures, file), join(folder, `${title}.json`), title, secret, card, key];
}

/** Each has the same fields. */
const oncePlaces: readonly Place[] = [
  { words: "GTK 3", title: "Three", command: fixture("secrets-gtk3.py", "Three"), bounds: [5, 30, 420, 460] },
  { words: "Chromium", title: "Chrome shop", command: chromium.command, bounds: [645, 500, 640, 690] },
];
const matrixPlaces: readonly Place[] = [
  { words: "GTK 4", title: "Four", command: fixture("secrets-gtk4.py", "Four"), bounds: [435, 30, 420, 460] },
  { words: "Qt", title: "Quint", command: fixture("secrets-qt5.py", "Quint"), bounds: [865, 30, 420, 460] },
  { words: "Firefox", title: "Fox shop", command: firefox.command, bounds: [5, 560, 630, 630] },
];
const places = casesOf(oncePlaces, matrixPlaces);
const others: readonly Place[] = [
  { words: "long", title: "long.txt", command: ["mousepad", longText], bounds: [1295, 30, 430, 150] },
  {
    words: "blind",
    title: "Vault",
    command: ["zenity", "--info", "--title=Vault", `--text=<span size="x-large">${secret}\n${card}</span>`],
    bounds: [1330, 460, 350, 160],
  },
];

let scene: Scene;
let client: StepsClient;
let reader: Reader;
beforeAll(async () => {
  scene = await openScene({ width: 1740, height: 1200 });
  client = new StepsClient(scene.sandbox.env);
  reader = new Reader(scene);
  setPolicy(scene, { ...permissive, apps: { zenity: "blind" } });
  const { secrets } = findPlaces(scene.sandbox.env);
  writeFileSync(secrets, `WORD=${secret}\n`, { mode: 0o600 });
  await Promise.all([...places, ...others].map(({ command, title }) => scene.start(command, title)));
  for (const { title, bounds } of [...places, ...others]) arrange(title, bounds);
  await scene.settle();
});
afterAll(async () => {
  client.close();
  await scene.close();
  reader.close();
  for (const one of [firefox, chromium]) one.remove();
  rmSync(folder, { recursive: true, force: true });
});

function arrange(title: string, [x, y, width, height]: Place["bounds"]): void {
  const id = scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n").at(-1) ?? "";
  scene.run(
    "xdotool",
    "windowsize",
    id,
    String(width),
    String(height),
    "windowmove",
    "--sync",
    id,
    String(x),
    String(y),
  );
}

interface Picture {
  readonly path: string;
  readonly told: ToolResult;
  readonly masked: number;
  readonly text: Promise<string>;
}

/** The most pixels that blinking carets change; a word has more. */
const caretPixels = 200;

/** A picture taken by Deskmap, its answer, and the text that OCR reads in it. */
async function shoot(input: Record<string, unknown>): Promise<Picture> {
  const output = reader.nextPath();
  const told = await client.call("screenshot", { scale: 1, output, ...input });
  if (told.exit !== 0) return { path: output, told, masked: 0, text: Promise.resolve("") };
  const { masked } = JSON.parse(told.json ?? "{}") as { masked: number };
  return { path: output, told, masked, text: reader.readLater(output) };
}

const noSecrets = { secrets: 0, cards: 0, keys: 0 };

test("no picture shows a planted secret: of the screen, a monitor, a region, a window or an element", async () => {
  scene.run("xdotool", "search", "--onlyvisible", "--name", "long.txt", "windowactivate", "--sync");
  scene.run("xdotool", "key", "ctrl+End");
  await scene.settle();
  // Proves that the secret was readable in every kind of place.
  const bare = reader.pictureScreen();
  const pictures = new Map<string, Picture>();
  const take = async (words: string, input: Record<string, unknown>) => pictures.set(words, await shoot(input));
  await take("the screen", {});
  await take("the region of the fields", { region: "0,20,1290,480" });
  await take("the region of the blind window", { region: "1290,440,440,200" });
  await take("the end of a long text", { app: "mousepad" });
  for (const place of places) await take(place.words, { window: place.title });
  // The only monitor is the whole screen: it is captured again, but not read again.
  const monitor = reader.nextPath();
  expect((await client.call("screenshot", { scale: 1, scope: "monitor", output: monitor })).exit).toBe(0);
  expect(reader.countDifferences(monitor, pictures.get("the screen")?.path ?? "")).toBeLessThan(caretPixels);
  const elements: string[] = [];
  for (const place of places) {
    const fields = readFields(place).filter(({ t = "" }) => /^(Password|Notes)/.test(t));
    expect(fields.length).toBeGreaterThanOrEqual(2);
    for (const { i } of fields) {
      const output = reader.nextPath();
      expect((await client.call("screenshot", { scale: 1, output, id: i })).exit).toBe(0);
      elements.push(output);
    }
  }
  const inElements = reader.readLater(...elements);
  const seen = countRead(await bare);
  // OCR misses some: a small letter is at times read as another.
  expect(seen.plain).toBeGreaterThanOrEqual(places.length - 1);
  expect(seen.secrets).toBeGreaterThanOrEqual(2.6 * places.length);
  expect(seen.cards).toBeGreaterThanOrEqual(1.6 * places.length);
  expect(seen.keys).toBeGreaterThanOrEqual(0.4 * places.length);
  for (const [words, { masked, text }] of pictures) {
    const { plain, ...secrets } = countRead(await text);
    expect([words, secrets, masked > 0]).toEqual([words, noSecrets, true]);
    const isWhole = places.some((place) => place.words === words) || words === "the screen";
    expect([words, !isWhole || plain > 0]).toEqual([words, true]);
  }
  expect(countRead(await inElements)).toEqual({ ...noSecrets, plain: 0 });
  const blind = await shoot({ app: "zenity" });
  expect([blind.told.exit, blind.told.reason]).toEqual([3, "blind"]);
});

const tried = new Set<string>();

/** One call, in every format; none may contain a planted secret. */
async function call(tool: string, input: Record<string, unknown>): Promise<ToolResult> {
  tried.add(tool);
  const told = await client.call(tool, input, 5000);
  const output = JSON.stringify(told);
  expect([tool, input, told.exit === -1 ? told.message : findPlanted(output)]).toEqual([tool, input, []]);
  return told;
}

function readFields(place: Place): Shown[] {
  return readShown(scene, "--window", place.title, "--max", "500");
}

describe("no tool's answer, in any format, contains a planted secret", () => {
  for (const place of places) {
    test(`of fields and texts in ${place.words}`, async () => {
      const window = { window: place.title };
      const fields = readFields(place);
      const named = (pattern: RegExp): Shown[] => fields.filter(({ t = "" }) => pattern.test(t));
      const secrets = named(/^(Login|Password|PIN|Access token|One-time code)/);
      expect(secrets.length).toBeGreaterThanOrEqual(5);
      const told = await call("read", { ...window, all: true });
      expect(told.json).toContain("OSLO");
      // An unknown token: everything is reported, and then all changes.
      const watched = await call("watch", { since: "0.0", ...window });
      expect(watched.json).toContain("OSLO");
      const watching = startWatch(scene, "watch", "--no-daemon", "--window", place.title);
      await watching.expectLine("the first token", ({ kind }) => kind === "token");
      await call("find", { words: "password", max: 50, ...window });
      const texts = named(/^(Notes|City)|card number/);
      expect(texts.length).toBeGreaterThanOrEqual(2);
      for (const { i } of texts) {
        for (const range of [{}, { start: 2, end: 8 }, { start: 7 }])
          await call("text", { id: i, ...range, ...window });
      }
      for (const { i } of secrets.slice(0, 2)) await call("text", { id: i, ...window });
      for (const { i } of [...secrets, ...texts]) await call("element", { id: i, evidence: true, ...window });
      for (const { p } of [...secrets.slice(0, 2), ...named(/card number/).slice(0, 1)]) {
        if (p !== undefined) await call("at", { x: p[0], y: p[1] });
      }
      await call("type", { text: secret, on: "pin", ...window });
      await call("set-value", { text: secret, on: "password", role: "input", ...window });
      await call("click", { id: secrets[2]?.i, ...window });
      await call("click", { words: "no such thing", ...window });
      await call("fill-secret", { from: "WORD", id: secrets[3]?.i, ...window });
      await call("expect", { condition: '"Password" exists', ...window });
      watching.child.kill("SIGTERM");
      expect([await watching.ended(), findPlanted(watching.output()), watching.errors()]).toEqual([0, [], ""]);
      // All three are Python with the same fields: to a map they are one application that looks different each time.
      expectNoFile();
      rmSync(join(scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap"), { recursive: true });
    });
  }

  test("in any operation: every tool, and the command itself", async () => {
    const [place] = places;
    if (place === undefined) throw new Error("no place");
    const window = { window: place.title };
    const fields = readFields(place);
    const { i: id, p: [x, y] = [0, 0] } = fields.find(({ t }) => t === "Password") ?? { i: 0 };
    const steps = join(folder, "steps.txt");
    writeFileSync(
      steps,
      `read --window ${place.title} --all\ntype "${secret}" --on pin --window ${place.title}\nlist\n`,
    );
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ["list", {}],
      ["list", { apps: true }],
      ["read", {}],
      ["find", { words: "pin" }],
      ["get_screen_targets", { forceVision: true }],
      ["get_screen_context", { forceVision: true }],
      ["teach", { name: `my ${card}`, id }],
      ["teach_element", { label: `my ${card}`, x, y }],
      ["record_action_result", { elementId: String(id), feedback: `paid with ${card}` }],
      ["element", { id, evidence: true }],
      ["locate", { ref: JSON.stringify({ role: "input", name: "Password" }), ...window }],
      ["overlay", { what: "on", everything: true }],
      ["annotate", { what: "highlight", id, label: `paid with ${card}` }],
      ["overlay", { what: "status" }],
      ["overlay", { what: "off" }],
      ["click_element", { elementId: String(id) }],
      ["type_in_element", { elementId: String(id), text: secret }],
      ["screenshot", { ...window, scale: 0.2 }],
      ["wait", { for: '"Password" exists', timeout: 50, ...window }],
      ["expect", { condition: '"City" is "OSLO"', ...window }],
      ...["toggle", "check", "uncheck", "expand", "collapse", "select"].map((tool) => [tool, { id }] as const),
      ["action", { name: "activate", id }],
      ["hover", { id }],
      ["focus", { id }],
      ["scroll", { direction: "down", id }],
      ["drag", { fromX: x, fromY: y, toX: x + 50, toY: y }],
      ["window", { operation: "front", ...window }],
      ["open", { what: "/bin/true" }],
      ["clipboard", { action: "read" }],
      ["clipboard", { action: "read", selection: "primary" }],
      ["do", { file: steps }],
      ["doctor", {}],
      ["quit", { ...window }],
    ];
    for (const [tool, input] of calls) await call(tool, input);
    expect([...tried].sort()).toEqual(toolEntries.map(({ name }) => name).sort());
    for (const args of [["read", "--format", "text"], ["read", "--format", "csv"], ["find", "password"], ["doctor"]]) {
      const { stdout, stderr } = scene.deskmap(...args);
      expect([args, findPlanted(stdout), findPlanted(stderr)]).toEqual([args, [], []]);
    }
    expectNoFile();
  });
});

matrix.test(
  "a password filled in by the browser is in no answer and no picture, hidden or shown by the page",
  async () => {
    const window = { window: "Chrome shop" };
    const find = (name: string): Shown => {
      const found = readShown(scene, "--window", "Chrome shop", "--max", "500").find(
        ({ r, t }) => t === name && r !== "txt",
      );
      if (found === undefined) throw new Error(`no ${name}`);
      return found;
    };
    /** Pressed by a person. */
    const press = (name: string): void => {
      const { p: [x, y] = [0, 0] } = find(name);
      scene.run("xdotool", "search", "--onlyvisible", "--name", "Chrome shop", "windowactivate", "--sync");
      scene.run("xdotool", "mousemove", "--sync", String(x), String(y), "click", "1");
    };
    await waitFor("the page's script to have it", () => {
      press("Tell");
      return chromium.lastHeard() === secret;
    });
    for (const state of ["hidden", "shown"]) {
      if (state === "shown") press("Show");
      await scene.settle();
      const bare = state === "shown" ? await reader.pictureScreen("640x690+645+500") : "KILIMANJARO";
      expect([state, countRead(bare).secrets > 0]).toEqual([state, true]);
      const { i: id, p: [x, y] = [0, 0] } = find("Saved password");
      const read = await call("read", { ...window, all: true });
      expect(read.json).toContain("BERGEN");
      for (const [tool, input] of [
        ["text", { id }],
        ["at", { x, y }],
        ["find", { words: "saved password", ...window }],
        ["click", { id }],
        ["type", { key: "End", id }],
      ] as const) {
        await call(tool, input);
      }
      const { text, masked } = await shoot(window);
      expect([state, countRead(await text).secrets, masked > 6]).toEqual([state, 0, true]);
    }
    expectNoFile();
  },
);

/** No file contains a planted secret, except the one that is meant to. */
function expectNoFile(): void {
  const { secrets } = findPlaces(scene.sandbox.env);
  const files = readOwnFiles(scene).filter(([path]) => path !== secrets);
  expect(files.map(([path]) => path).join("\n")).toMatch(/map\.db[\s\S]*audit\.jsonl/);
  for (const [path, content] of files) expect([path, findPlanted(content)]).toEqual([path, []]);
}
