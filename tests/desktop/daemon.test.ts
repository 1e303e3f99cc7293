import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DaemonConnection } from "../../src/client/connection.ts";
import { protocolVersion } from "../../src/client/protocol.ts";
import type { CallReply } from "../../src/host/port.ts";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { readShown } from "./shown.ts";

// Commands through a running daemon compared with the same commands without one, on real applications.

const apps = join(import.meta.dir, "../fixtures/apps");
const [secret, card, key] = ["tulip-harbour-93", "4111 1111 1111 1111", "AKIAIOSFODNN7EXAMPLE"];
let scene: Scene;
let pad = 0;

beforeAll(async () => {
  scene = await openScene({ width: 1400, height: 900 });
  pad = (await scene.start(["mousepad", "--disable-server"], "Mousepad")).pid ?? 0;
  const state = join(scene.sandbox.env.HOME ?? "", "state.json");
  await scene.start(["/usr/bin/python3", join(apps, "secrets-gtk3.py"), state, "Vault", secret, card, key], "Vault");
  await scene.settle();
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

/** The answer without what differs between any two runs: timestamps, durations, and the delimiters around a text. */
function takeAnswer(...args: string[]): string {
  const { status, stdout, stderr } = scene.deskmap(...args);
  const plain = (text: string): string =>
    text
      .replace(/"(ts|afterMs)":\d+/g, '"$1":0')
      .replace(/\b\d{13}\b|\(\d+ ms\)/g, "0")
      .replace(/^((?:true|false),.*),\d+,/gm, "$1,0,")
      .replace(/^--- .*$/gm, "---");
  return `${status}\n${plain(stdout)}\n${plain(stderr)}`;
}

const input = (): string => String(readShown(scene, "--app", "mousepad").find(({ r }) => r === "input")?.i ?? 0);

test("every reading command answers byte for byte the same with and without the daemon, in every format", () => {
  const commands = [
    ["list"],
    ["list", "--apps"],
    ["read", "--all", "--points"],
    ["read", "--app", "mousepad", "--compact", "--max", "3"],
    ["find", "save"],
    ["at", "300", "300"],
    ["text", "--id", input()],
    ["text", "--id", "999999"],
    ["expect", 'menu "File" exists'],
    ["get_screen_context"],
    ["read", "--app", "nothing"],
  ];
  // Elements seen for the first time get their marks now.
  for (const command of commands) scene.deskmap(...command);
  const ask = (more: readonly string[]): string[] =>
    commands.flatMap((command) =>
      ["json", "text", "csv"].map((format) => takeAnswer(...command, "--format", format, ...more)),
    );
  const alone = ask(["--no-daemon"]);
  expect(scene.deskmap("serve", "--detach").status).toBe(0);
  const served = ask([]);
  expect(served).toEqual(alone);
  const { requests } = JSON.parse(scene.deskmap("serve", "status", "--format", "json").stdout);
  expect(requests).toBeGreaterThanOrEqual(served.length);
});

test("no byte of a password, a card or a key crosses the socket, whatever is requested", async () => {
  const { socket, build } = JSON.parse(scene.deskmap("serve", "status", "--format", "json").stdout);
  const heard: Uint8Array[] = [];
  const recorder = join(scene.sandbox.env.HOME ?? "", "recorder.sock");
  const proxy = Bun.listen<{ far?: Bun.Socket<undefined>; early: Uint8Array[] }>({
    unix: recorder,
    socket: {
      async open(near) {
        near.data = { early: [] };
        const far = await Bun.connect({
          unix: socket,
          socket: {
            data: (_far, bytes) => {
              heard.push(Uint8Array.from(bytes));
              near.write(bytes);
            },
            close: () => void near.end(),
          },
        });
        for (const bytes of near.data.early) far.write(bytes);
        near.data.far = far;
      },
      data(near, bytes) {
        heard.push(Uint8Array.from(bytes));
        if (near.data.far === undefined) near.data.early.push(Uint8Array.from(bytes));
        else near.data.far.write(bytes);
      },
      close: (near) => void near.data.far?.end(),
    },
  });
  const hello = { protocol: protocolVersion, build, client: "recorded", isReadOnly: false, settings: {} };
  const client = await DaemonConnection.open(recorder, hello);
  const formats = ["json", "text", "csv"] as const;
  const ask = (tool: string, given: Record<string, unknown>): Promise<CallReply> =>
    client.call({ tool, input: given, formats });
  const marks = readShown(scene, "--window", "Vault").filter(({ r }) => r === "input");
  expect(marks.length).toBeGreaterThan(5);
  const replies = [
    await ask("read", { all: true }),
    await ask("read", { window: "Vault" }),
    await ask("find", { words: "password" }),
    await ask("get_screen_context", {}),
    await ask("expect", { condition: `"Login" has value "x"` }),
    ...(await Promise.all(marks.map(({ i }) => ask("text", { id: i })))),
  ];
  await client.close();
  proxy.stop(true);
  const bytes = Buffer.concat(heard).toString("utf8");
  for (const word of [secret, card, card.replaceAll(" ", ""), key]) expect(bytes).not.toContain(word);
  // The recording works: text that is not secret was captured.
  expect(bytes).toContain("OSLO");
  expect(replies.some(({ exitCode }) => exitCode === 0)).toBe(true);
});

test("an application that becomes blind is gone from the daemon's next answer, and back afterwards", () => {
  expect(scene.deskmap("read", "--app", "mousepad").status).toBe(0);
  setPolicy(scene, { ...permissive, apps: { mousepad: "blind" } });
  expect(tryCommand(scene, "read", "--app", "mousepad")).toMatchObject({ status: 3, reason: "blind" });
  expect(scene.deskmap("list").stdout).not.toContain("ousepad");
  expect(scene.deskmap("read", "--all").stdout).not.toContain("ousepad");
  setPolicy(scene, permissive);
  expect(scene.deskmap("read", "--app", "mousepad").status).toBe(0);
});

test("a change that a person makes is in the next answer", async () => {
  scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowactivate", "--sync");
  scene.run("xdotool", "type", "typed by a person");
  await waitFor("the text", () => String(scene.ask("text", String(pad), "text")).includes("typed by a person"));
  await waitFor("the answer", () => scene.deskmap("read", "--app", "mousepad").stdout.includes("typed by a person"));
});

test("a killed application disappears, and the daemon does not", async () => {
  const before = JSON.parse(scene.deskmap("serve", "status", "--format", "json").stdout).pid;
  process.kill(pad, "SIGKILL");
  await waitFor("its end", () => !existsSync(`/proc/${pad}`));
  await waitFor("the list without it", () => !scene.deskmap("list").stdout.includes("ousepad"));
  expect(tryCommand(scene, "read", "--app", "mousepad")).toMatchObject({ status: 1, code: "NOT_FOUND" });
  expect(scene.deskmap("read", "--window", "Vault").status).toBe(0);
  expect(JSON.parse(scene.deskmap("serve", "status", "--format", "json").stdout).pid).toBe(before);
});
