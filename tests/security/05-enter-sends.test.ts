import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type PreparedChromium, prepareChromium } from "../desktop/chromium.ts";
import { permissive, setPolicy, tryCommand } from "../desktop/policy.ts";
import { openScene, type Scene, waitFor } from "../desktop/scene.ts";
import { matrix } from "../tier.ts";

// Enter in a field of several lines sends a message in many applications. Nobody can be asked here, so it is refused.

let scene: Scene;
let chromium: PreparedChromium;
beforeAll(async () => {
  scene = await openScene();
  setPolicy(scene, { ...permissive, sensitive: "ask" });
});
afterAll(async () => {
  await scene.close();
  chromium?.remove();
});

const composers = ["Message", "Reply", "Comment"];

test("a message is written, and not sent", async () => {
  const chat = join(import.meta.dir, "chat-window.py");
  const { pid } = await scene.start(["/usr/bin/python3", chat], "Chat");
  await scene.settle();
  const at = ["--pid", String(pid)];
  expect(tryCommand(scene, "type", "hello", "--on", "Message", ...at).status).toBe(0);
  for (const args of [["--key", "return"], ["--key", "ctrl+return"], ["bye\n"]]) {
    const { status, reason } = tryCommand(scene, "type", ...args, ...at);
    expect([args, status, reason]).toEqual([args, 3, "unasked"]);
  }
  expect(scene.ask("text", String(pid), "text")).toContain("hello");
  expect(scene.run("xdotool", "search", "--name", "sent").status).toBe(1);
});

test("an editor's lines need nobody", async () => {
  const { pid } = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  expect(tryCommand(scene, "type", "one\ntwo", "--pid", String(pid)).status).toBe(0);
  expect(scene.ask("text", String(pid), "text")).toEqual(["one\ntwo"]);
});

matrix.test("a page's fields of several lines are a message's, however they are made", async () => {
  chromium = prepareChromium(`<title>Talk</title><script>
      const send = (event) => { if (event.key === "Enter") document.title = "sent"; };</script>
    <textarea aria-label="Message" onkeydown="send(event)"></textarea>
    <div contenteditable role="textbox" aria-multiline="true" aria-label="Reply" onkeydown="send(event)"></div>
    <div contenteditable aria-label="Comment" onkeydown="send(event)"><p>so</p></div>`);
  const { pid } = await scene.start(chromium.command, "Talk");
  await scene.settle();
  const at = ["--pid", String(pid)];
  await waitFor("the fields", () => scene.deskmap("read", ...at).stdout.includes("Reply"));
  for (const name of composers) {
    const { status, reason } = tryCommand(scene, "type", "hello\n", "--on", name, ...at);
    expect([name, status, reason]).toEqual([name, 3, "unasked"]);
    expect([name, tryCommand(scene, "type", "hello", "--on", name, ...at).status]).toEqual([name, 0]);
    const entered = tryCommand(scene, "type", "--key", "return", ...at);
    expect([name, entered.status, entered.reason]).toEqual([name, 3, "unasked"]);
  }
  expect(scene.run("xdotool", "search", "--name", "^sent").status).toBe(1);
});
