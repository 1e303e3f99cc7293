import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces } from "../../guard/places.ts";
import { forbidWhenStopped } from "../../guard/rules.ts";
import { trialTools } from "../../inspector/trials.ts";
import type { Env } from "../../model/env.ts";
import type { Failure } from "../../model/failure.ts";

/** How the log names what the page asks for. */
export const inspectorClient = "inspector";

const looking: ReadonlySet<string> = new Set(["text", "element"]);
const acting: ReadonlySet<string> = new Set(["teach", ...trialTools.filter((tool) => !looking.has(tool))]);

/** Whether the page asks for it by itself, to show something. */
export function isOwnLook(tool: string): boolean {
  return !acting.has(tool);
}

/** Why the page does not look now: asked here, a stop does not fill the log with refusals of every look. */
export function findStopOf(env: Env): () => Failure | undefined {
  const records = new FileRecords(findPlaces(env));
  return () => forbidWhenStopped({ records });
}
