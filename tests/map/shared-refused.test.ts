import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { examineMap } from "../../src/desktop/memory.ts";
import { countQueued } from "../../src/map/store/shared/outgoing.ts";
import { readAside } from "../../src/map/store/shared/set-aside.ts";
import { SharedDesk, startShared } from "./shared-desk.ts";
import type { TestServer } from "./shared-server.ts";
import { openBar, readMarks } from "./tool-bar.ts";

// Entries that the server always rejects must not block everything else.

let server: TestServer;
beforeAll(async () => {
  server = await startShared();
});
afterAll(() => server.close());

const desks: SharedDesk[] = [];
afterEach(() => {
  for (const desk of desks.splice(0)) desk.remove();
});

const cli = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
let roleCount = 0;

async function joinDesk(): Promise<{ readonly desk: SharedDesk; readonly role: string }> {
  roleCount += 1;
  const role = `writer${roleCount}`;
  server.addRole(role);
  const desk = new SharedDesk(server.url(role));
  desks.push(desk);
  await desk.meet();
  return { desk, role };
}

/** Read with PostgreSQL's own client. */
function ask(role: string, sql: string): string[] {
  const { ok, text } = server.psql(role, sql);
  if (!ok) throw new Error(text);
  return text === "" ? [] : text.split("\n");
}

const listButtons = (role: string): string[] =>
  ask(role, "SELECT name FROM deskmap.targets WHERE role = 'button' ORDER BY name");
const readQueue = (desk: SharedDesk): number => desk.alone(({ file }) => countQueued(file));
const readSetAside = (desk: SharedDesk) => desk.alone(({ file }) => readAside(file));

/** As an administrator would who does not want such a control in the team's map. */
async function withRule<T>(rule: string, work: () => Promise<T>): Promise<T> {
  ask("admin", `ALTER TABLE deskmap.targets ADD CONSTRAINT rule CHECK (${rule}) NOT VALID`);
  try {
    return await work();
  } finally {
    ask("admin", "ALTER TABLE deskmap.targets DROP CONSTRAINT rule");
  }
}

describe("a permanently rejected row", () => {
  const names = [...Array.from({ length: 40 }, (_, index) => `Tool ${index}`), "Forbidden"];

  test("is set aside with the reason, and everything else is sent", async () => {
    const { desk, role } = await joinDesk();
    await withRule("name <> 'Forbidden'", async () => {
      const { value: marks, remark } = await desk.visit((store) => readMarks(openBar(...names), store));
      expect(listButtons(role)).toEqual(names.slice(0, 40).sort());
      expect(remark).toContain("rejects 1 row");
      expect(remark).toContain("a constraint, PostgreSQL 23514");
      const other = (await joinDesk()).desk;
      await other.alone((store) => readMarks(openBar(...names), store));
      const check = await examineMap(other.env);
      expect(check).toMatchObject({ health: "note", text: expect.stringContaining("rejects 1 row") });
      expect(check.mend).toContain("deskmap map stats shows the reasons");
      expect(readSetAside(desk)).toEqual([{ kind: "control", code: "23514", count: 1 }]);
      expect(readQueue(desk)).toBe(0);
      // Locally it is as good as any other.
      expect(await desk.read(openBar(...names))).toEqual(marks);
      // It is not sent again, but later entries are.
      expect((await desk.visit(() => undefined)).remark).toBe("");
      await desk.read(openBar(...names, "Later"));
      expect(listButtons(role)).toContain("Later");
      const env = { ...process.env, ...desk.env, HOME: desk.env.XDG_DATA_HOME ?? "" };
      const stats = Bun.spawnSync([process.execPath, cli, "map", "stats", "--format", "text"], { env });
      expect(stats.stdout.toString()).toContain("set aside: 1 control");
      expect(stats.stdout.toString()).toContain("a constraint, PostgreSQL 23514");
    });
    // The rule is gone: once the control is used, it is sent, and nothing is set aside any more.
    const { value: now } = await desk.visit(async (store) => {
      const marks = await readMarks(openBar(...names), store);
      store.countAct(marks.Forbidden ?? 0, true);
      return marks;
    });
    expect(ask(role, "SELECT mark FROM deskmap.targets WHERE name = 'Forbidden'")).toEqual([String(now.Forbidden)]);
    expect(readSetAside(desk)).toEqual([]);
  });

  test("several of them, for other reasons, too", async () => {
    const { desk, role } = await joinDesk();
    const marks = await desk.alone((store) => readMarks(openBar(...names), store));
    desk.alone(({ file }) => file.run("UPDATE targets SET x = 1000000000000 WHERE mark = ?", marks["Tool 7"] ?? 0));
    await withRule("name NOT IN ('Forbidden', 'Tool 20')", () => desk.meet());
    const refused = ["Tool 7", "Tool 20", "Forbidden"];
    expect(listButtons(role)).toEqual(names.filter((name) => !refused.includes(name)).sort());
    expect(readSetAside(desk)).toEqual([
      { kind: "control", code: "23514", count: 2 },
      { kind: "control", code: "22003", count: 1 },
    ]);
  });

  test("counts of the rest are sent once, however often the batch was split", async () => {
    const { desk, role } = await joinDesk();
    const marks = await desk.alone((store) => readMarks(openBar(...names), store));
    desk.alone((store) => {
      for (const mark of Object.values(marks)) for (let times = 0; times < 3; times += 1) store.countAct(mark, true);
    });
    await withRule("name <> 'Forbidden'", () => desk.meet());
    await desk.meet();
    expect(ask(role, "SELECT DISTINCT hits FROM deskmap.targets WHERE role = 'button'")).toEqual(["3"]);
  });
});

describe("a rejection that is not about a row sets nothing aside", () => {
  test("if the server lets no client in", async () => {
    const { desk } = await joinDesk();
    await desk.alone((store) => readMarks(openBar("Save"), store));
    const waiting = readQueue(desk);
    const which = "deskmap.exchange(integer, text, uuid, bigint, bigint, text, bigint, boolean, bigint, bigint)";
    ask("admin", `REVOKE EXECUTE ON FUNCTION ${which} FROM PUBLIC`);
    try {
      expect(await desk.tryOpen()).toMatchObject({ ok: false });
    } finally {
      ask("admin", `GRANT EXECUTE ON FUNCTION ${which} TO PUBLIC`);
    }
    expect([readQueue(desk), readSetAside(desk)]).toEqual([waiting, []]);
  });

  test("if it accepts nothing at the moment", async () => {
    const { desk, role } = await joinDesk();
    await desk.alone((store) => readMarks(openBar("Save"), store));
    const waiting = readQueue(desk);
    ask("admin", `ALTER ROLE ${role} SET default_transaction_read_only = on`);
    try {
      const { remark } = await desk.visit(() => undefined);
      expect(remark).toContain("cannot be reached");
    } finally {
      ask("admin", `ALTER ROLE ${role} RESET default_transaction_read_only`);
    }
    expect([readQueue(desk), readSetAside(desk)]).toEqual([waiting, []]);
  });
});
