import { type Ground, openGround } from "../../ground.ts";
import { findPlaces } from "../../guard/places.ts";
import { findReadOnly } from "../../guard/policy/read-only.ts";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { defaultTimeoutMs } from "../../session.ts";
import { LocalHost } from "../local-host.ts";
import type { McpHost, Means } from "./means.ts";
import { chooseTools } from "./offer.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface McpWish {
  readonly env: Env;
  readonly version: string;
  readonly tools?: string | undefined;
  readonly isReadOnly: boolean;
  readonly isStructured: boolean;
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
}: McpWish): Promise<Result<OpenMeans>> {
  const chosen = await chooseTools(tools);
  if (!chosen.ok) return fail(chosen.failure);
  const own = isReadOnly ? { ...env, DESKMAP_READ_ONLY: "1" } : env;
  const places = findPlaces(own);
  let ground: Ground | undefined;
  return succeed({
    offers: chosen.value,
    version,
    isStructured,
    openHost: async (client) => {
      ground ??= openGround(own, defaultTimeoutMs);
      return openLocal({ ...own, DESKMAP_CLIENT: client }, ground);
    },
    findReadOnly: (client) => findReadOnly(own, places, { name: client }),
    close: () => ground?.close(),
  });
}

function openLocal(env: Env, ground: Ground): McpHost {
  const host = new LocalHost(env, ground);
  return {
    call: (request, options) => host.call(request, options),
    watch: async function* (_request, signal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
    close: () => Promise.resolve(),
  };
}
