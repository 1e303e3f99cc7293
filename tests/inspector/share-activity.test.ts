import { expect, test } from "bun:test";
import type { Host } from "../../src/host/port.ts";
import type { Activity } from "../../src/model/activity.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { observeTogether } from "../../src/server/inspector/activity-feed.ts";
import { until } from "../guard/terminal-session.ts";
import { makeFakeHost } from "./fake-host.ts";

const lost: Activity = { kind: "lost", count: 1 };
const failure = { code: "UNAVAILABLE", message: "gone", done: nothingDone } as const;

/** A host that allows one observer at a time, as the daemon does per connection. */
function makeHost() {
  let [open, begun] = [0, 0];
  let tell: (one: Result<Activity>) => void = () => undefined;
  const host: Host = {
    ...makeFakeHost(),
    async *observe(signal) {
      begun += 1;
      open += 1;
      if (open > 1) throw new Error("two look on at once");
      const waiting: Result<Activity>[] = [];
      let wake = Promise.withResolvers<void>();
      tell = (one) => {
        waiting.push(one);
        wake.resolve();
      };
      signal.addEventListener("abort", () => wake.resolve());
      while (!signal.aborted) {
        for (const one of waiting.splice(0)) {
          yield one;
          if (!one.ok) {
            open -= 1;
            return;
          }
        }
        await wake.promise;
        wake = Promise.withResolvers();
      }
      await Bun.sleep(1);
      open -= 1;
    },
  };
  return { host, tell: (one: Result<Activity>) => tell(one), begun: () => begun, open: () => open };
}

function openPage(host: Host) {
  const ending = new AbortController();
  const told: Result<Activity>[] = [];
  const over = (async () => {
    for await (const one of observeTogether(host, ending.signal)) told.push(one);
  })();
  return { told, over, close: () => ending.abort() };
}

test("several pages share one observer, until the last has gone; a later page starts again", async () => {
  const { host, tell, begun, open } = makeHost();
  const pages = [openPage(host), openPage(host)] as const;
  await until("a look", () => open() === 1);
  tell(succeed(lost));
  await until("both are told", () => pages.every(({ told }) => told.length === 1));
  pages[0].close();
  await pages[0].over;
  tell(succeed(lost));
  await until("the other is told", () => pages[1].told.length === 2);
  pages[1].close();
  await pages[1].over;
  const later = openPage(host);
  await until("the next look", () => begun() === 2 && open() === 1);
  tell(fail(failure));
  await later.over;
  expect(later.told).toEqual([fail(failure)]);
  expect(begun()).toBe(2);
});
