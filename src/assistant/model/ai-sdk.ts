import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { Host } from "../../host/port.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { cleanText } from "../../model/plain-text.ts";
import type { Message, Model, ModelPart, ModelRequest, Usage } from "./port.ts";
import { makeFetch, SendingFailed } from "./send.ts";
import type { ModelSettings } from "./settings.ts";

type Fetch = (input: unknown, init?: RequestInit) => Promise<Response>;

/**
 * Models by the providers of the AI SDK, which know the protocols. The loop around them is ours, so its own (the package
 * "ai") is not needed. Loaded lazily: nobody else pays for it.
 */
export function openModel(settings: ModelSettings, host: Pick<Host, "send">, silenceMs?: number): Model {
  const { model: name, origin: recipient } = settings;
  return {
    name,
    recipient,
    async *stream(request, signal) {
      try {
        const model = await openProvider(settings, makeFetch(host, signal, silenceMs));
        const { stream } = await model.doStream({ ...toOptions(request), abortSignal: signal });
        yield* read(stream, settings, signal);
      } catch (error) {
        if (!signal.aborted) yield fail(describeError(error, settings));
      }
    },
    async preview(request) {
      const taken = Promise.withResolvers<{ url: string; body: string }>();
      const model = await openProvider(settings, async (input, init) => {
        taken.resolve({ url: String(input), body: String(init?.body ?? "") });
        throw new SendingFailed(makeFailure("CANCELLED", "this is only a preview"));
      });
      await Promise.resolve(model.doStream(toOptions(request))).catch(taken.reject);
      return taken.promise;
    },
  };
}

async function openProvider(settings: ModelSettings, send: Fetch): Promise<LanguageModelV4> {
  const { provider, model, baseUrl: baseURL, key, headers } = settings;
  const fetch = Object.assign(send, { preconnect: () => undefined });
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    // Without a key it would look for one in the environment.
    return createAnthropic({ baseURL, apiKey: key ?? "", headers: { ...headers }, fetch })(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const secret = key === undefined ? {} : { apiKey: key };
  return createOpenAICompatible({
    name: "model",
    baseURL,
    ...secret,
    headers: { ...headers },
    fetch,
    includeUsage: true,
  })(model);
}

function toOptions({ instructions, messages, tools, mayCall }: ModelRequest): LanguageModelV4CallOptions {
  return {
    prompt: [{ role: "system", content: instructions }, ...messages.map(toMessage)],
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      inputSchema: parameters,
    })),
    toolChoice: { type: mayCall ? "auto" : "none" },
  };
}

function toMessage(message: Message): LanguageModelV4Message {
  if (message.role === "user") return { role: "user", content: [{ type: "text", text: message.text }] };
  if (message.role === "tool") {
    const { call, text } = message;
    const output = { type: "text" as const, value: text };
    return { role: "tool", content: [{ type: "tool-result", toolCallId: call.id, toolName: call.tool, output }] };
  }
  const text = message.text === "" ? [] : [{ type: "text" as const, text: message.text }];
  const calls = message.calls.map(({ id, tool, input }) => {
    return { type: "tool-call" as const, toolCallId: id, toolName: tool, input: readObject(input) };
  });
  return { role: "assistant", content: [...text, ...calls] };
}

/** What is sent back of a malformed call must be an object again. */
function readObject(input: string): object {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

async function* read(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  settings: ModelSettings,
  signal: AbortSignal,
): AsyncIterable<Result<ModelPart>> {
  for await (const part of stream) {
    if (signal.aborted) return;
    if (part.type === "error") return yield fail(describeError(part.error, settings));
    if (part.type === "text-delta" && part.delta !== "") yield succeed({ of: "text", text: part.delta });
    if (part.type === "tool-call") {
      const { toolCallId: id, toolName: tool, input } = part;
      yield succeed({ of: "call", call: { id, tool, input } });
    }
    if (part.type === "finish") {
      if (part.finishReason.raw === undefined) return yield fail(describeCutOff());
      yield succeed({ of: "end", usage: readUsage(part), isRefused: part.finishReason.unified === "content-filter" });
    }
  }
}

function readUsage({ usage }: Extract<LanguageModelV4StreamPart, { type: "finish" }>): Usage {
  const { inputTokens, outputTokens, raw } = usage;
  const cost: unknown = raw?.cost;
  return {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    ...(typeof cost === "number" ? { cost } : {}),
  };
}

function describeCutOff(): Failure {
  return makeFailure("UNAVAILABLE", "the model's answer broke off", "ask again.");
}

const meanings: Readonly<Record<number, readonly [message: string, suggestion: string]>> = {
  400: ["it does not take the request", "DESKMAP_AI_MODEL may name a model without tools, or with a smaller context"],
  401: ["it does not accept the key", "see OPENROUTER_API_KEY or DESKMAP_AI_KEY"],
  402: ["the account has no credit left", "add credit, or use another model"],
  403: ["it does not allow this", "see the key's rights, and DESKMAP_AI_MODEL"],
  404: ["it knows no such model or address", "see DESKMAP_AI_MODEL and DESKMAP_AI_ENDPOINT"],
  429: ["too much was asked of it", "ask again in a while"],
};

const longestRemark = 200;

/** Says what a server answered in our own words first; its remark is quoted without the key, which some repeat. */
function describeError(error: unknown, { origin, key, headers }: ModelSettings): Failure {
  if (error instanceof SendingFailed) return error.failure;
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (cause instanceof SendingFailed) return cause.failure;
  const status: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "statusCode") : undefined;
  const [meaning, suggestion] = meanings[Number(status)] ?? ["it failed", "ask again in a while"];
  const secrets = [key, ...Object.values(headers)].filter((one): one is string => one !== undefined && one.length > 3);
  const said = error instanceof Error ? error.message : typeof error === "string" ? error : "";
  const plain = secrets.reduce((text, secret) => text.replaceAll(secret, "****"), said);
  const remark = plain === "" ? "" : ` (${cleanText(plain, longestRemark)})`;
  const number = typeof status === "number" ? ` with status ${status}` : "";
  return makeFailure("UNAVAILABLE", `${origin} answered${number}: ${meaning}${remark}`, `${suggestion}.`);
}
