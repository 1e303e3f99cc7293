import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { locate } from "../../src/desktop/index.ts";
import { forgetApplications, prune } from "../../src/map/store/forget.ts";
import { readAddress } from "../../src/map/store/shared/address.ts";
import { Server } from "../../src/map/store/shared/connect.ts";
import { takeBatch } from "../../src/map/store/shared/outgoing.ts";
import { readState } from "../../src/map/store/shared/replica.ts";
import { timesOf } from "../tier.ts";
import { SharedDesk, startShared } from "./shared-desk.ts";
import type { TestServer } from "./shared-server.ts";
import { openBar, readMarks } from "./tool-bar.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startShared();
});
afterAll(() => server.close());

const desks: SharedDesk[] = [];
afterEach(() => {
  for (const desk of desks.splice(0)) desk.remove();
});

let roleCount = 0;

/** Desktops that share one map. */
function makeDesks(count: number): { readonly desks: SharedDesk[]; readonly role: string } {
  roleCount += 1;
  const role = `person${roleCount}`;
  server.addRole(role);
  const made = Array.from({ length: count }, () => new SharedDesk(server.url(role)));
  desks.push(...made);
  return { desks: made, role };
}

const cli = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const worker = fileURLToPath(new URL("./shared-in-process.ts", import.meta.url));
const spawn = (desk: SharedDesk, ...words: readonly string[]) =>
  Bun.spawn([process.execPath, worker, ...words], { env: { ...process.env, ...desk.env }, stderr: "inherit" });

/** What the server contains, as that role sees it through PostgreSQL's own client. */
function ask(role: string, sql: string): string[] {
  const { ok, text } = server.psql(role, sql);
  if (!ok) throw new Error(text);
  return text === "" ? [] : text.split("\n");
}

const two = (count = 2) => {
  const made = makeDesks(count);
  const [one, other] = made.desks;
  if (one === undefined || other === undefined) throw new Error("two desktops");
  return { one, other, role: made.role, all: made.desks };
};

test("four concurrent writers give no number to two controls, and every number leads to its own", async () => {
  const { desks: own, role } = makeDesks(4);
  const common = Array.from({ length: 20 }, (_, index) => `Common ${index}`);
  const children = own.map((desk, shift) => {
    const mine = Array.from({ length: 20 }, (_, index) => `Own ${shift} ${index}`);
    return spawn(desk, "read", ...common.slice(shift * 5), ...common.slice(0, shift * 5), ...mine);
  });
  const outputs = await Promise.all(children.map((child) => new Response(child.stdout).text()));
  const pairs = outputs.flatMap((output) => Object.entries<number>(JSON.parse(output)));
  expect(new Set(pairs.map(([name]) => name)).size).toBe(20 + 4 * 20);
  const nameOf = new Map<number, string>();
  for (const [name, mark] of pairs) {
    expect(nameOf.get(mark) ?? name).toBe(name);
    nameOf.set(mark, name);
  }
  for (const desk of own) {
    await desk.visit((store) => {
      for (const [mark, name] of nameOf) expect([mark, store.findRef(mark)?.name]).toEqual([mark, name]);
    });
  }
  const told = ask(role, "SELECT name FROM deskmap.targets WHERE name LIKE '%_ %'");
  expect(told.filter((name) => /^(Own|Common)/.test(name))).toHaveLength(new Set(told).size);
});

