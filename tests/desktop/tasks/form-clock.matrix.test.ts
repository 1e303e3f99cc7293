import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openScene, type Scene, waitFor } from "../scene.ts";
import { type Form, openForm } from "./form.ts";
import { makeFolder } from "./task.ts";

describe("a form in gtk3 with a clock", () => {
  const folder = makeFolder();
  let scene: Scene;
  let form: Form;

  beforeAll(async () => {
    scene = await openScene();
    form = await openForm(scene, "gtk3", folder.path, "clock");
  });
  afterAll(async () => {
    await scene.close();
    folder.remove();
  });

  test("a button without effect is not confirmed while a clock ticks beside it", () => {
    form.doubt("click", "--id", form.mark("btn", "Nothing"));
    form.doubt("click", "--id", form.mark("txt", "Only words"));
    expect(form.state().presses).toEqual([]);
  });

  test("a wanted state is still confirmed while a clock ticks", async () => {
    form.confirm("check", "--id", form.mark("chk", "Agree"));
    await form.waitForState({ agree: true });
  });

  test("a control that only the pointer reaches is not pressed through a window that covers it", async () => {
    const pad = form.mark("txt", "Touch pad");
    const before = form.state();
    await scene.start(["zenity", "--info", "--title=Cover", "--text=In front", "--width=900", "--height=600"], "Cover");
    // It stays on top, even when the form is raised.
    scene.run("wmctrl", "-r", "Cover", "-b", "add,above");
    await scene.settle();
    const { code } = form.doubt("click", "--button", "right", "--id", pad);
    expect(code).not.toBe("");
    expect(form.state()).toEqual(before);
    expect(scene.run("xdotool", "search", "--onlyvisible", "--name", "^Cover$").status).toBe(0);
    form.confirm("quit", "--app", "zenity");
    await waitFor("the cover to go", () => scene.run("xdotool", "search", "--name", "^Cover$").status !== 0);
  });
});
