/** A wait ends when its condition holds, so a long limit costs nothing: only a condition that never holds reaches it. */
const patienceMs = 60_000;
const shortestPauseMs = 10;
const longestPauseMs = 150;

export async function waitFor(
  what: string | (() => string),
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = patienceMs,
): Promise<void> {
  const started = performance.now();
  while (!(await isTrue())) {
    const waited = performance.now() - started;
    if (waited > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${typeof what === "string" ? what : what()}`);
    // Many conditions start a program: the longer it takes, the less often it is polled.
    await Bun.sleep(Math.min(shortestPauseMs + waited / 10, longestPauseMs));
  }
}

/**
 * How many times slower than on an idle machine this process runs now: the wall-clock time of a fixed computation over its
 * processor time. For the few tests whose subject is a duration.
 */
export function measureSlowness(): number {
  const block = new Uint8Array(1 << 20);
  const before = process.cpuUsage();
  const started = performance.now();
  const used = (): number => process.cpuUsage(before).user + process.cpuUsage(before).system;
  while (used() < 20_000) Bun.hash(block);
  return Math.max(1, ((performance.now() - started) * 1000) / used());
}