describe("a control that two desktops saw independently", () => {
  test("keeps both numbers, and both lead to it on both desktops", async () => {
    const { one, other, role } = two();
    await one.meet();
    await other.meet();
    const first = await one.alone((store) => readMarks(openBar("Save", "Open"), store));
    const second = await other.alone((store) => readMarks(openBar("Save", "Print"), store));
    expect(first.Save).not.toBe(second.Save);
    for (const desk of [one, other, one]) await desk.meet();
    for (const desk of [one, other]) {
      await desk.visit(async (marks) => {
        const platform = openBar("Save", "Open", "Print").open();
        for (const mark of [first.Save, second.Save]) {
          const found = await locate({ platform, marks }, { by: "mark", mark: mark ?? 0 }, { timeoutMs: 1000 });
          expect(found).toMatchObject({ ok: true, value: { element: { name: "Save", mark: first.Save } } });
        }
      });
    }
    const buttons = "SELECT name FROM deskmap.targets WHERE role = 'button' ORDER BY name";
    expect(ask(role, buttons)).toEqual(["Open", "Print", "Save"]);
  });

  test("and its counts and taught names from both are combined", async () => {
    const { one, other, role } = two();
    for (const desk of [one, other]) await desk.meet();
    const marks = [one, other].map(async (desk, index) => {
      const { Save = 0 } = await desk.alone((store) => readMarks(openBar("Save"), store));
      desk.alone((store) => {
        for (let times = 0; times < 3 + index; times += 1) store.countAct(Save, true);
        store.countAct(Save, false);
        if (index === 1) store.teach(Save, "keep it");
      });
      return Save;
    });
    const [elder = 0, younger = 0] = await Promise.all(marks);
    for (const desk of [one, other, one]) await desk.meet();
    expect(ask(role, "SELECT mark, hits, misses, taught FROM deskmap.targets WHERE name = 'Save'")).toEqual([
      `${elder}|7|2|keep it`,
    ]);
    const learned = await one.visit((store) => store.findLearned([store.followAlias(younger)]).get(elder));
    expect(learned.value).toMatchObject({ mark: elder, hits: 7, misses: 2, taught: "keep it" });
  });

  test("stays two if one desktop has shown two similar controls over time", async () => {
    const { one, other, role } = two();
    for (const desk of [one, other]) await desk.meet();
    await one.alone((store) => readMarks(openBar("Save"), store));
    const { Save: shown = 0 } = await other.alone((store) => readMarks(openBar("Save"), store));
    // The same look later leads to another number: it is unknown which of the two the first desktop has seen.
    other.alone((store) =>
      store.inTransaction(() => {
        const hashes = store.file.all("SELECT CAST(hash AS TEXT) AS hash FROM evidence WHERE mark = ?", shown);
        const ref = store.findRef(shown);
        if (ref === undefined) throw new Error("it was shown");
        const [mark = 0] = store.allotMarks([{ ...ref, handle: "another", life: "" }]);
        store.setEvidence(new Map(hashes.map(({ hash }) => [String(hash), mark])));
      }),
    );
    for (const desk of [one, other, one]) await desk.meet();
    expect(ask(role, "SELECT count(*) FROM deskmap.aliases")).toEqual(["0"]);
    expect(ask(role, "SELECT name FROM deskmap.targets WHERE name = 'Save'")).toHaveLength(3);
  });
});

