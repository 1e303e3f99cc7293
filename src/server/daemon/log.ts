import { closeSync, fstatSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeStateFolder, openRecordFile, type Places } from "../../guard/places.ts";
import { cleanLine } from "../../model/plain-text.ts";

const longestBytes = 256 * 1024;
const longestLine = 500;

/** The daemon's own log, for finding faults. It never quotes the screen. */
export class DaemonLog {
  private readonly path: string;

  constructor(
    private readonly places: Places,
    private readonly onLine?: (line: string) => void,
  ) {
    this.path = join(places.state, "daemon.log");
  }

  write(words: string): void {
    const line = cleanLine(words).slice(0, longestLine);
    this.onLine?.(line);
    try {
      makeStateFolder(this.places);
      const descriptor = openRecordFile(this.path);
      try {
        writeSync(descriptor, `${new Date().toISOString()} ${process.pid} ${line}\n`);
        if (fstatSync(descriptor).size > longestBytes) renameSync(this.path, `${this.path}.1`);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // A daemon works without its log.
    }
  }
}
