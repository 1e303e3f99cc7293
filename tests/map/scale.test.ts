import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { MapFile } from "../../src/map/store/database.ts";
import { prune } from "../../src/map/store/forget.ts";
import { countTargets } from "../../src/map/store/query-targets.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { makeCrowd, takeIn } from "./crowd.ts";
import { makeMapFolder } from "./desk.ts";

// What `npm run bench -- map` measures with a million controls, here with twenty thousand: sizes and query plans, no times.

const folder = makeMapFolder();
const crowd = makeCrowd();
const appCount = 10;
let store: SqliteStore;
/** Every SQL statement that a read of a known and of an unknown window executes. */
const asked = new Set<string>();
let count = 0;

beforeAll(() => {
  store = folder.open();
  for (let window = 0; count < 20_000; window += 1) {
    for (let app = 0; app < appCount; app += 1) count += takeIn(store, crowd.makeLook(app, window)).size;
  }
  const stop = listen(store);
  takeIn(store, crowd.makeLook(3, 1));
  takeIn(store, crowd.makeLook(3, 1, 1));
  takeIn(store, crowd.makeLook(99, 1));
  const [mark = 0] = takeIn(store, crowd.makeLook(3, 1, 1)).values();
  store.countAct(mark, true);
  store.teach(mark, "mine");
  store.findTaught(["org.example.application-3"]);
  store.findTempers([mark]);
  store.setTempers(new Map([[mark, true]]));
  store.listTargets({ apps: ["org.example.application-3"], minHits: 3, limit: 10 });
  stop();
});
afterAll(() => {
  store.close();
  folder.remove();
});

/** Records calls of the database's methods until the returned function is called. */
function listen({ file }: SqliteStore): () => void {
  const names = ["all", "get", "run", "runEach"] as const;
  for (const name of names) {
    Object.assign(file, {
      [name]: (sql: string, ...values: unknown[]): unknown => {
        asked.add(sql);
        return Reflect.apply(MapFile.prototype[name], file, [sql, ...values]);
      },
    });
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(file, name);
  };
}

test("a control takes less than 500 bytes, including all its evidence", () => {
  const targets = countTargets(store.file, {});
  expect(targets).toBeGreaterThan(19_000);
  store.file.get("PRAGMA wal_checkpoint(TRUNCATE)");
  expect(statSync(folder.path).size / targets).toBeLessThan(500);
});

describe("no statement of a read, an action or a lesson scans a whole table of controls", () => {
  // The index of taught controls contains nothing else.
  const large = /SCAN (targets|places|evidence|objects|imported)\b(?! USING INDEX targets_taught)/;

  test("in any statement that SQLite receives", () => {
    const database = new DatabaseSync(folder.path);
    expect(asked.size).toBeGreaterThan(20);
    const slow = [...asked].flatMap((sql) => {
      if (sql.startsWith("PRAGMA")) return [];
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      return plan
        .map(({ detail }) => String(detail))
        .filter((detail) => large.test(detail))
        .map((detail) => `${detail}: ${sql}`);
    });
    database.close();
    expect(slow).toEqual([]);
  });

  test("and one that does would be detected", () => {
    const database = new DatabaseSync(folder.path);
    const plan = database.prepare("EXPLAIN QUERY PLAN SELECT mark FROM targets WHERE name = ?").all();
    database.close();
    expect(plan.map(({ detail }) => String(detail)).filter((detail) => large.test(detail))).toHaveLength(1);
  });
});

test("pruning drops old controls and keeps used or taught ones", () => {
  const used = store.listTargets({ minHits: 1 }).map(({ learned }) => learned.mark);
  expect(used).toHaveLength(1);
  const nowMs = Date.now() + 400 * 86_400_000;
  expect(prune(folder.path, { days: 180, keepApps: [], nowMs })).toMatchObject({ ok: true });
  expect(store.listTargets({}).map(({ learned }) => learned.mark)).toEqual(used);
  expect(statSync(folder.path).size).toBeLessThan(300_000);
});
