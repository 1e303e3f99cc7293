import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSecretsFile, parseSecrets, readSecretsFile } from "../../../../src/platform/linux/secrets/file.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the secrets file", () => {
  test("has one name and value per line, quoted or not", () => {
    const text = `# mine\nA=one two # and so on\nexport B="a \\"b\\" # c"\nC='x=y'\n  D = d#d\n\nnot a line\nE=`;
    expect([...parseSecrets(text)]).toEqual([
      ["A", "one two"],
      ["B", 'a "b" # c'],
      ["C", "x=y"],
      ["D", "d#d"],
      ["E", ""],
    ]);
  });

  test("is refused while others can read it, with how to change that", () => {
    const path = join(folder, "open.env");
    writeFileSync(path, "A=hunter2");
    chmodSync(path, 0o640);
    const read = readSecretsFile(path);
    expect(read.ok).toBe(false);
    if (!read.ok)
      expect(read.failure).toMatchObject({ code: "REFUSED", reason: "secret", suggestion: `chmod 600 ${path}` });
    chmodSync(path, 0o600);
    const again = readSecretsFile(path);
    expect(again.ok && again.value.get("A")).toBe("hunter2");
  });

  test("is optional", () => {
    const read = readSecretsFile(join(folder, "none.env"));
    expect(read.ok && read.value.size).toBe(0);
  });

  test("is in the person's own configuration folder, wherever that is", () => {
    expect(findSecretsFile({ XDG_CONFIG_HOME: "/c" })).toBe("/c/deskmap/secrets.env");
    expect(findSecretsFile({ XDG_CONFIG_HOME: "relative", HOME: "/h" })).toBe("/h/.config/deskmap/secrets.env");
  });
});
