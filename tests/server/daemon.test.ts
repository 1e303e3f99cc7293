import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { listClientSettings, takeClientSettings } from "../../src/client/connect-place.ts";
import { DaemonConnection } from "../../src/client/connection.ts";
import { maxRequestBytes } from "../../src/client/protocol.ts";
import { FileRecords, giveGrant } from "../../src/guard/audit/file-records.ts";
import { identifyOwn } from "../../src/guard/identity.ts";
import { findPlaces } from "../../src/guard/places.ts";
import type { CallReply } from "../../src/host/port.ts";
import { fail } from "../../src/model/failure.ts";
import { type DaemonScene, introduce, openDaemonScene, readPad, talk } from "./daemon-scene.ts";

const stuckDaemon = fileURLToPath(new URL("./stuck-daemon.ts", import.meta.url));

let scene: DaemonScene;
beforeEach(() => {
  scene = openDaemonScene();
});
afterEach(() => scene.close());

function withoutTime(reply: CallReply): string {
  return JSON.stringify(reply).replace(/\\"ts\\":\d+/g, "");
}

function readLog(): string {
  return readFileSync(join(scene.env.HOME ?? "", ".local/state/deskmap/daemon.log"), "utf8");
}

test("the socket and its folder are private to the user, and removed when the daemon exits", async () => {
  expect(statSync(scene.socket).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(scene.socket)).mode & 0o777).toBe(0o700);
  scene.daemon.leave("enough");
  await scene.daemon.left;
  expect(existsSync(dirname(scene.socket))).toBe(false);
});

test("a call is answered as without a daemon, and a second one without reading again", async () => {
  const client = await scene.connect();
  const first = await client.call(readPad);
  expect(first).toMatchObject({ exitCode: 0, warnings: [] });
  expect(first.outputs.json).toContain("Button 19");
  expect(withoutTime(await client.call(readPad))).toEqual(withoutTime(first));
  expect(scene.runtime.reads).toBe(1);
  scene.runtime.thaw();
  expect(withoutTime(await client.call(readPad))).toEqual(withoutTime(first));
  expect(scene.runtime.reads).toBe(2);
  await client.close();
});

