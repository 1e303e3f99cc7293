import { findPlaces } from "../../guard/places.ts";
import { findReadOnly } from "../../guard/policy/read-only.ts";
import type { Env } from "../../model/env.ts";
import { fail, type Result, succeed } from "../../model/failure.ts";
import type { Means } from "./means.ts";
import { chooseTools } from "./offer.ts";
import { HostOpener } from "./open-host.ts";

export interface McpWish {
  readonly env: Env;
  readonly version: string;
  readonly tools?: string | undefined;
  readonly isReadOnly: boolean;
  readonly isStructured: boolean;
  readonly hasOutputs: boolean;
}

export interface OpenMeans extends Means {
  close(): void;
}

/** What all connections share; the desktop itself is opened when the first of them needs it. */
export async function openMeans({
  env,
  version,
  tools,
  isReadOnly,
  isStructured,
  hasOutputs,
}: McpWish): Promise<Result<OpenMeans>> {
  const chosen = await chooseTools(tools);
  if (!chosen.ok) return fail(chosen.failure);
  const own = isReadOnly ? { ...env, DESKMAP_READ_ONLY: "1" } : env;
  const places = findPlaces(own);
  const hosts = new HostOpener(own);
  return succeed({
    offers: chosen.value,
    version,
    isStructured,
    hasOutputs,
    openHost: (client) => hosts.open(client),
    findReadOnly: (client) => findReadOnly(own, places, { name: client }),
    close: () => hosts.close(),
  });
}
