import { describeUsage, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ModelSettings {
  readonly provider: "openai" | "anthropic";
  readonly model: string;
  /** The address without the protocol's own path, such as /chat/completions. */
  readonly baseUrl: string;
  readonly origin: string;
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const openRouter = "https://openrouter.ai/api/v1";
const openRouterModel = "openai/gpt-5.2-chat";

/** Whether a model is configured at all; without one, nothing is asked of anybody. */
export function hasModel(env: Variables): boolean {
  return Boolean(env.OPENROUTER_API_KEY || env.DESKMAP_AI_KEY || env.DESKMAP_AI_ENDPOINT);
}

/** As if one were configured, without a key. */
export function assumeModel(env: Variables): Variables {
  return { ...env, DESKMAP_AI_ENDPOINT: openRouter };
}

/** Read afresh for each request. */
export function readModelSettings(env: Variables): Result<ModelSettings> {
  if (!hasModel(env)) return fail(describeUnconfigured());
  const given = env.DESKMAP_AI_ENDPOINT || openRouter;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    return fail(describeUsage("DESKMAP_AI_ENDPOINT is no address", `DESKMAP_AI_ENDPOINT=${openRouter}`));
  }
  const headers = readHeaders(env.DESKMAP_AI_HEADERS ?? "");
  if (!headers.ok) return headers;
  const isOpenRouter = url.hostname === new URL(openRouter).hostname;
  const model = env.DESKMAP_AI_MODEL || (isOpenRouter ? openRouterModel : "");
  if (model === "") return fail(describeUsage(`no model of ${url.origin} is named`, "DESKMAP_AI_MODEL=…"));
  const path = url.pathname.replace(/\/+$/, "").replace(/\/(chat\/completions|messages)$/, "");
  return succeed({
    provider: url.hostname === "api.anthropic.com" ? "anthropic" : "openai",
    model,
    baseUrl: `${url.origin}${path}`,
    origin: url.origin,
    // A key is for the host that gave it.
    key: env.DESKMAP_AI_KEY || (isOpenRouter ? env.OPENROUTER_API_KEY : undefined) || undefined,
    headers: { ...(isOpenRouter ? nameSite(env) : {}), ...headers.value },
  });
}

function nameSite({ DESKMAP_AI_SITE_URL: site, DESKMAP_AI_SITE_NAME: name }: Variables): Record<string, string> {
  return { ...(site ? { "HTTP-Referer": site } : {}), ...(name ? { "X-Title": name } : {}) };
}

/** "name: value; name2: value2". The message names no value: it may be a key. */
function readHeaders(text: string): Result<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {};
  for (const part of text.split(";").filter((one) => one.trim() !== "")) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*([\x20-\x7e]*?)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined) {
      return fail(describeUsage("DESKMAP_AI_HEADERS is not name: value; name2: value2", "X-Team: blue; X-Tier: 1"));
    }
    headers[name] = value;
  }
  return succeed(headers);
}

function describeUnconfigured() {
  const suggestion = "OPENROUTER_API_KEY=…, or DESKMAP_AI_ENDPOINT=http://127.0.0.1:11434/v1 with DESKMAP_AI_MODEL=…";
  return makeFailure("UNAVAILABLE", "no model is configured", suggestion);
}
