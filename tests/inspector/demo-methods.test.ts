import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Demo, printDemo } from "../../src/demo/file.ts";
import { keepProposals } from "../../src/demo/heal.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { RecordingFolder } from "../../src/demo/recording.ts";
import { DemoStore } from "../../src/demo/store.ts";
import { savePin } from "../../src/guard/approval/pin.ts";
import { findPlaces } from "../../src/guard/places.ts";
import type { Host, Listened } from "../../src/host/port.ts";
import type { LiveRecording, Replayed, ShownDemo } from "../../src/inspector/demos.ts";
import { fail, makeFailure, type Result, succeed } from "../../src/model/failure.ts";
import { DemoRecorder } from "../../src/server/inspector/demo-recording.ts";
import { demosMethods } from "../../src/server/inspector/panels/demos.ts";
import { makeAction, makeField } from "../demo/actions.ts";
import { makeFakeHost } from "./fake-host.ts";

let home: string;
let env: Record<string, string>;
let file: string;
const pushed: { readonly event: string; readonly data: unknown }[] = [];

const demo: Demo = makeDemo(
  [
    makeField("Name", "Ada Lovelace"),
    makeAction({ effect: { verdict: "confirmed", way: "action", opened: ["Stored"] } }),
    makeAction({ window: "Stored" }),
  ],
  { name: "order" },
);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-demo-methods-"));
  env = { HOME: home };
  const folder = join(home, ".local/share/deskmap/demos");
  mkdirSync(folder, { recursive: true });
  file = join(folder, "order.demo.json");
  writeFileSync(file, printDemo(demo));
  writeFileSync(join(folder, "broken.demo.json"), "{");
  pushed.length = 0;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const portable = {
  ref: { role: "button", name: "Keep it", app: "form", window: "Form" },
  evidence: [{ by: "ref", matches: 1 }],
};
const plainHost = makeFakeHost([], ({ tool }) => (tool === "element" ? { there: true, portable } : undefined));

/** Calls it as a page does. */
async function call<Value>(name: string, params: unknown, host: Host = plainHost): Promise<Result<Value>> {
  const method = demosMethods.find((one) => one.name === name);
  if (method === undefined) throw new Error(name);
  const { signal } = new AbortController();
  const context = {
    host,
    env,
    ownTitle: "",
    signal,
    push: async (event: string, data: unknown) => void pushed.push({ event, data }),
    sendPicture: () => 0,
    onHostOpen: () => () => undefined,
  };
  return isOf<Value>(await method.run(method.params.parse(params), context, signal));
}

function isOf<Value>(result: Result<unknown>): Result<Value> {
  return JSON.parse(JSON.stringify(result));
}

async function show(): Promise<ShownDemo> {
  const shown = await call<ShownDemo>("demos.show", { name: "order" });
  if (!shown.ok) throw new Error(shown.failure.message);
  return shown.value;
}

const read = (): Demo => JSON.parse(readFileSync(file, "utf8"));

test("all demos are listed, also one that cannot be read; a name is no path", async () => {
  const listed = await call<readonly object[]>("demos.list", {});
  expect(listed).toMatchObject({
    ok: true,
    value: [
      { name: "broken", fault: expect.any(String) },
      { name: "order", steps: 3, parameters: 1, proposals: 0 },
    ],
  });
  expect(await call("demos.show", { name: "../../order" })).toMatchObject({ ok: false, failure: { code: "USAGE" } });
});

test("what a person changes is in the file, and what would break a link is refused", async () => {
  const { version } = await show();
  const edit = (change: object, seen = version) =>
    call<ShownDemo>("demos.edit", { name: "order", version: seen, change });
  const renamed = await edit({ kind: "rename", parameter: "name", to: "customer" });
  expect(renamed).toMatchObject({ ok: true, value: { parameters: [{ name: "customer", value: "Ada Lovelace" }] } });
  expect(read().steps[0]?.input.text).toBe("{{customer}}");
  // Somebody who still sees the old one changes nothing.
  expect(await edit({ kind: "delete", step: 1 })).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining("changed meanwhile") },
  });
  const now = renamed.ok ? renamed.value.version : "";
  expect(await edit({ kind: "delete", step: 2 }, now)).toMatchObject({
    ok: false,
    failure: { message: "step 3 works in the window that step 2 opens" },
  });
  const moved = await edit({ kind: "move", step: 1, to: 3 }, now);
  expect(moved).toMatchObject({
    ok: true,
    value: { steps: [{ tool: "click" }, { tool: "click" }, { tool: "set-value" }] },
  });
  expect(read().steps[1]?.wait?.opened_by).toBe(1);
});

