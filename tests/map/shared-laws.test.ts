import { afterAll, beforeAll, expect, test } from "bun:test";
import { forgetApplications } from "../../src/map/store/forget.ts";
import type { FakeControl } from "../../src/platform/fake/control.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { fc } from "../property.ts";
import { timesOf } from "../tier.ts";
import { waitFor } from "../wait.ts";
import { button, text } from "./desk.ts";
import { SharedDesk, startShared } from "./shared-desk.ts";
import type { TestServer } from "./shared-server.ts";
import { readMarks } from "./tool-bar.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startShared();
});
afterAll(() => server.close());

// One name is cut in the middle of a character when it is stored as a neighbour's.
const names = ["Save", "Open", "Print", "Close", `${"x".repeat(23)}💾`, "quote \" ' \\"];
const words = ["Ready", "Saved 1 file", "Saved 2 files"];

const step = fc.record({
  desk: fc.nat(2),
  what: fc.oneof(
    { weight: 6, arbitrary: fc.constant("read" as const) },
    { weight: 4, arbitrary: fc.constant("meet" as const) },
    { weight: 4, arbitrary: fc.constant("act" as const) },
    { weight: 2, arbitrary: fc.constant("teach" as const) },
    { weight: 1, arbitrary: fc.constant("restart" as const) },
    { weight: 1, arbitrary: fc.constant("forget" as const) },
  ),
  chosen: fc.subarray(names, { minLength: 1 }),
  word: fc.constantFrom(...words),
});
type Drawn = typeof step extends fc.Arbitrary<infer One> ? One : never;
/** "wait" goes on in the next second: what is first seen is known to the second. */
type Step = Omit<Drawn, "what"> & { readonly what: Drawn["what"] | "wait" };

/** Identifies a control whatever it says: by its name or, for the window's only text, as the status. */
const identify = (name: string): string => (words.includes(name) ? "the status" : name);

/** A desktop with an editor. What happens in it between two syncs is never sent. */
class Machine {
  readonly desk: SharedDesk;
  private fake: FakeDesktop | undefined;

  constructor(url: string) {
    this.desk = new SharedDesk(url);
  }

  /** The same run of the editor shows other words; a new run shows other buttons too. */
  show({ chosen, word, what }: Step): FakeDesktop {
    if (this.fake === undefined || what === "restart") {
      const children = [text(word), ...chosen.map((name) => button(name))];
      this.fake = new FakeDesktop({ applications: [{ name: "Editor", windows: [{ title: "notes", children }] }] });
    }
    const controls: FakeControl[] = this.fake.applications[0]?.windows[0]?.listControls() ?? [];
    for (const control of controls) if (control.role === "text") control.name = word;
    return this.fake;
  }
}

/** Everything that desktops share, as text, without their local container numbers. */
function dump(machine: Machine): unknown {
  return machine.desk.alone(({ file }) => ({
    targets:
      file.all(`SELECT mark, CAST(key AS TEXT) AS key, role, name, sister_before, sister_after, x, y, same, moved, hits, misses,
      taught, parent, layout, first_seen, targets.last_seen, looks - last_look AS missing FROM targets JOIN places USING (place) ORDER BY mark`),
    places: file.all("SELECT CAST(key AS TEXT) AS key, app, path, looks FROM places ORDER BY key"),
    evidence: file.all("SELECT CAST(hash AS TEXT) AS hash, mark FROM evidence ORDER BY hash"),
    windows: file.all("SELECT CAST(key AS TEXT) AS key, name, looks, layout FROM windows ORDER BY key"),
    aliases: file.all("SELECT alias, mark FROM aliases ORDER BY alias"),
    names: file.all("SELECT app, name FROM names ORDER BY app, name"),
    queued: ["marks", "evidence", "places", "windows", "names", "gone"].map(
      (queue) => file.all(`SELECT * FROM queued_${queue}`).length,
    ),
  }));
}

