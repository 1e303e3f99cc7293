import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Window } from "../../../../src/model/window.ts";
import { openLinux } from "../../../../src/platform/linux/open.ts";
import { XConnection } from "../../../../src/platform/linux/x11/connection.ts";
import type { Platform } from "../../../../src/platform/port.ts";
import { parsePpm, toRgb } from "../../../picture/pictures.ts";

// X servers that lack a feature; each with a root window in a known pattern and nothing else.

const size = { x: 0, y: 0, width: 1600, height: 900 };
const started: ChildProcess[] = [];
afterAll(() => {
  for (const server of started) server.kill();
});

/** Two servers that start at the same moment may choose the same number; the loser exits, and is started again. */
async function startServer(options: readonly string[]): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const server = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", "-noreset", ...options], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    started.push(server);
    const number = await new Promise<string>((resolve) => {
      createInterface(server.stdout).once("line", resolve);
      server.once("exit", () => resolve(""));
    });
    if (number !== "" || attempt === 3) return number;
  }
}

async function openServer(...options: string[]): Promise<{ env: Record<string, string>; platform: Platform }> {
  const number = await startServer(options);
  const env = {
    DISPLAY: `:${number}`,
    PATH: process.env.PATH ?? "",
    HOME: "/nowhere",
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  };
  const painted = spawnSync("xsetroot", ["-mod", "7", "5", "-fg", "#e01b24", "-bg", "#1a5fb4"], {
    env,
    encoding: "utf8",
  });
  if (painted.status !== 0) throw new Error(painted.stderr);
  const platform = await openLinux({ env, timeoutMs: 10_000 });
  if (!platform.ok) throw new Error(platform.failure.message);
  return { env, platform: platform.value };
}

