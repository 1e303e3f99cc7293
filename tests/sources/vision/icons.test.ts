import { expect, test } from "bun:test";
import { type Bounds, containsPoint } from "../../../src/model/bounds.ts";
import { describeReading } from "../../../src/sources/vision/describe.ts";
import { findIcons } from "../../../src/sources/vision/icons.ts";
import { joinWords } from "../../../src/sources/vision/words.ts";
import { draw } from "../../picture/pictures.ts";

const size = { width: 400, height: 200 };
const icon = { x: 100, y: 40, width: 48, height: 40 };
const below = { x: 96, y: 90, width: 56, height: 12 };
const beside = { x: 156, y: 54, width: 60, height: 12 };

/** Words on a white picture with dark shapes. */
function find(words: readonly (readonly [string, Bounds])[], shapes: readonly Bounds[]) {
  const { pixels } = draw(size.width, size.height, (x, y) =>
    shapes.some((one) => containsPoint(one, { x, y })) ? [40, 80, 160] : [255, 255, 255],
  );
  const lines = joinWords(words.map(([text, bounds]) => ({ text, bounds, confidence: 0.9 })));
  const { icons, texts } = findIcons(lines, { pixels, bounds: { x: 0, y: 0, ...size } }, 1);
  return { icons: icons.map(({ label }) => label), texts: texts.map(({ text }) => text) };
}

test("words below or beside an icon are its label", () => {
  expect(find([["Trash", below]], [icon])).toEqual({ icons: ["Trash"], texts: [] });
  expect(find([["Display", beside]], [icon])).toEqual({ icons: ["Display"], texts: [] });
});

test("the label of a selected icon is a label, a button below a picture is none", () => {
  const area = { x: 94, y: 86, width: 60, height: 20 };
  const isDark = (x: number, y: number): boolean => [icon, area].some((one) => containsPoint(one, { x, y }));
  const { pixels } = draw(size.width, size.height, (x, y) => (isDark(x, y) ? [40, 80, 160] : [255, 255, 255]));
  const describe = (bounds: Bounds): readonly string[] => {
    const [left, right] = [new Int32Array(), new Int32Array()];
    const words = [{ text: "Trash", bounds: below, confidence: 0.9 }];
    const boxes = [{ box: { bounds, left, right, brightness: 80 }, words }];
    const picture = { pixels, bounds: { x: 0, y: 0, ...size } };
    return describeReading({ page: [], boxes }, picture, 1).map(({ role, label }) => `${role} ${label}`);
  };
  expect(describe(area)).toEqual(["icon Trash"]);
  expect(describe({ ...area, x: 84, width: 80 })).toEqual(["button Trash"]);
});

test("a sheet of paper on white is an icon", () => {
  const { pixels } = draw(size.width, size.height, (x, y) => Array(3).fill(containsPoint(icon, { x, y }) ? 245 : 255));
  const lines = joinWords([{ text: "notes.txt", bounds: below, confidence: 0.9 }]);
  const { icons } = findIcons(lines, { pixels, bounds: { x: 0, y: 0, ...size } }, 1);
  expect(icons.map(({ label }) => label)).toEqual(["notes.txt"]);
});

test("letters misread from the icon are no part of the label, and its lines are one", () => {
  const misread = { x: 120, y: 52, width: 24, height: 14 };
  expect(
    find(
      [
        ["LJ", misread],
        ["Desktop", beside],
      ],
      [icon],
    ),
  ).toEqual({ icons: ["Desktop"], texts: [] });
  const lines = [
    ["Mouse", { ...beside, y: 46 }],
    ["Touchpad", { ...beside, y: 64 }],
  ] as const;
  expect(find(lines, [icon])).toEqual({ icons: ["Mouse Touchpad"], texts: [] });
});

test("the entry before another one in a menu bar is a text", () => {
  const row = { y: 54, height: 12 };
  const entries = [
    ["File", { ...row, x: 130, width: 22 }],
    ["Edit", { ...row, x: 166, width: 24 }],
  ] as const;
  const letters = { x: 130, y: 50, width: 22, height: 18 };
  expect(find(entries, [letters])).toEqual({ icons: [], texts: ["File", "Edit"] });
  const unsure = entries.map(([text, bounds]) => [text === "File" ? "Fi" : text, bounds] as const);
  expect(find(unsure, [letters]).icons).toEqual(["Edit"]);
});

test("a sentence beside a picture is a text", () => {
  const words = ["He", "said", "that", "it", "works"].map(
    (text, at) => [text, { x: 156 + 40 * at, y: 54, width: 34, height: 12 }] as const,
  );
  expect(find(words, [icon])).toEqual({ icons: [], texts: ["He said that it works"] });
});

test("nothing, a line, a photograph and a shape out of line are no icons", () => {
  const shapes: readonly (readonly Bounds[])[] = [
    [],
    [{ x: 20, y: 86, width: 300, height: 1 }],
    [{ x: 20, y: 0, width: 300, height: 84 }],
    [{ ...icon, x: 122 }],
    [{ ...icon, y: 20, height: 40 }],
  ];
  for (const shown of shapes) expect(find([["Trash", below]], shown)).toEqual({ icons: [], texts: ["Trash"] });
});