test("a blind application is in no answer", async () => {
  const client = await scene.connect();
  const replies = await Promise.all(
    ["list", "read", "find"].map((tool) =>
      client.call({ tool, input: tool === "find" ? { words: "reveal" } : {}, formats: ["json", "text", "csv"] }),
    ),
  );
  expect(JSON.stringify(replies)).not.toMatch(/Passwords|Reveal"/);
  expect(await client.call({ tool: "read", input: { app: "keepassxc" }, formats: ["json"] })).toMatchObject({
    exitCode: 3,
    failure: { code: "REFUSED", reason: "blind" },
  });
  await client.close();
});

test("any invalid input is reported", async () => {
  const client = await scene.connect();
  const ask = (tool: string, input: Record<string, unknown>) => client.call({ tool, input, formats: ["json"] });
  expect(await ask("fly", {})).toMatchObject({ exitCode: 2, failure: { message: 'no tool is called "fly"' } });
  expect(await ask("read", { max: "many" })).toMatchObject({ exitCode: 2, failure: { code: "USAGE" } });
  await client.close();
});

test("steps are read from regular files only: endless or blocking ones delay no client", async () => {
  const client = await scene.connect({ settings: { DESKMAP_CWD: scene.env.HOME ?? "" } });
  const file = (name: string): string => join(scene.env.HOME ?? "", name);
  spawnSync("mkfifo", [file("pipe")]);
  writeFileSync(file("long"), "#".repeat((1 << 20) + 1));
  writeFileSync(file("steps"), "find button\n");
  const ask = (name: string) => client.call({ tool: "do", input: { file: name }, formats: ["json"] });
  for (const name of ["/dev/ptmx", "/dev/zero", "/dev/tty", "pipe", "long", ".", "-"]) {
    expect(await ask(name)).toMatchObject({ failure: { done: "nothing was done." } });
  }
  expect(await ask("steps")).toMatchObject({ exitCode: 0 });
  await client.close();
});

test("a read-only client is offered no acting tool", async () => {
  const client = await scene.connect({ isReadOnly: true });
  expect(await client.call(readPad)).toMatchObject({ exitCode: 0 });
  expect(await client.call({ tool: "click", input: { id: 1 }, formats: ["json"] })).toMatchObject({
    exitCode: 3,
    failure: { reason: "read-only" },
  });
  await client.close();
});

test("a client is the process that connected, also if its pid is another's when it says who it is", async () => {
  const places = findPlaces(scene.env);
  const own = identifyOwn(process.pid);
  if (own === undefined) throw new Error("this process does not run");
  mkdirSync(dirname(places.policy), { recursive: true, mode: 0o700 });
  writeFileSync(places.policy, '{ "readOnly": true, "clients": { "agent": { "readOnly": false } } }', { mode: 0o600 });
  const meant = { client: "agent", process: own, isNameOnly: true, isSensitive: false };
  giveGrant(new FileRecords(places), { ...meant, untilMs: Date.now() + 60_000 });
  const clickAs = async (startTicks: number): Promise<string | undefined> => {
    const hello = { t: "hello" as const, ...introduce({ client: "agent" }) };
    const host = scene.daemon.openHost(hello, { pid: own.pid, uid: own.uid, startTicks });
    const { failure } = await host.call({ tool: "click", input: { id: 1 }, formats: ["json"] });
    await host.close();
    return failure?.reason;
  };
  // The first may act, if a person had accepted the policy.
  expect([await clickAs(own.startTicks), await clickAs(own.startTicks - 1)]).toEqual(["policy", "read-only"]);
});

test("200 clients are served at once, and the next one is turned away", async () => {
  const clients = await Promise.all(Array.from({ length: 200 }, (_, at) => scene.connect({ client: `c${at}` })));
  const replies = await Promise.all(clients.map((client) => client.call(readPad)));
  expect(new Set(replies.map(withoutTime)).size).toBe(1);
  const late = await scene.connect();
  expect(await late.hello.catch((error: Error) => error.name)).toBe("DaemonLost");
  const [first] = clients;
  expect(await first?.status()).toMatchObject({ refusals: 1 });
  expect((await first?.status())?.clients).toHaveLength(200);
  await Promise.all(clients.map((client) => client.close()));
});

test("garbage, huge lines and lines out of order end their own connection, and no other", async () => {
  const client = await scene.connect();
  const hello = `${JSON.stringify({ t: "hello", ...introduce() })}\n`;
  const noise = crypto.getRandomValues(new Uint8Array(60_000));
  noise[30_000] = 10;
  expect(await talk(scene.socket, noise)).toContain('"t":"bye"');
  expect(await talk(scene.socket, "{}\n")).toContain("not in the protocol");
  expect(await talk(scene.socket, '{"t":"ping","id":1}\n')).toContain("the first line of a client is its hello");
  expect(await talk(scene.socket, `${hello}${hello}`)).toContain("it said hello twice");
  expect(await talk(scene.socket, `${hello}[1,2]\n`)).toContain("not in the protocol");
  expect(await talk(scene.socket, Buffer.alloc(maxRequestBytes + 2, "x"))).toContain("too long");
  expect(await client.call(readPad)).toMatchObject({ exitCode: 0 });
  await client.close();
});

test("a client has at most 64 pending requests; more are refused, and all are answered", async () => {
  const client = await scene.connect();
  const replies = await Promise.all(Array.from({ length: 100 }, () => client.call(readPad)));
  const refused = replies.filter(({ failure }) => failure !== undefined);
  expect(refused).toHaveLength(36);
  expect(refused[0]).toMatchObject({ failure: { code: "UNAVAILABLE" } });
  await client.close();
});

test("a cancelled call is answered at once, and reads no further", async () => {
  const client = await scene.connect();
  const abort = new AbortController();
  const wait = { tool: "wait", input: { for: 'button "Never" appears', timeout: 600_000 }, formats: ["json"] } as const;
  const waiting = client.call(wait, { signal: abort.signal });
  await client.ping();
  abort.abort();
  expect(await waiting).toMatchObject({ exitCode: 1, failure: { code: "CANCELLED" } });
  await client.close();
});

test("a client of another build is told so, and gets no answer but may ask it to exit", async () => {
  const other = await scene.connect({ build: "another" });
  expect((await other.hello).build).not.toBe("another");
  const unanswered = other.call(readPad).catch((error: Error) => error.name);
  await other.dismiss();
  expect(await unanswered).toBe("DaemonLost");
  expect(await scene.daemon.left).toBe("a client asked it to");
});

test("another user's process is rejected, even if the socket is open to everyone", async () => {
  if (process.getuid?.() !== 0) return expect((await scene.connect()).isOpen).toBe(true);
  chmodSync(scene.socket, 0o777);
  for (let folder = dirname(scene.socket); folder !== "/tmp" && folder !== "/"; folder = dirname(folder)) {
    chmodSync(folder, 0o755);
  }
  const hello = JSON.stringify({ t: "hello", ...introduce() });
  const program = `import socket; s = socket.socket(socket.AF_UNIX); s.connect("${scene.socket}")
s.sendall(b'${hello}\\n'); print("heard", s.recv(100))`;
  const trying = Bun.spawn(
    ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", program],
    {
      stdout: "pipe",
      stderr: "pipe",
      env: {},
    },
  );
  const heard = await new Response(trying.stdout).text();
  // Nothing, or a connection that is reset before any data.
  expect(["", "heard b''\n"]).toContain(heard);
  expect(readLog()).toMatch(/of user 65534 is refused/);
  const own = await scene.connect();
  expect(await own.status()).toMatchObject({ refusals: 1 });
  await own.close();
});

test("a stop stops reads through the daemon, and a resume continues them", async () => {
  const client = await scene.connect();
  expect(await client.call(readPad)).toMatchObject({ exitCode: 0 });
  const run = (...args: string[]) =>
    spawnSync(join(import.meta.dir, "../../deskmap"), args, {
      env: { ...scene.env, DESKMAP_SANDBOX_DIR: scene.env.HOME ?? "" },
      encoding: "utf8",
    });
  expect(run("stop").status).toBe(0);
  expect(await client.call(readPad)).toMatchObject({ exitCode: 3, failure: { reason: "stopped" } });
  await client.close();
});

test("a stop answers clients with requests that never end, before the daemon exits", async () => {
  const daemon = Bun.spawn([process.execPath, stuckDaemon], { stdout: "pipe" });
  const lines = createInterface({ input: Readable.fromWeb(daemon.stdout) })[Symbol.asyncIterator]();
  const { env, socket } = JSON.parse(String((await lines.next()).value));
  const client = await DaemonConnection.open(socket, introduce());
  const call = client.call({ tool: "do", input: { steps: "read --app pad\nclick --id 1" }, formats: ["json"] });
  expect((await lines.next()).value).toBe("reads");
  const stop = spawn(join(import.meta.dir, "../../deskmap"), ["stop"], {
    env: { ...env, DESKMAP_SANDBOX_DIR: env.HOME },
    stdio: "ignore",
  });
  const stopped = once(stop, "exit");
  expect(await call).toMatchObject({ exitCode: 3, failure: { reason: "stopped" } });
  expect((await lines.next()).value).toContain("a person stopped everything");
  expect(await stopped).toEqual([0, null]);
  rmSync(env.HOME, { recursive: true });
});

test("repeated looks are one line every ten seconds, and the last is there when the daemon has exited", async () => {
  const client = await scene.connect({ client: "looker" });
  for (let looks = 0; looks < 5; looks += 1) await client.call(readPad);
  await client.close();
  scene.daemon.leave("enough");
  await scene.daemon.left;
  const audit = readFileSync(join(scene.env.HOME ?? "", ".local/state/deskmap/audit.jsonl"), "utf8");
  const lines = audit
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  expect(lines.map(({ what, client: who, apps }) => [what, who, apps])).toEqual([
    ["look", "looker", ["pad"]],
    ["look", "looker", ["pad"]],
  ]);
  expect(lines[1]?.words).toMatch(/^4 more looks until /);
});

test("a daemon whose display stays away exits, whoever is connected", async () => {
  const failure = { code: "UNAVAILABLE", message: "no display", done: "" } as const;
  const lost = openDaemonScene({ idleMs: 20, lostMs: 50 }, undefined, async () => fail(failure));
  const client = await lost.connect();
  expect(await lost.daemon.left).toBe("its display is gone");
  expect(client.isOpen).toBe(false);
  await lost.close();
});

test("an unhandled fault does not end the daemon: it is logged without its message, and everything is read again", async () => {
  const client = await scene.connect();
  await client.call(readPad);
  scene.daemon.onFault(new TypeError("Button 19 is undefined"));
  expect(await client.call(readPad)).toMatchObject({ exitCode: 0 });
  expect(scene.runtime.reads).toBe(2);
  expect(readLog()).toContain("a fault of its own: TypeError at ");
  expect(readLog()).not.toContain("Button 19");
  await client.close();
});

test("a map that cannot store what was learned keeps no daemon from exiting", async () => {
  const troubled = openDaemonScene({}, undefined, async () => Promise.reject(new Error("check")));
  troubled.runtime.settle = () => Promise.reject(new Error("settle"));
  troubled.daemon.leave("enough");
  expect(await troubled.daemon.left).toBe("enough");
  expect(existsSync(dirname(troubled.socket))).toBe(false);
  await troubled.close();
});

test("a client controls its settings, but not where things are stored", async () => {
  const elsewhere = join(scene.env.HOME ?? "", "elsewhere");
  const settings = {
    XDG_STATE_HOME: elsewhere,
    HOME: elsewhere,
    LD_PRELOAD: elsewhere,
    DESKMAP_SANDBOX: "x",
    LANG: "C",
  };
  expect(takeClientSettings({ ...settings, PATH: "" })).toEqual({ PATH: undefined, LANG: "C" });
  const client = await scene.connect({ settings });
  expect(await client.call(readPad)).toMatchObject({ exitCode: 0 });
  await client.close();
  expect(existsSync(elsewhere)).toBe(false);
});

test("the log contains no text of any window", async () => {
  const client = await scene.connect();
  await client.call({ tool: "read", input: {}, formats: ["json"] });
  await client.close();
  expect(readLog()).not.toMatch(/Button|Pad|Passwords/);
  expect(readdirSync(dirname(scene.socket)).length).toBeGreaterThan(0);
});

test("a client in a deleted folder is served", () => {
  const [before, gone] = [process.cwd(), join(scene.env.HOME ?? "", "gone")];
  mkdirSync(gone);
  process.chdir(gone);
  try {
    rmSync(gone, { recursive: true });
    expect(listClientSettings({})).toMatchObject({ DESKMAP_CWD: expect.stringMatching(/^\//) });
  } finally {
    process.chdir(before);
  }
});
