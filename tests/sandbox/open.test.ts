import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tryOpenSandbox } from "../../src/sandbox/index.ts";
import { measureSlowness } from "../wait.ts";
import {
  describeProcess,
  listRemains,
  listWindowNames,
  noteWhatRuns,
  openBox,
  runTool,
  useRegistry,
  waitUntil,
} from "./outside.ts";

const SIZE = { width: 900, height: 600 };
const registry = useRegistry();

test("opens quickly, admits a client with the cookie and refuses one without", async () => {
  const startMs = performance.now();
  const sandbox = await openBox(SIZE);
  expect(performance.now() - startMs).toBeLessThan(1500 * measureSlowness());
  expect(runTool(sandbox.env, "xdpyinfo").stdout).toContain("900x600 pixels");
  const refused = runTool({ ...sandbox.env, XAUTHORITY: "/dev/null" }, "xdpyinfo");
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain("unable to open display");
  expect(statSync(sandbox.env.XAUTHORITY ?? "").mode & 0o077).toBe(0);
  expect(statSync(sandbox.env.DESKMAP_SANDBOX_ROOT ?? "").mode & 0o077).toBe(0);
  await sandbox.close();
});

test("has a window manager, a session bus and an accessibility bus that is switched on", async () => {
  const sandbox = await openBox(SIZE);
  expect(runTool(sandbox.env, "xprop", "-root", "_NET_SUPPORTING_WM_CHECK").stdout).toContain("window id");
  const ask = (...call: string[]) =>
    runTool(
      sandbox.env,
      "dbus-send",
      "--session",
      "--print-reply=literal",
      "--dest=org.a11y.Bus",
      "/org/a11y/bus",
      ...call,
    );
  expect(ask("org.a11y.Bus.GetAddress").stdout.trim()).toBe(sandbox.env.AT_SPI_BUS_ADDRESS ?? "none");
  const isEnabled = ask("org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", "string:IsEnabled");
  expect(isEnabled.stdout).toContain("boolean true");
  await sandbox.close();
});

test("several side by side have their own displays and see only their own windows", async () => {
  const names = ["one", "two", "three"];
  const boxes = await Promise.all(
    names.map((name) => openBox({ ...SIZE, name, app: ["zenity", "--info", `--title=window of ${name}`, "--text=x"] })),
  );
  expect(new Set(boxes.map((box) => box.display)).size).toBe(3);
  for (const box of boxes) {
    await waitUntil(`the window of ${box.name}`, () => listWindowNames(box.env).includes(`window of ${box.name}`));
    expect(listWindowNames(box.env).filter((title) => title.startsWith("window of"))).toEqual([
      `window of ${box.name}`,
    ]);
  }
  await Promise.all(boxes.map((box) => box.close()));
});

test("an application is on the accessibility bus inside", async () => {
  const sandbox = await openBox({ ...SIZE, app: ["zenity", "--info", "--title=seen", "--text=x"] });
  await waitUntil("zenity among the accessible applications", () => {
    const address = `--bus=${sandbox.env.AT_SPI_BUS_ADDRESS}`;
    const root = ["--dest=org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"];
    const call = ["org.freedesktop.DBus.Properties.Get", "string:org.a11y.atspi.Accessible", "string:ChildCount"];
    return /int32 [1-9]/.test(
      runTool(sandbox.env, "dbus-send", address, "--print-reply=literal", ...root, ...call).stdout,
    );
  });
  await sandbox.close();
});

test("files that programs write are in the sandbox and removed with it", async () => {
  const sandbox = await openBox({ ...SIZE, env: { EXTRA: "given" } });
  const root = sandbox.env.DESKMAP_SANDBOX_ROOT ?? "";
  const script =
    'echo "$EXTRA" | tee "$HOME/a" "$XDG_DATA_HOME/b" "$TMPDIR/c" "$XDG_RUNTIME_DIR/d"; mkdir "$HOME/e"; chmod 500 "$HOME/e"';
  expect(runTool(sandbox.env, "sh", "-c", script).stdout).toBe("given\n");
  for (const file of ["home/a", "home/.local/share/b", "tmp/c", "run/d"])
    expect(readFileSync(join(root, file), "utf8")).toBe("given\n");
  await sandbox.close();
  expect(existsSync(root)).toBe(false);
});

test("closing ends services, daemons and hiding programs, and leaves no process and no file", async () => {
  // mousepad makes the session bus start dconf and others; the sleepers leave their parent, session and environment.
  const script =
    "setsid sleep 1001 & env -i setsid sh -c 'trap \"\" TERM; sleep 1002' & exec mousepad --disable-server";
  const sandbox = await openBox({ ...SIZE, app: ["sh", "-c", script] });
  const outsider = sandbox.spawn(["sh", "-c", "setsid sleep 1003 & wait"], { stdio: "ignore" });
  await waitUntil("mousepad", () => listWindowNames(sandbox.env).some((title) => title.includes("Mousepad")));
  const list = (): string => noteWhatRuns(sandbox.pid, sandbox.env).pids.map(describeProcess).join("\n");
  // The bus starts the registry when the first application registers, which may be after its window appears.
  for (const program of ["Xvfb", "openbox", "at-spi2-registryd", "mousepad", "sleep 1001", "sleep 1002"]) {
    await waitUntil(
      () => `${program} among\n${list()}`,
      () => list().includes(program),
    );
  }
  const remains = noteWhatRuns(sandbox.pid, sandbox.env);
  await sandbox.close();
  expect(listRemains({ ...remains, pids: [...remains.pids, outsider.pid ?? 0] }, registry.directory)).toEqual([]);
});

test("a sandbox whose X server is killed closes and removes the socket of that server", async () => {
  const sandbox = await openBox(SIZE);
  const remains = noteWhatRuns(sandbox.pid, sandbox.env);
  const server = remains.pids.find((pid) => describeProcess(pid).includes("Xvfb"));
  expect(existsSync(`/tmp/.X11-unix/X${sandbox.display.slice(1)}`)).toBe(true);
  process.kill(server ?? 0, "SIGKILL");
  expect((await sandbox.ended).reason).toBe("x-server-ended");
  expect(listRemains(remains, registry.directory)).toEqual([]);
});

test("leaves no zombie of an adopted daemon while it runs", async () => {
  const sandbox = await openBox({
    ...SIZE,
    app: ["sh", "-c", "for i in 1 2 3 4; do (setsid true &); done; sleep 1000"],
  });
  const countZombies = () =>
    spawnSync("ps", ["--ppid", String(sandbox.pid), "-o", "stat="], { encoding: "utf8" })
      .stdout.split("\n")
      .filter((stat) => stat.startsWith("Z")).length;
  await waitUntil("no zombie", () => countZombies() === 0);
  await sandbox.close();
});

test("a name in use is refused, and its sandbox keeps running", async () => {
  const first = await openBox({ ...SIZE, name: "same" });
  const second = await tryOpenSandbox({ ...SIZE, name: "same" });
  expect(second).toMatchObject({
    ok: false,
    failure: { code: "UNAVAILABLE", message: expect.stringContaining("running already") },
  });
  expect(runTool(first.env, "xdpyinfo").status).toBe(0);
  await first.close();
  expect(readdirSync(registry.directory)).toEqual([]);
});
