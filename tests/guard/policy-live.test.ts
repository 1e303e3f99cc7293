import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { findReadOnly, LivePolicy } from "../../src/guard/policy/live.ts";
import { findStand } from "../../src/guard/policy/policy.ts";
import { acceptAsItIs } from "./accept.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-live-"));
  mkdirSync(join(home, ".config/deskmap"), { recursive: true, mode: 0o700 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (text: string): void => {
  writeFileSync(findPlaces({ HOME: home }).policy, text, { mode: 0o600 });
  acceptAsItIs(findPlaces({ HOME: home }));
};
const open = (env: Record<string, string> = {}, client = "cli"): LivePolicy =>
  new LivePolicy(env, findPlaces({ HOME: home }), { name: client }, false);

test("a client's policy follows the file: a change, a mistake, its removal", async () => {
  const live = open();
  const held = await live.refresh();
  if (!held.ok) throw new Error(held.failure.message);
  expect(findStand(held.value, ["gimp"]).standing).toBe("normal");
  write(`{ "apps": { "gimp": "blind" } }`);
  expect(await live.refresh()).toMatchObject({ ok: true });
  expect(findStand(held.value, ["gimp"]).standing).toBe("blind");
  write(`{ "apps": { "gimp": "blnd" } }`);
  expect(await live.refresh()).toMatchObject({ ok: false, failure: { reason: "policy" } });
  // A client that still holds the old one is not let in by the mistake.
  expect(findStand(held.value, ["gimp"]).standing).toBe("blind");
  rmSync(findPlaces({ HOME: home }).policy);
  expect(await live.refresh()).toMatchObject({ ok: false, failure: { reason: "policy" } });
  expect(findStand(held.value, ["gimp"]).standing).toBe("blind");
  acceptAsItIs(findPlaces({ HOME: home }));
  expect(await live.refresh()).toMatchObject({ ok: true });
  expect(findStand(held.value, ["gimp"]).standing).toBe("normal");
});

test("a foreign change to the file ends a client's access, and a person's acceptance restores it", async () => {
  write(`{ "apps": { "gimp": "blind" } }`);
  const live = open();
  expect(await live.refresh()).toMatchObject({ ok: true });
  const { policy, seal } = findPlaces({ HOME: home });
  writeFileSync(policy, `{ "apps": { "gimp": "normal" } }`, { mode: 0o600 });
  expect(await live.refresh()).toMatchObject({ ok: false, failure: { reason: "policy" } });
  acceptAsItIs(findPlaces({ HOME: home }));
  expect(await live.refresh()).toMatchObject({ ok: true });
  // The policy is the same, but its seal is gone.
  rmSync(seal);
  expect(await live.refresh()).toMatchObject({ ok: false, failure: { reason: "policy" } });
});

test("read-only comes from the file, from a client section, or from the environment; each is reported", async () => {
  write(`{ "clients": { "claude*": { "readOnly": true } } }`);
  const places = findPlaces({ HOME: home });
  for (const name of ["Claude Code", "cli", "unheard of"]) {
    expect(await open({}, name).refresh()).toMatchObject({ value: { isReadOnly: true } });
    expect(await findReadOnly({ DESKMAP_CLIENT: name }, places)).toBe(`${places.policy} says "readOnly": true`);
  }
  write("{}");
  expect(await open({ DESKMAP_READ_ONLY: "1" }).refresh()).toMatchObject({ value: { isReadOnly: true } });
  expect(await findReadOnly({ DESKMAP_READ_ONLY: "true" }, places)).toContain("DESKMAP_READ_ONLY");
  expect(await findReadOnly({ DESKMAP_READ_ONLY: "0" }, places)).toBeUndefined();
});

test("a file that was never accepted can forbid acting, but allows nothing", async () => {
  writeFileSync(findPlaces({ HOME: home }).policy, `{ "readOnly": true }`, { mode: 0o600 });
  expect(await findReadOnly({}, findPlaces({ HOME: home }))).toContain(`says "readOnly": true`);
  expect(await open().refresh()).toMatchObject({ ok: false });
});

test("no client section allows what the environment forbids", async () => {
  write(`{ "clients": { "*": { "readOnly": false } } }`);
  expect(await open({ DESKMAP_READ_ONLY: "1" }).refresh()).toMatchObject({ value: { isReadOnly: true } });
});
