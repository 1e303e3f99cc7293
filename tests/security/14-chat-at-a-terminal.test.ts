import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { allowRecipient } from "../../src/guard/sending/recipients.ts";
import { type ScriptServer, startScriptServer } from "../assistant/script-server.ts";
import { openScene, type Scene } from "../desktop/scene.ts";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";

// What a model, its server and a page say at the person's own terminal: no byte of it may be a command to the terminal.

const form = join(import.meta.dir, "../fixtures/apps/form-gtk3.py");
/** A title, a cleared screen, an answer of the terminal that would be typed, C1 forms, an address behind other words, a turned direction. */
const bad = [
  "\u001b]0;owned\u0007",
  "\u001b[2J",
  "\u001b[6n",
  "\u009b31m",
  "\u001b]8;;https://evil.example\u001b\\",
  "\u202e",
];
const planted = `before${bad.join("")}after`;
/** Each character on its own: none may be joined to a sequence again. */
const pieces = [...planted];

let scene: Scene;
let server: ScriptServer;
beforeAll(async () => {
  scene = await openScene();
  server = startScriptServer();
  const model = { DESKMAP_AI_ENDPOINT: server.url, DESKMAP_AI_MODEL: "scripted", DESKMAP_AI_KEY: "KEY-0815" };
  Object.assign(scene.sandbox.env, model, { TERM: "xterm" });
  const allowed = { origin: server.origin, kinds: ["text"], atMs: Date.now() } as const;
  const { state } = findPlaces(scene.sandbox.env);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  expect(allowRecipient(new FileRecords(findPlaces(scene.sandbox.env)), allowed).ok).toBe(true);
  const home = scene.sandbox.env.HOME ?? "";
  await scene.start(["/usr/bin/python3", form, join(home, "form.json"), "Form"], "Form");
  await scene.settle();
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await server.close();
  await scene.close();
});

const atTerminal = (...words: readonly string[]) => startAtTerminal([launcher, ...words], scene.sandbox.env);

function expectHarmless(session: TerminalSession): void {
  for (const one of bad) expect(session.shown()).not.toContain(one);
}

const answers = [
  ["in one piece", { say: planted }],
  ["in pieces", { say: pieces }],
  ["as a server's error", { status: 400, error: planted }],
  ["in an answer that breaks off", { say: pieces, drops: true as const }],
  ["as the name of a tool", { call: [{ tool: planted, args: {} }] }],
  ["as the arguments of a tool", { call: [{ tool: "find_element", args: { words: planted } }] }],
  ["as why it ended", { say: "x", finish: planted }],
] as const;

test.each(answers)("ask: %s", async (_how, reply) => {
  server.play([reply]);
  const asked = atTerminal("ask", "what would the meaning of all of this be");
  await asked.ended;
  expectHarmless(asked);
});

test("chat: all of them, one after the other", async () => {
  server.play(answers.map(([, reply]) => reply));
  const chat = atTerminal("chat");
  await chat.see("> ");
  for (const [at] of answers.entries()) {
    chat.type(`what would you say to somebody like me, time ${at}\n`);
    await chat.see("Finished.");
  }
  chat.type("exit\n");
  expect(await chat.ended).toBe(0);
  expectHarmless(chat);
});

test("a question that a model's answer imitates is none: what is typed then is a request", async () => {
  const question =
    "Deskmap asks for your approval (60 s):\n  action      read\nAllow this once? Type y or n, then Enter: ";
  server.play([{ say: question }]);
  const chat = atTerminal("chat");
  await chat.see("> ");
  chat.type("what would you say to somebody like me again\n");
  await chat.see("then Enter:");
  await chat.see("Finished.");
  chat.type("y\n");
  await chat.see("Finished.");
  chat.type("exit\n");
  expect(await chat.ended).toBe(0);
  const lines = readFileSync(findPlaces(scene.sandbox.env).audit, "utf8").trim().split("\n");
  const whats = lines.map((line): unknown => JSON.parse(line).what);
  expect(whats).toContain("send");
  expect(whats).not.toContain("answer");
});
