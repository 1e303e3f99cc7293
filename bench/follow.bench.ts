import { connectHost } from "../src/client/connect.ts";
import { apps } from "./lab/apps.ts";
import { measureIdle, measureTyping } from "./lab/live.ts";
import { isQuick } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, spreadOf } from "./lab/table.ts";
import { openTestbed } from "./lab/testbed.ts";

const idleBar = 0.01;
const rounds = isQuick ? 1 : 5;
const idleMs = isQuick ? 5000 : 30_000;

async function withTestbed<T>(work: (testbed: Awaited<ReturnType<typeof openTestbed>>) => Promise<T>): Promise<T> {
  const testbed = await openTestbed(apps.mousepad);
  try {
    return await work(testbed);
  } finally {
    await testbed.close();
  }
}

/** The processor time of keys in a watched application, and that of the daemon afterwards, while nothing happens. */
async function measureWatched() {
  return withTestbed(async (testbed) => {
    const host = await connectHost(testbed.env, { start: true });
    if (!host.ok) throw new Error(host.failure.message);
    const ending = new AbortController();
    const batches = host.value.watch({ input: { windowId: testbed.subject.id, fromNow: true } }, ending.signal);
    const reading = (async () => {
      for await (const batch of batches) if (!batch.ok) throw new Error(batch.failure.message);
    })();
    const typingMs = await measureTyping(testbed);
    const idleShare = await measureIdle((await host.value.hello).pid, idleMs);
    ending.abort();
    await reading.catch(() => undefined);
    await host.value.dismiss();
    return { typingMs, idleShare };
  });
}

const [plain, watched]: [number[], Awaited<ReturnType<typeof measureWatched>>[]] = [[], []];
for (let round = 0; round < rounds; round += 1) {
  plain.push(await withTestbed(measureTyping));
  watched.push(await measureWatched());
  console.log(`  ${plain.at(-1)} ms alone, ${JSON.stringify(watched.at(-1))}`);
}

const typing = spreadOf(watched.map(({ typingMs }) => typingMs)).median;
const idle = spreadOf(watched.map(({ idleShare }) => idleShare)).median;
publish("What following an application costs", [
  `Mousepad, with a caret that blinks; ${rounds} rounds, each on a desktop of its own; medians.`,
  formatTable({
    head: ["what", "figure"],
    rows: [
      ["mousepad, processor time for 100 keys, without Deskmap", `${showMs(spreadOf(plain).median)} ms`],
      ["mousepad, processor time for 100 keys, watched", `${showMs(typing)} ms`],
      [`daemon with a watch while nothing happens, over ${idleMs / 1000} s, of a core`, `${(idle * 100).toFixed(2)}%`],
    ],
  }),
  describeMisses(idle <= idleBar ? [] : [`a watch takes ${(idle * 100).toFixed(2)}% of a core at rest`]),
]);
