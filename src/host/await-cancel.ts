import { type CallReply, replyWithFailure } from "./port.ts";

/** Time for a cancelled call to end by itself; then its answer is no longer awaited. */
const endingMs = 300;

/** Answers for a cancelled call that does not end in time; never without a signal. */
export async function awaitCancel<Reply extends CallReply>(
  signal: AbortSignal | undefined,
  performing: Promise<Reply>,
): Promise<CallReply> {
  const first = await Promise.race([waitForAbort(signal), performing]);
  if (first !== undefined) return first;
  await Bun.sleep(endingMs);
  return replyWithFailure({ code: "CANCELLED", message: "it was cancelled", done: "nothing more is done." });
}

/** Resolves when the signal aborts; never without one. The listener stays until then. */
export function waitForAbort(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}
