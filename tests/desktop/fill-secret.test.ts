import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareChromium } from "./chromium.ts";
import { readOwnFiles } from "./planted.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// The application reports what a field really holds; searching every output byte proves that it did not leak.

const fixtures = join(import.meta.dir, "../fixtures/apps");
const fromFile = "Qx7-veiled-by-file";
const fromService = "Zr9-hidden-in-keyring";
const page = `<!doctype html><title>Sign in</title><label>Password <input type="password" oninput="
document.title = 'Sign in ' + (this.value === '${fromFile}' ? 'right' : 'wrong')"></label><label>City <input></label>`;
const chromium = prepareChromium(page);

let scene: Scene;
let folder: string;
let secrets: string;
const outputs: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-fill-"));
  scene = await openScene({ width: 1280, height: 900 });
  const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
  mkdirSync(config, { recursive: true });
  secrets = join(config, "secrets.env");
  writeFileSync(secrets, `# mine\nMAIL="${fromFile}"\nOTHER=nothing\n`, { mode: 0o600 });
  for (const [file, title] of apps) {
    await scene.start(["/usr/bin/python3", join(fixtures, file), stateOf(title), title, "x", "1", "1"], title);
  }
  await scene.start(chromium.command, "Sign in");
  await startKeyring();
  await scene.settle();
});
afterAll(async () => {
  await scene.close();
  chromium.remove();
  rmSync(folder, { recursive: true, force: true });
});

const apps = [
  ["secrets-gtk3.py", "Three"],
  ["secrets-gtk4.py", "Four"],
  ["secrets-qt5.py", "Quint"],
] as const;

function stateOf(title: string): string {
  return join(folder, `${title}.json`);
}

function held(title: string, field = "Login"): string {
  return JSON.parse(readFileSync(stateOf(title), "utf8"))[field];
}

/** GNOME's secret service with its own unlocked keyring. */
async function startKeyring(): Promise<void> {
  const daemon = scene.sandbox.spawn(["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  daemon.stdin?.end("a password of its own");
  await waitFor("the secret service", () => secretTool("store", "--label=Shop password", "deskmap", "SHOP") === 0);
}

function secretTool(...args: string[]): number {
  return scene.run("/bin/sh", "-c", `printf %s '${fromService}' | timeout 5 secret-tool ${quoteAll(args)}`).status;
}

function quoteAll(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

function fill(...args: string[]): { status: number; told: string } {
  const { status, stdout, stderr } = scene.deskmap("fill-secret", ...args);
  outputs.push(stdout, stderr);
  return { status, told: `${stdout}${stderr}` };
}

describe("a secret is filled in by its name", () => {
  for (const [file, title] of apps) {
    test(`from the person's file, through accessibility or keys: ${file}`, () => {
      const { status, told } = fill("Login", "--role", "input", "--from", "MAIL", "--window", title);
      expect(told).toContain('"effect":"confirmed"');
      expect(status).toBe(0);
      expect(held(title)).toBe(fromFile);
    });
  }

  test("with keys, if a page accepts no text otherwise: Chromium", async () => {
    const { told } = fill("password", "--role", "input", "--from", "MAIL", "--app", "chromium");
    expect(told).toContain("it holds as many characters as the secret");
    await waitFor("the page to have it", () => scene.run("xdotool", "search", "--name", "Sign in right").status === 0);
  });

  test("from the secret service, by its attribute and by its label", () => {
    expect(fill("Login", "--role", "input", "--from", "SHOP", "--window", "Three").told).toContain("confirmed");
    expect(held("Three")).toBe(fromService);
    expect(fill("Login", "--role", "input", "--from", "Shop password", "--window", "Quint").told).toContain(
      "confirmed",
    );
    expect(held("Quint")).toBe(fromService);
  });
});

describe("nothing is filled in", () => {
  test("into a field that shows its content", () => {
    const before = held("Three", "City");
    const { status, told } = fill("City", "--role", "input", "--from", "MAIL", "--window", "Three");
    expect([status, told]).toEqual([3, expect.stringContaining('"reason":"secret"')]);
    expect(held("Three", "City")).toBe(before);
  });

  test("by an unknown name; the known names are not told", () => {
    const { status, told } = fill("Login", "--role", "input", "--from", "MIAL", "--window", "Three");
    expect(status).toBe(1);
    expect(JSON.parse(told).error.code).toBe("NOT_FOUND");
    expect(told).not.toMatch(/MAIL|OTHER/);
  });

  test("from a file that others can read", () => {
    chmodSync(secrets, 0o644);
    const { status, told } = fill("Login", "--role", "input", "--from", "MAIL", "--window", "Four");
    chmodSync(secrets, 0o600);
    expect([status, told]).toEqual([3, expect.stringContaining(`chmod 600 ${secrets}`)]);
  });

  test("from a locked keyring, and the answer says how to unlock it", () => {
    const call = "org.freedesktop.Secret.Service.Lock";
    const lock = scene.run(
      "gdbus",
      "call",
      "--session",
      "--dest",
      "org.freedesktop.secrets",
      "--object-path",
      "/org/freedesktop/secrets",
      "--method",
      call,
      "['/org/freedesktop/secrets/collection/login']",
    );
    expect(lock.status).toBe(0);
    const { status, told } = fill("Login", "--role", "input", "--from", "SHOP", "--window", "Four");
    expect([status, told]).toEqual([3, expect.stringContaining("is locked")]);
    expect(held("Four")).toBe(fromFile);
  });

  test("if the policy forbids it", () => {
    const policy = join(secrets, "../policy.json");
    writeFileSync(policy, JSON.stringify({ rules: [{ actions: ["fill-secret"], decision: "deny" }] }));
    const { status, told } = fill("Login", "--role", "input", "--from", "OTHER", "--window", "Four");
    rmSync(policy);
    expect([status, told]).toEqual([3, expect.stringContaining('"reason":"rule"')]);
    expect(held("Four")).toBe(fromFile);
  });
});

test("no answer and no file but the person's own contains a secret or its length; the log has its name", () => {
  const files = readOwnFiles(scene).filter(([path]) => path !== secrets);
  const log = files.find(([path]) => path.endsWith("audit.jsonl"))?.[1].toString() ?? "";
  expect(log).toContain('"words":"MAIL"');
  expect(log).not.toContain('"typed"');
  for (const secret of [fromFile, fromService]) {
    const pieces = [secret, secret.slice(4), Buffer.from(secret).toString("base64").slice(0, 12)];
    for (const piece of pieces) {
      expect(outputs.some((output) => output.includes(piece))).toBe(false);
      expect(files.filter(([, content]) => content.includes(piece)).map(([path]) => path)).toEqual([]);
    }
  }
  expect(outputs.join("\n")).not.toMatch(new RegExp(`\\b(${fromFile.length}|${fromService.length}) characters`));
});
