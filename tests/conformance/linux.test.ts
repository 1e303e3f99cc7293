import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { flatten } from "../../src/model/element.ts";
import { openLinux, openLinuxHands, openLinuxLive } from "../../src/platform/linux/open.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { runProgram } from "../run-program.ts";
import { describeActing } from "./describe-acting.ts";
import { describePlatform } from "./describe-platform.ts";
import { type ConformanceScene, type SceneWindow, waitUntil } from "./scene.ts";

const typed = "plain words";
const secret = "correct horse";
const size = { width: 1280, height: 800 };

async function openLinuxScene(
  openPlatform: typeof openLinux | typeof openLinuxLive = openLinux,
): Promise<ConformanceScene> {
  const sandbox = await openSandbox({ ...size, boundary: "off" });
  const open = () => openPlatform({ env: sandbox.env, timeoutMs: 5000 });
  const send = (...args: string[]): void => {
    const { status, stderr } = runProgram("xdotool", args, sandbox.env);
    if (status !== 0) throw new Error(`xdotool ${args.join(" ")}: ${stderr}`);
  };
  const focus = (title: string): void =>
    send("search", "--onlyvisible", "--name", `^${title}$`, "windowactivate", "--sync");

  const [formProcess, form] = await start(sandbox, "Form", [
    "zenity",
    "--forms",
    "--title=Form",
    "--text=Who are you?",
    "--add-entry=Name",
    "--add-password=Keyword",
  ]);
  let output = "";
  formProcess.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  const submitted = new Promise<string>((resolve) => formProcess.once("close", () => resolve(output.trim())));
  focus("Form");
  send("type", "--delay", "3", typed);
  send("key", "Tab");
  send("type", "--delay", "3", secret);

  const [, editor] = await start(sandbox, "Untitled 1 - Mousepad", ["mousepad", "--disable-server"]);
  const [, doomed] = await start(sandbox, "Doomed", ["zenity", "--entry", "--title=Doomed", "--text=Not for long"]);
  await waitUntil("the typed text has arrived", async () => {
    const platform = await open();
    if (!platform.ok) return false;
    const list = await platform.value.listWindows();
    const windows = list.ok ? list.value.windows : [];
    const reads = await platform.value.readWindows({ windows, includeHidden: false, timeoutMs: 4000 });
    platform.value.close();
    const roots = reads.ok ? reads.value.map(({ root }) => root) : [];
    const all = flatten(roots.filter((root) => root !== undefined));
    return roots.every((root) => root !== undefined) && all.some(({ value }) => value === typed);
  });

  return {
    form,
    editor,
    doomed,
    typed,
    secret,
    open,
    openHands: openLinuxHands,
    stop: ({ pid }) => void process.kill(pid, "SIGSTOP"),
    resume: ({ pid }) => void process.kill(pid, "SIGCONT"),
    end: ({ pid }) => void process.kill(pid, "SIGKILL"),
    submit: () => {
      focus("Form");
      // Tab from the secret field to Cancel, then to OK.
      send("key", "Tab", "Tab", "Return");
      return submitted;
    },
    close: () => sandbox.close(),
  };
}

/** Starts an application and waits until its window is mapped. */
async function start(
  sandbox: Sandbox,
  title: string,
  command: [string, ...string[]],
): Promise<[ChildProcess, SceneWindow]> {
  const child = sandbox.spawn(command, { stdio: ["ignore", "pipe", "ignore"] });
  await waitUntil(`a window "${title}"`, () => {
    const search = ["search", "--onlyvisible", "--name", `^${title}$`];
    return runProgram("xdotool", search, sandbox.env).status === 0;
  });
  return [child, { pid: child.pid ?? 0, title }];
}

describePlatform("Linux", () => openLinuxScene(), { skip: [] });
describePlatform("live Linux", () => openLinuxScene(openLinuxLive), { skip: [] });
describeActing("Linux", () => openLinuxScene());

describe("the Linux platform without a part of the desktop", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ ...size, boundary: "off" });
  });
  afterAll(() => sandbox.close());

  test.each([
    [
      "no bus is named",
      { DBUS_SESSION_BUS_ADDRESS: undefined, AT_SPI_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined },
    ],
    ["the bus is dead", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", AT_SPI_BUS_ADDRESS: "unix:path=/nowhere" }],
    ["the bus has an address that means nothing", { AT_SPI_BUS_ADDRESS: "nonsense" }],
  ])("still lists windows, and says what to do when it is to read them: %s", async (_what, changes) => {
    const platform = await openLinux({ env: { ...sandbox.env, ...changes }, timeoutMs: 2000 });
    if (!platform.ok) throw new Error(platform.failure.message);
    expect(await platform.value.listWindows()).toMatchObject({ ok: true });
    const read = await platform.value.readWindows({ windows: [], includeHidden: false, timeoutMs: 500 });
    expect(read).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    expect(!read.ok && read.failure.suggestion).toContain("deskmap sandbox");
    platform.value.close();
  });

  test("refuses a display that it may not use", async () => {
    const env = { ...sandbox.env, XAUTHORITY: "/dev/null", HOME: "/nowhere" };
    expect(await openLinux({ env, timeoutMs: 2000 })).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
  });
});
