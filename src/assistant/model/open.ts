import type { Host } from "../../host/port.ts";
import { type Result, succeed } from "../../model/failure.ts";
import type { Model } from "./port.ts";
import { readModelSettings, type Variables } from "./settings.ts";

/** The model that the environment names now. */
export async function openConfiguredModel(
  env: Variables,
  host: Pick<Host, "send">,
  silenceMs?: number,
): Promise<Result<Model>> {
  const settings = readModelSettings(env);
  if (!settings.ok) return settings;
  const { openModel } = await import("./ai-sdk.ts");
  return succeed(openModel(settings.value, host, silenceMs));
}
