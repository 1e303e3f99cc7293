import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { firstPassingMark } from "../../src/model/passing-mark.ts";
import { SharedDesk, startShared } from "./shared-desk.ts";
import type { TestServer } from "./shared-server.ts";
import { takeInSmall } from "./small-window.ts";

// With an unwritable home, a shared map works like a local one: known marks stay, new ones hold for the process only.

let server: TestServer;
let desk: SharedDesk;
beforeAll(async () => {
  server = await startShared();
  server.addRole("reader");
  desk = new SharedDesk(server.url("reader"));
});
afterEach(() => spawnSync("chmod", ["-R", "u+w", desk.env.XDG_DATA_HOME ?? ""]));
afterAll(async () => {
  desk.remove();
  await server.close();
});

interface ProcessOutput {
  readonly marks: readonly (readonly number[])[];
  readonly again: readonly (readonly number[])[];
  readonly warnings: readonly string[];
  readonly failure: string | null;
}

const child = fileURLToPath(new URL("./open-in-process.ts", import.meta.url));

/** Without root's right to write read-only files. */
function runBound(...apps: readonly number[]): ProcessOutput {
  const { XDG_DATA_HOME: home = "", DESKMAP_MAP } = desk.env;
  const other = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"] : [];
  const [program = "", ...args] = [...other, process.execPath, child, home, ...apps.map(String)];
  const env = { PATH: process.env.PATH ?? "", ...(DESKMAP_MAP === undefined ? {} : { DESKMAP_MAP }) };
  const { stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

test("a copy that was never created is kept in memory, with a warning", () => {
  chmodSync(desk.env.XDG_DATA_HOME ?? "", 0o555);
  const told = runBound(1);
  expect([told.failure, told.again]).toEqual([null, told.marks]);
  expect(told.warnings).toEqual([expect.stringContaining("are valid only in this process")]);
  expect(Math.min(...(told.marks[0] ?? []))).toBeGreaterThan(firstPassingMark);
});

test("a readable copy keeps its marks, and stays unchanged", async () => {
  const { value: known } = await desk.visit((store) => takeInSmall(store, 1, 1));
  const before = readFileSync(desk.path);
  for (const path of [desk.path, dirname(desk.path), desk.env.XDG_DATA_HOME ?? ""]) {
    chmodSync(path, path === desk.path ? 0o444 : 0o555);
  }
  const told = runBound(1, 2);
  expect([told.failure, told.marks[0], told.again]).toEqual([null, known, told.marks]);
  expect(told.warnings).toEqual([expect.stringContaining("are valid only in this process")]);
  expect(Math.min(...(told.marks[1] ?? []))).toBeGreaterThan(firstPassingMark);
  expect(readFileSync(desk.path).equals(before)).toBe(true);
  // Marks that will not be remembered are not shared.
  const { text } = server.psql("reader", "SELECT count(*) FROM deskmap.targets WHERE role = 'button'");
  expect(text).toBe(String(known.length));
});
