import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listCommands } from "../listed-commands.ts";
import { openScene, type Scene } from "./scene.ts";
import { readShown } from "./shown.ts";

// With no model and no shared map configured, no connection leaves this machine: every command runs once, and strace shows
// which sockets it and its children create. They create no network socket at all, not even to this machine.

const launcher = join(import.meta.dir, "../../deskmap");
const fixture = join(import.meta.dir, "../fixtures/apps/counting.py");
let scene: Scene;
let home: string;

beforeAll(async () => {
  scene = await openScene({ width: 1200, height: 800 });
  home = scene.sandbox.env.HOME ?? "";
  await scene.start(["/usr/bin/python3", fixture, join(home, "state.json")], "Count other");
  await scene.settle();
});
afterAll(() => scene.close());

interface Seen {
  /** The commands with their exit codes. */
  readonly ended: readonly string[];
  /** Every socket, connection and message, by its family: "connect AF_INET 127.0.0.1". */
  readonly calls: ReadonlySet<string>;
}

/** Runs commands one after the other, including all their children, and returns the sockets that were created and used. */
function watchSockets(commands: readonly string[]): Seen {
  const [script, log] = [join(home, "commands.sh"), join(home, "sockets.log")];
  writeFileSync(script, `${commands.map((one) => `${one} >/dev/null 2>&1 </dev/null; echo $?`).join("\n")}\n`);
  const traced = ["socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg"];
  const options = ["-f", "-qq", "--seccomp-bpf", "-e", `trace=${traced.join(",")}`, "-e", "signal=none", "-o", log];
  // Without a terminal: person-only commands are refused.
  const { stdout, stderr } = spawnSync("setsid", ["-w", "strace", ...options, "sh", script], {
    env: { ...scene.sandbox.env, DESKMAP: launcher },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const lines = readFileSync(log, "utf8").split("\n");
  const calls = lines.flatMap((line) => {
    const call = /^\d+ +(\w+)\(/.exec(line)?.[1];
    if (call === undefined) return [];
    // A message without an address goes to its socket's peer, which was recorded at connect.
    const family = /\b[AP]F_\w+/.exec(line)?.[0] ?? "";
    const address = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/.exec(line)?.slice(1).join("") ?? "";
    return [`${call} ${family} ${address}`.trim()];
  });
  const codes = stdout.trim().split("\n");
  return { ended: codes.map((code, index) => `${code} ${commands[index]}`), calls: new Set(calls) };
}

function listNetwork({ calls }: Seen): string[] {
  return [...calls].filter((call) => /AF_|PF_/.test(call) && !/AF_UNIX|AF_LOCAL/.test(call));
}

test("no command of Deskmap creates a network socket; only the daemon listens, and not on a network", () => {
  const marks = new Map(
    readShown(scene, "--all")
      .toReversed()
      .map(({ t = "", i }) => [t, i]),
  );
  const id = (name: string): string => `--id ${marks.get(name) ?? 0}`;
  const program = join(home, "started");
  writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const secrets = join(scene.sandbox.env.XDG_CONFIG_HOME ?? join(home, ".config"), "deskmap");
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  writeFileSync(join(secrets, "secrets.env"), "CODE=4711\n", { mode: 0o600 });
  writeFileSync(join(home, "steps.txt"), `list\nclick ${id("Press")}\n`);
  writeFileSync(join(home, "questions.jsonl"), '{"ref": {"name": "Go"}, "candidates": [{"name": "Go"}]}\n');
  const words = [
    "help",
    "--version",
    "read --help",
    "list",
    "list --apps",
    "read --all",
    "read --token --no-daemon",
    "watch --for 300ms --no-daemon",
    "find press",
    "at 100 50",
    "element 1",
    `locate '{"role":"button","name":"Press"}'`,
    `text ${id("Entry")}`,
    "screenshot",
    "get_screen_targets --force-vision",
    "get_screen_context",
    `click_element --element-id ${marks.get("Press")}`,
    `type_in_element --element-id ${marks.get("Entry")} --text abc`,
    `teach 'My press' ${id("Press")}`,
    "teach_element --label 'My place' --x 100 --y 50",
    `record_action_result --element-id ${marks.get("Press")} --success`,
    `click ${id("Press")}`,
    `type abc ${id("Entry")}`,
    `type --key a ${id("Entry")}`,
    `set-value 50 ${id("Scale")}`,
    `fill-secret ${id("Code")} --from CODE`,
    `toggle ${id("Off")}`,
    `check ${id("Off")}`,
    `uncheck ${id("On")}`,
    `expand ${id("More")}`,
    `collapse ${id("Less")}`,
    `select ${id("Row-2")}`,
    `action click ${id("Press")}`,
    `hover ${id("Press")}`,
    `scroll --direction down ${id("Rows")}`,
    `drag --from-id ${marks.get("Scale")} --to-x 100 --to-y 50`,
    `focus ${id("Entry")}`,
    "window maximize --window 'Count spare'",
    `open ${program} --timeout-ms 500`,
    "clipboard read",
    "clipboard write x",
    "wait --for 'screen still' --timeout 1000",
    "expect 'button \"Press\" exists'",
    `do ${join(home, "steps.txt")}`,
    "doctor",
    "doctor --fix",
    "sandbox list",
    "record start one --agent",
    `click ${id("Press")}`,
    "record stop",
    "demo show one",
    "demo edit one --step 1 --note twice",
    "record ring status",
    "record ring off",
    "replay one --timeout 500",
    "ask 'press Press'",
    "chat --help",
    "apps",
    "policy show",
    "policy check",
    "approve",
    "allow --minutes 1",
    "recipients",
    "recipients allow openrouter.ai",
    "recipients withdraw",
    "pin set",
    "audit",
    "audit verify",
    `resolve ${join(home, "questions.jsonl")}`,
    "map list",
    `map show ${marks.get("Press")}`,
    "map stats",
    `map export ${join(home, "map.jsonl")}`,
    `map import ${join(home, "map.jsonl")}`,
    "map prune",
    "map rescue",
    `map forget ${id("Press")}`,
    "forget 'My press'",
    "mcp",
    "mcp --print-config codex",
    // Its listening address is checked below.
    "inspect --help",
    "tour",
    "serve --detach",
    "serve status",
    "list",
    "overlay on",
    "overlay status",
    `annotate highlight ${id("Press")} --label here --for 5s`,
    "overlay pick --for 200ms",
    "overlay region --for 200ms",
    "overlay off",
    "begin --for 5s",
    "end nothing",
    "watch --from-now --for 100ms --no-daemon",
    "serve stop",
    "completions bash",
    "man",
    "quit --app countapp",
    "stop",
    "resume",
    "list",
  ];
  const offered = listCommands(scene.deskmap("--help").stdout);
  const tried = new Set(words.map((one) => one.split(" ")[0]));
  expect(offered.length).toBeGreaterThan(30);
  expect(offered.filter((name) => !tried.has(name))).toEqual([]);

  // The clipboard owner stays until another process takes the clipboard.
  const seen = watchSockets([...words.map((one) => `"$DESKMAP" ${one}`), "xsel -b -c"]);
  expect(seen.ended).toHaveLength(words.length + 1);
  // None of them failed because of wrong usage.
  expect(seen.ended.filter((line) => line.startsWith("2 "))).toEqual([]);
  expect(listNetwork(seen)).toEqual([]);
  // A listener has bound a socket before: to a path, and nowhere else.
  expect([...seen.calls].filter((call) => /^bind/.test(call))).toEqual(["bind AF_UNIX"]);
  // They talk to the display and to the buses, so the recording works.
  expect(seen.calls).toContain("connect AF_UNIX");
});

test("a private desktop opens and closes without a connection that leaves this machine, and listens on no network", () => {
  const seen = watchSockets(['"$DESKMAP" sandbox -- true']);
  expect(seen.ended[0]).toStartWith("0 ");
  // Xlib tries 127.0.0.1 when a display has just gone. AF_NETLINK leads to the kernel: D-Bus asks for its log, bubblewrap
  // brings up the loopback of the private network.
  const harmless =
    /^(socket AF_(NETLINK|INET6?)|(bind|sendto) AF_NETLINK|(connect|sendto|sendmsg) (AF_INET 127\..*|AF_INET6 ::1))$/;
  expect(listNetwork(seen).filter((call) => !harmless.test(call))).toEqual([]);
});

test("MCP over HTTP listens on this machine only, even if more is requested", () => {
  const serve = '"$DESKMAP" mcp --http';
  const seen = watchSockets([`timeout 5 ${serve}`, `${serve} --host 0.0.0.0`, `${serve} --port 0.0.0.0:80`]);
  // The first ends by timeout, the others are rejected as invalid.
  expect(seen.ended.map((line) => line.split(" ")[0])).toEqual(["124", "2", "2"]);
  const bound = [...seen.calls].filter((call) => /^bind AF_INET/.test(call));
  expect(bound.toSorted()).toEqual(["bind AF_INET 127.0.0.1", "bind AF_INET6 ::1"]);
  expect(listNetwork(seen).filter((call) => /^(connect|sendto|sendmsg)/.test(call))).toEqual([]);
});

test("the inspector listens on this machine only, even if more is requested, and connects to nothing", () => {
  const serve = '"$DESKMAP" inspect --no-open';
  // It starts the daemon, which would keep running.
  const end = '"$DESKMAP" serve stop';
  const seen = watchSockets([`timeout 5 ${serve}`, `${serve} --host 0.0.0.0`, `${serve} --port 0.0.0.0:80`, end]);
  expect(seen.ended.map((line) => line.split(" ")[0])).toEqual(["124", "2", "2", "0"]);
  const bound = [...seen.calls].filter((call) => /^bind AF_INET/.test(call));
  expect(bound.toSorted()).toEqual(["bind AF_INET 127.0.0.1", "bind AF_INET6 ::1"]);
  expect(listNetwork(seen).filter((call) => /^(connect|sendto|sendmsg)/.test(call))).toEqual([]);
});

test("a program that does connect is detected the same way, in any language and by any protocol", () => {
  // No process listens there: the attempt is enough.
  const address = "http://127.0.0.1:9/";
  const udp = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))";
  for (const [command, expected] of [
    [`'${process.execPath}' -e 'await fetch("${address}").catch(() => 0)'`, "connect AF_INET 127.0.0.1"],
    [
      `sh -c '/usr/bin/python3 -c "import urllib.request as u; u.urlopen(\\"${address}\\")"'`,
      "connect AF_INET 127.0.0.1",
    ],
    [`/usr/bin/python3 -c "${udp}"`, "sendto AF_INET 127.0.0.1"],
  ] as const) {
    expect(listNetwork(watchSockets([command]))).toContain(expected);
  }
});
