import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { resumeHere, stopHere } from "../../src/guard/stop/stop.ts";
import type { Result } from "../../src/model/failure.ts";
import { mapMethods } from "../../src/server/inspector/panels/map.ts";

import { makeFakeHost } from "./fake-host.ts";

let home: string;
let env: Record<string, string>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-map-methods-"));
  env = { HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const host = makeFakeHost([], () => ({}));

/** Calls it as a page does. */
function call(name: string, params: unknown): Promise<Result<unknown>> {
  const method = mapMethods.find((one) => one.name === name);
  if (method === undefined) throw new Error(name);
  const { signal } = new AbortController();
  const context = {
    host,
    env,
    ownTitle: "",
    signal,
    push: async () => undefined,
    sendPicture: () => 0,
    onHostOpen: () => () => undefined,
  };
  return method.run(params, context, signal);
}

const asked = [
  ["map.apps", {}],
  ["map.targets", { app: "pad" }],
  ["map.history", { mark: 1 }],
  ["map.teach", { mark: 1, name: "it" }],
  ["map.teach", { x: 4, y: 5, name: "it" }],
  ["map.forget", { app: "pad" }],
] as const;

test("while everything is stopped nothing in memory is shown or changed", async () => {
  const places = findPlaces(env);
  await stopHere(places, "a person");
  for (const [name, params] of asked) {
    expect([name, await call(name, params)]).toMatchObject([name, { ok: false, failure: { reason: "stopped" } }]);
  }
  expect(host.calls).toEqual([]);
  resumeHere(places, "a person");
  expect((await call("map.apps", {})).ok).toBe(true);
});

test("a deletion on the page is logged under the page's name", async () => {
  expect((await call("map.forget", { app: "pad" })).ok).toBe(true);
  const log = readFileSync(findPlaces(env).audit, "utf8");
  expect(log).toContain('"client":"inspector"');
  expect(log).not.toContain('"client":"person"');
});
