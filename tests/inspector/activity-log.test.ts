import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { resumeHere, stopHere } from "../../src/guard/stop/stop.ts";
import { succeed } from "../../src/model/failure.ts";
import { ActivityFeed } from "../../src/server/inspector/activity-feed.ts";
import { KeptHost } from "../../src/server/inspector/keep-host.ts";
import type { PanelContext } from "../../src/server/inspector/panel.ts";
import { findMethod } from "../../src/server/inspector/socket.ts";
import { findStop } from "../../src/server/stop-all.ts";
import { ActivityRows } from "../../web/activity-rows.ts";
import { makeFakeHost } from "./fake-host.ts";

let folder: string;
let env: Readonly<Record<string, string>>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-activity-log-"));
  env = { XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config"), HOME: folder };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function openContext(): PanelContext {
  return {
    host: makeFakeHost(),
    env,
    ownTitle: "",
    signal: AbortSignal.abort(),
    push: async () => undefined,
    sendPicture: () => 0,
    onHostOpen: () => () => undefined,
  };
}

test("on a page opened later, each question is one row with its answer, as in the log", async () => {
  const records = new FileRecords(findPlaces(env));
  const approval = "deskmap inspect, process 7, request AB12";
  const about = { client: "cli", tool: "click" };
  records.write({ what: "ask", ...about, words: 'click btn "Delete"', target: { mark: 4 } });
  records.write({ what: "answer", ...about, begin: 1, effect: "yes", approval });
  records.write({ what: "begin", ...about, approval });
  records.write({ what: "end", ...about, begin: 3, effect: "confirmed", approval });
  records.write({ what: "ask", ...about, words: 'click btn "Send"' });
  records.write({ what: "answer", ...about, begin: 5, effect: "denied" });
  const words = 'click btn "Send" is not allowed: a person said no (request CD34)';
  records.write({ what: "refused", ...about, effect: "denied", words });
  records.write({ what: "refused", client: "inspector", tool: "watch", effect: "stopped", words: "stopped" });
  const recent = await new ActivityFeed(openContext()).readRecent();
  const rows = new ActivityRows();
  // As after a reconnect: repeated rows are identical.
  for (const row of [...recent, ...recent]) rows.take({ kind: "line", row });
  expect(rows.list()).toMatchObject([
    { n: 5, what: "ask", effect: "denied", failure: words },
    { n: 3, what: "action", effect: "confirmed", approval, isLive: false },
  ]);
  expect(rows.list().length).toBe(2);
});

test("while everything is stopped the page does not look, and the log has no refusal of it", async () => {
  const host = makeFakeHost();
  const kept = new KeptHost(
    async () => succeed(host),
    () => findStop(env),
  );
  const places = findPlaces(env);
  expect((await stopHere(places, "a test")).ok).toBe(true);
  const [first] = await Array.fromAsync(kept.watch({ input: {} }, new AbortController().signal));
  expect(first).toMatchObject({ ok: false, failure: { reason: "stopped" } });
  const { failure } = await kept.call({ tool: "list", input: {}, formats: [] });
  expect(failure?.reason).toBe("stopped");
  expect(host.calls).toEqual([]);
  // A person's attempt there is refused and logged, like everywhere.
  await kept.call({ tool: "click", input: {}, formats: [] });
  expect(host.calls.length).toBe(1);
  resumeHere(places, "a test");
  await kept.call({ tool: "list", input: {}, formats: [] });
  expect(host.calls.length).toBe(2);
});

test("the page shows the current answers and the current stop", async () => {
  const settings = await findMethod("activity.settings")?.run({}, openContext(), new AbortController().signal);
  expect(settings).toEqual(succeed({ sensitive: "ask", asksElse: false, hasHotkey: true }));
  const { policy } = findPlaces(env);
  mkdirSync(dirname(policy), { recursive: true });
  writeFileSync(policy, "{");
  expect((await findMethod("activity.settings")?.run({}, openContext(), new AbortController().signal))?.ok).toBe(false);
});
