import { afterEach, beforeEach, expect, test } from "bun:test";
import { describeElement } from "../../src/desktop/describe-element.ts";
import { read } from "../../src/desktop/index.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { descriptionForms } from "../../src/show/element-description.ts";
import { button, makeMapFolder, text } from "../map/desk.ts";

let folder: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  folder = makeMapFolder();
});
afterEach(() => folder.remove());

const timeoutMs = 1000;

async function openEditor() {
  const children = [
    button("Save"),
    { role: "group" as const, name: "Twins", children: [button("Delete"), button("Delete")] },
    text("Ready"),
  ];
  const fake = new FakeDesktop({ applications: [{ name: "Editor", windows: [{ title: "notes", children }] }] });
  const store = folder.open();
  const desktop = { platform: fake.open(), marks: store };
  const view = await read(desktop, { includeHidden: false, isWhole: true, timeoutMs });
  if (!view.ok) throw new Error(view.failure.message);
  return { fake, store, desktop };
}

test("a control is described with its current state, its memory, and how it would be found", async () => {
  const { store, desktop } = await openEditor();
  store.countAct(1, true);
  const description = await describeElement(desktop, { aim: { by: "mark", mark: 1 }, withEvidence: true, timeoutMs });
  if (!description.ok) throw new Error(description.failure.message);
  const json = JSON.parse(JSON.stringify(descriptionForms.data(description.value)));
  expect(json).toMatchObject({
    mark: 1,
    there: true,
    now: { role: "button", name: "Save", patterns: ["invoke"], window: "notes" },
    memory: { hits: 1, misses: 0, source: "a11y", ref: { name: "Save", twins: 0 }, history: [{ hits: 1, misses: 0 }] },
    again: { certainty: "object", verdict: "match", isItself: true },
  });
  expect(json.again.nearest[0]).toMatchObject({ mark: 1, name: "Save" });
  expect(json.again.evidence.map(({ feature }: { feature: string }) => feature)).toContain("name");
  expect(descriptionForms.text(description.value)).toContain("found again yes");
  store.close();
});

test("a control with a twin would not be found by its description alone", async () => {
  const { store, desktop } = await openEditor();
  const [twin] = store.listTargets({}).filter(({ ref }) => ref.name === "Delete");
  const mark = twin?.learned.mark ?? 0;
  const description = await describeElement(desktop, { aim: { by: "mark", mark }, withEvidence: true, timeoutMs });
  if (!description.ok) throw new Error(description.failure.message);
  expect(description.value.again).toMatchObject({ certainty: "object" });
  expect(description.value.again?.margin).toBeLessThan(1);
  store.close();
});

test("a missing control is described from memory, with the reason; an unknown mark is refused", async () => {
  const { fake, store, desktop } = await openEditor();
  fake.applications[0]?.windows[0]
    ?.listControls()
    .find(({ name }) => name === "Save")
    ?.remove();
  const description = await describeElement(desktop, { aim: { by: "mark", mark: 1 }, withEvidence: true, timeoutMs });
  if (!description.ok) throw new Error(description.failure.message);
  const json = JSON.parse(JSON.stringify(descriptionForms.data(description.value)));
  expect(json).toMatchObject({ there: false, why: { code: "NOT_FOUND" }, memory: { ref: { name: "Save" } } });
  expect(json.again).toMatchObject({ certainty: "missing", isItself: false });
  expect(json.again.verdict).not.toBe("match");
  expect(descriptionForms.text(description.value)).toContain("there no: 1 means button");
  expect(
    await describeElement(desktop, { aim: { by: "mark", mark: 999 }, withEvidence: false, timeoutMs }),
  ).toMatchObject({ ok: false });
  store.close();
});

test("the content of a secret field is in no format of the answer", async () => {
  const fields = [{ role: "input" as const, name: "Login", value: "hunter2", states: ["secret" as const] }];
  const fake = new FakeDesktop({ applications: [{ name: "Safe", windows: [{ title: "safe", children: fields }] }] });
  const store = folder.open();
  const desktop = { platform: fake.open(), marks: store };
  await read(desktop, { includeHidden: false, isWhole: true, timeoutMs });
  const description = await describeElement(desktop, { aim: { by: "mark", mark: 1 }, withEvidence: true, timeoutMs });
  if (!description.ok) throw new Error(description.failure.message);
  const [json, lines] = [
    JSON.stringify(descriptionForms.data(description.value)),
    descriptionForms.text(description.value),
  ];
  expect(json).toContain('"name":"Login"');
  expect(`${json}${lines}`).not.toContain("hunter2");
  store.close();
});
