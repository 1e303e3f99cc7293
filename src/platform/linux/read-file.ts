import { readFileSync, readlinkSync } from "node:fs";

/** The content of a file; "" if it is missing or, as for another user's process, not readable. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The target of a symbolic link; "" if it cannot be read. */
export function readLinkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
