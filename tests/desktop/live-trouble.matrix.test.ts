import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { flatten } from "../../src/model/element.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import { openLivePlatform, openPlatform } from "../../src/platform/pick.ts";
import type { LivePlatform, MirrorChange, Platform } from "../../src/platform/port.ts";
import { unwrap } from "./controls-scene.ts";
import { agree } from "./live-compare.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

const apps = join(import.meta.dir, "../fixtures/apps");
const timeoutMs = 5000;
/** Longer than any recheck, and than a caret keeps blinking. */
const restMs = 1500;
/** Longer than the mirror waits for an application while no client reads. */
const lookMs = 4500;

describe("a mirror of a troubled desktop", () => {
  let scene: Scene;
  let live: LivePlatform;
  let cold: Platform;
  let form: ChildProcess;

  beforeAll(async () => {
    scene = await openScene();
    const fields = ["--add-entry=Name", "--add-password=Keyword"];
    form = await scene.start(["zenity", "--forms", "--title=Form", "--text=Who?", ...fields], "Form");
    await scene.settle();
    live = unwrap(await openLivePlatform({ env: scene.sandbox.env, timeoutMs }));
    cold = unwrap(await openPlatform({ env: scene.sandbox.env, timeoutMs }));
  });
  afterAll(async () => {
    live.close();
    cold.close();
    await scene.close();
  });

  const read = async (limitMs = timeoutMs): Promise<readonly WindowRead[]> => {
    const { windows } = unwrap(await live.listWindows());
    return unwrap(await live.readWindows({ windows, includeHidden: false, timeoutMs: limitMs }));
  };
  const expectAgreement = async (): Promise<void> => {
    expect((await agree(live, cold, 500)).differences).toEqual([]);
  };

  test("returns the same objects, and reads nothing, while nothing changes", async () => {
    // Recently drawn elements are rechecked for a while, and a caret blinks for ten seconds.
    let [reads, sinceMs] = [0, performance.now()];
    await waitFor("a mirror at rest", async () => {
      await read();
      const now = live.mirror.figures().partReads;
      if (now !== reads) [reads, sinceMs] = [now, performance.now()];
      return performance.now() - sinceMs > restMs;
    });
    const [list, [first]] = [await live.listWindows(), await read()];
    const { partReads, wholeReads } = live.mirror.figures();
    for (let time = 0; time < 20; time += 1) {
      expect((await read())[0]?.root).toBe(first?.root);
      expect(unwrap(await live.listWindows())).toBe(unwrap(list));
    }
    expect(live.mirror.figures()).toMatchObject({ partReads, wholeReads, followedApplications: 1 });
  });

  test("reports that text was typed, but never the text of a secret field", async () => {
    const changes: MirrorChange[] = [];
    const following = unwrap(await live.mirror.follow(unwrap(await live.listWindows()).windows, timeoutMs));
    const stop = live.mirror.onChange((change) => changes.push(change));
    scene.run("xdotool", "search", "--onlyvisible", "--name", "^Form$", "windowactivate", "--sync");
    scene.run("xdotool", "type", "--delay", "3", "plain words");
    scene.run("xdotool", "key", "Tab");
    scene.run("xdotool", "type", "--delay", "3", "correct horse");
    await waitFor("a word of the change", () => changes.some(({ windows }) => windows.length > 0));
    await expectAgreement();
    const [window] = await read();
    const texts = flatten(window?.root === undefined ? [] : [window.root]).map(({ name, value }) => `${name} ${value}`);
    expect(texts.join("\n")).toContain("plain words");
    expect(texts.join("\n")).not.toContain("correct horse");
    stop();
    following.release();
  });

  test("reports in time that an application hangs, and its state when it continues", async () => {
    form.kill("SIGSTOP");
    const [stopped] = await read(400);
    expect(stopped).toMatchObject({ root: undefined, notes: [{ code: "TIMEOUT" }] });
    form.kill("SIGCONT");
    await expectAgreement();
  });

  test("rechecks by itself an application that did not answer, and notifies its followers", async () => {
    const following = unwrap(await live.mirror.follow(unwrap(await live.listWindows()).windows, timeoutMs));
    const rename = (title: string): unknown =>
      scene.run("xdotool", "search", "--onlyvisible", "--name", "^(Form|Other)$", "set_window", "--name", title);
    const countRetries = (): number => live.mirror.figures().wholeReadReasons["it did not answer"] ?? 0;
    const before = countRetries();
    form.kill("SIGSTOP");
    rename("Other");
    await Bun.sleep(lookMs);
    form.kill("SIGCONT");
    await waitFor("another look, which nobody asked for", () => countRetries() > before);
    rename("Form");
    following.release();
    await expectAgreement();
  });

  test("picks up a new application, and drops a killed one", async () => {
    const editor = await scene.start(["mousepad", "--disable-server"], "Mousepad");
    await scene.settle();
    await expectAgreement();
    expect(live.mirror.figures().followedApplications).toBe(2);
    editor.kill("SIGKILL");
    await waitFor("its window to go", () => scene.run("xdotool", "search", "--name", "Mousepad").status !== 0);
    await expectAgreement();
    expect(live.mirror.figures().followedApplications).toBe(1);
  });

  test("survives a storm of a hundred thousand events, answers during it, and is right afterwards", async () => {
    const command: [string, ...string[]] = ["/usr/bin/python3", join(apps, "storm-gtk3.py"), "Storm"];
    const storm = scene.sandbox.spawn(command, { stdio: ["pipe", "ignore", "ignore"] });
    await waitFor(
      "the window",
      () => scene.run("xdotool", "search", "--onlyvisible", "--name", "^Storm$").status === 0,
    );
    await scene.settle();
    await expectAgreement();
    const before = live.mirror.figures();
    storm.stdin?.write("34000\n");
    await waitFor("the calm", async () => {
      await read(1000);
      return scene.run("xdotool", "search", "--name", "^Storm calm$").status === 0;
    });
    await expectAgreement();
    const after = live.mirror.figures();
    expect(after.events - before.events).toBeGreaterThan(100_000);
    expect(after.partReads - before.partReads).toBeLessThan(500);
    storm.kill("SIGKILL");
  });
});

describe("a mirror whose display is lost", () => {
  const start = async (...display: string[]): Promise<{ server: ChildProcess; name: string }> => {
    const server = spawn("Xvfb", [...display, "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [number] = server.stdout === null ? [] : await once(server.stdout, "data");
    return { server, name: `:${String(number).trim()}` };
  };
  const end = async (server: ChildProcess): Promise<void> => {
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };

  test("reports it, and recovers when it is back", async () => {
    const first = await start();
    const options = { env: { DISPLAY: first.name }, timeoutMs };
    const live = unwrap(await openLivePlatform(options));
    const fresh = live.forCall(options);
    expect(unwrap(await live.listWindows())).toMatchObject({ windows: [], screen: { width: 640, height: 480 } });
    await end(first.server);
    for (const platform of [live, fresh])
      expect(await platform.listWindows()).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    const second = await start(first.name);
    for (const platform of [live, fresh])
      expect(await platform.listWindows()).toMatchObject({ ok: true, value: { windows: [] } });
    fresh.close();
    live.close();
    await end(second.server);
  });
});
