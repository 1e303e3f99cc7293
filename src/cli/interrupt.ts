/**
 * The first Ctrl-C cancels an action, whose answer says how far it came; then this process ends by the signal, as a shell
 * expects. A second one ends it at once.
 */
export async function cancelOnInterrupt<T>(acts: boolean, work: (signal?: AbortSignal) => Promise<T>): Promise<T> {
  if (!acts) return work();
  const cancelling = new AbortController();
  const cancel = (): void => cancelling.abort();
  process.once("SIGINT", cancel);
  try {
    return await work(cancelling.signal);
  } finally {
    process.off("SIGINT", cancel);
    if (cancelling.signal.aborted) process.kill(process.pid, "SIGINT");
  }
}