describe("while the server is unreachable", () => {
  test("everything keeps working, and is merged down to the last count when it is back", async () => {
    const { one, other, role } = two();
    const { Save = 0 } = await one.read(openBar("Save", "Open"));
    await other.meet();
    await server.stop();
    const alone = await one.visit(async (store) => {
      const marks = await readMarks(openBar("Save", "Open", "Print"), store);
      for (let times = 0; times < 5; times += 1) store.countAct(Save, true);
      return marks;
    });
    const remark = await other.visit((store) => store.countAct(Save, true));
    await server.run();
    expect(alone.value.Save).toBe(Save);
    expect(alone.remark).toContain("cannot be reached");
    expect(alone.remark).toMatch(/\d+ changes will be sent later/);
    expect(remark.remark).toContain("cannot be reached");
    for (const desk of [one, other]) desk.alone((store) => store.file.run("UPDATE shared_state SET retry_at = 0"));
    for (const desk of [one, other, one]) await desk.meet();
    expect(ask(role, `SELECT hits FROM deskmap.targets WHERE mark = ${Save}`)).toEqual(["6"]);
    for (const desk of [one, other]) {
      const { value } = await desk.visit((store) => [
        store.findLearned([Save]).get(Save)?.hits,
        store.findRef(alone.value.Print ?? 0)?.name,
      ]);
      expect(value).toEqual([6, "Print"]);
    }
  });

  test("a server that does not answer is not waited for, and is updated later", async () => {
    const { one, role } = two();
    const { Save = 0 } = await one.read(openBar("Save"));
    server.pause();
    const { remark } = await one.visit((store) => store.countAct(Save, true));
    server.resume();
    expect(remark).toContain("cannot be reached");
    one.alone((store) => store.file.run("UPDATE shared_state SET retry_at = 0"));
    await one.meet();
    expect(ask(role, `SELECT hits FROM deskmap.targets WHERE mark = ${Save}`)).toEqual(["1"]);
  });

  test("an update that it took without being able to confirm counts once", async () => {
    const { one, role } = two();
    const { Save = 0 } = await one.read(openBar("Save"));
    const address = readAddress(one.env);
    if (!address.ok) throw new Error(address.failure.message);
    const lost = one.alone(async ({ file }) => {
      file.run("UPDATE targets SET hits = hits + 3 WHERE mark = ?", Save);
      const [batch, line] = [takeBatch(file), new Server(address.value)];
      // More happens while the first request is in flight.
      file.run("UPDATE targets SET hits = hits + 4 WHERE mark = ?", Save);
      const { client, born, cursor } = readState(file);
      const told = { client, born, cursor, batch: batch?.number ?? 0, body: batch?.body ?? "" };
      const asked = await line.ask({ ...told, isPull: true, numbers: 0, highest: 0 });
      line.close();
      return "answer" in asked;
    });
    expect(await lost).toBe(true);
    expect(ask(role, `SELECT hits FROM deskmap.targets WHERE mark = ${Save}`)).toEqual(["3"]);
    await one.meet();
    expect(ask(role, `SELECT hits FROM deskmap.targets WHERE mark = ${Save}`)).toEqual(["7"]);
    await one.visit((store) => expect(store.findLearned([Save]).get(Save)?.hits).toBe(7));
  });

  test("a desktop that has never connected says so, and one without numbers makes none up", async () => {
    const { one, other } = two();
    await one.meet();
    await server.stop();
    expect(await other.tryOpen()).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    one.alone((store) => store.file.run("UPDATE shared_numbers SET next = last"));
    const read = one.alone((store) => readMarks(openBar("A", "B", "C"), store));
    await expect(read).rejects.toThrow("fewer are leased");
    await server.run();
    one.alone((store) => store.file.run("UPDATE shared_state SET retry_at = 0"));
    expect(Object.keys(await one.read(openBar("A", "B", "C")))).toContain("C");
  });
});

test("a desktop that is killed again and again during a sync loses no mark and counts nothing twice", async () => {
  const { one, other, role, all } = two();
  await Promise.all(
    all.map(async (desk, index) => {
      for (let round = 0; round < timesOf(6, 25); round += 1) {
        const child = spawn(desk, "act", `Desk ${index}`);
        const wanted = 1 + ((round * 7 + index * 3) % 5);
        const reader = child.stdout.getReader();
        for (let seen = 0; seen < wanted; ) seen += (await reader.read()).value?.length ?? wanted;
        // Interrupted at a different point of the sync each time.
        await Bun.sleep((round * 13 + index * 5) % 23);
        child.kill("SIGKILL");
        await child.exited;
      }
    }),
  );
  for (const desk of [one, other, one]) await desk.meet();
  for (const desk of [one, other]) {
    const journal = desk.alone((store) =>
      store.file.all(
        "SELECT name, count(DISTINCT mark) AS marks, min(mark) AS mark, count(*) AS hits FROM journal GROUP BY name",
      ),
    );
    expect(journal.length).toBe(7);
    for (const { name, marks, mark, hits } of journal) {
      expect(marks).toBe(1);
      expect(ask(role, `SELECT mark, hits FROM deskmap.targets WHERE name = '${name}'`)).toEqual([`${mark}|${hits}`]);
    }
  }
});

test("a new machine that joins knows all marks, taught names and history", async () => {
  const { one, other } = two();
  const marks = await one.read(openBar("Save", "Open"));
  await one.visit((store) => {
    store.teach(marks.Save ?? 0, "the disk");
    store.countAct(marks.Save ?? 0, true);
  });
  const joined = await other.visit(async (store) => ({
    marks: await readMarks(openBar("Save", "Open"), store),
    learned: store.findLearned([marks.Save ?? 0]).get(marks.Save ?? 0),
    names: [...store.listNames().keys()],
  }));
  expect(joined.value.marks).toEqual(marks);
  expect(joined.value.learned).toMatchObject({ taught: "the disk", hits: 1 });
  expect(joined.value.names).toEqual(["editor"]);
});

