import { describe, expect, test } from "bun:test";
import { Looks } from "../../src/guard/audit/looks.ts";
import { sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { createRedactedView } from "../../src/guard/view/redacted-view.ts";
import { type Bounds, containsPoint, intersect } from "../../src/model/bounds.ts";
import type { Element } from "../../src/model/element.ts";
import { type Result, succeed } from "../../src/model/failure.ts";
import type { Picture } from "../../src/model/frame.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Platform } from "../../src/platform/port.ts";

// Windows that change while they are captured: both the reported and the real position differ each time.

const screen = { x: 0, y: 0, width: 900, height: 500 };
const bankPlace = { x: 20, y: 20, width: 600, height: 440 };
const notesPlace = { x: 500, y: 100, width: 300, height: 200 };
const field = { x: 100, y: 300, width: 80, height: 20 };

const bank = {
  name: "bank",
  windows: [
    {
      title: "Bank",
      bounds: bankPlace,
      children: [
        {
          role: "group",
          name: "Page",
          bounds: bankPlace,
          children: [{ role: "input", name: "Login", secret: true, value: "hunter2", bounds: field }],
        },
      ],
    },
  ],
} as const;
const notes = { name: "notes", windows: [{ title: "Notes", bounds: notesPlace }] } as const;

interface Scenario {
  /** The reported position of the field at each read, from the first on; undefined if it is not reported. */
  readonly reported?: (look: number) => Bounds | undefined;
  /** The real position at each capture. */
  readonly actual?: (picture: number) => Bounds | undefined;
  readonly isElsewhere?: boolean;
}

const magenta = [255, 0, 255];

function openScenario({ reported = () => field, actual = () => undefined, isElsewhere = false }: Scenario) {
  const bare = new FakeDesktop({ screen, applications: [notes, bank] }).open();
  let [looks, pictures] = [0, 0];
  const draw = (picture: Result<Picture>): Result<Picture> => {
    const place = actual(pictures++);
    return picture.ok && place !== undefined ? succeed(paint(picture.value, place)) : picture;
  };
  const played: Partial<Platform> = {
    readWindows: async (request) => {
      const reads = await bare.readWindows(request);
      const place = reported(looks++);
      return reads.ok ? succeed(reads.value.map((read) => moveSecret(read, place))) : reads;
    },
    // A glimpse always finds it at its reported position.
    glimpse: async (element, timeoutMs) => {
      const glimpse = await bare.glimpse(element, timeoutMs);
      return glimpse.ok && glimpse.value !== undefined ? succeed({ ...glimpse.value, place: "there" }) : glimpse;
    },
    askWhatIsAt: async (element) => succeed(isElsewhere && "platformRole" in element ? pageId : element.handle),
    captureScreen: async (part) => draw(await bare.captureScreen(part)),
    captureWindow: async (window, part) => draw(await bare.captureWindow(window, part)),
  };
  const platform = new Proxy(bare, {
    get(target, name) {
      const value = Reflect.get(played, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const options = { policy: sandboxPolicy, looks: new Looks(), timeoutMs: 50, findStop: () => undefined };
  return { bare, redacted: createRedactedView(platform, options), countLooks: () => looks };
}

let pageId = "";

/** The same window with its field elsewhere, in a page. */
function moveSecret(read: WindowRead, place: Bounds | undefined): WindowRead {
  const move = (element: Element): Element => {
    if (element.name === "Page") pageId = element.handle;
    const children = element.children
      .filter(({ states }) => !states.has("secret") || place !== undefined)
      .map((child) => (child.states.has("secret") ? { ...child, bounds: place, place: "there" } : move(child)));
    return element.name === "Page"
      ? { ...element, children, traits: new Set(["proves-places"]) }
      : { ...element, children };
  };
  return read.root === undefined ? read : { ...read, root: move(read.root) };
}

function paint({ pixels, bounds }: Picture, place: Bounds): Picture {
  const painted = pixels.slice();
  const part = intersect(place, bounds) ?? { x: 0, y: 0, width: 0, height: 0 };
  for (let y = part.y; y < part.y + part.height; y += 1) {
    for (let x = part.x; x < part.x + part.width; x += 1) {
      painted.set(magenta, ((y - bounds.y) * bounds.width + x - bounds.x) * 4);
    }
  }
  return { pixels: painted, bounds };
}

function pixelAt({ pixels, bounds }: Picture, x: number, y: number): string {
  const at = ((y - bounds.y) * bounds.width + x - bounds.x) * 4;
  return Array.from(pixels.subarray(at, at + 3)).join();
}

function countMagenta({ pixels }: Picture): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if (magenta.every((part, index) => pixels[at + index] === part)) count += 1;
  }
  return count;
}

async function shoot(platform: Platform): Promise<readonly [screen: Picture, window: Picture]> {
  const list = await platform.listWindows();
  const window = list.ok ? list.value.windows.find(({ app }) => app === "bank") : undefined;
  if (window === undefined) throw new Error("no window");
  const [whole, own] = [await platform.captureScreen(screen), await platform.captureWindow(window)];
  if (!whole.ok || !own.ok) throw new Error("no picture");
  return [whole.value, own.value];
}

/** Every fifth point at which a picture is not the cover colour. */
function listShown(picture: Picture, place: Bounds, outside: readonly Bounds[] = []): string[] {
  const shown: string[] = [];
  for (let y = place.y; y < place.y + place.height; y += 5) {
    for (let x = place.x; x < place.x + place.width; x += 5) {
      const isOut = outside.some((one) => containsPoint(one, { x, y }));
      if (!isOut && pixelAt(picture, x, y) !== grey) shown.push(`${x},${y}`);
    }
  }
  return shown;
}

const grey = "72,72,72";

/** Far from every earlier reported position. */
const leap = (at: number): Bounds => ({ ...field, x: 40 + ((at * 211) % 450), y: 40 + ((at * 97) % 380) });

describe("in a window whose secret field moves", () => {
  test("nothing is shown if it is reported at another place each time, while other windows are", async () => {
    const { bare, redacted } = openScenario({ reported: leap, actual: (at) => leap(at * 3 + 1) });
    const [[whole, own], [truth]] = [await shoot(redacted), await shoot(bare)];
    expect(listShown(whole, bankPlace, [notesPlace])).toEqual([]);
    expect(listShown(own, bankPlace)).toEqual([]);
    expect(pixelAt(whole, 700, 250)).toBe(pixelAt(truth, 700, 250));
    expect(pixelAt(whole, 550, 150)).toBe(pixelAt(truth, 550, 150));
    expect(whole.covered?.every(({ app }) => app === "bank")).toBe(true);
  });

  test("nothing is shown if it is reported at one read and not at another", async () => {
    const { redacted } = openScenario({
      reported: (look) => (look % 2 === 0 ? field : undefined),
      actual: (at) => (at % 2 === 0 ? leap(at) : field),
    });
    for (const picture of await shoot(redacted)) expect(listShown(picture, bankPlace, [notesPlace])).toEqual([]);
  });

  test("nothing is shown of one that appears after the first read", async () => {
    let isThere = false;
    const { redacted } = openScenario({
      reported: () => {
        const wasThere = isThere;
        isThere = true;
        return wasThere ? field : undefined;
      },
      actual: () => (isThere ? field : undefined),
    });
    const whole = await redacted.captureScreen(screen);
    if (!whole.ok) throw new Error("no picture");
    expect(countMagenta(whole.value)).toBe(0);
  });

  test("nothing of it is shown if its reported place never changes, however far away it really is", async () => {
    const { bare, redacted } = openScenario({ actual: (at) => ({ ...field, x: 300 + at * 4, y: 60 }) });
    const [pictures, [truth]] = [await shoot(redacted), await shoot(bare)];
    for (const picture of pictures) {
      expect(countMagenta(picture)).toBe(0);
      // Areas far from both are shown.
      expect(pixelAt(picture, 400, 400)).toBe(pixelAt(truth, 400, 400));
    }
  });

  test("nothing is shown if the page denies having it there, though nothing moves", async () => {
    const { redacted, countLooks } = openScenario({ actual: () => ({ ...field, x: 400 }), isElsewhere: true });
    for (const picture of await shoot(redacted)) expect(listShown(picture, bankPlace, [notesPlace])).toEqual([]);
    expect(countLooks()).toBeLessThan(8);
  });
});

test("in a still window with a secret everything else is shown, after one read", async () => {
  const { bare, redacted, countLooks } = openScenario({});
  const [pictures, [truth]] = [await shoot(redacted), await shoot(bare)];
  for (const picture of pictures) {
    expect(listShown(picture, field)).toEqual([]);
    for (const [x, y] of [[95, 310] as const, [400, 400] as const]) {
      expect(pixelAt(picture, x, y)).toBe(pixelAt(truth, x, y));
    }
  }
  expect(countLooks()).toBe(2);
});

test("changes in a window without a secret are shown, after one more read", async () => {
  const { redacted, countLooks } = openScenario({ reported: () => undefined, actual: leap });
  const picture = await redacted.captureScreen(screen);
  if (!picture.ok) throw new Error("no picture");
  expect(picture.value.covered).toEqual([]);
  expect(countLooks()).toBe(2);
});
