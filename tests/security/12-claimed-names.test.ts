import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { type Field, openField } from "../desktop/input-scene.ts";
import { permissive, setPolicy } from "../desktop/policy.ts";
import { waitFor } from "../desktop/scene.ts";
import { launcher, startAtTerminal } from "../guard/terminal-session.ts";
import { openMcp, textOf } from "../server/mcp-client.ts";

// A client is called what it calls itself. Rules for a name bind everybody whose name is only claimed, and give rights to
// the process alone that a person meant. What the editor holds is read through pyatspi.

let field: Field;
let places: Places;
const shells: Shell[] = [];

beforeAll(async () => {
  field = await openField("mousepad");
  places = findPlaces(field.scene.sandbox.env);
  // All commands that may use a daemon use one.
  expect(field.scene.deskmap("serve", "--detach").status).toBe(0);
});
beforeEach(() => rmSync(places.ledger, { force: true }));
afterAll(async () => {
  for (const { child } of shells) child.kill("SIGKILL");
  field.scene.deskmap("serve", "stop");
  await field.close();
});

interface Shell {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The exit code of a command that this shell starts. */
  run(command: string): Promise<number>;
}

/** A program that starts commands, as an agent does. */
function openShell(): Shell {
  const child = spawn("bash", { env: field.scene.sandbox.env, stdio: ["pipe", "pipe", "ignore"] });
  const said: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  const run = async (command: string): Promise<number> => {
    const before = said.length;
    const find = (): string | undefined => said.slice(before).find((line) => line.startsWith("ended "));
    child.stdin.write(`${command} </dev/null >/dev/null; echo "ended $?"\n`);
    await waitFor(command, () => find() !== undefined);
    return Number(find()?.slice("ended ".length));
  };
  const shell = { child, pid: child.pid ?? 0, run };
  shells.push(shell);
  return shell;
}

const typing = (name: string, text: string, ...more: string[]): string =>
  `DESKMAP_CLIENT=${name} ${launcher} ${["type", text, "--app", "mousepad", ...more].join(" ")}`;

/** With the daemon, and without one. */
const ways: readonly (readonly string[])[] = [[], ["--no-daemon"]];

async function allow(...words: string[]): Promise<string> {
  const person = startAtTerminal([launcher, "allow", ...words], field.scene.sandbox.env);
  const asked = await person.see("Type yes to allow it: ");
  person.type("yes\n");
  expect(await person.ended).toBe(0);
  return asked;
}

const readLog = (): Record<string, unknown>[] =>
  readFileSync(places.audit, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a rule that restricts a name is not escaped under another name, with a daemon and without", async () => {
  setPolicy(field.scene, { ...permissive, clients: { "agent*": { readOnly: true } } });
  const shell = openShell();
  for (const way of ways) {
    for (const name of ["agent", "somebody", "inspector", "cli"]) {
      expect([name, way, await shell.run(typing(name, "ESCAPED", ...way))]).toEqual([name, way, 3]);
    }
  }
  const renamed = await openMcp(field.scene.sandbox.env, { name: "harmless" });
  try {
    const refused = await renamed.call("type", { text: "ESCAPED" }).catch((error: Error) => error.message);
    expect(typeof refused === "string" ? refused : textOf(refused)).toContain("readOnly");
  } finally {
    await renamed.close();
  }
  expect(field.read()).toBe("");
});

test("a person's own command, typed at a terminal, is not restricted by a rule for others", async () => {
  setPolicy(field.scene, { ...permissive, clients: { "agent*": { readOnly: true } } });
  for (const way of ways) {
    const person = startAtTerminal([launcher, "type", "p", "--app", "mousepad", ...way], field.scene.sandbox.env);
    expect([await person.ended, person.shown()]).toEqual([0, expect.any(String)]);
  }
  expect(field.read()).toBe("pp");
  expect(readLog().findLast(({ what }) => what === "begin")).toMatchObject({ client: "cli", named: "typed" });
});

