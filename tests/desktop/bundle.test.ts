import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene, type Scene } from "./scene.ts";

const planted = {
  title: "Divorce-papers-zxq1",
  password: "Tr0ub4dor-zxq2",
  entry: "typed-words-zxq3",
  clipboard: "copied-words-zxq4",
  variable: "sk-live-zxq5",
};

describe("a bundle for a bug report", () => {
  let scene: Scene;
  const folder = mkdtempSync(join(tmpdir(), "deskmap-bundle-"));
  beforeAll(async () => {
    scene = await openScene();
    const form = ["--forms", `--title=${planted.title}`, "--add-password=Secret", "--add-entry=Words"];
    const child = await scene.start(["zenity", ...form], planted.title);
    await scene.settle();
    expect(scene.deskmap("set-value", planted.entry, "--on", "Words").status).toBe(0);
    expect(scene.deskmap("type", planted.password, "--on", "Secret").status).not.toBe(2);
    expect(scene.deskmap("clipboard", "write", planted.clipboard).status).toBe(0);
    // Verify by another route that the secrets are there.
    const [password = ""] = scene.ask("text", String(child.pid), "password text") as string[];
    expect(password).toHaveLength(planted.password.length);
    expect(scene.run("xclip", "-selection", "clipboard", "-o").stdout).toBe(planted.clipboard);
  });
  afterAll(async () => {
    scene.deskmap("serve", "stop");
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const launcher = join(import.meta.dir, "../../deskmap");
  const bundle = (file: string) => {
    const env = { ...scene.sandbox.env, ACME_TOKEN: planted.variable };
    const args = ["doctor", "--bundle", file, "--format", "text"];
    return spawnSync(launcher, args, { env, encoding: "utf8" });
  };

  for (const daemon of [false, true]) {
    test(`contains what is needed, says so, and contains no secret, ${daemon ? "with" : "without"} a daemon`, () => {
      if (daemon) expect(scene.deskmap("serve", "--detach").status).toBe(0);
      const file = join(folder, `${daemon}.json`);
      const { status, stdout, stderr } = bundle(file);
      expect([status, stderr]).toEqual([0, ""]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const text = readFileSync(file, "utf8");
      for (const secret of Object.values(planted)) expect(text).not.toContain(secret);
      const data = JSON.parse(text);
      for (const name of Object.keys(data)) expect(stdout).toContain(`\n  ${name} `);
      expect(data.deskmap.version).toMatch(/^\d+\.\d+\.\d+/);
      expect(data.environment.DISPLAY).toBe(scene.sandbox.env.DISPLAY ?? "");
      expect(data.environment).not.toHaveProperty("ACME_TOKEN");
      const [window] = data.windows;
      expect(window).toMatchObject({ app: "Zenity", titleLength: planted.title.length });
      expect(data.checks.map(({ subject }: { subject: string }) => subject)).toContain("window manager");
      expect(data.map.targets).toBeGreaterThan(0);
      const lanes = new Set(data.traceEvents.map(({ cat }: { cat?: string }) => cat));
      for (const lane of ["dbus", "x11", "read", ...(daemon ? ["daemon"] : [])]) expect(lanes).toContain(lane);
      expect(typeof data.daemon).toBe(daemon ? "object" : "string");
    });
  }

  test("never overwrites a file", () => {
    const file = join(folder, "letter.txt");
    writeFileSync(file, "Dear Ada");
    const { status, stderr } = bundle(file);
    expect(status).toBe(2);
    expect(stderr).toContain("is there already");
    expect(readFileSync(file, "utf8")).toBe("Dear Ada");
  });
});
