import { hasModel } from "../../assistant/model/settings.ts";
import type { Env } from "../../model/env.ts";

/** How a model that runs on this machine would be used; empty if one is configured, or none runs. */
export async function describeOffers(env: Env): Promise<string> {
  if (hasModel(env)) return "";
  const { findLocalModels } = await import("../../guard/sending/local-models.ts");
  const [found] = await findLocalModels();
  if (found === undefined) return "";
  const { program, endpoint, model } = found;
  const { origin } = new URL(endpoint);
  return `${program} runs on this machine: DESKMAP_AI_ENDPOINT=${endpoint} DESKMAP_AI_MODEL=${model} uses it, after deskmap recipients allow ${origin}.`;
}
