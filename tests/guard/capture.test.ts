import { describe, expect, test } from "bun:test";
import { Looks } from "../../src/guard/audit/looks.ts";
import { type Policy, type Standing, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { paintOver } from "../../src/guard/view/paint.ts";
import { createRedactedView } from "../../src/guard/view/redacted-view.ts";
import { type Bounds, containsPoint } from "../../src/model/bounds.ts";
import { succeed } from "../../src/model/failure.ts";
import type { Picture } from "../../src/model/frame.ts";
import { subtract } from "../../src/model/region.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ApplicationSketch } from "../../src/platform/fake/sketch.ts";
import type { Platform } from "../../src/platform/port.ts";
import { fc } from "../property.ts";

const screen = { x: 0, y: 0, width: 400, height: 300 };
const vaultPlace = { x: 50, y: 50, width: 200, height: 150 };
const editorPlace = { x: 150, y: 100, width: 200, height: 150 };
const field = { x: 60, y: 60, width: 80, height: 20 };
const vault: ApplicationSketch = { name: "vault", windows: [{ title: "Vault", bounds: vaultPlace }] };
const editor: ApplicationSketch = { name: "editor", windows: [{ title: "Notes", bounds: editorPlace }] };

function look(applications: readonly ApplicationSketch[], blind: readonly string[] = []) {
  const desktop = new FakeDesktop({ screen, applications });
  const standings = new Map<string, Standing>(blind.map((name) => [name, "blind"]));
  const policy: Policy = { ...sandboxPolicy, standings };
  const looks = new Looks();
  return {
    bare: desktop.open(),
    platform: createRedactedView(desktop.open(), { policy, looks, timeoutMs: 50, findStop: () => undefined }),
    looks,
  };
}

/** The same, of applications that were read otherwise. */
function lookAtRead(applications: readonly ApplicationSketch[], change: (read: WindowRead) => WindowRead) {
  const desktop = new FakeDesktop({ screen, applications });
  const changed = desktop.open();
  const readWindows = changed.readWindows.bind(changed);
  changed.readWindows = async (request) => {
    const reads = await readWindows(request);
    return reads.ok ? succeed(reads.value.map(change)) : reads;
  };
  const options = { policy: sandboxPolicy, looks: new Looks(), timeoutMs: 50, findStop: () => undefined };
  return { bare: desktop.open(), platform: createRedactedView(changed, options) };
}

async function shoot(platform: Platform, part: Bounds = screen): Promise<Picture> {
  const picture = await platform.captureScreen(part);
  if (!picture.ok) throw new Error(picture.failure.message);
  return picture.value;
}

/** Blue, green and red of a point of the screen. */
function pixelAt({ pixels, bounds }: Picture, x: number, y: number): string {
  const at = ((y - bounds.y) * bounds.width + x - bounds.x) * 4;
  return Array.from(pixels.subarray(at, at + 3)).join();
}

const black = "0,0,0";
const grey = "72,72,72";

describe("a picture of the screen", () => {
  test("also says what was painted over", () => {
    const before = { what: "unread", bounds: { x: 0, y: 0, width: 2, height: 1 }, app: "" } as const;
    const secret = { what: "secret", bounds: { x: 3, y: 0, width: 1, height: 1 }, app: "vault" } as const;
    const taken = {
      pixels: new Uint8Array(16).fill(255),
      bounds: { x: 0, y: 0, width: 4, height: 1 },
      covered: [before],
    };
    expect(paintOver(taken, []).covered).toEqual([before]);
    expect(paintOver(taken, [secret]).covered).toEqual([before, secret]);
  });

  test("shows nothing of a visible blind application, and everything of windows over it", async () => {
    const { bare, platform } = look([editor, vault], ["vault"]);
    const [picture, truth] = [await shoot(platform), await shoot(bare)];
    for (let y = 0; y < screen.height; y += 7) {
      for (let x = 0; x < screen.width; x += 7) {
        const isVault = containsPoint(vaultPlace, { x, y }) && !containsPoint(editorPlace, { x, y });
        expect(pixelAt(picture, x, y)).toBe(isVault ? black : pixelAt(truth, x, y));
      }
    }
    expect(picture.covered?.every(({ what, app }) => what === "blind" && app === "")).toBe(true);
  });

  test("shows no secret field and no text with a card number, and says how many", async () => {
    const label = { ...field, y: 120 };
    const { bare, platform } = look([
      {
        name: "shop",
        windows: [
          {
            title: "Pay",
            bounds: vaultPlace,
            children: [
              { role: "input", name: "Login", secret: true, value: "hunter2", bounds: field },
              { role: "text", name: "paid with 4111 1111 1111 1111", bounds: label },
              { role: "button", name: "Go", bounds: { ...field, y: 160 } },
            ],
          },
        ],
      },
    ]);
    const [picture, truth] = [await shoot(platform), await shoot(bare)];
    expect(pixelAt(picture, 61, 61)).toBe(grey);
    expect(pixelAt(picture, 139, 139)).toBe(grey);
    expect(pixelAt(picture, 70, 165)).toBe(pixelAt(truth, 70, 165));
    expect(picture.covered).toHaveLength(2);
  });

  test("is covered where an application does not answer, and not where it exposes nothing", async () => {
    const { bare, platform } = look([
      { ...editor, manner: "treeless" },
      { ...vault, manner: "hangs" },
    ]);
    const [picture, truth] = [await shoot(platform), await shoot(bare)];
    expect(pixelAt(picture, 60, 60)).toBe(black);
    expect(pixelAt(picture, 200, 150)).toBe(pixelAt(truth, 200, 150));
    expect(picture.covered?.map(({ what, app }) => `${what} ${app}`)).toContain("unread vault");
  });

  test("is covered where a window shows more than was read, and not where only what is out of view was left out", async () => {
    const { bare, platform } = lookAtRead([editor, vault], (read) =>
      read.window.app === "vault"
        ? { ...read, notes: [{ code: "TRUNCATED", text: "only the first were read", areas: [vaultPlace] }] }
        : { ...read, notes: [{ code: "TRUNCATED", text: "only those in view were read" }] },
    );
    const [picture, truth] = [await shoot(platform), await shoot(bare)];
    expect(picture.covered?.map(({ what, app }) => `${what} ${app}`)).toContain("unread vault");
    expect(pixelAt(picture, 60, 60)).toBe(black);
    expect(pixelAt(picture, 200, 150)).toBe(pixelAt(truth, 200, 150));
  });

  test("does not read windows outside it or fully covered ones", async () => {
    const behind: ApplicationSketch = { name: "behind", manner: "hangs", windows: [{ title: "B", bounds: field }] };
    const { platform, looks } = look([{ ...vault, manner: "answers" }, behind]);
    const picture = await shoot(platform);
    expect(picture.covered).toEqual([]);
    await shoot(platform, { x: 300, y: 250, width: 50, height: 50 });
    expect(looks.take().apps).toEqual(["vault"]);
  });
});

describe("a picture of a window", () => {
  test("is refused if the application is blind", async () => {
    const { bare, platform } = look([vault], ["vault"]);
    const list = await bare.listWindows();
    const [window] = list.ok ? list.value.windows : [];
    if (window === undefined) throw new Error("no window");
    const picture = await platform.captureWindow(window);
    expect(picture.ok).toBe(false);
    if (!picture.ok) expect(picture.failure.reason).toBe("blind");
  });

  test("has its secret fields painted over, and a picture of such a field is entirely covered", async () => {
    const login = { role: "input", name: "Login", secret: true, value: "hunter2", bounds: field } as const;
    const { platform } = look([editor, { ...vault, windows: [{ title: "V", bounds: vaultPlace, children: [login] }] }]);
    const list = await platform.listWindows();
    const window = list.ok ? list.value.windows.find(({ app }) => app === "vault") : undefined;
    if (window === undefined) throw new Error("no window");
    const [whole, part] = [await platform.captureWindow(window), await platform.captureWindow(window, field)];
    if (!whole.ok || !part.ok) throw new Error("no picture");
    expect(pixelAt(whole.value, 61, 61)).toBe(grey);
    expect(pixelAt(whole.value, 200, 150)).not.toBe(grey);
    const words = new Uint32Array(part.value.pixels.buffer, part.value.pixels.byteOffset, field.width * field.height);
    expect(new Set(words).size).toBe(1);
  });
});

test("the rest of an area without others is every point in none of them, once", () => {
  const bounds = fc.record({
    x: fc.integer({ min: 0, max: 12 }),
    y: fc.integer({ min: 0, max: 12 }),
    width: fc.integer({ min: 1, max: 10 }),
    height: fc.integer({ min: 1, max: 10 }),
  });
  fc.assert(
    fc.property(bounds, fc.array(bounds, { maxLength: 5 }), (whole, holes) => {
      const left = subtract(whole, holes);
      for (let y = 0; y < 24; y += 1) {
        for (let x = 0; x < 24; x += 1) {
          const isLeft = containsPoint(whole, { x, y }) && !holes.some((hole) => containsPoint(hole, { x, y }));
          expect(left.filter((piece) => containsPoint(piece, { x, y })).length).toBe(isLeft ? 1 : 0);
        }
      }
    }),
  );
});
