import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isLocked } from "../lock.ts";
import type { Places } from "../places.ts";

/** Whether somebody waits for a person's answer now. It is asked several times a second: nothing here loads cryptography. */
export function hasPendingQuestion({ surfaces }: Pick<Places, "surfaces">): boolean {
  try {
    return readdirSync(surfaces).some((name) => name.endsWith(".request") && isLocked(join(surfaces, name)));
  } catch {
    return false;
  }
}
