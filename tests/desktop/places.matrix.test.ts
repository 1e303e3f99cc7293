import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { matrix } from "../tier.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

// Bounds and points are physical pixels of the screen: xdotool clicks at Deskmap's points, and the application reports the
// result through another route.

interface JsonElement {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly p?: readonly [number, number];
  readonly b?: readonly [number, number, number, number];
}

const page = `<!doctype html><title>Waiting</title><p>${"filler ".repeat(30)}</p>
<button onclick="document.title='Pressed at '+event.screenX+','+event.screenY">Press me</button>`;
const firefox = prepareFirefox(page);
afterAll(() => firefox.remove());

let scene: Scene;
afterEach(() => scene.close());

describe("a point that Deskmap gives, clicked by xdotool", () => {
  test("presses the digits of a GTK 4 calculator, moved away from the corner", async () => {
    scene = await openScene();
    const child = await scene.start(["gnome-calculator"], "Calculator");
    scene.run("xdotool", "search", "--name", "Calculator", "windowmove", "--sync", "431", "117");
    await scene.settle();
    for (const digit of ["1", "2", "3", "+", "4", "5", "6", "−", "7", "8", "9"])
      click(findByName("gnome-calculator", "btn", digit));
    await waitFor("the display to show what was clicked", () => {
      return (scene.ask("text", String(child.pid), "text") as string[]).includes("123+456−789");
    });
  });

  test("chooses an item of a GTK 4 menu, which is a separate window", async () => {
    scene = await openScene();
    const child = await scene.start(["gnome-calculator"], "Calculator");
    await scene.settle();
    click(findByName("gnome-calculator", "btn", "Primary menu"));
    await waitFor("the menu", () => readJson("gnome-calculator").some((element) => element.t === "About Calculator"));
    await scene.settle();
    click(findByName("gnome-calculator", "menuitem", "About Calculator"));
    await waitFor("a second window", () => {
      const seen = scene.run("xdotool", "search", "--onlyvisible", "--pid", String(child.pid), "--name", "About");
      return seen.stdout.trim() !== "";
    });
  });

  matrix.test("is given for no item of a closed GTK 4 menu, and for no key of a hidden keypad", async () => {
    scene = await openScene();
    await scene.start(["gnome-calculator"], "Calculator");
    await scene.settle();
    const countOf = (role: string, name?: string): number => {
      return readJson("gnome-calculator").filter(({ r, t }) => r === role && (name === undefined || t === name)).length;
    };
    click(findByName("gnome-calculator", "btn", "Primary menu"));
    await waitFor("the menu", () => countOf("menuitem") > 5);
    scene.run("xdotool", "key", "Escape");
    await waitFor("no menu", () => countOf("menuitem") === 0);
    for (const [from, to] of [
      ["Basic", "Advanced"],
      ["Advanced", "Basic"],
    ] as const) {
      const isOpen = (): boolean => countOf("menuitem", to) + countOf("radio", to) > 0;
      // A click while a menu is still closing only closes it.
      await waitFor("the choice of modes", async () => {
        await scene.settle();
        if (isOpen()) return true;
        click(findByName("gnome-calculator", "btn", from));
        return waitFor("it to open", isOpen, 5000).then(
          () => true,
          () => false,
        );
      });
      await scene.settle();
      const role = countOf("menuitem", to) > 0 ? "menuitem" : "radio";
      click(findByName("gnome-calculator", role, to));
      await waitFor("one keypad", () => countOf("btn", to) === 1 && countOf("btn", "4") === 1);
    }
  });

  matrix.test("chooses the last item of a menu that is longer than its GTK 3 window", async () => {
    scene = await openScene();
    await scene.start(["mousepad"], "Mousepad");
    scene.run("xdotool", "search", "--name", "Mousepad", "windowsize", "--sync", "300", "120");
    await scene.settle();
    click(findByName("mousepad", "menu", "File"));
    await waitFor("the menu", () => readJson("mousepad").some((element) => element.t === "Quit"));
    await scene.settle();
    click(findByName("mousepad", "menuitem", "Quit"));
    await waitFor("mousepad to be gone", () => scene.run("xdotool", "search", "--name", "Mousepad").status !== 0);
  });

  test("presses OK in a GTK 3 dialog", async () => {
    scene = await openScene();
    const child = await scene.start(["zenity", "--question", "--text=Go on?"], "Question");
    await scene.settle();
    const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
    click(findByName("zenity", "btn", "Yes"));
    expect(await ended).toBe(0);
  });

  test("opens a menu of mousepad, whose items are then read with their shortcuts and own marks", async () => {
    scene = await openScene();
    await scene.start(["mousepad"], "Mousepad");
    await scene.settle();
    click(findByName("mousepad", "menu", "File"));
    await waitFor("the menu's items to show", () => readJson("mousepad").some((element) => element.t === "New Window"));
    const items = JSON.parse(scene.deskmap("read", "--app", "mousepad", "--roles", "menuitem").stdout) as {
      elements: { t?: string; k?: string; i: number }[];
    };
    const names = items.elements.map((item) => item.t);
    expect(names.slice(0, 3)).toEqual(["New", "New Window", "Open..."]);
    expect(items.elements.find((item) => item.t === "Save As...")?.k).toBe("Ctrl+Shift+S");
    expect(new Set(items.elements.map((item) => item.i)).size).toBe(items.elements.length);
  });

  test("opens a new tab in Qt's featherpad", async () => {
    scene = await openScene();
    const child = await scene.start(["featherpad", "--standalone"], "Untitled");
    await scene.settle();
    click(findByName("featherpad", "btn", "New"));
    await waitFor("a second tab", () => (scene.ask("names", String(child.pid), "page tab") as string[]).length === 2);
  });

  matrix.test("presses a button in a Firefox page, and the page's own measurement of its place agrees", async () => {
    scene = await openScene();
    await scene.start(firefox.command, "Waiting");
    await scene.settle();
    const point = findByName("firefox", "btn", "Press me");
    click(point);
    await waitFor("the page's title to change", () => {
      return scene.run("xdotool", "search", "--name", `Pressed at ${point[0]},${point[1]}`).status === 0;
    });
  });
});

function readJson(app: string): JsonElement[] {
  const { stdout, stderr, status } = scene.deskmap("read", "--app", app, "--compact", "--points");
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { elements: JsonElement[] }).elements;
}

function findByName(app: string, role: string, name: string): readonly [number, number] {
  const found = readJson(app).filter((element) => element.r === role && element.t === name);
  const point = found[0]?.p;
  if (found.length !== 1 || point === undefined) throw new Error(`${found.length} of ${role} "${name}"`);
  return point;
}

function click([x, y]: readonly [number, number]): void {
  scene.run("xdotool", "mousemove", "--sync", String(x), String(y), "click", "1");
}
