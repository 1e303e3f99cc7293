import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { showFailure } from "../../src/show/failure.ts";
import type { Session } from "../../src/tools/session.ts";
import { expect as expectation, wait } from "../../src/tools/wait.ts";
import { makeMapFolder } from "../map/desk.ts";
import { runTool, toJson } from "./run-tool.ts";
import { makeSession } from "./session.ts";

const map = makeMapFolder();
afterAll(() => map.remove());
let desktop: FakeDesktop;
let session: Session;

beforeEach(() => {
  desktop = new FakeDesktop({
    applications: [
      { name: "Form", windows: [{ title: "Form", children: [{ role: "button", name: "Save", actions: ["press"] }] }] },
    ],
  });
  session = makeSession(desktop.open(), map.open());
});
afterEach(() => session.close());

async function ask(condition: string) {
  const shown = await runTool(expectation, { condition }, session);
  if (!shown.ok) throw new Error(showFailure(shown.failure));
  return { ...toJson(shown.value), exitCode: shown.value.exitCode };
}

describe("expect", () => {
  test("says yes or no, and what is there", async () => {
    expect(await ask('button "Save" is there')).toMatchObject({ met: true, exitCode: 0, element: { t: "Save" } });
    expect(await ask('button "Save" is disabled')).toMatchObject({ met: false, exitCode: 1 });
    expect(await ask('button "Open" is there')).toMatchObject({ met: false, exitCode: 1 });
    expect(await ask('window "Form" is open')).toMatchObject({ met: true, exitCode: 0 });
    expect(await ask('window "Error" is closed')).toMatchObject({ met: true, exitCode: 0 });
  });

  test("does not treat a missing answer as gone", async () => {
    const [form] = desktop.applications;
    if (form !== undefined) form.manner = "hangs";
    const answer = await ask('button "Save" is gone');
    expect(answer).toMatchObject({ met: false, exitCode: 1 });
    expect(answer.found).toContain("Form does not answer");
  });

  test("refuses a change, which takes time", async () => {
    expect(await runTool(expectation, { condition: "12 changes" }, session)).toMatchObject({
      ok: false,
      failure: { code: "USAGE", message: "a change takes time" },
    });
  });
});

describe("wait", () => {
  test("ends when the condition holds", async () => {
    const shown = await runTool(wait, { for: 'button "Save" appears', timeout: 1000 }, session);
    expect(shown.ok && toJson(shown.value)).toMatchObject({ met: true });
  });

  test("gives up in time, and says what is there instead", async () => {
    const shown = await runTool(wait, { for: 'button "Open" appears', timeout: 30 }, session);
    if (shown.ok) throw new Error("it did not give up");
    expect(showFailure(shown.failure)).toMatchInlineSnapshot(`
      "TIMEOUT  waited 30 ms for "button \\"Open\\" appears": button "Open" is not there
      try: deskmap read shows what is there; --timeout waits longer.   nothing was done."
    `);
  });

  test("waits no longer than --timeout-ms where nothing else is said", async () => {
    const shown = await runTool(wait, { for: 'button "Open" appears' }, session);
    expect(shown).toMatchObject({ failure: { message: expect.stringContaining(`waited ${session.timeoutMs} ms`) } });
  });
});
