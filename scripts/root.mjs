import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const BUN = join(ROOT, "node_modules/bun/bin/bun.exe");

export function inRoot(...parts) {
  return join(ROOT, ...parts);
}
