import { expect, test } from "bun:test";
import { savePin } from "../../src/guard/approval/pin.ts";
import { launcher, startAtTerminal } from "../guard/terminal-session.ts";
import { guardScene } from "./guarded-scene.ts";
import { openScene } from "./scene.ts";

test("if a PIN is set, nobody listens before it was typed", async () => {
  const scene = await openScene();
  try {
    const { places } = guardScene(scene, { hotkey: false });
    savePin(places, "13579");
    const person = startAtTerminal([launcher, "listen", "demo"], scene.sandbox.env);
    await person.see("To allow it, type the PIN of Deskmap, then Enter: ");
    person.type("00000\n");
    await person.see("That is not the PIN. Once more, type the PIN of Deskmap, then Enter: ");
    expect(person.shown()).not.toContain("begun");
    person.type("13579\n");
    await person.see('{"of":"begun"}');
    expect(person.shown()).not.toMatch(/00000|13579/);
    await person.leave();
  } finally {
    await scene.close();
  }
});
