import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "../../src/guard/audit/chain.ts";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";

/** A test's own state directory, with a log in it. */
export interface LogFolder {
  readonly places: Places;
  readonly env: Readonly<Record<string, string>>;
  write(...entries: Entry[]): void;
  /** The lines of the current file. */
  readLines(): string[];
  writeLines(lines: readonly string[]): void;
  remove(): void;
}

export function makeLogFolder(maxBytes?: number): LogFolder {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-audit-"));
  const env = { XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const places = findPlaces(env);
  return {
    places,
    env,
    write: (...entries) => {
      const records = new FileRecords(places, maxBytes);
      for (const entry of entries) {
        const written = records.write(entry);
        if (!written.ok) throw new Error(written.failure.message);
      }
    },
    readLines: () => readFileSync(places.audit, "utf8").split("\n").slice(0, -1),
    writeLines: (lines) => writeFileSync(places.audit, lines.map((line) => `${line}\n`).join("")),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function lookAt(app: string): Entry {
  return { what: "look", client: "test", tool: "read", apps: [app], way: "tree" };
}