/** The whole screen, captured by ImageMagick. */
function importRoot(env: Record<string, string>): Buffer {
  const { status, stdout, stderr } = spawnSync("import", ["-window", "root", "-depth", "8", "ppm:-"], {
    env,
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(String(stderr));
  return parsePpm(stdout).rgb;
}

async function capture(platform: Platform): Promise<Buffer> {
  const picture = await platform.captureScreen(size);
  if (!picture.ok) throw new Error(picture.failure.message);
  return toRgb({ ...size, pixels: picture.value.pixels });
}

/** The only window, once it is mapped. */
async function findWindow(platform: Platform): Promise<Window> {
  for (const deadline = performance.now() + 10_000; performance.now() < deadline; ) {
    const list = await platform.listWindows();
    const [window] = list.ok ? list.value.windows : [];
    if (window !== undefined) return window;
    await Bun.sleep(20);
  }
  throw new Error("no window came");
}

describe("the screen of an X server", () => {
  test.each([
    ["with shared memory", []],
    ["without shared memory, in strips", ["-extension", "MIT-SHM"]],
  ])("%s is captured as import sees it", async (_what, options) => {
    const { env, platform } = await openServer("-screen", "0", "1600x900x24", ...options);
    try {
      const seen = importRoot(env);
      expect(seen.includes(Buffer.from("e01b24", "hex"))).toBe(true);
      expect(seen.includes(Buffer.from("1a5fb4", "hex"))).toBe(true);
      // Twice, the second time through the existing shared memory; and several at once.
      for (let round = 0; round < 2; round += 1) expect((await capture(platform)).equals(seen)).toBe(true);
      const many = await Promise.all([capture(platform), capture(platform), capture(platform)]);
      for (const one of many) expect(one.equals(seen)).toBe(true);
    } finally {
      platform.close();
    }
  });

  test.each([["16"], ["8"]])("with %s bits of colour is refused with a message", async (depth) => {
    const { platform } = await openServer("-screen", "0", `640x480x${depth}`);
    try {
      const taken = await platform.captureScreen({ x: 0, y: 0, width: 10, height: 10 });
      expect(taken).toMatchObject({
        ok: false,
        failure: {
          code: "UNAVAILABLE",
          message: `pictures of a screen with ${depth} bits of colour are not supported`,
        },
      });
    } finally {
      platform.close();
    }
  });

  test("without the COMPOSITE extension gives no pictures of windows, and says what to do", async () => {
    const { env, platform } = await openServer("-screen", "0", "640x480x24", "-extension", "Composite");
    const child = spawn("xmessage", ["hello"], { env, stdio: "ignore" });
    try {
      const taken = await platform.captureWindow(await findWindow(platform));
      expect(taken).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
      expect(!taken.ok && taken.failure.suggestion).toContain("--scope screen");
    } finally {
      child.kill();
      platform.close();
    }
  });
});

/** A window without a frame, filled by the server with one colour: alpha, and premultiplied red, green, blue. */
async function openFilledWindow(x: XConnection, argb: number): Promise<number> {
  const visual = [...x.server.visuals].find(([, { depth }]) => depth === 32)?.[0] ?? 0;
  const [window, colours] = [x.allotId(), x.allotId()];
  const createColormap = Buffer.alloc(16);
  createColormap[0] = 78;
  [colours, x.root, visual].forEach((value, index) => void createColormap.writeUInt32LE(value, 4 + index * 4));
  await x.send(createColormap);
  const createWindow = Buffer.alloc(44);
  createWindow.set([1, 32]);
  [window, x.root].forEach((value, index) => void createWindow.writeUInt32LE(value, 4 + index * 4));
  // At 20,10, 30 by 40 pixels, without a border; class InputOutput (1).
  [20, 10, 30, 40, 0, 1].forEach((value, index) => void createWindow.writeUInt16LE(value, 12 + index * 2));
  // With a background pixel, a border pixel and a colour map.
  [visual, 0x200a, argb, 0, colours].forEach((value, index) => void createWindow.writeUInt32LE(value, 24 + index * 4));
  await x.send(createWindow);
  const map = Buffer.alloc(8);
  map[0] = 8;
  map.writeUInt32LE(window, 4);
  await x.send(map);
  return window;
}

test("a window with an alpha channel is blended on white under a compositor, and used unchanged without one", async () => {
  const { env, platform } = await openServer("-screen", "0", "640x480x24");
  const x = await XConnection.connect(env, 5000);
  try {
    const id = await openFilledWindow(x, 0x80_40_20_00);
    const take = async (): Promise<number[]> => {
      const list = await platform.listWindows();
      const window = list.ok ? list.value.windows.find((one) => one.id === id) : undefined;
      if (window === undefined) throw new Error("no window");
      const taken = await platform.captureWindow(window);
      if (!taken.ok) throw new Error(taken.failure.message);
      expect(taken.value.bounds).toEqual({ x: 20, y: 10, width: 30, height: 40 });
      return [...toRgb({ pixels: taken.value.pixels, width: 30, height: 40 }).subarray(-3)];
    };
    expect(await take()).toEqual([0x40, 0x20, 0x00]);
    const picom = spawn("picom", ["--backend", "xrender", "--config", "/dev/null"], { env, stdio: "ignore" });
    started.push(picom);
    const onWhite = [0x40 + 0x7f, 0x20 + 0x7f, 0x7f];
    let seen = await take();
    for (const deadline = performance.now() + 10_000; performance.now() < deadline; seen = await take()) {
      // Until picom has taken over the screen.
      if (Bun.deepEquals(seen, onWhite)) break;
      await Bun.sleep(20);
    }
    expect(seen).toEqual(onWhite);
  } finally {
    x.close();
    platform.close();
  }
});

describe("a window without a compositor", () => {
  let env: Record<string, string>;
  let platform: Platform;
  let window: Window;
  beforeAll(async () => {
    ({ env, platform } = await openServer("-screen", "0", "640x480x24"));
    // Half of it is off the screen, where it has not been drawn yet.
    const child = spawn("xmessage", ["-geometry", "300x200+490+40", "-bg", "#26a269", "hello ".repeat(9)], {
      env,
      stdio: "ignore",
    });
    started.push(child);
    window = await findWindow(platform);
  });
  afterAll(() => platform.close());

  /** Whether the server keeps the window in an off-screen pixmap: the COMPOSITE extension then names it. */
  async function isKept(): Promise<boolean> {
    const x = await XConnection.connect(env, 5000);
    try {
      const name = Buffer.alloc(12);
      name.set([(await x.findExtension("Composite"))?.opcode ?? 0, 6]);
      name.writeUInt32LE(window.id, 4);
      name.writeUInt32LE(x.allotId(), 8);
      return await x.send(name).then(
        () => true,
        () => false,
      );
    } finally {
      x.close();
    }
  }

  test("is captured by several at once, complete each time, and leaves nothing in the server", async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => openLinux({ env, timeoutMs: 10_000 })));
    const platforms = [platform, platform, ...others.flatMap((other) => (other.ok ? [other.value] : []))];
    expect(platforms).toHaveLength(5);
    const take = async (one: Platform): Promise<Buffer> => {
      const picture = await one.captureWindow(window);
      if (!picture.ok) throw new Error(picture.failure.message);
      expect(picture.value.bounds).toEqual(window.bounds);
      return toRgb({ pixels: picture.value.pixels, width: window.bounds.width, height: window.bounds.height });
    };
    const pictures = await Promise.all(platforms.map(take));
    const alone = await take(platform);
    expect(window.bounds.x + window.bounds.width).toBeGreaterThan(640);
    expect(alone.subarray(-3).toString("hex")).toBe("26a269");
    for (const picture of pictures) expect(picture.equals(alone)).toBe(true);
    for (const other of others) if (other.ok) other.value.close();
    expect(await isKept()).toBe(false);
  });
});

describe("shared memory", () => {
  let env: Record<string, string>;
  beforeAll(async () => {
    const server = await openServer("-screen", "0", "640x480x24");
    env = server.env;
    server.platform.close();
  });

  /** The shared memory segments that a process created, from ipcs. */
  function countSegments(pid: number | undefined): number {
    const { stdout } = spawnSync("ipcs", ["-m", "-p"], { encoding: "utf8" });
    return stdout.split("\n").filter((line) => line.trim().split(/\s+/)[2] === String(pid)).length;
  }

  test.each(["SIGKILL", "SIGTERM"] as const)("is released when the capturing process ends by %s", async (signal) => {
    const script = `
      const { openLinux } = await import(${JSON.stringify(import.meta.resolve("../../../../src/platform/linux/open.ts"))});
      const opened = await openLinux({ env: process.env, timeoutMs: 5000 });
      const taken = await opened.value.captureScreen({ x: 0, y: 0, width: 640, height: 480 });
      console.log(taken.ok);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["-e", script], { env, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface(child.stdout), "line");
    expect(line).toBe("true");
    expect(countSegments(child.pid)).toBe(1);
    child.kill(signal);
    await once(child, "exit");
    const deadline = performance.now() + 10_000;
    // The server releases it a moment later, when it notices.
    while (countSegments(child.pid) > 0 && performance.now() < deadline) await Bun.sleep(20);
    expect(countSegments(child.pid)).toBe(0);
  });
});