/** The same from the server, through its own client. */
function ask(role: string, sql: string): string[] {
  const { ok, text: told } = server.psql(role, sql);
  if (!ok) throw new Error(told);
  return told === "" ? [] : told.split("\n");
}

let [roleCount, aliasCount] = [0, 0];

async function converge(steps: readonly Step[]): Promise<void> {
  roleCount += 1;
  const role = `law${roleCount}`;
  server.addRole(role);
  const machines = [0, 1, 2].map(() => new Machine(server.url(role)));
  try {
    for (const { desk } of machines) await desk.meet();
    await follow(machines, steps, role);
  } finally {
    for (const { desk } of machines) desk.remove();
  }
}

test("a control that is forgotten after it took over what led to another leaves the same map everywhere", async () => {
  const on = (desk: number, what: Step["what"], word = "Ready"): Step => ({ desk, what, word, chosen: ["Save"] });
  const first = [on(0, "wait"), on(0, "read"), on(1, "read"), on(1, "forget"), on(0, "wait")];
  const second = [on(2, "read"), on(2, "meet"), on(0, "read", "Saved 1 file"), on(0, "read"), on(0, "meet")];
  await converge([...first, ...second]);
});

test("whatever three desktops do, together or alone: they converge on the same map, and no mark refers to two controls", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 32 }), converge),
    // Shrinking an example would take minutes.
    { numRuns: timesOf(4, 10), endOnFailure: true },
  );
  expect(aliasCount).toBeGreaterThan(0);
});

/**
 * On a busy machine connecting may take more than the 2 seconds that a desktop waits, after which it does not retry for another
 * 2 seconds and reports that each time. Two rounds are enough only if the server was reached in both.
 */
async function meetServer(desk: SharedDesk): Promise<void> {
  let remark = "";
  await waitFor(
    () => `the server: ${remark}`,
    async () => {
      remark = await desk.meet();
      return remark === "";
    },
  );
}

async function follow(machines: readonly Machine[], steps: readonly Step[], role: string): Promise<void> {
  const meaning = new Map<number, string>();
  const hits = new Map<string, number>();
  for (const one of steps) {
    const machine = machines[one.desk];
    if (machine === undefined) throw new Error("three machines");
    if (one.what === "wait") await Bun.sleep(1000 - (Date.now() % 1000));
    else if (one.what === "meet") await machine.desk.meet();
    else if (one.what === "forget") forgetApplications(machine.desk.path, ["editor"], "everywhere");
    else {
      const bar = machine.show(one);
      const marks = await machine.desk.alone((store) => readMarks(bar, store));
      for (const [name, mark] of Object.entries(marks)) {
        expect([mark, meaning.get(mark) ?? identify(name)]).toEqual([mark, identify(name)]);
        meaning.set(mark, identify(name));
      }
      const [name, mark] = Object.entries(marks).at(-1) ?? ["", 0];
      if (one.what === "act") {
        machine.desk.alone((store) => store.countAct(mark, true));
        hits.set(identify(name), (hits.get(identify(name)) ?? 0) + 1);
      }
      if (one.what === "teach") machine.desk.alone((store) => store.teach(mark, `taught ${one.word}`));
    }
  }
  for (let round = 0; round < 2; round += 1) for (const { desk } of machines) await meetServer(desk);
  const [first, ...others] = machines.map(dump);
  for (const other of others) expect(other).toEqual(first);
  for (const { desk } of machines) {
    desk.alone((store) => {
      for (const [mark, control] of meaning) {
        const ref = store.findRef(mark);
        if (ref !== undefined) expect([mark, identify(ref.name)]).toEqual([mark, control]);
      }
    });
  }
  aliasCount += ask(role, "SELECT alias FROM deskmap.aliases").length;
  if (steps.some(({ what }) => what === "forget")) return;
  for (const [control, count] of hits) {
    const said = control === "the status" ? words : [control];
    const list = said.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ");
    expect(ask(role, `SELECT sum(hits) FROM deskmap.targets WHERE name IN (${list})`)).toEqual([String(count)]);
  }
}
