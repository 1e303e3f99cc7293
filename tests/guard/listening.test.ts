import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { readEvents } from "../../src/guard/audit/read.ts";
import { ListeningPermit } from "../../src/guard/permit-listening.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { LivePolicy } from "../../src/guard/policy/live.ts";
import { stopHere } from "../../src/guard/stop/stop.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-listening-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function makePermit(typedIn: "own" | undefined) {
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
  const places = findPlaces(env);
  const client = { name: "agent" };
  const records = new FileRecords(places);
  const rules = new LivePolicy(env, places, client, true);
  return { places, permit: new ListeningPermit({ env, places, records, rules, client, timeoutMs: 1000, typedIn }) };
}

test("a client alone does not listen, and the refusal is in the log", async () => {
  for (const typedIn of ["own", undefined] as const) {
    const { permit, places } = makePermit(typedIn);
    // The tests have no terminal.
    expect(await permit.begin()).toMatchObject({ ok: false, failure: { code: "REFUSED", reason: "unasked" } });
    const events = readEvents(places, {}).events;
    expect(events.at(-1)).toMatchObject({ what: "refused", client: "agent", tool: "record", effect: "unasked" });
  }
});

test("during a stop nobody listens", async () => {
  const { permit, places } = makePermit(undefined);
  await stopHere(places, "test");
  expect(await permit.begin()).toMatchObject({ ok: false, failure: { code: "REFUSED", reason: "stopped" } });
});
