import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type ScriptServer, startScriptServer } from "../assistant/script-server.ts";
import { launcher, startAtTerminal } from "../guard/terminal-session.ts";
import { openScene, type Scene } from "./scene.ts";

// The commands as a person types them: nothing is sent before a yes, then answers come as they are written.

const form = join(import.meta.dir, "../fixtures/apps/form-gtk3.py");
const question = "what would the meaning of all of this be";

let scene: Scene;
let server: ScriptServer;
beforeAll(async () => {
  scene = await openScene();
  server = startScriptServer();
  const model = { DESKMAP_AI_ENDPOINT: server.url, DESKMAP_AI_MODEL: "scripted", DESKMAP_AI_KEY: "KEY-0815" };
  Object.assign(scene.sandbox.env, model, { TERM: "xterm" });
  await scene.start(["/usr/bin/python3", form, join(scene.sandbox.env.HOME ?? "", "form.json"), "Form"], "Form");
  await scene.settle();
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await server.close();
  await scene.close();
});

const atTerminal = (...words: readonly string[]) => startAtTerminal([launcher, ...words], scene.sandbox.env);

test("a host is allowed once, by a person, who is told what will go there; until then nothing is sent", async () => {
  const refused = JSON.parse(scene.deskmap("ask", question, "--format", "json").stdout);
  expect(refused).toMatchObject({ code: "REFUSED", text: expect.stringContaining("deskmap recipients allow") });
  expect(scene.deskmap("recipients", "allow", server.origin).status).toBe(3);
  expect(server.received).toEqual([]);
  const person = atTerminal("recipients", "allow", server.origin);
  await person.see("the text of windows, of every application that is not local only");
  await person.see("Type yes to allow it: ");
  person.type("yes\n");
  expect(await person.ended).toBe(0);
  const { recipients } = JSON.parse(scene.deskmap("recipients", "--format", "json").stdout);
  expect(recipients).toMatchObject([{ origin: server.origin, kinds: ["text"] }]);
});

test("ask shows exactly what would be sent, and sends nothing", () => {
  const { stdout } = scene.deskmap("ask", "--ai-query", question);
  expect(JSON.parse(stdout)).toMatchObject({ model: "scripted", stream: true });
  expect(stdout).toContain(question);
  expect(stdout).not.toContain("KEY-0815");
  expect(scene.deskmap("ask", "--ai-context").stdout).toContain('checkbox ["Agree", unchecked] #');
  expect(server.received).toEqual([]);
});

test("ask streams its answer, and tells what it cost", async () => {
  server.play([{ say: ["Forty", "-two."] }]);
  const asked = atTerminal("ask", question);
  expect(await asked.ended).toBe(0);
  expect(asked.shown()).toContain("Forty-two.\r\n\r\n(scripted: 100 tokens in, 10 out, $0.0010)");
});

test("in a chat a new question ends the answer under way, each answer is a heading, and its end is told", async () => {
  server.play([
    { say: ["He", "llo."] },
    { say: "Wait", stalls: true },
    { say: "Second." },
    { say: "Third", stalls: true },
  ]);
  const chat = atTerminal("chat");
  await chat.see("> ");
  chat.type("what would you say to somebody like me\n");
  await chat.see("## Deskmap\r\n\r\nHello.");
  await chat.see("Finished.");
  chat.type("and now something that takes a long while\n");
  await chat.see("Wait");
  chat.type("no, I would rather have something else instead\n");
  await chat.see("it was cancelled");
  await chat.see("Second.");
  await chat.see("Finished.");
  chat.type("and a last one that takes a long while\n");
  await chat.see("Third");
  chat.type("\u001b");
  await chat.see("it was cancelled");
  await chat.see("Finished.");
  chat.type("exit\n");
  expect(await chat.ended).toBe(0);
});
