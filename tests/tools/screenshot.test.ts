import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { showFailure } from "../../src/show/failure.ts";
import type { ToolAnswer } from "../../src/tools/define.ts";
import { read } from "../../src/tools/read.ts";
import { screenshot } from "../../src/tools/screenshot.ts";
import type { Session } from "../../src/tools/session.ts";
import { writeWhole } from "../../src/tools/write-file.ts";
import { makeMapFolder } from "../map/desk.ts";
import { decode } from "../picture/pictures.ts";
import { runTool, toJson } from "./run-tool.ts";
import { makeSession } from "./session.ts";

let map: ReturnType<typeof makeMapFolder>;
let folder: string;
let session: Session;
let opened = 0;

beforeEach(() => {
  map = makeMapFolder();
  folder = mkdtempSync(join(tmpdir(), "deskmap-shot-"));
  opened = 0;
  const button = { x: 120, y: 130, width: 60, height: 20 };
  const platform = new FakeDesktop({
    screen: { x: 0, y: 0, width: 800, height: 600 },
    monitors: [
      { name: "left-1", bounds: { x: 0, y: 0, width: 500, height: 600 }, isPrimary: false },
      { name: "right-1", bounds: { x: 500, y: 0, width: 300, height: 600 }, isPrimary: true },
    ],
    applications: [
      {
        name: "Editor",
        windows: [
          { title: "back.txt", bounds: { x: 300, y: 200, width: 200, height: 100 } },
          {
            title: "front.txt",
            bounds: { x: 100, y: 100, width: 200, height: 100 },
            children: [
              { role: "button", name: "Save", bounds: button },
              { role: "menu", name: "File", children: [{ role: "menuitem", name: "Open", hidden: true }] },
            ],
          },
          { title: "away.txt", state: ["minimised"] },
        ],
      },
      { name: "Away", windows: [{ title: "all away", state: ["minimised"] }] },
    ],
  }).open();
  const marks = map.open();
  session = makeSession(platform, marks, () => {
    opened += 1;
  });
});
afterEach(() => {
  session.close();
  map.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function take(input: Record<string, unknown>) {
  const shown = await runTool(screenshot, input, session);
  if (!shown.ok) throw new Error(showFailure(shown.failure));
  return toJson(shown.value);
}

async function refuse(input: Record<string, unknown>): Promise<string> {
  const shown: Result<ToolAnswer> = await runTool(screenshot, input, session);
  if (shown.ok) throw new Error(`it was not refused: ${shown.value.text()}`);
  return showFailure(shown.failure);
}

function openNamelessPipe(path: string): number {
  expect(spawnSync("mkfifo", [path]).status).toBe(0);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  rmSync(path);
  return pipe;
}

const oldPicture = Buffer.from("\x89PNG old", "latin1");

describe("screenshot", () => {
  test("takes the whole screen at half its size, as PNG in base64, by default", async () => {
    const { data, takenAt, takenAtMs, bytes, ...frame } = await take({});
    expect(frame).toEqual({
      scope: "screen",
      format: "png",
      masked: 0,
      width: 400,
      height: 300,
      scale: 0.5,
      origin: { x: 0, y: 0 },
      space: "screen-physical",
    });
    expect(new Date(takenAt).getTime()).toBe(takenAtMs);
    const file = Buffer.from(data, "base64");
    expect(file.length).toBe(bytes);
    expect(decode(file, "png")).toMatchObject({ width: 400, height: 300 });
  });

  test.each([
    [{ app: "editor" }, { scope: "window", origin: { x: 100, y: 100 }, width: 200, height: 100 }],
    [{ window: "back" }, { scope: "window", origin: { x: 300, y: 200 }, width: 200, height: 100 }],
    [{ scope: "window" }, { scope: "window", origin: { x: 100, y: 100 } }],
    [{ monitor: "LEFT-1" }, { scope: "monitor", monitor: "left-1", origin: { x: 0, y: 0 }, width: 500, height: 600 }],
    [{ scope: "monitor" }, { scope: "monitor", monitor: "right-1", origin: { x: 500, y: 0 }, width: 300 }],
    [{ region: "10,20,30,40" }, { scope: "region", origin: { x: 10, y: 20 }, width: 30, height: 40 }],
    [{ region: "-10,590,30,40" }, { scope: "region", origin: { x: 0, y: 590 }, width: 20, height: 10 }],
  ])("infers from %j what is wanted", async (input, expected) => {
    expect(await take({ ...input, scale: 1 })).toMatchObject(expected);
  });

  test("names the window it shows, which is the front one with a picture", async () => {
    const { window } = await take({ app: "editor" });
    expect(window).toMatchObject({ app: "Editor", title: "front.txt" });
    expect(window.id).toBeGreaterThan(0);
  });

  test("cuts an element out of its window, by its mark", async () => {
    const shown = await runTool(read, { app: "editor" }, session);
    const mark = Number(/(\d+) btn "Save"/.exec(shown.ok ? shown.value.text() : "")?.[1]);
    const { data, ...frame } = await take({ id: mark, scale: 1 });
    expect(frame).toMatchObject({ scope: "element", mark, origin: { x: 120, y: 130 }, width: 60, height: 20 });
    expect(frame.window.title).toBe("front.txt");
    // The fake desktop's blue and green encode the position within the window.
    expect([...decode(Buffer.from(data, "base64"), "png").rgb.subarray(1, 3)]).toEqual([30, 20]);
  });

  test("gives a picture whose point p is the point origin + p / scale of the screen", async () => {
    const { data, origin, scale, width } = await take({ region: "110,110,64,64", scale: 0.25 });
    const { rgb } = decode(Buffer.from(data, "base64"), "png");
    const p = { x: 5, y: 9 };
    const place = { x: origin.x + p.x / scale, y: origin.y + p.y / scale };
    const at = (p.y * width + p.x) * 3;
    // The mean of the four pixels starting at that position.
    expect(rgb[at + 2]).toBe(Math.round(place.x - 100 + 1.5));
    expect(rgb[at + 1]).toBe(Math.round(place.y - 100 + 1.5));
  });
});

describe("screenshot with --output", () => {
  test("writes the file and prints its path instead of the data", async () => {
    const path = join(folder, "a.png");
    const frame = await take({ output: path, app: "editor", scale: 1 });
    expect(frame).toMatchObject({ path, width: 200, format: "png" });
    expect(frame.data).toBeUndefined();
    expect(decode(readFileSync(path), "png")).toMatchObject({ width: 200, height: 100 });
    expect(readdirSync(folder)).toEqual(["a.png"]);
  });

  test.each([
    ["a.jpg", undefined, "jpg"],
    ["a.JPEG", undefined, "jpg"],
    ["a", undefined, "png"],
    ["a.data", "jpg", "jpg"],
    ["folder.old/a", undefined, "png"],
  ])("takes the format from the name %p with --format %p: %p", async (name, format, expected) => {
    mkdirSync(join(folder, "folder.old"));
    const frame = await take({ output: join(folder, name), format });
    expect(frame.format).toBe(expected);
    const isJpeg = readFileSync(frame.path).readUInt16BE(0) === 0xffd8;
    expect(isJpeg).toBe(expected === "jpg");
  });

  test("writes through a link, which stays", async () => {
    const [file, link] = [join(folder, "real.png"), join(folder, "link.png")];
    writeFileSync(file, oldPicture);
    symlinkSync("real.png", link);
    expect((await take({ output: link })).path).toBe(file);
    expect(readlinkSync(link)).toBe("real.png");
    expect(decode(readFileSync(file), "png").width).toBe(400);
  });

  test("says where the file is and what it shows", async () => {
    const shown = await runTool(screenshot, { output: join(folder, "a.png"), monitor: "left-1" }, session);
    expect(shown.ok && shown.value.text()).toMatch(
      /a\.png {2}250x300 png, \d+ KB {2}monitor left-1 {2}from 0,0 at scale 0\.5$/,
    );
  });

  test("keeps an existing file if there is nothing to capture", async () => {
    const path = join(folder, "a.png");
    writeFileSync(path, oldPicture);
    expect(await refuse({ output: path, app: "nosuch" })).toStartWith("NOT_FOUND");
    expect(readFileSync(path)).toEqual(oldPicture);
    expect(readdirSync(folder)).toEqual(["a.png"]);
  });

  test("overwrites only pictures: reading permission is no permission to overwrite", async () => {
    const path = join(folder, "notes.png");
    writeFileSync(path, "what the person wrote");
    expect(await refuse({ output: path })).toContain("exists and is not a picture");
    expect(readFileSync(path, "utf8")).toBe("what the person wrote");
  });

  test.each([
    ["XDG_STATE_HOME", "stopped.json"],
    ["XDG_CONFIG_HOME", "policy.json"],
    ["XDG_DATA_HOME", "more/map.db"],
  ])("writes nothing into Deskmap's own folder in %s, under any name", async (variable, name) => {
    const before = process.env[variable];
    process.env[variable] = folder;
    try {
      mkdirSync(join(folder, "deskmap/more"), { recursive: true });
      symlinkSync(join(folder, "deskmap"), join(folder, "link"));
      writeFileSync(join(folder, "deskmap/empty.png"), "");
      for (const path of [`deskmap/${name}`, `link/${name}`, "deskmap/empty.png"]) {
        expect(await refuse({ output: join(folder, path), format: "png" })).toContain("is in Deskmap's own folder");
      }
      expect(readdirSync(join(folder, "deskmap")).sort()).toEqual(["empty.png", "more"]);
    } finally {
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
  });

  test("can be read by its user alone", async () => {
    const path = join(folder, "own.png");
    await take({ output: path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("screenshot refuses, before it opens anything,", () => {
  test.each([
    [{ scope: "screen", app: "editor" }, "--app does not go with --scope screen"],
    [{ scope: "element" }, "--scope element needs an element"],
    [{ scope: "region" }, "--scope region needs a region"],
    [{ region: "1,2,3" }, '--region "1,2,3" is not a region'],
    [{ region: "0,0,0,10" }, '--region "0,0,0,10" is not a region'],
    [{ region: "0,0,1,1", monitor: "left-1" }, "--monitor, --region choose different things"],
    [{ app: "editor", region: "0,0,1,1" }, "--app, --region choose different things"],
    [{ format: "jpg", output: "a.png" }, '--format jpg and --output "a.png" disagree'],
    [{ output: "a.webp" }, '--output "a.webp": no format is called ".webp"'],
  ])("%j", async (input, message) => {
    const words = await refuse(input);
    expect(words).toStartWith(`USAGE  ${message}\ntry: `);
    expect(words).toEndWith("nothing was done.");
    expect(opened).toBe(0);
  });

  test("a path that cannot be written, and writes nothing", async () => {
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "folder.png"));
    symlinkSync("nowhere", join(folder, "dead.png"));
    // Like /dev/stdout, a link to a nameless pipe. A test must never risk the real one.
    const pipe = openNamelessPipe(join(folder, "pipe"));
    symlinkSync(`/proc/self/fd/${pipe}`, join(folder, "stdout.png"));
    const before = readdirSync(folder);
    for (const [name, message] of [
      ["missing/a.png", "there is no folder"],
      ["file/a.png", "there is no folder"],
      ["folder.png", "is not a file"],
      ["dead.png", "is a broken link"],
      ["stdout.png", "is not a file"],
    ] as const) {
      const words = await refuse({ output: join(folder, name) });
      expect(words).toStartWith("USAGE");
      expect(words).toContain(message);
    }
    closeSync(pipe);
    expect(opened).toBe(0);
    expect(readdirSync(folder)).toEqual(before);
  });

  test("a file whose path was taken meanwhile", () => {
    mkdirSync(join(folder, "taken.png", "full"), { recursive: true });
    expect(writeWhole(join(folder, "taken.png"), Buffer.from("new"))).toMatchObject({
      ok: false,
      failure: { code: "FAILED", done: "no file was written." },
    });
    expect(readdirSync(folder)).toEqual(["taken.png"]);
  });

  test("unknown numbers and words", () => {
    for (const input of [
      { scale: 0 },
      { scale: 1.1 },
      { quality: 101 },
      { quality: 0 },
      { scope: "nope" },
      { id: 0 },
    ]) {
      expect(() => runTool(screenshot, input, session)).toThrow();
    }
  });
});

describe("screenshot lists what is there instead", () => {
  test("of a monitor", async () => {
    expect(await refuse({ monitor: "left" })).toMatchInlineSnapshot(`
      "NOT_FOUND  no monitor "left"
      nearest: "left-1", "right-1"
      try: one of left-1, right-1   nothing was done."
    `);
  });

  test("of a place on the screen", async () => {
    expect(await refuse({ region: "800,0,10,10" })).toMatchInlineSnapshot(`
      "NOT_FOUND  the region 800,0,10,10 lies outside the screen
      try: the screen is 800x600, from 0,0.   nothing was done."
    `);
  });

  test("of a window, and that a minimised one has no picture", async () => {
    expect(await refuse({ app: "edtor" })).toStartWith('NOT_FOUND  no application "edtor"\nnearest: "Editor"');
    expect(await refuse({ app: "away" })).toStartWith('UNAVAILABLE  the window "all away" is minimised');
  });

  test("of a mark, and that a hidden one has no picture", async () => {
    expect(await refuse({ id: 4711 })).toStartWith("NOT_FOUND");
    const shown = await runTool(read, { app: "editor", all: true }, session);
    const mark = Number(/(\d+) menuitem "Open"/.exec(shown.ok ? shown.value.text() : "")?.[1]);
    expect(await refuse({ id: mark })).toStartWith(`UNAVAILABLE  menuitem ${mark} "Open" is not on the screen`);
  });
});

test("only a terminal without --output cannot take a picture", () => {
  expect(screenshot.refuseOnTerminal?.({})).toMatchObject({ code: "USAGE" });
  expect(screenshot.refuseOnTerminal?.({ output: "a.png" })).toBeUndefined();
});
