import { afterEach, describe, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readEvents } from "../../src/guard/audit/read.ts";
import { verifyLog } from "../../src/guard/audit/verify.ts";
import { tryLock } from "../../src/guard/lock.ts";
import { stopHere } from "../../src/guard/stop/stop.ts";
import { findHolder } from "../../src/guard/turn.ts";
import type { LogFolder } from "./audit-folder.ts";
import { makeHolders } from "./holders.ts";

const launcher = join(import.meta.dir, "../../deskmap");
const { open, hold, clearAway } = makeHolders();
afterEach(clearAway);

/** Without a display, and with only the test's own private desktops. */
function environmentOf(folder: LogFolder): Record<string, string | undefined> {
  const { DISPLAY: _display, ...outside } = process.env;
  return { ...outside, ...folder.env, DESKMAP_SANDBOX_DIR: join(folder.env.HOME ?? "", "none", "sandboxes") };
}

function run(folder: LogFolder, ...args: string[]) {
  return spawnSync(launcher, args, { env: environmentOf(folder), encoding: "utf8" });
}

describe("a stop", () => {
  test("ends whoever is in the middle of something, and says who that was", async () => {
    const folder = open();
    const holder = await hold(folder, "obey", "My Agent");
    const stopped = await stopHere(folder.places, "deskmap stop");
    expect(stopped).toMatchObject({
      ok: true,
      value: { interrupted: [{ client: "My Agent", tool: "type", pid: holder.pid }], isReleased: true },
    });
    expect(await holder.ended).toBe(3);
    expect(findHolder(folder.places)).toBe("free");
  });

  test("kills a process that ignores it", async () => {
    const folder = open();
    const holder = await hold(folder, "ignore");
    expect(await stopHere(folder.places, "deskmap stop")).toMatchObject({ ok: true, value: { isReleased: true } });
    expect(await holder.ended).toBe("SIGKILL");
  });

  test("kills a suspended process", async () => {
    const folder = open();
    const holder = await hold(folder);
    holder.child.kill("SIGSTOP");
    expect(await stopHere(folder.places, "deskmap stop")).toMatchObject({ ok: true, value: { isReleased: true } });
    expect(await holder.ended).toBe("SIGKILL");
  });

  test("is recorded before anything else, for the user alone, and logged once", async () => {
    const folder = open();
    await hold(folder);
    await stopHere(folder.places, "double Esc");
    expect(JSON.parse(readFileSync(folder.places.stopped, "utf8"))).toMatchObject({ by: "double Esc" });
    expect(statSync(folder.places.stopped).mode & 0o777).toBe(0o600);
    const { events } = readEvents(folder.places, { what: "stop" });
    expect(events).toMatchObject([{ client: "double Esc", words: "in holder: type" }]);
    expect(verifyLog(folder.places).findings).toEqual([]);
  });

  test("keeps the first reason the second time, and still ends running actions", async () => {
    const folder = open();
    await stopHere(folder.places, "double Esc");
    const again = await stopHere(folder.places, "deskmap stop");
    expect(again).toMatchObject({ ok: true, value: { earlier: { by: "double Esc" }, interrupted: [] } });
    expect(JSON.parse(readFileSync(folder.places.stopped, "utf8")).by).toBe("double Esc");
  });

  test("gives out no turn", async () => {
    const folder = open();
    await stopHere(folder.places, "deskmap stop");
    expect(hold(folder)).rejects.toThrow("the holder said stopped");
  });

  test("never touches a process that only has the same pid", async () => {
    const folder = open();
    const bystander = spawn("sleep", ["60"], { stdio: "ignore" });
    try {
      await stopHere(folder.places, "first");
      // No process holds the turn, whatever the note says.
      const note = { client: "x", tool: "y", pid: bystander.pid, startTicks: 1, sinceMs: 0 };
      writeFileSync(folder.places.turn, JSON.stringify(note));
      expect(await stopHere(folder.places, "second")).toMatchObject({ ok: true, value: { interrupted: [] } });
      // A process holds it, but the note names one with another start time.
      const lock = tryLock(folder.places.turn);
      const stopping = stopHere(folder.places, "third");
      await Bun.sleep(500);
      lock?.release();
      await stopping;
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    } finally {
      bystander.kill("SIGKILL");
    }
  });

  test("whose note cannot be read is a stop", async () => {
    const folder = open();
    folder.write({ what: "policy", client: "test" });
    for (const text of ["", "{", "{}", '{"atMs":"x"}']) {
      writeFileSync(folder.places.stopped, text);
      const { status, stderr } = run(folder, "list");
      expect([text, status, JSON.parse(stderr).error.reason]).toEqual([text, 3, "stopped"]);
    }
  });
});

describe("on the command line", () => {
  test("deskmap stop needs no display and no terminal, and then everything is refused, including looks", () => {
    const folder = open();
    const stopped = run(folder, "stop", "--format", "text");
    expect(stopped.status).toBe(0);
    expect(stopped.stdout).toBe(
      "everything is stopped; nobody was in the middle of anything. A person lets it go on: deskmap resume\n",
    );
    for (const args of [
      ["list"],
      ["read"],
      ["click", "x"],
      ["clipboard", "read"],
      ["screenshot", "--output", "x.png"],
    ]) {
      const { status, stderr } = run(folder, ...args);
      expect([args, status, JSON.parse(stderr).error]).toMatchObject([
        args,
        3,
        { code: "REFUSED", reason: "stopped", try: "a person runs deskmap resume in a terminal." },
      ]);
    }
  });

  test("deskmap stop reports as JSON what it ended", async () => {
    const folder = open();
    const { pid } = await hold(folder, "obey", "My Agent");
    const { stdout } = run(folder, "stop");
    expect(JSON.parse(stdout)).toMatchObject({
      stopped: [{ interrupted: [{ client: "My Agent", tool: "type", pid }], isReleased: true }],
    });
  });

  test("deskmap audit, stop and doctor work while everything is stopped", () => {
    const folder = open();
    run(folder, "stop");
    expect(run(folder, "audit", "verify").status).toBe(0);
    expect(run(folder, "audit").stdout).toContain('"stop"');
    expect(run(folder, "stop").status).toBe(0);
    expect(run(folder, "doctor").stderr).not.toContain("REFUSED");
  });

  test("deskmap resume is refused without a terminal, whatever is piped into it", () => {
    const folder = open();
    run(folder, "stop");
    const asked = spawnSync("setsid", ["-w", launcher, "resume"], {
      env: environmentOf(folder),
      input: "yes\nyes\n",
      encoding: "utf8",
    });
    expect([asked.status, JSON.parse(asked.stderr).error.code]).toEqual([3, "REFUSED"]);
    expect(existsSync(folder.places.stopped)).toBe(true);
    expect(readEvents(folder.places, { what: "resume" }).events).toEqual([]);
  });
});
