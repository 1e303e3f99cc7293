import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { prepareChromium } from "./chromium.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// What Chromium itself reports about its page, through its title, is the independent check.

interface JsonElement {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly v?: string;
  readonly e?: boolean;
  readonly f?: boolean;
  readonly s?: boolean;
  readonly p?: readonly [number, number];
  readonly x?: readonly string[];
  readonly a?: readonly string[];
  readonly c?: readonly JsonElement[];
}

const password = "correct horse battery";
const page = `<!doctype html><meta charset=utf-8><title>Waiting</title>
<h1>Orders</h1><p>Some words.</p>
<form><label>Name <input id=name value=bob></label> <label>Password <input type=password value="${password}"></label>
<select aria-label=Colour><option>Red<option selected>Blue<option>Green</select>
<button type=button disabled>Off</button> <button type=button onclick="document.title='Pressed at '+event.screenX+','+event.screenY">Press me</button></form>
<table><tr><th>Fruit<th>Count</tr><tr><td>Apple<td>3</tr></table>
<div role=tablist><div role=tab aria-selected=true tabindex=0>First</div><div role=tab tabindex=-1>Second</div></div>
<iframe srcdoc="<button>Inside the frame</button>" height=60></iframe>
<div style="position:absolute;left:-9999px">Far away</div>
<div style="height:0"><button>In a box without height</button></div>
<div style="height:3000px"></div><button>Below the fold</button>`;

const chromium = prepareChromium(page);
afterAll(() => chromium.remove());
let scene: Scene;
afterEach(() => scene.close());

describe("a page in Chromium", () => {
  test("is read correctly: roles, names, values, states, frames, and no word of a password", async () => {
    await open(chromium.command);
    const seen = readAll();
    const line = (name: string): unknown[] => {
      const found = seen.filter(({ t }) => t === name);
      return found.length === 1 ? [found[0]?.r, found[0]?.v, found[0]?.e] : found;
    };
    expect(line("Orders")).toEqual(["heading", undefined, undefined]);
    expect(line("Some words.")).toEqual(["txt", undefined, undefined]);
    expect(line("Colour")).toEqual(["select", "Blue", undefined]);
    expect(line("Off")).toEqual(["btn", undefined, false]);
    expect(line("Press me")).toEqual(["btn", undefined, undefined]);
    expect(line("Apple")).toEqual(["cell", undefined, undefined]);
    expect(line("Fruit")).toEqual(["header", undefined, undefined]);
    expect(line("Inside the frame")).toEqual(["btn", undefined, undefined]);
    expect(line("In a box without height")).toEqual(["btn", undefined, undefined]);
    expect(seen.find(({ r, t }) => r === "input" && t === "Name")?.v).toBe("bob");
    expect(seen.find(({ r, t }) => r === "input" && t === "Password")?.x).toContain("secret");
    expect(seen.filter(({ r, s }) => r === "tab" && s === true).map(({ t }) => t)).toContain("First");
    expect(seen.some(({ t }) => t === "Below the fold" || t === "Far away")).toBe(false);
    expect(JSON.stringify(seen)).not.toContain(password);
    // The same controls keep the same numbers, even while a tab's name includes changing memory usage.
    expect(readAll().map(({ i, t }) => [i, t])).toEqual(seen.map(({ i, t }) => [i, t]));
  });

  test("is read at the first attempt when Chromium was started without the flag, and a point in it is right", async () => {
    await open(chromium.plainCommand);
    const button = readAll("--points").find(({ t }) => t === "Press me");
    const [x = 0, y = 0] = button?.p ?? [];
    scene.run("xdotool", "mousemove", String(x), String(y), "click", "1");
    await waitFor("the page to be pressed there", () => {
      return scene.run("xdotool", "search", "--onlyvisible", "--name", `Pressed at ${x},${y}`).status === 0;
    });
  });

  test("shows the choices of an opened list, each with its mark", async () => {
    await open(chromium.command);
    expect(readAll().some(({ t }) => t === "Green")).toBe(false);
    const [x = 0, y = 0] = readAll("--points").find(({ t }) => t === "Colour")?.p ?? [];
    scene.run("xdotool", "mousemove", String(x), String(y), "click", "1");
    await waitFor("the choices", () => readAll().some(({ t }) => t === "Green"));
    const choices = readAll().filter(({ t }) => t === "Red" || t === "Blue" || t === "Green");
    expect(new Set(choices.map(({ t }) => t)).size).toBe(3);
    expect(new Set(choices.map(({ i }) => i)).size).toBe(choices.length);
  });

  test("is read again after it navigated to another address, which its cache does not know", async () => {
    await open(chromium.command);
    readAll();
    scene.run("xdotool", "key", "ctrl+l");
    // The page handles the key first: text typed before it has answered goes into the page.
    await waitFor("the address bar", () => readAll().some(({ r, f }) => r === "input" && f === true));
    scene.run("xdotool", "type", "data:text/html,<title>Elsewhere</title><button>Only here</button>");
    scene.run("xdotool", "key", "Return");
    await waitFor("the other page", () => scene.run("xdotool", "search", "--name", "Elsewhere").status === 0);
    await waitFor("its button", () => readAll().some(({ t }) => t === "Only here"));
    expect(readAll().some(({ t }) => t === "Press me")).toBe(false);
  });
});

async function open(command: readonly [string, ...string[]]): Promise<void> {
  scene = await openScene();
  await scene.start(command, "Waiting");
  await scene.settle();
}

function readAll(...options: string[]): JsonElement[] {
  const { elements } = JSON.parse(scene.deskmap("read", "--app", "chromium", ...options).stdout) as {
    elements?: readonly JsonElement[];
  };
  return flatten(elements ?? []);
}

function flatten(elements: readonly JsonElement[]): JsonElement[] {
  return elements.flatMap((element) => [element, ...flatten(element.c ?? [])]);
}
