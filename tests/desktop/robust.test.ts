import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { openPlatform } from "../../src/platform/pick.ts";
import { openEnvelope } from "../envelope.ts";
import { matrix } from "../tier.ts";
import { unwrap } from "./controls-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

interface JsonRead {
  readonly app?: string;
  readonly partial?: boolean;
  readonly notes?: readonly { readonly code: string; readonly text: string }[];
  readonly elements?: readonly unknown[];
  readonly windows?: readonly JsonRead[];
}

const launcher = join(import.meta.dir, "../../deskmap");

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

describe("an application in trouble", () => {
  test("that is suspended gives a prompt, labelled result and does not delay the others", async () => {
    const stopped = await scene.start(["mousepad"], "Mousepad");
    await scene.start(["zenity", "--question", "--text=Still here?"], "Question");
    await scene.settle();
    const whole = read();
    stopped.kill("SIGSTOP");
    const started = performance.now();
    const partial = read("--timeout-ms", "2500");
    // Bounded by the given deadline, with room for a slow machine, and not by D-Bus's reply timeout of 25 s.
    expect(performance.now() - started).toBeLessThan(10_000);
    stopped.kill("SIGCONT");
    const [zenity, mousepad] = [windowOf(partial, "Zenity"), windowOf(partial, "Mousepad")];
    expect(zenity?.elements).toEqual(windowOf(whole, "Zenity")?.elements ?? []);
    expect(zenity?.partial).toBeUndefined();
    expect(mousepad?.partial).toBe(true);
    expect(mousepad?.notes?.map((note) => note.code)).toEqual(["TIMEOUT"]);
    const text = scene.deskmap("read", "--app", "mousepad", "--format", "text");
    expect(text.stdout).not.toContain("! TIMEOUT");
  });

  matrix.test("that was suspended before its first answer is still named, by the display", async () => {
    const stopped = await scene.start(["zenity", "--question", "--text=Hm?"], "Question");
    await scene.settle();
    stopped.kill("SIGSTOP");
    const { stdout, status } = scene.deskmap("read", "--app", "zenity", "--timeout-ms", "500", "--format", "text");
    stopped.kill("SIGCONT");
    expect(status).toBe(0);
    expect(openEnvelope(stdout).split("\n").slice(0, 2)).toEqual([
      '# Zenity "Question"',
      "! TIMEOUT the application does not answer (waited 500 ms)",
    ]);
  });

  matrix.test("that is killed while it is being read never breaks the read", async () => {
    await scene.start(["zenity", "--question", "--text=Stays"], "Question");
    const outcomes: string[] = [];
    for (const delayMs of [0, 20, 40, 60, 80, 100, 130]) {
      const victim = await scene.start(["mousepad", "--disable-server"], "Mousepad");
      const reading = runInBackground(["read"]);
      setTimeout(() => victim.kill("SIGKILL"), delayMs);
      const { status, stdout, stderr } = await reading;
      expect(stderr).toBe("");
      expect(status).toBe(0);
      const result = JSON.parse(stdout) as JsonRead;
      const zenity = windowOf(result, "Zenity");
      expect(zenity?.elements?.length).toBeGreaterThan(2);
      const mousepad = windowOf(result, "Mousepad");
      outcomes.push(mousepad === undefined ? "absent" : (mousepad.notes?.[0]?.code ?? "whole"));
      await waitFor(
        "the victim's window to go",
        () => scene.run("xdotool", "search", "--name", "Mousepad").status !== 0,
      );
    }
    for (const outcome of outcomes) expect(["absent", "whole", "GONE", "NO_TREE"]).toContain(outcome);
  });

  matrix.test("is not caused by a read: a GTK 4 program writes no warning, and Qt does not crash", async () => {
    const errors = join(scene.sandbox.env.HOME ?? "", "errors");
    scene.sandbox.spawn(["sh", "-c", `exec gnome-calculator 2>${errors}`], { stdio: "ignore" });
    await waitFor("the window", () => scene.run("xdotool", "search", "--name", "Calculator").status === 0);
    const featherpad = await scene.start(["featherpad", "--standalone"], "Untitled");
    await scene.settle();
    const before = readFileSync(errors, "utf8");
    for (const flags of [[], ["--all"], ["--interactive"]]) read(...flags);
    expect(readFileSync(errors, "utf8")).toBe(before);
    expect(featherpad.exitCode).toBeNull();
    expect(scene.run("xdotool", "search", "--name", "Untitled").status).toBe(0);
  });

  test("is distinguished from one that offers no tree at all", async () => {
    scene.sandbox.spawn(["env", "NO_AT_BRIDGE=1", "zenity", "--info", "--text=Mute"], { stdio: "ignore" });
    await waitFor("the window", () => scene.run("xdotool", "search", "--name", "Information").status === 0);
    const result = read("--app", "zenity");
    expect(result.notes?.map((note) => note.code)).toEqual(["NO_TREE"]);
  });
});

