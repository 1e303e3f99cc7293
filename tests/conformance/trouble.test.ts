import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { openEnvelope } from "../envelope.ts";

// The program as a user starts it, on a desktop with one broken part.

const launcher = join(import.meta.dir, "../../deskmap");
let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-trouble-"));
  sandbox = await openSandbox({ width: 800, height: 600, boundary: "off" });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(args: readonly string[], env: Record<string, string>) {
  return spawnSync(launcher, args, { env: { ...sandbox.env, ...env }, encoding: "utf8", timeout: 20_000 });
}

function writeMap(name: string, bytes: Uint8Array): { env: Record<string, string>; path: string; place: string } {
  const place = join(folder, name, "deskmap");
  mkdirSync(place, { recursive: true });
  const path = join(place, "map.db");
  writeFileSync(path, bytes);
  return { env: { XDG_DATA_HOME: join(folder, name) }, path, place };
}

describe("with a map that is damaged", () => {
  test("read exits with 1, says how to go on, and does not touch the file", () => {
    const bytes = Buffer.from("not a map ".repeat(500));
    const { env, path, place } = writeMap("damaged", bytes);
    const ended = run(["read", "--format", "text"], env);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toBe("");
    expect(openEnvelope(ended.stderr)).toBe(
      `UNAVAILABLE  the map is damaged: ${path}\n` +
        `try: deskmap map rescue makes a new map from what can still be read, and keeps this one beside it.   nothing was done. the file is untouched.`,
    );
    expect(readFileSync(path).equals(bytes)).toBe(true);
    // Its lock file is empty.
    expect(readdirSync(place).toSorted()).toEqual(["map.db", "map.db.lock"]);
  });

  test("list still works: it needs no map", () => {
    const { env } = writeMap("unneeded", Buffer.from("not a map ".repeat(500)));
    expect(run(["list", "--format", "json"], env)).toMatchObject({ status: 0, stderr: "" });
  });
});

test("an unusable map path is named, and the read is answered without a map", () => {
  writeFileSync(join(folder, "file"), "");
  const ended = run(["read", "--format", "json"], { XDG_DATA_HOME: join(folder, "file") });
  expect(ended.status).toBe(0);
  expect(ended.stderr).toContain(`the map cannot be used: ${join(folder, "file", "deskmap", "map.db")}`);
  const { warnings } = JSON.parse(ended.stdout);
  expect(warnings[0]).toContain("new marks, numbered from 1000000000000, are valid only in this process");
});

test("without an accessibility bus read exits with 1 and suggests a next step, and list works", () => {
  const dead = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", AT_SPI_BUS_ADDRESS: "unix:path=/nowhere" };
  const ended = run(["read", "--format", "text"], dead);
  expect(ended.status).toBe(1);
  expect(ended.stdout).toBe("");
  expect(openEnvelope(ended.stderr)).toStartWith("UNAVAILABLE  no accessibility bus: ");
  expect(ended.stderr).toContain("deskmap sandbox");
  expect(ended.stderr).not.toContain("    at ");
  expect(run(["list"], dead).status).toBe(0);
});
