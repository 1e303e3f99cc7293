import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { casesOf } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act } from "./window-tools.ts";

// Chromium keeps reporting the position from which an animation moved a control. The page reports where presses land.

/** What lies at each moved control's old position: the bare page, another button, or text. */
const moved = ["Bare", "Above", "Worded"];
const still = ["Still", "Slid", "Ticked", "Second tab"];
/** "Above" lies over a button that a press at its old position would reach. */
const pressed = casesOf(["Above"], ["Bare", "Worded"]);

const page = `<!doctype html><meta charset=utf-8><title>Moved page</title>
<style>
body { margin: 0; height: 100vh }
button, p, div, label { position: absolute; width: 140px; height: 40px; margin: 0 }
.moves { z-index: 1 }
.went { animation: go 200ms linear forwards }
.slid { transition: transform 200ms linear; transform: translate(0, 300px) }
@keyframes go { to { transform: translate(200px, 250px) } }
</style>
<button class=moves id=Bare style="left:40px;top:40px">Bare</button>
<button id=Below style="left:240px;top:40px">Below</button>
<button class=moves id=Above style="left:240px;top:40px">Above</button>
<p id=Words style="left:440px;top:40px">Words that are read<br>and not pressed</p>
<button class=moves id=Worded style="left:440px;top:40px">Worded</button>
<button id=Still style="left:640px;top:40px">Still</button>
<button id=Slid style="left:640px;top:100px">Slid</button>
<label id=Label style="left:840px;top:40px"><input type=checkbox id=Ticked>Ticked</label>
<div role=tablist style="left:840px;top:120px;width:300px"><button role=tab id=First style="left:0">First tab</button
><button role=tab id=Second style="left:150px">Second tab</button></div>
<script>
const tell = (what) => fetch("http://127.0.0.1:PORT/", { method: "POST", body: what });
for (const kind of ["click", "dblclick"]) addEventListener(kind, ({ target }) => tell(kind + " " + (target.id || target.tagName)));
addEventListener("keydown", ({ key }) => {
  if (key !== "F8") return;
  tell("asked");
  Slid.className = "slid";
  for (const one of document.querySelectorAll(".moves")) one.classList.add("went");
});
for (const end of ["animationend", "transitionend"]) addEventListener(end, ({ target }) => tell("moved " + target.id));
</script>`;

const told: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    told.push(await request.text());
    return new Response("", { headers: { "access-control-allow-origin": "*" } });
  },
});
const chromium = prepareChromium(page.replace("PORT", String(server.port)));

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  await scene.start(chromium.command, "Moved page");
  await scene.settle();
  // The tree is read before anything moves.
  expect(scene.deskmap("read", "--app", "chromium").stdout).toContain("Worded");
  // A page that still starts loses a key.
  await waitFor("the key", async () => {
    scene.run("xdotool", "key", "F8");
    await Bun.sleep(200);
    return told.includes("asked");
  });
  await waitFor("the moves", () => told.filter((one) => one.startsWith("moved ")).length === moved.length + 1);
  await scene.settle();
});
afterAll(async () => {
  await scene.close();
  await server.stop(true);
  chromium.remove();
});

function take(): string[] {
  return told.splice(0);
}

describe("a control that an animation has moved", () => {
  for (const name of pressed) {
    test(`is pressed or refused, and no other control is pressed instead: ${name}`, async () => {
      take();
      const pressed = act(scene, "click", name, "--double");
      await scene.settle();
      if (pressed.error === undefined) expect(take()).toEqual([`click ${name}`, `click ${name}`, `dblclick ${name}`]);
      else {
        expect(["NOT_VISIBLE", "COVERED"]).toContain(pressed.error.code);
        expect(pressed.error.done).toBe("nothing was done.");
        expect(take()).toEqual([]);
      }
    });

    test(`is still pressed through its own action: ${name}`, async () => {
      take();
      expect(act(scene, "click", name).error).toBeUndefined();
      await waitFor("the click", () => told.length > 0);
      expect(take()).toEqual([`click ${name}`]);
    });
  }
});

describe("a control at its reported position", () => {
  for (const name of casesOf(still.slice(0, 1), still.slice(1))) {
    test(`is pressed with the pointer: ${name}`, async () => {
      take();
      expect(act(scene, "click", name, "--double").error).toBeUndefined();
      await waitFor("the double click", () => told.some((one) => one.startsWith("dblclick ")));
      expect(take().filter((one) => one.startsWith("dblclick "))).toEqual([`dblclick ${name.split(" ")[0]}`]);
    });
  }
});