test("a rule that widens a name holds for the process that a person meant, and for nobody else of that name", async () => {
  setPolicy(field.scene, { ...permissive, readOnly: true, clients: { agent: { readOnly: false } } });
  const [meant, impostor] = [openShell(), openShell()];
  const before = field.read();
  expect(await meant.run(typing("agent", "EARLY"))).toBe(3);
  // As many actions as it likes: that says nothing of what the policy forbids.
  await allow("--client", "agent", "--pid", String(meant.pid));
  for (const way of ways) expect(await meant.run(typing("agent", "EARLY", ...way))).toBe(3);
  const asked = await allow("--client", "agent", "--pid", String(meant.pid), "--trust-name");
  expect(asked).toContain(`the program "agent" (process ${meant.pid}, "`);
  for (const way of ways) {
    expect(await impostor.run(typing("agent", "STOLEN", ...way))).toBe(3);
    expect(await meant.run(typing("other", "STOLEN", ...way))).toBe(3);
    expect(await meant.run(typing("agent", "a", ...way))).toBe(0);
  }
  expect(field.read()).toBe(`${before}aa`);
  const done = readLog().findLast(({ what }) => what === "begin");
  expect(done).toMatchObject({ client: "agent", named: "allowed", process: { pid: expect.any(Number) } });
  // The same pid and start time, but another program.
  const isExecuted = (): boolean => !readFileSync(`/proc/${meant.pid}/cmdline`, "latin1").startsWith("bash");
  meant.child.stdin?.write(`exec python3 -c 'import subprocess,sys
for line in sys.stdin: print("ended", subprocess.run(line, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode, flush=True)'\n`);
  await waitFor("another program", isExecuted);
  const command = typing("agent", "STOLEN");
  const ended = once(createInterface({ input: meant.child.stdout ?? process.stdin }), "line");
  meant.child.stdin?.write(`${command}\n`);
  expect(String(await ended)).toBe("ended 3");
  expect(field.read()).toBe(`${before}aa`);
});

test("a grant finds the running process of a name in the log, and is for that one; over HTTP it is for nobody", async () => {
  setPolicy(field.scene, { ...permissive, actionsPerMinute: 1 });
  const { env } = field.scene.sandbox;
  const before = field.read();
  const [first, second] = [await openMcp(env, { name: "twin" }), await openMcp(env, { name: "twin" })];
  const server = spawn(launcher, ["mcp", "--http"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "exit");
  try {
    const write = async (client: typeof first, text: string): Promise<string> =>
      textOf(await client.call("type", { text, app: "mousepad" }));
    expect(await write(first, "1")).not.toContain("within a minute");
    expect(await write(first, "LIMITED")).toContain("within a minute");
    await allow("--client", "mcp:twin");
    expect(await write(first, "2")).not.toContain("within a minute");
    expect(await write(second, "LIMITED")).toContain("within a minute");
    const [line] = await once(createInterface({ input: server.stdout }), "line");
    const { url, token }: { url: string; token: string } = JSON.parse(String(line));
    expect(await callOverHttp(url, token)).toContain("within a minute");
    const refusal = readLog().findLast(({ what }) => what === "refused");
    expect(refusal).toMatchObject({ client: "mcp:twin", named: "claimed", effect: "rate" });
    expect(refusal).not.toHaveProperty("process");
    const shown = field.scene.deskmap("audit", "--format", "text").stdout;
    for (const whose of ["(claimed)", "(claimed, process ", "(allowed, process "]) expect(shown).toContain(whose);
    // Now two running processes have that name.
    const unclear = startAtTerminal([launcher, "allow", "--client", "mcp:twin"], env);
    expect([await unclear.ended, unclear.shown()]).toEqual([1, expect.stringContaining("several processes")]);
    expect(field.read()).toBe(`${before}12`);
  } finally {
    await Promise.all([first.close(), second.close()]);
    server.kill("SIGTERM");
    await ended;
  }
  // It has ended with its process.
  expect(field.scene.deskmap("allow", "list").stdout).toContain("mcp:twin");
  const late = await openMcp(env, { name: "twin" });
  const limited = textOf(await late.call("type", { text: "LATE", app: "mousepad" }));
  await late.close();
  expect([limited, field.read()]).toEqual([expect.stringContaining("within a minute"), `${before}12`]);
});

async function callOverHttp(url: string, token: string): Promise<string> {
  const protocol = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": protocol,
    "io.modelcontextprotocol/clientInfo": { name: "twin", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "type", arguments: { text: "OVER HTTP", app: "mousepad" }, _meta };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": protocol,
      "mcp-method": "tools/call",
      "mcp-name": "type",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  return response.text();
}