test("of two taught names, the later one stays, whichever arrives first", async () => {
  const { one, other, role } = two();
  const { Save = 0 } = await one.read(openBar("Save"));
  await other.meet();
  one.alone((store) => store.teach(Save, "earlier"));
  await Bun.sleep(5);
  other.alone((store) => store.teach(Save, "later"));
  for (const desk of [other, one, other]) await desk.meet();
  expect(ask(role, "SELECT taught FROM deskmap.targets WHERE name = 'Save'")).toEqual(["later"]);
  for (const desk of [one, other]) {
    expect((await desk.visit((store) => store.findLearned([Save]).get(Save)?.taught)).value).toBe("later");
  }
});

describe("a deletion on one desktop", () => {
  test("by a person's command is on the server when the command ends", async () => {
    const { one, other, role } = two();
    const { Wipe = 0, Keep = 0 } = await one.read(openBar("Wipe", "Keep"));
    await other.meet();
    const env = { ...process.env, ...one.env };
    const done = Bun.spawnSync([process.execPath, cli, "map", "forget", "--id", String(Wipe)], { env });
    expect([done.exitCode, done.stderr.toString()]).toEqual([0, ""]);
    expect(ask(role, "SELECT name FROM deskmap.targets WHERE role = 'button'")).toEqual(["Keep"]);
    await other.visit((store) =>
      expect([Wipe, Keep].map((mark) => store.findRef(mark)?.name)).toEqual([undefined, "Keep"]),
    );
  });

  test("reaches the server and the others, and is not undone from a queue", async () => {
    const { one, other, role } = two();
    const marks = await one.read(openBar("Wipe", "Shred"));
    await other.meet();
    // The other desktop is offline, uses a forgotten mark and sees a new control of the same application.
    const late = await other.alone((store) => readMarks(openBar("Wipe", "Shred", "Burn"), store));
    other.alone((store) => store.countAct(marks.Wipe ?? 0, true));
    expect(forgetApplications(one.path, ["editor"], "everywhere")).toMatchObject({ ok: true });
    for (const desk of [one, other, one]) await desk.meet();
    for (const table of ["targets", "places", "evidence", "windows", "names"]) {
      expect(ask(role, `SELECT count(*) FROM deskmap.${table}`)).toEqual(["0"]);
    }
    for (const desk of [one, other]) {
      const bytes = await Bun.file(desk.path).text();
      for (const word of ["Shred", "Burn", "editor"]) expect(bytes).not.toContain(word);
      await desk.visit((store) => expect(store.findRef(late.Burn ?? 0)).toBeUndefined());
    }
    const again = await other.read(openBar("Wipe"));
    expect([...Object.values(marks), ...Object.values(late)]).not.toContain(again.Wipe ?? 0);
    await one.meet();
    expect((await one.visit((store) => store.findRef(again.Wipe ?? 0)?.name)).value).toBe("Wipe");
  });

  test("by a local rule, or by age, stays local", async () => {
    const { one, other, role } = two();
    const marks = await one.read(openBar("Wipe", "Shred"));
    await other.visit((store) => store.teach(marks.Wipe ?? 0, "mine"));
    await one.meet();
    expect(forgetApplications(one.path, ["editor"], "here")).toMatchObject({ ok: true });
    expect(await Bun.file(one.path).text()).not.toContain("Shred");
    const inAYear = Date.now() + 366 * 86_400_000;
    expect(prune(other.path, { days: 180, keepApps: [], nowMs: inAYear })).toMatchObject({ ok: true });
    for (const desk of [one, other, one]) await desk.meet();
    expect(ask(role, "SELECT name FROM deskmap.targets WHERE role = 'button' ORDER BY name")).toEqual([
      "Shred",
      "Wipe",
    ]);
    await other.visit((store) =>
      expect(store.findLearned([marks.Wipe ?? 0]).get(marks.Wipe ?? 0)?.taught).toBe("mine"),
    );
  });
});
