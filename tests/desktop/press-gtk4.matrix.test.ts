import { afterAll, beforeAll, expect, test } from "bun:test";
import { openScene, type Scene, waitFor } from "./scene.ts";

// GTK 4 carries out a button's action after a quarter of a second; the pointer presses it at once.

let scene: Scene;
let calculator: number;

beforeAll(async () => {
  scene = await openScene();
  calculator = (await scene.start(["gnome-calculator"], "Calculator")).pid ?? 0;
  await scene.settle();
});
afterAll(() => scene.close());

interface Answer {
  readonly effect: string;
  readonly way: string;
  readonly passedOver?: readonly { readonly way: string; readonly why: string }[];
}

interface Pressed {
  readonly way: string;
  /** Why the pointer was not used. */
  readonly why: string | undefined;
}

const readDisplay = (): string => (scene.ask("text", String(calculator), "text") as string[])[0] ?? "";

/**
 * Presses a digit, which must arrive once: a second one would show within the time that the toolkit takes for one. What
 * is said of the effect is not the subject here; on a busy machine it may be unverified.
 */
async function press(key: string, ...options: string[]): Promise<Pressed & Pick<Answer, "effect">> {
  const before = readDisplay();
  const { stdout, stderr } = scene.deskmap("click", key, "--role", "btn", "--window", "Calculator", ...options);
  if (stdout === "") throw new Error(stderr);
  await waitFor(`the display to show ${before}${key}`, () => readDisplay() === `${before}${key}`);
  await scene.settle();
  expect(readDisplay()).toBe(`${before}${key}`);
  const { effect, way, passedOver }: Answer = JSON.parse(stdout);
  expect(["confirmed", "unverified"]).toContain(effect);
  return { effect, way, why: passedOver?.find((one) => one.way === "pointer")?.why };
}

const findPointer = (): string => scene.run("xdotool", "getmouselocation").stdout;

test("a button of GTK 4 is pressed with the pointer, and once", async () => {
  expect(await press("7")).toMatchObject({ way: "pointer", why: undefined });
  expect(await press("8")).toMatchObject({ way: "pointer" });
});

test("by its action while a person holds a key that would change what a click means", async () => {
  const pointer = findPointer();
  scene.run("xdotool", "keydown", "ctrl");
  try {
    expect(await press("9")).toMatchObject({ way: "action press", why: "a person is using the pointer" });
  } finally {
    scene.run("xdotool", "keyup", "ctrl");
  }
  expect(findPointer()).toBe(pointer);
});

test("by its action if its window is covered, which stays where it is", async () => {
  const message = await scene.start(["xmessage", "-geometry", "1200x700+0+0", "Above"], "xmessage");
  try {
    scene.run("xdotool", "search", "--sync", "--name", "xmessage", "windowactivate", "--sync");
    const front = scene.run("xdotool", "getactivewindow").stdout;
    const pointer = findPointer();
    expect(await press("5")).toMatchObject({ way: "action press", why: "its window is not in front" });
    expect([scene.run("xdotool", "getactivewindow").stdout, findPointer()]).toEqual([front, pointer]);
  } finally {
    message.kill("SIGKILL");
  }
});

test("by its action if its menu is open, which stays open", async () => {
  const countWindows = (): number =>
    scene.run("xdotool", "search", "--onlyvisible", "--class", "gnome-calculator").stdout.trim().split("\n").length;
  const before = countWindows();
  scene.deskmap("click", "Primary menu", "--window", "Calculator");
  await waitFor("the menu", () => countWindows() === before + 1);
  expect(await press("4")).toMatchObject({ way: "action press", why: "something may cover it" });
  expect(countWindows()).toBe(before + 1);
});

test("without looking for the effect, if that is asked for: it is done, and said to be unverified", async () => {
  expect(await press("6", "--no-verify")).toMatchObject({ effect: "unverified" });
});

test("a toggle button, which GTK 4 reports as a button, is confirmed by being on", async () => {
  const { pid } = await scene.start(["gtk4-widget-factory"], "Widget Factory");
  const isOn = (): boolean => {
    const { states } = scene.ask("first", String(pid), "push button", "togglebutton") as { states: string[] };
    return states.includes("pressed");
  };
  // Its progress bar never rests.
  const find = () => scene.deskmap("find", "togglebutton", "--window", "Widget Factory");
  await waitFor("the button", () => find().status === 0);
  expect(isOn()).toBe(false);
  const found = find();
  const [first] = JSON.parse(found.stdout).matches as { i: number }[];
  const { stdout } = scene.deskmap("click", "--id", String(first?.i));
  expect(JSON.parse(stdout).effect).toBe("confirmed");
  expect(isOn()).toBe(true);
});
