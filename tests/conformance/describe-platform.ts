import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Bounds, containsPoint, intersect } from "../../src/model/bounds.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import type { Result } from "../../src/model/failure.ts";
import type { Picture } from "../../src/model/frame.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import type { Window } from "../../src/model/window.ts";
import type { Platform, WindowList } from "../../src/platform/port.ts";
import type { ReadRequest } from "../../src/sources/port.ts";
import { type ConformanceScene, type SceneWindow, waitUntil } from "./scene.ts";

interface Skip {
  readonly test: string;
  readonly reason: string;
}

const timeoutMs = 4000;
/** How long a read may take beyond the time limit for an application. */
const marginMs = 5000;

/** The contract that every platform must satisfy. A test can be skipped only by name, with a reason that is printed. */
export function describePlatform(
  name: string,
  openScene: () => Promise<ConformanceScene>,
  options: { skip: readonly Skip[] },
): void {
  describe(`the ${name} platform`, () => {
    let scene: ConformanceScene;
    let platform: Platform;
    beforeAll(async () => {
      scene = await openScene();
      platform = takeValue(await scene.open());
    });
    afterAll(async () => {
      platform.close();
      await scene.close();
    });

    const unused = new Set(options.skip.map((skip) => skip.test));
    const must = (sentence: string, check: () => Promise<void>): void => {
      const skip = options.skip.find((one) => one.test === sentence);
      unused.delete(sentence);
      if (skip === undefined) test(sentence, check, 30_000);
      else test.skip(`${sentence} (${skip.reason})`, check);
    };

    const list = async (): Promise<WindowList> => takeValue(await platform.listWindows());
    const windowOf = async (wanted: SceneWindow): Promise<Window> => {
      const window = (await list()).windows.find(({ pid, title }) => pid === wanted.pid && title === wanted.title);
      if (window === undefined) throw new Error(`no window "${wanted.title}"`);
      return window;
    };
    const readAll = async (query: Partial<ReadRequest> = {}): Promise<readonly WindowRead[]> => {
      const windows = query.windows ?? (await list()).windows;
      return takeValue(await platform.readWindows({ includeHidden: false, timeoutMs, ...query, windows }));
    };
    const readOne = async (wanted: SceneWindow, includeHidden = false): Promise<Element> => {
      const [read] = await readAll({ windows: [await windowOf(wanted)], includeHidden });
      if (read?.root === undefined)
        throw new Error(`nothing was read of "${wanted.title}": ${JSON.stringify(read?.notes)}`);
      return read.root;
    };

    must("lists its windows front to back, each with an id, a process, a title and its application", async () => {
      const { windows } = await list();
      expect(windows.map(({ zOrder }) => zOrder)).toEqual(windows.map((_window, index) => index));
      expect(new Set(windows.map(({ id }) => id)).size).toBe(windows.length);
      for (const wanted of [scene.form, scene.editor, scene.doomed]) {
        const window = await windowOf(wanted);
        expect(window.app).not.toBe("");
        expect(window.id).toBeGreaterThan(0);
      }
    });

    must("gives windows bounds that intersect the screen, and the monitor they are on", async () => {
      const { windows, monitors, screen } = await list();
      expect(monitors.length).toBeGreaterThan(0);
      for (const { bounds, monitor } of windows) {
        expect(isWhole(bounds)).toBe(true);
        expect(intersect(bounds, screen)).toBeDefined();
        expect(monitors.map((one) => one.name)).toContain(monitor);
      }
    });

    must("reports at most one window as focused", async () => {
      const { windows } = await list();
      expect(windows.filter(({ isFocused }) => isFocused).length).toBeLessThanOrEqual(1);
    });

    must("covers the windows of applications that offer a tree, and only requested windows", async () => {
      const { windows } = await list();
      const covered = takeValue(await platform.covers(windows));
      for (const { pid } of [scene.form, scene.editor, scene.doomed]) {
        expect(windows.filter((one) => one.pid === pid).map(({ id }) => covered.has(id))).toEqual([true]);
      }
      expect(takeValue(await platform.covers([])).size).toBe(0);
    });

    must("reads the requested windows, in the requested order, and no other", async () => {
      const wanted = [await windowOf(scene.editor), await windowOf(scene.form)];
      const reads = await readAll({ windows: wanted });
      expect(reads.map(({ window }) => window.id)).toEqual(wanted.map(({ id }) => id));
      expect(reads.map(({ notes }) => notes)).toEqual([[], []]);
      expect(takeValue(await platform.readWindows({ windows: [], includeHidden: false, timeoutMs }))).toEqual([]);
    });

    must("reads fields and buttons with their names, values and actions", async () => {
      const elements = flatten([await readOne(scene.form)]);
      const field = elements.find(({ role, value }) => role === "input" && value === scene.typed);
      expect(field?.name).not.toBe("");
      expect(field?.states.has("editable")).toBe(true);
      const buttons = elements.filter(({ role }) => role === "button");
      expect(buttons.length).toBeGreaterThanOrEqual(2);
      for (const button of buttons) {
        expect(button.name).not.toBe("");
        expect(button.actions).toContain("press");
      }
    });

    must("gives every element a unique runtime id", async () => {
      const reads = await readAll({ includeHidden: true });
      const ids = reads.flatMap(({ root }) => (root === undefined ? [] : flatten([root])).map((one) => one.handle));
      expect(ids.length).toBeGreaterThan(10);
      expect(ids).not.toContain("");
      expect(new Set(ids).size).toBe(ids.length);
    });

    must("gives names and values on one line, without control characters", async () => {
      for (const { root } of await readAll({ includeHidden: true })) {
        for (const { name, value, description } of flatten(root === undefined ? [] : [root])) {
          expect(`${name}${value}${description}`).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
        }
      }
    });

    must("gives visible elements bounds in whole physical pixels that intersect their window", async () => {
      for (const wanted of [scene.form, scene.editor]) {
        const window = await windowOf(wanted);
        for (const { bounds, states } of flatten([await readOne(wanted)])) {
          expect(states.has("hidden")).toBe(false);
          if (bounds === undefined) continue;
          expect(isWhole(bounds)).toBe(true);
          if (bounds.width > 0 && bounds.height > 0) expect(intersect(bounds, window.bounds)).toBeDefined();
        }
      }
    });

    must("keeps fields and buttons wholly inside their window", async () => {
      const window = await windowOf(scene.form);
      const controls = flatten([await readOne(scene.form)]).filter(({ role }) => role === "input" || role === "button");
      for (const { bounds } of controls) {
        expect(bounds && intersect(bounds, window.bounds)).toEqual(bounds);
      }
    });

    must("gives a click point inside the element, its window and the screen", async () => {
      const { screen } = await list();
      const window = await windowOf(scene.form);
      const pressable = flatten([await readOne(scene.form)]).filter(({ actions }) => actions.includes("press"));
      expect(pressable.length).toBeGreaterThanOrEqual(2);
      for (const { bounds, clickPoint } of pressable) {
        expect(clickPoint).toBeDefined();
        const boxes: (Bounds | undefined)[] = [bounds, window.bounds, screen];
        for (const box of boxes) expect(box && clickPoint && containsPoint(box, clickPoint)).toBe(true);
      }
    });

    must("leaves out elements that are not on the screen, and reports them as hidden in a full read", async () => {
      const menuOf = (root: Element): Element | undefined =>
        flatten([root]).find(({ role, name }) => role === "menu" && name === "File");
      const seen = menuOf(await readOne(scene.editor));
      expect(seen).toBeDefined();
      expect(seen?.children).toEqual([]);
      const whole = menuOf(await readOne(scene.editor, true));
      const entries = flatten(whole?.children ?? []).filter(({ role }) => role === "menuitem");
      expect(entries.length).toBeGreaterThan(0);
      for (const { states, clickPoint } of entries) {
        expect(states.has("hidden")).toBe(true);
        expect(clickPoint).toBeUndefined();
      }
      expect(whole?.handle).toBe(seen?.handle ?? "");
    });

    must("includes in a full read everything that a read of the screen shows", async () => {
      const whole = new Map(flatten([await readOne(scene.editor, true)]).map((one) => [one.handle, one]));
      for (const { handle, role, name, alikeIndex, alikeCount } of flatten([await readOne(scene.editor)])) {
        expect(whole.get(handle)).toMatchObject({ role, name, alikeIndex, alikeCount });
      }
    });

    must("numbers look-alikes from 0, below their count", async () => {
      for (const { alikeIndex, alikeCount } of flatten([await readOne(scene.editor, true)])) {
        expect(alikeIndex).toBeGreaterThanOrEqual(0);
        expect(alikeIndex).toBeLessThan(alikeCount);
      }
    });

    must("reports the window at a point, or that there is none", async () => {
      const front = (await list()).windows.find(({ state }) => !state.includes("minimised"));
      if (front === undefined) throw new Error("no window is open");
      const { x, y, width, height } = front.bounds;
      const middle = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
      expect(takeValue(await platform.findWindowAt(middle))?.id).toBe(front.id);
      expect(takeValue(await platform.findWindowAt({ x: -9000, y: -9000 }))).toBeUndefined();
    });

    must("reads the text of one element, whole and in ranges, and refuses a secret one", async () => {
      const elements = flatten([await readOne(scene.form)]);
      const field = elements.find(({ value }) => value === scene.typed);
      const secret = elements.find(({ states }) => states.has("secret"));
      if (field === undefined || secret === undefined) throw new Error("the form lacks a field");
      const ask = (element: Element, start: number, end?: number) =>
        platform.readText({ element, start, end, timeoutMs });
      const { length } = scene.typed;
      expect(takeValue(await ask(field, 0))).toEqual({ text: scene.typed, start: 0, end: length, length, notes: [] });
      expect(takeValue(await ask(field, 2, 7))).toMatchObject({ text: scene.typed.slice(2, 7), start: 2, end: 7 });
      expect(await ask(secret, 0)).toMatchObject({ ok: false, failure: { code: "REFUSED" } });
      // An element stripped of its secret state reveals no more.
      const disguised = { ...secret, states: new Set([...secret.states].filter((state) => state !== "secret")) };
      expect(JSON.stringify(await ask(disguised, 0))).not.toContain(scene.secret);
    });

    must("reports that a field is secret, and never its content", async () => {
      const root = await readOne(scene.form, true);
      const secrets = flatten([root]).filter(({ states }) => states.has("secret"));
      expect(secrets).toHaveLength(1);
      expect(secrets[0]).toMatchObject({ role: "input", value: "", children: [] });
      expect(JSON.stringify(await readAll({ includeHidden: true }))).not.toContain(scene.secret);
    });

    must("reads the same when nothing has changed", async () => {
      const windows = [await windowOf(scene.form), await windowOf(scene.editor)];
      const first = await readAll({ windows, includeHidden: true });
      expect(await readAll({ windows, includeHidden: true })).toEqual(first);
    });

    must("reads the same through another connection", async () => {
      const other = takeValue(await scene.open());
      const windows = [await windowOf(scene.form)];
      const theirs = takeValue(await other.readWindows({ windows, includeHidden: false, timeoutMs }));
      expect(await readAll({ windows })).toEqual(theirs);
      other.close();
    });

    must("reads the same after preparing, and can be closed after preparing alone", async () => {
      const prepared = takeValue(await scene.open());
      prepared.prepareRead();
      prepared.prepareRead();
      const { windows } = takeValue(await prepared.listWindows());
      const reads = takeValue(await prepared.readWindows({ windows, includeHidden: false, timeoutMs }));
      const unprepared = await readAll();
      expect(reads.map(({ root }) => root)).toEqual(unprepared.map(({ root }) => root));
      prepared.close();
      const unread = takeValue(await scene.open());
      unread.prepareRead();
      unread.close();
    });

    must("reports in time that an application is suspended, and reads the others completely", async () => {
      const before = await readOne(scene.form);
      scene.stop(scene.editor);
      try {
        const startedMs = performance.now();
        const reads = await readAll({ timeoutMs: 2500 });
        const tookMs = performance.now() - startedMs;
        expect(tookMs).toBeLessThan(2500 + marginMs);
        const stopped = reads.find(({ window }) => window.pid === scene.editor.pid);
        expect(stopped?.notes.map(({ code }) => code)).toContain("TIMEOUT");
        const form = reads.find(({ window }) => window.pid === scene.form.pid);
        expect(form?.notes).toEqual([]);
        expect(form?.root).toEqual(before);
      } finally {
        scene.resume(scene.editor);
      }
      await waitUntil("the editor answers again", async () => {
        const [read] = await readAll({ windows: [await windowOf(scene.editor)] });
        return read?.notes.length === 0 && read.root !== undefined;
      });
    });

    must("takes a picture of a part of the screen, as large as the part", async () => {
      const { screen } = await list();
      const part = { x: screen.x + 11, y: screen.y + 7, width: 53, height: 31 };
      const picture = takeValue(await platform.captureScreen(part));
      expect(picture.bounds).toEqual(part);
      expect(picture.pixels.length).toBe(53 * 31 * 4);
      const whole = takeValue(await platform.captureScreen(screen));
      expect(cut(whole, part)).toEqual(withoutFourth(picture.pixels));
    });

    must("takes a picture of a window in its bounds, and the same of a part of it", async () => {
      const window = await windowOf(scene.form);
      const whole = takeValue(await platform.captureWindow(window));
      expect(whole.bounds).toEqual(window.bounds);
      const part = { x: window.bounds.x + 5, y: window.bounds.y + 30, width: 90, height: 40 };
      const picture = takeValue(await platform.captureWindow(window, part));
      expect(picture.bounds).toEqual(part);
      expect(withoutFourth(picture.pixels)).toEqual(cut(whole, part));
      expect(new Set(withoutFourth(whole.pixels)).size).toBeGreaterThan(1);
    });

    must("says so when a part lies outside its window", async () => {
      const window = await windowOf(scene.form);
      const part = { x: window.bounds.x - 50, y: window.bounds.y - 50, width: 20, height: 20 };
      expect(await platform.captureWindow(window, part)).toMatchObject({ ok: false, failure: { code: "NOT_FOUND" } });
    });

    must(
      "labels a window whose application has ended since the windows were listed, and lists it no more",
      async () => {
        const windows = [await windowOf(scene.doomed), await windowOf(scene.form)];
        scene.end(scene.doomed);
        const [gone, form] = await readAll({ windows });
        // After an application ends, and until it leaves the bus, a read may still wait for it.
        expect(gone?.root !== undefined || (gone?.notes.length ?? 0) > 0).toBe(true);
        expect(form?.root).toBeDefined();
        await waitUntil("the window is gone", async () => {
          return (await list()).windows.every(({ pid }) => pid !== scene.doomed.pid);
        });
        const ended = windows[0] ?? (await windowOf(scene.form));
        expect(await platform.captureWindow(ended)).toMatchObject({ ok: false, failure: { code: "NOT_FOUND" } });
        const [later] = await readAll({ windows: windows.slice(0, 1) });
        expect(later?.root).toBeUndefined();
        expect(later?.notes).toHaveLength(1);
      },
    );

    must("has not read the secret, which was really there", async () => {
      expect(await scene.submit()).toBe(`${scene.typed}|${scene.secret}`);
    });

    must("can be closed twice, and then says that it is closed", async () => {
      const other = takeValue(await scene.open());
      other.close();
      other.close();
      expect(await other.listWindows()).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    });

    test("skips only tests that exist", () => {
      expect([...unused]).toEqual([]);
      for (const { reason } of options.skip) expect(reason.length).toBeGreaterThan(20);
    });
  });
}

/** The colours of a part of a picture. */
function cut({ pixels, bounds }: Picture, part: Bounds): number[] {
  const rows: number[] = [];
  for (let y = part.y - bounds.y; y < part.y - bounds.y + part.height; y += 1) {
    const start = (y * bounds.width + part.x - bounds.x) * 4;
    rows.push(...withoutFourth(pixels.subarray(start, start + part.width * 4)));
  }
  return rows;
}

/** The fourth byte of each pixel is unused. */
function withoutFourth(pixels: Uint8Array): number[] {
  return [...pixels.filter((_byte, at) => at % 4 !== 3)];
}

function isWhole({ x, y, width, height }: Bounds): boolean {
  return [x, y, width, height].every(Number.isInteger) && width >= 0 && height >= 0;
}

function takeValue<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.failure.code} ${result.failure.message}`);
}
