import { AsyncLocalStorage } from "node:async_hooks";
import { type Span, setTraceFinder, Trace } from "../model/trace.ts";

// Loaded lazily, when a client requests a trace: from then on every lookup goes through the storage.
const storage = new AsyncLocalStorage<Trace>();
setTraceFinder(() => storage.getStore());

export async function traceCall<Reply extends object>(
  work: () => Promise<Reply>,
): Promise<Reply & { readonly spans: readonly Span[] }> {
  const trace = new Trace();
  const reply = await storage.run(trace, work);
  return { ...reply, spans: trace.take() };
}
