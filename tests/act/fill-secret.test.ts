import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act } from "../../src/desktop/index.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Effect } from "../../src/model/effect.ts";
import type { Result } from "../../src/model/failure.ts";
import { effectForms } from "../../src/show/effect.ts";
import { MemoryRecords, openGuard } from "../guard/open-guard.ts";
import { Desk, makeMapFolder } from "../map/desk.ts";

const folder = makeMapFolder();
afterAll(() => folder.remove());
let store: SqliteStore;
beforeEach(() => {
  store = folder.open();
});
afterEach(() => {
  store.close();
});

const secret = "Zk7-unseen";

function open(states: readonly ("editable" | "focusable" | "readonly")[] = ["editable", "focusable"]) {
  const desk = new Desk(store, {
    title: "Form",
    children: [
      { role: "input", name: "Password", secret: true, states, actions: ["set"] },
      { role: "input", name: "City", states: ["editable", "focusable"], actions: ["set"] },
    ],
  });
  desk.fake.secrets.set("MAIL", secret);
  const records = new MemoryRecords();
  const fill = (words: string, name: string, policy = {}): Promise<Result<Effect>> => {
    const desktop = { platform: desk.fake.open(), marks: store, guard: openGuard(desk.fake, { records, policy }) };
    const order = { kind: "fill-secret", secret: name } as const;
    return act(desktop, { tool: "fill-secret", aim: { by: "words", words }, order, isDryRun: false, timeoutMs: 500 });
  };
  return { desk, records, fill };
}

describe("filling in a secret", () => {
  test("puts it in the field, and in no answer or log line: those have its name", async () => {
    const { desk, records, fill } = open();
    const effect = await fill("password", "MAIL");
    if (!effect.ok) throw new Error(effect.failure.message);
    expect(effect.value.verdict).toBe("confirmed");
    expect(desk.find("Password").value).toBe(secret);
    const told = [
      effectForms.text(effect.value),
      JSON.stringify(effectForms.data(effect.value)),
      JSON.stringify(records.entries),
    ].join("\n");
    expect(told).not.toContain(secret);
    expect(JSON.stringify(records.entries)).toContain('"words":"MAIL"');
    expect(records.entries.some((entry) => entry.typed !== undefined)).toBe(false);
  });

  test("is refused for a field that shows its content", async () => {
    const { desk, fill } = open();
    const effect = await fill("city", "MAIL");
    expect(effect.ok).toBe(false);
    if (!effect.ok) expect(effect.failure).toMatchObject({ code: "REFUSED", reason: "secret" });
    expect(desk.find("City").value).toBe("");
  });

  test("requires that the secret exists", async () => {
    const { desk, fill } = open();
    const effect = await fill("password", "MAIL2");
    if (effect.ok) throw new Error("it was filled");
    expect(effect.failure.message).toContain('"MAIL2"');
    expect(desk.find("Password").value).toBe("");
  });

  test("always needs approval", async () => {
    const { desk, records, fill } = open();
    const effect = await fill("password", "MAIL", { sensitive: "ask" });
    expect(effect.ok).toBe(false);
    expect(desk.find("Password").value).toBe("");
    expect(JSON.stringify(records.entries)).toContain("fill in the secret");
  });
});
