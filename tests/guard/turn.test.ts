import { afterEach, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { FileTurns, findHolder } from "../../src/guard/turn.ts";
import type { Effect } from "../../src/model/effect.ts";
import { fail, nothingDone, type Result } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { makeHolders } from "./holders.ts";
import { openGuard } from "./open-guard.ts";

const { open, hold, clearAway } = makeHolders();
afterEach(clearAway);
const me = { client: "me", tool: "click" };

describe("one client at a time has the desktop:", () => {
  test("a second is told who has it, what it does, as which process and since when", async () => {
    const folder = open();
    const { pid } = await hold(folder, "obey", "My Agent");
    const turn = await new FileTurns(folder.places).take(me, 50);
    expect(turn).toMatchObject({ ok: false, failure: { code: "REFUSED", reason: "turn", done: nothingDone } });
    if (turn.ok) return;
    expect(turn.failure.message).toMatch(
      new RegExp(
        `^"My Agent" \\(type, process ${pid}, since [-\\d]{10} [:\\d]{8} [-+]\\d\\d:\\d\\d\\) has the desktop now$`,
      ),
    );
    expect(turn.failure.suggestion).toContain("reading is possible meanwhile");
  });

  test("one that waits long enough gets it when the other has finished", async () => {
    const { places } = open();
    const turns = new FileTurns(places);
    const first = await turns.take({ client: "first", tool: "type" }, 1000);
    const second = turns.take(me, 10_000);
    expect(findHolder(places)).toMatchObject({ client: "first", pid: process.pid });
    if (first.ok) first.value.end();
    expect(await second).toMatchObject({ ok: true });
    expect(findHolder(places)).toMatchObject({ client: "me", tool: "click" });
  });

  test("one that is killed frees it at once, even if a child process lives on", async () => {
    const folder = open();
    for (const manner of ["obey", "child"]) {
      const holder = await hold(folder, manner);
      expect(findHolder(folder.places)).toMatchObject({ pid: holder.pid });
      holder.child.kill("SIGKILL");
      await holder.ended;
      expect(findHolder(folder.places)).toBe("free");
    }
  });

  test("one that is suspended keeps it, and the others are told so", async () => {
    const folder = open();
    const holder = await hold(folder);
    holder.child.kill("SIGSTOP");
    const turn = await new FileTurns(folder.places).take(me, 100);
    expect(turn).toMatchObject({
      ok: false,
      failure: { reason: "turn", message: expect.stringContaining("but its process is suspended") },
    });
    holder.child.kill("SIGCONT");
  });

  test("one that receives a signal ends, as any program does", async () => {
    const holder = await hold(open());
    holder.child.kill("SIGTERM");
    expect(await holder.ended).toBe("SIGTERM");
  });

  test("no other user can read who it is", async () => {
    const folder = open();
    await hold(folder);
    expect(statSync(folder.places.turn).mode & 0o777).toBe(0o600);
  });
});

describe("calls of one process", () => {
  const call = { tool: "click", isDryRun: false, timeoutMs: 1000 };
  const ended: Result<Effect> = fail({ code: "FAILED", message: "nothing to do", done: nothingDone });

  test("come one after the other, in their order", async () => {
    const guard = openGuard(new FakeDesktop({ applications: [] }));
    const story: string[] = [];
    const act = (name: string) =>
      guard.run(call, async () => {
        story.push(`${name} begins`);
        await Bun.sleep(1);
        story.push(`${name} ends`);
        return ended;
      });
    await Promise.all([act("a"), act("b"), act("c")]);
    expect(story).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("do not interleave with a batch of the same client", async () => {
    const guard = openGuard(new FakeDesktop({ applications: [] }));
    const story: string[] = [];
    const step = (name: string) => async () => {
      story.push(name);
      await Bun.sleep(1);
      return ended;
    };
    const batch = guard.hold(call, async (held) => {
      await held.run(call, step("first step"));
      await Bun.sleep(1);
      return held.run(call, step("second step"));
    });
    await Promise.all([batch, guard.run(call, step("another call"))]);
    expect(story).toEqual(["first step", "second step", "another call"]);
  });

  test("continue after one that failed", async () => {
    const guard = openGuard(new FakeDesktop({ applications: [] }));
    const broken = guard.run(call, () => Promise.reject(new Error("a bug")));
    expect(broken).rejects.toThrow("a bug");
    expect(await guard.run(call, () => Promise.resolve(ended))).toEqual(ended);
  });
});
