import { afterAll, afterEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLogWanted, startTracing } from "../../src/cli/tracing.ts";
import { traced, traceProcess } from "../../src/model/trace.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-tracing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => traceProcess(undefined));

function start(name: string) {
  return startTracing("deskmap test", { isVerbose: false, file: join(folder, name) });
}

test("a trace is readable by its user only, and replaces an older one", async () => {
  for (const name of ["first", "second"]) {
    const tracing = start("own.json");
    if (!tracing.ok) throw new Error(tracing.failure.message);
    await traced(
      "map",
      () => [name],
      async () => undefined,
    );
    expect(tracing.value.finish()).toBeUndefined();
    const file = join(folder, "own.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { traceEvents }: { traceEvents: { name: string; ph: string }[] } = JSON.parse(readFileSync(file, "utf8"));
    expect(traceEvents.filter(({ ph }) => ph === "X").map((event) => event.name)).toEqual([name]);
  }
  expect(readdirSync(folder)).toEqual(["own.json"]);
});

test("a file that is not a trace is kept, and the command is not started", () => {
  writeFileSync(join(folder, "letter.txt"), "Dear Ada");
  writeFileSync(join(folder, "empty"), "");
  mkdirSync(join(folder, "directory"));
  symlinkSync(join(folder, "elsewhere"), join(folder, "link"));
  for (const name of ["letter.txt", "empty", "directory", "link"]) {
    const tracing = start(name);
    expect(tracing.ok ? undefined : tracing.failure.code).toBe("USAGE");
  }
  expect(readFileSync(join(folder, "letter.txt"), "utf8")).toBe("Dear Ada");
  expect(existsSync(join(folder, "elsewhere"))).toBe(false);
});

test("a missing folder is reported, after the command", () => {
  const tracing = start("nowhere/a.json");
  if (!tracing.ok) throw new Error(tracing.failure.message);
  expect(tracing.value.finish()?.message).toMatch(/^the trace ".*nowhere\/a\.json" could not be written/);
});

test("DESKMAP_LOG requests it by level", () => {
  for (const level of ["debug", "DEBUG"]) expect(isLogWanted({ DESKMAP_LOG: level })).toBe(true);
  for (const level of ["", "info", "0", undefined]) expect(isLogWanted({ DESKMAP_LOG: level })).toBe(false);
});
