import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act, findWindowId } from "./window-tools.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

function pidOf(title: string): number {
  return Number(scene.run("xdotool", "getwindowpid", String(findWindowId(scene, title))).stdout);
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

/** A test application, in the sandbox's own home, and the types it is the default for. */
function install(id: string, lines: readonly string[], types: readonly string[] = []): void {
  const { XDG_DATA_HOME: data = "", XDG_CONFIG_HOME: config = "" } = scene.sandbox.env;
  mkdirSync(join(data, "applications"), { recursive: true });
  const entry = ["[Desktop Entry]", "Type=Application", ...lines];
  writeFileSync(join(data, "applications", `${id}.desktop`), entry.join("\n"));
  const defaults = types.map((type) => `${type}=${id}.desktop`);
  writeFileSync(join(config, "mimeapps.list"), ["[Default Applications]", ...defaults].join("\n"));
}

describe("deskmap open", () => {
  test("an application by its name in any case: the answer has its window, and its process is its own", () => {
    const opened = act(scene, "open", "MOUSEPAD");
    expect(opened).toMatchObject({ status: 0, effect: { effect: "confirmed", way: "/usr/bin/mousepad" } });
    const [window] = opened.effect?.changes?.openedWindows ?? [];
    expect(window?.id).toBe(findWindowId(scene, "Mousepad"));
    const pid = pidOf("Mousepad");
    expect(opened.effect?.evidence?.[0]).toBe(`started as process ${pid}`);
    expect(scene.run("ps", "-o", "sid=", "-p", String(pid)).stdout.trim()).toBe(String(pid));
  });

  test("a file with the default application for its type, with the arguments of its Exec line", async () => {
    install("shower", ["Name=Shower", 'Exec=zenity --info "--title=Shown %f" --text=x'], ["text/plain"]);
    const file = join(scene.sandbox.env.HOME ?? "", "two words.txt");
    writeFileSync(file, "hello");
    const opened = act(scene, "open", file);
    expect(opened.effect?.effect).toBe("confirmed");
    expect(scene.run("wmctrl", "-l").stdout).toContain(`Shown ${file}`);
  });

  test("an address with the default application for its scheme", () => {
    install("caller", ["Name=Caller", "Exec=zenity --info --text=x --title=%u"], ["x-scheme-handler/test-call"]);
    expect(act(scene, "open", "test-call:alice?x=1&y=2").effect?.effect).toBe("confirmed");
    expect(scene.run("wmctrl", "-l").stdout).toContain("test-call:alice?x=1&y=2");
    const unknown = act(scene, "open", "nobody-knows:this");
    expect(unknown.error).toMatchObject({ code: "UNAVAILABLE", done: "nothing was done." });
    expect(unknown.error?.message).toContain("x-scheme-handler/nobody-knows");
  });

  test("arguments after two dashes go to the program unchanged", () => {
    const opened = act(scene, "open", "zenity", "--", "--info", "--title=One title", "--text=a  b");
    expect(opened).toMatchObject({ status: 0, effect: { effect: "confirmed" } });
    expect(scene.run("wmctrl", "-l").stdout).toContain("One title");
  });

  test("an application that is already running opens the file in its existing window", async () => {
    const file = join(scene.sandbox.env.HOME ?? "", "second.txt");
    writeFileSync(file, "hello");
    await scene.start(["mousepad"], "Mousepad");
    const opened = act(scene, "open", "mousepad", file);
    expect(opened.effect?.effect).toBe("confirmed");
    await waitFor("its title", () => scene.run("wmctrl", "-l").stdout.includes("second.txt"));
  });

  test("a dialog of a child of what was started is its window: a start script waits for it", () => {
    const script = "zenity --info --modal --title=Asking --text=x; true";
    const opened = act(scene, "open", "sh", "--", "-c", script);
    expect(opened).toMatchObject({ status: 0, effect: { effect: "confirmed" } });
    expect(opened.effect?.evidence?.[1]).toContain("Asking");
  });

  test("a program without a window is started and not confirmed", () => {
    const file = join(scene.sandbox.env.HOME ?? "", "touched");
    const opened = act(scene, "open", "touch", file, "--timeout-ms", "700");
    expect(opened).toMatchObject({ status: 4, effect: { effect: "unverified", delivered: true, retry: "unsafe" } });
    expect(existsSync(file)).toBe(true);
  });

  test("a program that ends at once is reported with its exit code and last words, whatever the time", () => {
    const open = (name: string) => act(scene, "open", name, "--timeout-ms", "600000", "--", "--bogus");
    const { error } = open("mousepad");
    expect(error?.message).toMatch(/ended with exit code [1-9]\d*; its last words: ".*bogus/);
    expect([error?.code, error?.done]).toEqual([
      "FAILED",
      expect.stringMatching(/^it started as process \d+, which has ended/),
    ]);
    // Exit code 0: nothing of it runs that could still show a window.
    const { effect } = open("thunar");
    const last = 'no window of it showed; it ended with exit code 0; its last words: "Unknown option --bogus"';
    expect([effect?.effect, effect?.evidence?.[1]]).toEqual(["unverified", last]);
  });

  test("a program may complain as much as it likes, also when nobody listens any more, and leaves no file", async () => {
    const done = join(scene.sandbox.env.HOME ?? "", "complained");
    const script = `zenity --info --title=Loud --text=x & yes complaint | head -c 3000000 >&2; touch ${done}; wait`;
    const before = readdirSync(tmpdir());
    expect(act(scene, "open", "sh", "--timeout-ms", "300", "--", "-c", script).effect?.delivered).toBe(true);
    await waitFor("all complaints", () => existsSync(done));
    await waitFor("its window", () => scene.run("wmctrl", "-l").stdout.includes("Loud"));
    expect(readdirSync(tmpdir()).filter((name) => /^deskmap-\d/.test(name) && !before.includes(name))).toEqual([]);
  });

  test("an unknown name is reported with the nearest ones; a dry run starts nothing", () => {
    const missing = act(scene, "open", "mousepd");
    expect(missing).toMatchObject({ status: 1, error: { code: "NOT_FOUND", done: "nothing was done." } });
    expect(missing.error?.nearest).toContain("Mousepad");
    expect(act(scene, "open", "./nowhere.txt").error?.message).toContain("no file ");
    expect(act(scene, "open", "mousepad", "--dry-run").effect).toMatchObject({ effect: "would", delivered: false });
    expect(scene.run("wmctrl", "-l").stdout).toBe("");
  });
});

describe("deskmap quit", () => {
  test("asks all windows of the process, and is confirmed when it has ended", async () => {
    await scene.start(["mousepad", "--disable-server"], "Mousepad");
    const pid = pidOf("Mousepad");
    await scene.start(["zenity", "--info", "--title=Bystander", "--text=x"], "Bystander");
    const gone = act(scene, "quit", "--app", "mousepad");
    expect(gone).toMatchObject({ status: 0, effect: { effect: "confirmed", evidence: [`process ${pid} has ended`] } });
    expect(isAlive(pid)).toBe(false);
    expect(isAlive(pidOf("Bystander"))).toBe(true);
  });

  test("unsaved changes: the application asks, which is partial; --force ends it", async () => {
    await scene.start(["mousepad"], "Mousepad");
    const pid = pidOf("Mousepad");
    act(scene, "focus", "--app", "mousepad");
    scene.run("xdotool", "type", "unsaved");
    await waitFor("the change", () => scene.run("wmctrl", "-l").stdout.includes("*"));
    const asked = act(scene, "quit", "--pid", String(pid));
    expect(asked).toMatchObject({ status: 4, effect: { effect: "partial", retry: "unsafe" } });
    const [question] = asked.effect?.changes?.openedWindows ?? [];
    expect(asked.effect?.evidence?.[0]).toContain(`asks "${question?.title}"`);
    expect(isAlive(pid)).toBe(true);
    const again = act(scene, "quit", "--pid", String(pid));
    expect(again.error).toMatchObject({ code: "PATTERN_UNSUPPORTED", done: "nothing was done." });
    const forced = act(scene, "quit", "--pid", String(pid), "--force");
    expect(forced).toMatchObject({ status: 0, effect: { effect: "confirmed", way: "SIGTERM" } });
    expect(forced.effect?.passedOver?.[0]?.way).toBe("a request to its windows");
    expect(isAlive(pid)).toBe(false);
  });

  test("no process without a window here is ended, nor one that a window only claims", async () => {
    const bystander = spawn("sleep", ["600"], { stdio: "ignore" });
    await scene.start(["zenity", "--info", "--title=Liar", "--text=x"], "Liar");
    const id = findWindowId(scene, "Liar");
    expect(act(scene, "quit", "--pid", String(bystander.pid), "--force").error?.code).toBe("NOT_FOUND");
    scene.run("xprop", "-id", String(id), "-f", "_NET_WM_PID", "32c", "-set", "_NET_WM_PID", String(bystander.pid));
    scene.run("xprop", "-id", String(id), "-f", "WM_PROTOCOLS", "32a", "-set", "WM_PROTOCOLS", "WM_TAKE_FOCUS");
    const refused = act(scene, "quit", "--window", "Liar", "--force");
    expect(refused).toMatchObject({ status: 3, error: { code: "REFUSED", done: "nothing was done." } });
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
    bystander.kill();
  });

  test("several matching processes, or no words, are refused", async () => {
    await scene.start(["zenity", "--info", "--title=First", "--text=a"], "First");
    await scene.start(["zenity", "--info", "--title=Second", "--text=b"], "Second");
    expect(act(scene, "quit", "--app", "zenity").error).toMatchObject({
      code: "AMBIGUOUS",
      message: "2 processes match",
    });
    expect(act(scene, "quit").error?.code).toBe("USAGE");
    expect(scene.run("wmctrl", "-l").stdout.trim().split("\n")).toHaveLength(2);
  });
});
