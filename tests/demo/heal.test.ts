import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptProposals, keepProposals, readProposals } from "../../src/demo/heal.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { replay } from "../../src/demo/replay/replay.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { makeAction } from "./actions.ts";
import { makeScreenHost, type ScreenHost } from "./screen-host.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-heal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "form.demo.json");

const demo = makeDemo([makeAction()], { name: "form" });
let screen: ScreenHost;

/** The screen after an update: the button that has the recorded id is called otherwise. */
beforeEach(() => {
  screen = makeScreenHost([
    { id: 1, role: "button", name: "Store", app: "form", window: "Form", own: "save" },
    { id: 3, role: "button", name: "Save as", app: "form", window: "Form", own: "save-as" },
  ]);
  const found = makeAction();
  screen.recalled.push({ ...found, ref: { ...found.ref, name: "Store" } });
});

const run = (isHealing = true) =>
  replay(demo, { host: screen, values: {}, timeoutMs: 20, recall: isHealing ? screen.recall : undefined });
const recalled = (own: Partial<RecordedAction>): void => {
  const [first = makeAction()] = screen.recalled.splice(0);
  screen.recalled.push({ ...first, ...own });
};

describe("healing", () => {
  test("proposes a ref that finds one element alone, after its step was confirmed", async () => {
    const { stop, proposals, steps } = await run();
    expect(stop).toBeUndefined();
    expect(steps[0]?.notes).toEqual(["found by a part of its ref"]);
    expect(proposals).toMatchObject([
      { step: 1, was: { name: "Save" }, ref: { name: "Store" }, why: "name is different now" },
    ]);
  });

  test("is not done unless it is asked for", async () => {
    expect(await run(false)).toMatchObject({ stop: { n: 1 }, proposals: [] });
  });

  test("proposes nothing if the new ref finds several, was not tested, or has another role", async () => {
    for (const evidence of [[], [{ by: "ref" as const, matches: 2 }]]) {
      recalled({ evidence });
      expect((await run()).proposals).toEqual([]);
    }
    recalled({ ...makeAction(), ref: { role: "link", name: "Store" } });
    expect((await run()).proposals).toEqual([]);
  });

  test("proposes nothing if the effect was not confirmed or went otherwise", async () => {
    for (const effect of ["no-change", "wrong-target"]) {
      const [only] = screen.controls;
      if (only !== undefined) only.press = () => ({ effect });
      expect(await run()).toMatchObject({ stop: { n: 1 }, proposals: [] });
    }
  });

  test("does not act where nothing that was unique leads to one control", async () => {
    const weak = makeDemo([makeAction({ evidence: [{ by: "ref", matches: 1 }] })], { name: "x" });
    const report = await replay(weak, { host: screen, values: {}, timeoutMs: 20, recall: screen.recall });
    expect(report).toMatchObject({ stop: { n: 1 }, delivered: 0 });
    screen.controls.push({ id: 2, role: "button", name: "Other", app: "form", window: "Form", own: "save" });
    expect(await run()).toMatchObject({ stop: { n: 1 }, delivered: 0 });
  });
});

describe("proposals", () => {
  test("lie beside the demo, which stays as it is until they are accepted; then its old evidence is kept", async () => {
    writeFileSync(file, "unchanged");
    const { proposals } = await run();
    expect(keepProposals(file, demo, proposals).ok).toBe(true);
    expect([readFileSync(file, "utf8"), existsSync(join(folder, "form.heal.json"))]).toEqual(["unchanged", true]);
    const read = readProposals(file, demo);
    const healed = acceptProposals(demo, read.ok ? read.value : [], 0);
    if (!healed.ok) throw new Error(healed.failure.message);
    expect(healed.value.steps[0]?.ref?.name).toBe("Store");
    expect(healed.value.former).toMatchObject([
      { step: 1, ref: { name: "Save" }, evidence: [{ by: "id", matches: 1 }, {}, {}] },
    ]);
    // It was made for a ref that the step no longer has.
    expect(readProposals(file, healed.value)).toEqual({ ok: true, value: [] });
  });

  test("from a file that somebody has written are checked", () => {
    const forged = { step: 1, was: demo.steps[0]?.ref ?? {}, ref: { name: "x\u001b[2J" }, evidence: [], why: "" };
    expect(acceptProposals(demo, [forged], 0).ok).toBe(false);
    writeFileSync(join(folder, "form.heal.json"), '{"proposals":[{"step":"1"},7]}');
    expect(readProposals(file, demo)).toEqual({ ok: true, value: [] });
  });
});