describe("a desktop in trouble", () => {
  // An open connection keeps a process running: a command would print its answer and never end.
  test("what is still under way when it is closed connects to the accessibility bus no more", async () => {
    const path = join(scene.sandbox.env.HOME ?? "", "silent");
    const clients: Socket[] = [];
    const server = createServer((client) => clients.push(client));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      const env = { ...scene.sandbox.env, AT_SPI_BUS_ADDRESS: `unix:path=${path}` };
      const platform = unwrap(await openPlatform({ env, timeoutMs: 1000 }));
      const answer = platform.covers([]);
      await waitFor("the first try", () => clients.length === 1);
      platform.close();
      expect((await answer).ok).toBe(false);
      expect(clients.length).toBe(1);
    } finally {
      for (const client of clients) client.destroy();
      server.close();
    }
  });

  test("without an accessibility bus still lists its windows, and a read says what is missing", async () => {
    await scene.start(["zenity", "--info", "--text=Hello"], "Information");
    const blind = (...args: string[]) =>
      scene.run(
        "env",
        "-u",
        "AT_SPI_BUS_ADDRESS",
        "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/bus",
        launcher,
        ...args,
      );
    expect(JSON.parse(blind("list").stdout).windows).toHaveLength(1);
    const failed = blind("read", "--format", "text");
    expect(failed.status).toBe(1);
    expect(failed.stdout).toBe("");
    expect(openEnvelope(failed.stderr)).toStartWith("UNAVAILABLE  no accessibility bus:");
    expect(failed.stderr).toContain("nothing was done.");
  });

  matrix.test("whose bus drops the first connection is read through the second", async () => {
    await scene.start(["zenity", "--info", "--text=Hello"], "Information");
    await scene.settle();
    const real = /path=([^,]+)/.exec(scene.sandbox.env.AT_SPI_BUS_ADDRESS ?? "")?.[1] ?? "";
    const path = join(scene.sandbox.env.XDG_RUNTIME_DIR ?? "", "unsteady");
    let connections = 0;
    const server = createServer((client) => {
      connections += 1;
      if (connections === 1) return void client.once("data", () => client.destroy());
      const upstream = connect(real);
      client.pipe(upstream).pipe(client);
      for (const end of [client, upstream]) end.on("error", () => end.destroy());
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      const result = await runInBackground(["read"], { AT_SPI_BUS_ADDRESS: `unix:path=${path}` });
      expect(result.stderr).toBe("");
      expect((JSON.parse(result.stdout) as JsonRead).elements?.length).toBeGreaterThan(1);
      expect(connections).toBe(2);
    } finally {
      server.close();
    }
  });

  matrix.test(
    "whose accessibility registry hangs gives a prompt error, and works again when it continues",
    async () => {
      await scene.start(["zenity", "--info", "--text=Hello"], "Information");
      await scene.settle();
      expect(read("--app", "zenity").partial).toBeUndefined();
      const registry = scene
        .run("pgrep", "-f", `at-spi2-registryd`)
        .stdout.split("\n")
        .map(Number)
        .filter((pid) => isInside(pid));
      expect(registry).toHaveLength(1);
      for (const pid of registry) process.kill(pid, "SIGSTOP");
      const hung = scene.deskmap("read", "--timeout-ms", "400", "--format", "text");
      for (const pid of registry) process.kill(pid, "SIGCONT");
      expect(hung.status).toBe(1);
      expect(openEnvelope(hung.stderr)).toStartWith("UNAVAILABLE  no accessibility bus: no answer within 400 ms");
      expect(read("--app", "zenity").partial).toBeUndefined();
    },
  );

  test("suggests the nearest applications, windows and roles for unknown names", async () => {
    await scene.start(["mousepad"], "Mousepad");
    const missed = scene.deskmap("read", "--app", "mosepad", "--format", "text");
    expect(missed.status).toBe(1);
    expect(openEnvelope(missed.stderr)).toBe(
      'NOT_FOUND  no application "mosepad"\nnearest: "Mousepad"\ntry: deskmap list shows every window.   nothing was done.',
    );
    expect(scene.deskmap("read", "--window", "Untilted", "--format", "text").stderr).toContain(
      'nearest: "Untitled 1 - Mousepad"',
    );
    expect(scene.deskmap("read", "--roles", "buton", "--format", "text").status).toBe(2);
    expect(scene.deskmap("read", "--bbox", "1,2,3", "--format", "text").status).toBe(2);
  });
});

function isInside(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`DESKMAP_SANDBOX=${scene.sandbox.name}\0`);
  } catch {
    return false;
  }
}

function read(...args: string[]): JsonRead {
  const { status, stdout, stderr } = scene.deskmap("read", ...args);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as JsonRead;
}

function windowOf(result: JsonRead, app: string): JsonRead | undefined {
  return (result.windows ?? [result]).find((window) => window.app === app);
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runInBackground(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(launcher, args, { env: { ...scene.sandbox.env, ...env } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => (stdout += data));
    child.stderr.on("data", (data) => (stderr += data));
    child.once("close", (status) => resolve({ status, stdout, stderr }));
  });
}

describe("output that cannot be written", () => {
  test("ends quietly when the reader has gone, and is an error when the disk is full", async () => {
    await scene.start(["mousepad"], "Mousepad");
    const piped = scene.run("bash", "-c", `${launcher} read --all | true; echo "\${PIPESTATUS[0]}"`);
    expect(piped.stderr).toBe("");
    expect(piped.stdout).toBe("0\n");
    const full = scene.run("bash", "-c", `${launcher} read --format text >/dev/full`);
    expect(full.status).toBe(1);
    expect(openEnvelope(full.stderr)).toStartWith("FAILED  the output could not be written:");
  });
});