test("a step that is deleted leaves no picture; without a picture, none is shown", async () => {
  const folder = file.replace(/\.demo\.json$/, ".pictures");
  mkdirSync(folder);
  const bbox: [number, number, number, number] = [0, 0, 10, 10];
  const steps = demo.steps.map((step, index) => ({ ...step, picture: { file: `000${index + 1}.png`, bbox } }));
  writeFileSync(file, printDemo({ ...demo, steps }));
  for (const name of ["0001.png", "0001.json", "0002.png"]) writeFileSync(join(folder, name), "no picture");
  const { version, steps: shown } = await show();
  expect(shown[0]?.hasPicture).toBe(true);
  expect(await call("demos.picture", { name: "order", step: 1 })).toMatchObject({
    ok: false,
    failure: { code: "NOT_FOUND" },
  });
  const edited = await call("demos.edit", { name: "order", version, change: { kind: "delete", step: 1 } });
  expect(edited).toMatchObject({ ok: true });
  expect(readdirSync(folder)).toEqual(["0002.png"]);
});

test("a step gets the control that was pointed at", async () => {
  const { version } = await show();
  const change = { kind: "repick", step: 2, mark: 12 };
  const picked = await call<ShownDemo>("demos.edit", { name: "order", version, change });
  expect(picked).toMatchObject({ ok: true, value: { steps: { 1: { words: expect.stringContaining('"Keep it"') } } } });
  expect(plainHost.calls.at(-1)).toMatchObject({ tool: "element", input: { id: 12, evidence: true } });
  expect(read().former).toMatchObject([{ step: 2, ref: { name: "Save" } }]);
  const gone = makeFakeHost([], () => ({ there: false, why: { message: "it is gone" } }));
  const seen = (await show()).version;
  const refused = await call("demos.edit", { name: "order", version: seen, change }, gone);
  expect(refused).toMatchObject({ ok: false, failure: { code: "NOT_FOUND", message: "it is gone" } });
});

// Whoever runs the tests may sit at a terminal: with a PIN, that alone is not enough.
test("only a person takes proposals; dropping them needs nobody", async () => {
  const [, step] = demo.steps;
  if (step?.ref === undefined) throw new Error("no ref");
  const proposal = {
    step: 2,
    was: step.ref,
    ref: { ...step.ref, name: "Keep" },
    evidence: [],
    why: "name is different",
  };
  keepProposals(file, demo, [proposal]);
  const shown = await show();
  expect(shown.proposals).toMatchObject([{ step: 2, fields: [{ field: "name", was: '"Save"', now: '"Keep"' }] }]);
  savePin(findPlaces(env), "13579");
  const heal = (verdict: string, pin?: string) =>
    call("demos.heal", { name: "order", version: shown.version, proposed: shown.proposed, verdict, pin });
  expect(await heal("accept")).toMatchObject({ ok: false, failure: { code: "REFUSED" } });
  expect(await heal("accept", "24680")).toMatchObject({ ok: false, failure: { code: "REFUSED" } });
  expect(read().steps[1]?.ref?.name).toBe("Save");
  expect(await heal("discard")).toMatchObject({ ok: true, value: { proposals: [] } });
});

test("a person takes the proposals that the page shows, and no others that came meanwhile", async () => {
  const [, step] = demo.steps;
  if (step?.ref === undefined) throw new Error("no ref");
  const propose = (name: string) => {
    const ref = { ...step.ref, name };
    keepProposals(file, demo, [{ step: 2, was: step.ref ?? {}, ref, evidence: [], why: "name is different" }]);
  };
  propose("Keep");
  const { version, proposed } = await show();
  propose("Delete all");
  savePin(findPlaces(env), "13579");
  const host = makeFakeHost([]);
  const heal = (seen: string) =>
    call("demos.heal", { name: "order", version, proposed: seen, verdict: "accept", pin: "13579" }, host);
  expect(await heal(proposed)).toMatchObject({ ok: false, failure: { code: "FAILED" } });
  expect(read().steps[1]?.ref?.name).toBe("Save");
  expect(await heal((await show()).proposed)).toMatchObject({ ok: true });
  expect(read().steps[1]?.ref?.name).toBe("Delete all");
});

