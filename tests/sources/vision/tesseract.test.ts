import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failure, Result } from "../../../src/model/failure.ts";
import { pickVision } from "../../../src/sources/vision/pick.ts";
import { runProgram } from "../../../src/sources/vision/run-program.ts";
import { Tesseract } from "../../../src/sources/vision/tesseract.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-vision-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hints = { app: "any", windowTitle: "", knownLabels: [], scale: 1 };
const blank = { pixels: new Uint8Array(60 * 40 * 4).fill(255), bounds: { x: 0, y: 0, width: 60, height: 40 } };

/** A program in place of Tesseract. */
function pretend(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error("it did not fail");
  return result.failure;
}

describe("reading a picture", () => {
  test("says what to install if Tesseract is missing", async () => {
    const failure = failureOf(await new Tesseract({ env: { PATH: folder } }).detect(blank, hints));
    expect(failure.code).toBe("UNAVAILABLE");
    expect(failure.suggestion).toContain("apt install tesseract-ocr");
  });

  test("ends when it takes too long", async () => {
    const program = pretend("slow", "exec sleep 600");
    const failure = failureOf(await new Tesseract({ env: process.env, program, timeoutMs: 200 }).detect(blank, hints));
    expect(failure.code).toBe("TIMEOUT");
  });

  test("ends when it is cancelled, before and during the read", async () => {
    const tesseract = new Tesseract({ env: process.env, program: pretend("waits", "exec sleep 600") });
    expect(failureOf(await tesseract.detect(blank, hints, AbortSignal.abort())).code).toBe("FAILED");
    const abort = new AbortController();
    const running = tesseract.detect(blank, hints, abort.signal);
    setImmediate(() => abort.abort());
    expect(failureOf(await running).message).toContain("cancelled");
  });

  test("ends when the output is implausibly large", async () => {
    const command = [pretend("endless", "exec cat /dev/zero")] as const;
    const end = await runProgram({
      command: [...command],
      env: { PATH: process.env.PATH ?? "" },
      input: new Uint8Array(0),
      timeoutMs: 20_000,
      maxOutputBytes: 1 << 20,
    });
    expect(end).toEqual({ how: "too-long" });
  });

  test("says why it failed, in a harmless line", async () => {
    const program = pretend("broken", "cat >/dev/null; printf 'no\\033[31m language\\n' >&2; exit 1");
    const failure = failureOf(await new Tesseract({ env: process.env, program }).detect(blank, hints));
    expect(failure.message).toBe("Tesseract ended with 1: no[31m language");
  });

  test("copes with a program that does not read its input", async () => {
    const program = pretend("deaf", "exit 0");
    const large = { pixels: new Uint8Array(2000 * 1000 * 4), bounds: { x: 0, y: 0, width: 2000, height: 1000 } };
    expect(await new Tesseract({ env: process.env, program }).detect(large, hints)).toEqual({ ok: true, value: [] });
  });
});

test("Tesseract gets nothing of the caller's environment but the path of its files", async () => {
  const program = pretend("tells", `cat >/dev/null; env | sort >&2; exit 1`);
  const env = { ...process.env, PATH: "/usr/bin:/bin", SECRET_TOKEN: "hunter2", TESSDATA_PREFIX: "/nowhere" };
  const { message } = failureOf(await new Tesseract({ env, program }).detect(blank, hints));
  expect(message).toContain("TESSDATA_PREFIX=/nowhere");
  expect(message).not.toContain("hunter2");
});

describe("the picture reader", () => {
  const nameOf = async (env: Record<string, string>): Promise<string | undefined> => {
    const picked = await pickVision(env);
    return picked.ok ? picked.value?.name : picked.failure.code;
  };

  test("is Tesseract if installed, else none", async () => {
    pretend("tesseract", "exit 0");
    expect(await nameOf({ PATH: folder })).toBe("tesseract");
    expect(await nameOf({ PATH: join(folder, "nowhere") })).toBeUndefined();
  });

  test("can be set, and must be known", async () => {
    expect(await nameOf({ PATH: folder, DESKMAP_VISION: "off" })).toBeUndefined();
    expect(await nameOf({ PATH: "", DESKMAP_VISION: "Tesseract" })).toBe("tesseract");
    expect(await nameOf({ PATH: folder, DESKMAP_VISION: "eyes" })).toBe("USAGE");
    expect(await nameOf({ PATH: folder, DESKMAP_VISION: "constructor" })).toBe("USAGE");
  });
});
