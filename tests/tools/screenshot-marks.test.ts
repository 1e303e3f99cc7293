import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Looks } from "../../src/guard/audit/looks.ts";
import { type Policy, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { createRedactedView } from "../../src/guard/view/redacted-view.ts";
import type { Picture } from "../../src/model/frame.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Platform, ScreenSurface } from "../../src/platform/port.ts";
import { toToolResult } from "../../src/server/mcp/call-tool.ts";
import { showFailure } from "../../src/show/failure.ts";
import { read } from "../../src/tools/read.ts";
import { screenshot } from "../../src/tools/screenshot.ts";
import type { Session } from "../../src/tools/session.ts";
import { makeMapFolder } from "../map/desk.ts";
import { decode } from "../picture/pictures.ts";
import { findTag, isTagColour } from "../picture/tags.ts";
import { runTool, toJson } from "./run-tool.ts";
import { makeSession } from "./session.ts";

interface Mark {
  readonly id: number;
  readonly role: string;
  readonly name?: string;
  readonly bounds: readonly [number, number, number, number];
  readonly clickPoint: readonly [number, number];
}

interface Shot {
  readonly marks: readonly Mark[];
  readonly data: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly origin: { readonly x: number; readonly y: number };
}

const screen = { x: 0, y: 0, width: 800, height: 600 };
const sketch = {
  screen,
  monitors: [
    { name: "left", bounds: { x: 0, y: 0, width: 400, height: 600 }, isPrimary: true },
    { name: "right", bounds: { x: 400, y: 0, width: 400, height: 600 }, isPrimary: false },
  ],
  applications: [
    {
      name: "Editor",
      windows: [
        {
          title: "front.txt",
          bounds: { x: 100, y: 100, width: 400, height: 300 },
          children: [
            { role: "button", name: "Save", bounds: { x: 140, y: 130, width: 60, height: 20 } },
            { role: "input", name: "Search", bounds: { x: 240, y: 130, width: 160, height: 20 } },
            { role: "input", name: "Login", secret: true, bounds: { x: 240, y: 230, width: 160, height: 20 } },
            { role: "heading", name: "Chapter", bounds: { x: 140, y: 300, width: 90, height: 20 } },
            { role: "menu", name: "File", children: [{ role: "menuitem", name: "Open", hidden: true }] },
          ],
        },
      ],
    },
    {
      name: "Player",
      windows: [
        {
          title: "song",
          bounds: { x: 300, y: 60, width: 460, height: 500 },
          children: [
            { role: "button", name: "Play", bounds: { x: 600, y: 500, width: 80, height: 40 } },
            { role: "button", name: "Under", bounds: { x: 320, y: 140, width: 80, height: 20 } },
            { role: "button", name: "Half under", bounds: { x: 460, y: 200, width: 80, height: 20 } },
          ],
        },
      ],
    },
    { name: "Away", windows: [{ title: "away", state: ["minimised"], children: [{ role: "button", name: "Gone" }] }] },
  ],
} as const satisfies ConstructorParameters<typeof FakeDesktop>[0];

let map: ReturnType<typeof makeMapFolder>;
let sessions: Session[];
beforeEach(() => {
  map = makeMapFolder();
  sessions = [];
});
afterEach(() => {
  for (const session of sessions) session.close();
  map.remove();
});

function open(platform: Platform = new FakeDesktop(sketch).open()): Session {
  const session = makeSession(platform, map.open());
  sessions.push(session);
  return session;
}

async function take(session: Session, input: Record<string, unknown>): Promise<Shot> {
  const shown = await runTool(screenshot, { marks: true, scale: 1, ...input }, session);
  if (!shown.ok) throw new Error(showFailure(shown.failure));
  return toJson(shown.value);
}

function namesOf({ marks }: Shot): (string | undefined)[] {
  return marks.map(({ name }) => name);
}

function wrap(platform: Platform, changed: Partial<Platform>): Platform {
  return new Proxy(platform, {
    get(target, name) {
      const value: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("screenshot --marks", () => {
  test("draws and lists visible actionable elements: not covered, absent or read-only ones", async () => {
    const shot = await take(open(), {});
    expect(namesOf(shot)).toEqual(["Save", "Search", "Login", "Play", "Half under"]);
  });

  test("gives the numbers that read gives, before and after", async () => {
    const session = open();
    const shot = await take(session, {});
    const shown = await runTool(read, { interactive: true }, session);
    const told = shown.ok ? shown.value.text() : "";
    for (const { id, role, name } of shot.marks) expect(told).toContain(`${id} ${role} "${name}"`);
    expect((await take(session, {})).marks).toEqual(shot.marks);
  });

  test.each([
    [{}, { x: 0, y: 0 }],
    [{ monitor: "left" }, { x: 0, y: 0 }],
    [{ region: "130,120,90,60" }, { x: 130, y: 120 }],
    [{ app: "editor" }, { x: 100, y: 100 }],
    [
      { app: "editor", scale: 0.5 },
      { x: 100, y: 100 },
    ],
  ])("has in the picture of %j the outline where the list says, and the number beside it", async (input, origin) => {
    const session = open();
    const { marks, data, scale, width, height } = await take(session, input);
    const save = marks.find(({ name }) => name === "Save");
    if (save === undefined) throw new Error("no mark for Save");
    const [x, y, wide, high] = save.bounds;
    expect([x, y, wide, high]).toEqual([140 - origin.x, 130 - origin.y, 60, 20].map((part) => part * scale));
    expect(save.clickPoint).toEqual([170, 140]);
    const picture = decode(Buffer.from(data, "base64"), "png");
    for (let along = 0; along < wide; along += 1) {
      expect(isTagColour(picture, x + along, y, save.id)).toBe(true);
      expect(isTagColour(picture, x + along, y + high - 1, save.id)).toBe(true);
    }
    expect(findTag(picture, save.id, { x: 0, y: 0, width, height })).toBeDefined();
  });

  test("shows the visible part of a half-covered control", async () => {
    const { marks } = await take(open(), {});
    expect(marks.find(({ name }) => name === "Half under")?.bounds).toEqual([500, 200, 40, 20]);
  });

  test("shows a window with all its content, though another covers it", async () => {
    expect(namesOf(await take(open(), { app: "player" }))).toEqual(["Play", "Under", "Half under"]);
  });

  test("accepts roles, in the words of read", async () => {
    const session = open();
    expect(namesOf(await take(session, { roles: "btn" }))).toEqual(["Save", "Play", "Half under"]);
    expect(namesOf(await take(session, { roles: "heading" }))).toEqual(["Chapter"]);
  });

  test("shows an element with its surroundings", async () => {
    const session = open();
    const { marks } = await take(session, { app: "editor" });
    const save = marks.find(({ name }) => name === "Save");
    const alone = await take(session, { id: save?.id, scale: undefined });
    expect(alone).toMatchObject({ origin: { x: 140, y: 130 }, width: 60, height: 20, scale: 1 });
    const around = await take(session, { id: save?.id, margin: 50, scale: undefined });
    expect(around).toMatchObject({ origin: { x: 100, y: 100 }, width: 150, height: 100, scale: 1 });
    expect(around.marks.map(({ name, bounds }) => [name, ...bounds])).toEqual([
      ["Save", 40, 30, 60, 20],
      ["Search", 140, 30, 10, 20],
    ]);
  });

  test("lists the marks as text, one per line, after the line about the picture", async () => {
    const shown = await runTool(screenshot, { marks: true, roles: "btn", app: "editor" }, open());
    expect(shown.ok && shown.value.text().replace(/\d+ KB/, "N KB")).toMatch(
      /^\(not written\) {2}400x300 png, N KB {2}window \d+ "front.txt" {2}from 100,100 at scale 1 {2}marks: 1\n\d+ btn "Save"$/,
    );
  });

  test("is a picture in MCP, and the list is text", async () => {
    const shown = await runTool(screenshot, { marks: true, app: "editor" }, open());
    if (!shown.ok) throw new Error("no picture");
    const reply = { outputs: { text: shown.value.text() }, data: shown.value.data(), exitCode: 0, warnings: [] };
    const offered = { name: "screenshot", tool: screenshot, acts: false, isBrief: true };
    const { content, structuredContent } = toToolResult(offered, reply, true);
    expect(content.map(({ type }) => type)).toEqual(["image", "text"]);
    expect(content[1]).toMatchObject({ text: expect.stringMatching(/marks: 3\n\d+ btn "Save"\n\d+ input "Search"\n/) });
    expect(structuredContent).not.toHaveProperty("data");
    expect(structuredContent).toHaveProperty("marks");
  });
});

describe("redacted content", () => {
  test("has no marks: a blind window, and what it covers", async () => {
    const policy: Policy = { ...sandboxPolicy, standings: new Map([["editor", "blind"]]) };
    const redacted = createRedactedView(new FakeDesktop(sketch).open(), {
      policy,
      looks: new Looks(),
      timeoutMs: 50,
      findStop: () => undefined,
    });
    expect(namesOf(await take(open(redacted), {}))).toEqual(["Play", "Half under"]);
  });

  test("stays covered under its mark: a secret field", async () => {
    const redacted = createRedactedView(new FakeDesktop(sketch).open(), {
      policy: sandboxPolicy,
      looks: new Looks(),
      timeoutMs: 50,
      findStop: () => undefined,
    });
    const shot = await take(open(redacted), { app: "editor" });
    expect(shot).toMatchObject({ masked: 1 });
    const { rgb, width } = decode(Buffer.from(shot.data, "base64"), "png");
    const at = ((240 - 100) * width + 320 - 100) * 3;
    expect(new Set(rgb.subarray(at, at + 30)).size).toBe(1);
  });
});

describe("the drawing", () => {
  test("is only in the returned picture: the platform's own stays unchanged", async () => {
    const platform = new FakeDesktop(sketch).open();
    const taken: { readonly picture: Picture; readonly pixels: Uint8Array }[] = [];
    const watched = wrap(platform, {
      captureScreen: async (part) => {
        const picture = await platform.captureScreen(part);
        if (picture.ok) taken.push({ picture: picture.value, pixels: picture.value.pixels.slice() });
        return picture;
      },
    });
    const { data } = await take(open(watched), { scale: 1 });
    expect(taken.length).toBe(1);
    for (const { picture, pixels } of taken) {
      expect(Buffer.compare(picture.pixels, pixels)).toBe(0);
      expect(Buffer.from(data, "base64").length).toBeGreaterThan(0);
    }
  });
});

describe("a pop-up", () => {
  const popup: ScreenSurface = {
    id: 999,
    bounds: { x: 130, y: 120, width: 90, height: 60 },
    windowId: undefined,
    pid: 0,
    names: ["Editor"],
    drawn: { x: 130, y: 120, width: 90, height: 60 },
    opaque: [{ x: 130, y: 120, width: 90, height: 60 }],
  };

  test("hides what is under it, and its content is marked on the screen but not in its window's own picture", async () => {
    const item = { role: "menuitem", name: "Paste", bounds: { x: 130, y: 120, width: 90, height: 58 } } as const;
    const [editor, ...others] = sketch.applications;
    const [window] = editor.windows;
    const children = [...window.children, { role: "menu", name: "Edit", children: [item] } as const];
    const platform = new FakeDesktop({
      ...sketch,
      applications: [{ ...editor, windows: [{ ...window, children }] }, ...others],
    }).open();
    const withPopup = wrap(platform, {
      listSurfaces: async () => {
        const layers = await platform.listSurfaces();
        const own = layers.ok ? layers.value.find(({ names }) => names.includes("Editor")) : undefined;
        return layers.ok ? { ok: true, value: [{ ...popup, pid: own?.pid ?? 0 }, ...layers.value] } : layers;
      },
    });
    const session = open(withPopup);
    const onScreen = namesOf(await take(session, { monitor: "left" }));
    expect(onScreen).toContain("Paste");
    expect(onScreen).not.toContain("Save");
    const inWindow = namesOf(await take(session, { app: "editor" }));
    expect(inWindow).toContain("Save");
    expect(inWindow).not.toContain("Paste");
  });
});

describe("a window that moves while its picture is taken", () => {
  test("is read again, and has no marks if it never stops", async () => {
    const platform = new FakeDesktop(sketch).open();
    let [lists, step] = [0, 1];
    const moving = wrap(platform, {
      listWindows: async () => {
        const list = await platform.listWindows();
        if (!list.ok) return list;
        lists += step;
        const windows = list.value.windows.map((window) => {
          if (window.app !== "Editor") return window;
          return { ...window, bounds: { ...window.bounds, x: window.bounds.x + lists } };
        });
        return { ok: true, value: { ...list.value, windows } };
      },
    });
    const session = open(moving);
    expect(namesOf(await take(session, {}))).toEqual(["Play", "Half under"]);
    step = 0;
    expect(namesOf(await take(session, {}))).toContain("Save");
  });
});

describe("screenshot refuses, before it opens anything,", () => {
  test.each([
    [{ roles: "btn" }, "--roles chooses among marks"],
    [{ marks: true, roles: "buton" }, 'no role is called "buton"'],
    [{ margin: 5 }, "--margin is what lies around an element"],
    [{ app: "editor", margin: 5 }, "--margin is what lies around an element"],
  ])("%j", async (input, message) => {
    let opened = 0;
    const session = makeSession(new FakeDesktop(sketch).open(), map.open(), () => {
      opened += 1;
    });
    sessions.push(session);
    const shown = await runTool(screenshot, input, session);
    expect(shown.ok ? "" : showFailure(shown.failure)).toStartWith(`USAGE  ${message}`);
    expect(opened).toBe(0);
  });
});
