import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { casesOf } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

// What lies over a control of a page, and whether an action goes through it. The page counts its presses in its title.

const fill = "position:fixed;left:0;top:0;right:0;bottom:0;background:rgba(0,0,0,.3)";
const covers = {
  nothing: "",
  "an empty curtain": `<div id=over style="${fill}"></div>`,
  "a modal made by a script": `<div id=over style="${fill}"><div style="background:white;width:300px"><p>Are you sure?</p><button>Yes</button></div></div>`,
  "a modal in a box without a size": `<div id=over style="width:0;height:0"><div style="${fill}"><div style="background:white;width:300px"><p>Still sure?</p><button>No</button></div></div></div>`,
  "a panel": `<div id=over style="position:absolute;left:0;top:150px;width:400px;height:200px;background:white"><p>Offer of the day</p></div>`,
  "a drawing that takes no pointer": `<div id=over style="${fill};pointer-events:none">Water mark</div>`,
  "a sticky bar": `<div id=over style="position:fixed;left:0;right:0;top:0;height:300px;background:white"><p>Site</p></div>`,
} as const;
type Cover = keyof typeof covers;

const page = `<!doctype html><meta charset=utf-8><title>Covered 0</title>
<style>body { margin: 0; height: 4000px } #target { position: absolute; left: 40px; top: 200px }
#box { position: absolute; left: 40px; top: 400px } #box input { opacity: 0 }
#box span { position: absolute; inset: 0; width: 60px; height: 30px; background: silver }
#low { position: absolute; top: 3500px }</style>
<button id=target>Under</button><label id=box><input type=checkbox aria-label="Slide"><span></span></label>
<button id=low>Below</button>
<script>
  const covers = ${JSON.stringify(Object.values(covers))};
  let [presses, cover] = [0, 0];
  const tell = () => { document.title = "Covered " + cover + " pressed " + presses; };
  for (const one of [target, low, box.firstChild]) one.addEventListener("click", () => { presses += 1; tell(); });
  addEventListener("click", ({ target: { textContent } }) => { if (textContent === "No") document.title += " said no"; });
  addEventListener("keydown", ({ key }) => {
    if (covers[key] === undefined) return;
    [cover, presses] = [key, 0];
    document.getElementById("over")?.remove();
    document.body.insertAdjacentHTML("beforeend", covers[key]);
    tell();
  });
</script>`;
const browsers = { chromium: prepareChromium(page), firefox: prepareFirefox(page) };
afterAll(() => {
  for (const { remove } of Object.values(browsers)) remove();
});

describe.each([...casesOf(["chromium"] as const, ["firefox"] as const)])("in a page of %s", (app) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    await scene.start(browsers[app].command, "Covered");
    await scene.settle();
    await waitFor("the page", () => scene.deskmap("find", "Under", "--app", app).status === 0);
  });
  afterAll(() => scene.close());

  const titleOf = (): string => scene.run("xdotool", "getactivewindow", "getwindowname").stdout;
  const show = async (cover: Cover): Promise<void> => {
    const at = Object.keys(covers).indexOf(cover);
    // A page that still starts loses a key.
    await waitFor(cover, () => {
      scene.run("xdotool", "key", String(at));
      return titleOf().startsWith(`Covered ${at} pressed 0`);
    });
    await scene.settle();
  };
  const press = (words: string) => {
    const { stdout, stderr } = scene.deskmap("click", words, "--app", app, "--format", "json");
    return JSON.parse(stdout || stderr);
  };

  test.each([
    ["an empty curtain", [], /^the nameless .* covers btn "Under"/],
    ["a modal made by a script", ['btn "Yes"'], /^what shows "Are you sure\?" covers btn "Under"/],
    ["a modal in a box without a size", ['btn "No"'], /^what shows "Still sure\?" covers btn "Under"/],
    ["a panel", [], /^what shows "Offer of the day" covers btn "Under"/],
  ] as const)("an action does not go through %s", async (cover, nearest, message) => {
    await show(cover);
    const { error } = press("Under");
    expect(error).toMatchObject({ code: "COVERED", message: expect.stringMatching(message) });
    expect(error.nearest ?? []).toEqual([...nearest]);
    expect(titleOf()).toContain("pressed 0");
  });

  test.each(["nothing", "a drawing that takes no pointer", "a sticky bar"] as const)(
    "%s keeps no action away",
    async (cover) => {
      await show(cover);
      expect(press("Under").error).toBeUndefined();
      await waitFor("the press", () => titleOf().includes("pressed 1"));
    },
  );

  test("what shows in a box without a size is read and pressed", async () => {
    await show("a modal in a box without a size");
    expect(press("No").error).toBeUndefined();
    await waitFor("the press", () => titleOf().includes("said no"));
  });

  test("a control that is scrolled out of view, and a box under its own drawing, are pressed", async () => {
    await show("nothing");
    expect(press("Below").error).toBeUndefined();
    await waitFor("the press", () => titleOf().includes("pressed 1"));
    expect(press("Slide").error).toBeUndefined();
    await waitFor("the tick", () => titleOf().includes("pressed 2"));
  });
});
