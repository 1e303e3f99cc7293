import type { Host } from "../../host/port.ts";
import { type Failure, makeFailure } from "../../model/failure.ts";
import type { SentPart } from "../../model/sending.ts";

/** The gate refused, or the connection failed: thrown through the provider's code, which knows only fetch. */
export class SendingFailed extends Error {
  override readonly name = "SendingFailed";
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** A model that sends nothing for this long has stalled. */
const longestSilenceMs = 60_000;

/** A fetch that goes through the host's gate: a provider has no other way out. */
export function makeFetch(host: Pick<Host, "send">, signal: AbortSignal, silenceMs = longestSilenceMs) {
  return async (input: unknown, init?: RequestInit): Promise<Response> => {
    const ending = new AbortController();
    const both = AbortSignal.any([signal, ending.signal]);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const parts = host
      .send({ url: String(input), headers, body: String(init?.body ?? "") }, both)
      [Symbol.asyncIterator]();
    const next = async (): Promise<SentPart | undefined> => {
      const part = await within(parts.next(), silenceMs, both);
      if (part === "late") {
        ending.abort();
        throw new SendingFailed(
          makeFailure("TIMEOUT", `the model said nothing for ${silenceMs / 1000} s`, "ask again."),
        );
      }
      if (part === "aborted" || part.done === true) return undefined;
      if (!part.value.ok) throw new SendingFailed(part.value.failure);
      return part.value.value;
    };
    const head = await next();
    signal.throwIfAborted();
    if (head?.of !== "head")
      throw new SendingFailed(makeFailure("UNAVAILABLE", "the model gave no answer", "ask again."));
    const encoder = new TextEncoder();
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const part = await next();
          if (part?.of === "text") controller.enqueue(encoder.encode(part.text));
          else controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
      cancel: () => ending.abort(),
    });
    return new Response(stream, { status: head.status, headers: plainHeaders(head.headers) });
  };
}

/** The text has been decoded and unpacked already. */
function plainHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const dropped = ["content-encoding", "content-length", "transfer-encoding"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name.toLowerCase())));
}

async function within<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T | "late" | "aborted"> {
  const { promise, resolve } = Promise.withResolvers<"late" | "aborted">();
  const timer = setTimeout(() => resolve("late"), ms);
  const abort = (): void => resolve("aborted");
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    // An abandoned read is over when its connection ends.
    work.catch(() => undefined);
  }
}
