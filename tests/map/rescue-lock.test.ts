import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rescueMap } from "../../src/map/keep/rescue.ts";
import { mapPath } from "../../src/map/store/places.ts";
import { firstPassingMark } from "../../src/model/passing-mark.ts";
import { waitFor } from "../desktop/scene.ts";
import { openStore } from "./desk.ts";
import { takeInSmall } from "./small-window.ts";

// A rescue replaces the map's file, so no other process may have it open. Uses real processes.

const cli = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const holder = fileURLToPath(new URL("./hold-in-process.ts", import.meta.url));
const reader = fileURLToPath(new URL("./open-in-process.ts", import.meta.url));

let home = "";
let path = "";
let known: readonly number[] = [];
const children: Bun.Subprocess<"pipe", "pipe", "inherit">[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-rescue-"));
  path = mapPath({ XDG_DATA_HOME: home });
  const store = openStore(path);
  known = takeInSmall(store, 1, 1);
  store.close();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
  rmSync(home, { recursive: true, force: true });
});

function spawn(...words: readonly string[]): Bun.Subprocess<"pipe", "pipe", "inherit"> {
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
  const child = Bun.spawn([process.execPath, ...words], {
    env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  children.push(child);
  return child;
}

/** Resolves once the process has the map. `end` lets it continue, and returns its output. */
async function holdBy(how: "open" | "alone") {
  const child = spawn(holder, how, path);
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const readMore = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    text += decoder.decode(value);
    return !done;
  };
  while (!text.includes("ready")) if (!(await readMore())) throw new Error("it ended before it was ready");
  return {
    pid: child.pid,
    kill: () => child.kill("SIGKILL"),
    async end(): Promise<string> {
      child.stdin.end();
      while (await readMore());
      return text;
    },
  };
}

/** Observed from outside: whether a process has reached the lock. */
function isAtLock(pid: number): boolean {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    return files.includes(`${path}.lock`);
  } catch {
    return false;
  }
}

function damage(): Buffer {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 0, 100);
  writeFileSync(path, bytes);
  return bytes;
}

const listKept = (): string[] => readdirSync(dirname(path)).filter((name) => /damaged-[^-]*-[^-]*-[^-]*$/.test(name));

describe("while a process has the map open", () => {
  test("a rescue refuses, names the process, and changes nothing", async () => {
    const other = await holdBy("open");
    const bytes = damage();
    const refused = rescueMap(path, Date.now());
    expect(refused).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining(`process ${other.pid} has`) },
    });
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(listKept()).toEqual([]);
    other.kill();
    // However it ended.
    expect(rescueMap(path, Date.now())).toMatchObject({ ok: true });
    expect(listKept()).toHaveLength(1);
  });

  test("a rescue waits for one that is about to end, and does not lose what it wrote", async () => {
    const other = await holdBy("open");
    const rescue = spawn(cli, "map", "rescue", "--format", "json");
    await waitFor("the rescue at the lock", () => isAtLock(rescue.pid));
    const [marks = []] = (await other.end())
      .split("\n")
      .slice(1)
      .filter(Boolean)
      .map((line): number[] => JSON.parse(line));
    expect(JSON.parse(await new Response(rescue.stdout).text())).toMatchObject({ kept: null });
    const store = openStore(path);
    expect([takeInSmall(store, 1, 1), takeInSmall(store, 2, 1)]).toEqual([[...known], marks]);
    store.close();
  });

  test("others may open it as well", async () => {
    const other = await holdBy("open");
    const store = openStore(path);
    expect(takeInSmall(store, 1, 1)).toEqual([...known]);
    store.close();
    await other.end();
  });
});

describe("while the map is being rescued", () => {
  test("a process that opens it waits, and then works with the current map", async () => {
    const rescue = await holdBy("alone");
    const other = spawn(reader, home, "1", "3");
    await waitFor("the other at the lock", () => isAtLock(other.pid));
    await rescue.end();
    const told = JSON.parse(await new Response(other.stdout).text());
    expect([told.failure, told.warnings, told.marks[0]]).toEqual([null, [], known]);
    expect(Math.max(...told.marks[1])).toBeLessThan(firstPassingMark);
  });

  test("if it takes too long, new marks hold for the process only, and the reason is given", async () => {
    const rescue = await holdBy("alone");
    const other = spawn(reader, home, "1", "3");
    const told = JSON.parse(await new Response(other.stdout).text());
    expect(told).toMatchObject({
      failure: null,
      warnings: [expect.stringContaining("another process is rescuing it")],
    });
    expect(told.marks[0]).toEqual(known);
    expect(Math.min(...told.marks[1])).toBeGreaterThan(firstPassingMark);
    await rescue.end();
  });
});