test("a replay goes through the host, tells each step, and stops at the first doubt", async () => {
  const host = makeFakeHost([], ({ tool }) =>
    tool === "locate"
      ? { verdict: "match", id: 7, role: "input", name: "Name", app: "form", window: "Form" }
      : undefined,
  );
  const done = await call<Replayed>("demos.replay", { name: "order", from: 1, to: 1, values: { name: "Grace" } }, host);
  expect(host.calls.map(({ tool, isTyped }) => [tool, isTyped])).toEqual([
    ["locate", undefined],
    ["set-value", undefined],
  ]);
  expect(host.calls[1]?.input).toMatchObject({ id: 7, text: "Grace" });
  expect(done).toMatchObject({ ok: true, value: { stop: { n: 1 } } });
  expect(pushed).toMatchObject([{ event: "demos.progress", data: { demo: "order", n: 1, state: "stopped" } }]);
  const stray = await call("demos.replay", { name: "order", from: 1, values: { nobody: "x" } });
  expect(stray).toMatchObject({ ok: false, failure: { code: "USAGE" } });
});

test("nobody records without a person, whatever the page says", async () => {
  const places = findPlaces(env);
  const refusing = { ...makeFakeHost(), listen: refuse };
  expect(await call("demos.record", { name: "new", isReplacing: false }, refusing)).toMatchObject({
    ok: false,
    failure: { code: "REFUSED" },
  });
  expect(new RecordingFolder(join(places.state, "recording")).status()).toBeUndefined();
  const taken = await call("demos.record", { name: "order", isReplacing: false }, refusing);
  expect(taken).toMatchObject({ ok: false, failure: { code: "USAGE" } });
});

async function* refuse(): AsyncIterable<Result<Listened>> {
  yield fail(makeFailure("REFUSED", "only a person at a terminal"));
}

test("steps show while they come, the inspector's own are left out, and stop saves the rest", async () => {
  const [folder, store] = [new RecordingFolder(join(home, "recording")), new DemoStore(join(home, "demos"))];
  const queue: (Result<Listened> | undefined)[] = [succeed({ of: "begun" })];
  let wake = Promise.withResolvers<void>();
  const tell = (step: Parameters<typeof makeAction>[0]): void => {
    queue.push(succeed({ of: "step", step: makeAction({ ...step, by: "person" }) }));
    wake.resolve();
  };
  async function* listen(_request: unknown, signal: AbortSignal): AsyncIterable<Result<Listened>> {
    signal.addEventListener("abort", () => wake.resolve(), { once: true });
    for (;;) {
      const one = queue.shift();
      if (one !== undefined) yield one;
      else if (signal.aborted) return;
      else {
        await wake.promise;
        wake = Promise.withResolvers();
      }
    }
  }
  const recorder = new DemoRecorder({ listen }, folder, store);
  const watch = async (isThere: (now: LiveRecording) => boolean): Promise<void> => {
    while (!isThere(recorder.describe())) await new Promise((resolve) => setImmediate(resolve));
  };
  expect(await recorder.begin("new", false)).toMatchObject({ ok: true });
  expect(recorder.describe()).toMatchObject({ state: "recording", name: "new", isHere: true, steps: [] });
  tell({});
  tell({ window: "Deskmap inspector 1234 - Chromium", ref: { role: "button", name: "Stop and save" } });
  await watch(({ steps }) => steps.length === 1);
  expect(recorder.describe().steps[0]?.words).toContain('click button "Save"');
  expect(await recorder.begin("other", false)).toMatchObject({ ok: false, failure: { code: "USAGE" } });
  expect(recorder.pause(true)).toMatchObject({ ok: true });
  expect(recorder.describe().state).toBe("paused");
  recorder.pause(false);
  expect(await recorder.end(false)).toEqual({ ok: true, value: "new" });
  expect(store.read("new", "/")).toMatchObject({
    ok: true,
    value: { recorded: { by: "person" }, steps: { length: 1 } },
  });
  expect(recorder.describe()).toMatchObject({ state: "off" });
  expect(await recorder.end(false)).toMatchObject({ ok: false, failure: { code: "NOT_FOUND" } });
});
