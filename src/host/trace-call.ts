import { AsyncLocalStorage } from "node:async_hooks";
import { type Span, setTraceFinder, Trace } from "../model/trace.ts";

// Loaded only where a client asks for a trace: from then on every look-up goes through the storage.
const storage = new AsyncLocalStorage<Trace>();
setTraceFinder(() => storage.getStore());

/** Runs the work of one call, and gives its spans with its reply. */
export async function traceCall<Reply extends object>(
  work: () => Promise<Reply>,
): Promise<Reply & { readonly spans: readonly Span[] }> {
  const trace = new Trace();
  const reply = await storage.run(trace, work);
  return { ...reply, spans: trace.take() };
}
