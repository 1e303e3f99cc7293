import type { Env } from "../model/env.ts";
import type { AddedSource } from "./port.ts";

/** One line per source beside the platform's own tree. Each is opened at once, connects on first use, and loads lazily. */
const openers: readonly ((env: Env) => AddedSource)[] = [];

export function openSources(env: Env): readonly AddedSource[] {
  return openers.map((open) => open(env));
}
