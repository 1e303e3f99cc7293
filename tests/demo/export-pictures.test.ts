import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParquetReader } from "parquetjs-lite";
import { exportFolder } from "../../src/demo/exchange/export.ts";
import { writeFolder } from "../../src/demo/exchange/files.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { colourOf } from "../../src/marks/tag.ts";
import { encodePng } from "../../src/picture/encode.ts";
import { decode, draw } from "../picture/pictures.ts";
import { makeAction, makeField } from "./actions.ts";

const root = mkdtempSync(join(tmpdir(), "deskmap-export-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const pictures = join(root, "x.pictures");
mkdirSync(pictures);

const bbox: [number, number, number, number] = [5, 10, 305, 210];
const grey = (width: number, height: number) => draw(width, height, () => [200, 200, 200]);
writeFileSync(join(pictures, "1.png"), encodePng(grey(300, 200)));
writeFileSync(
  join(pictures, "1.json"),
  JSON.stringify({
    elements: [
      { role: "checkbox", name: "Agree", bbox: [10, 100, 60, 120] },
      { role: "input", name: "Name", bbox: [10, 60, 210, 90] },
      { role: "button", name: "Far away", bbox: [900, 900, 950, 950] },
    ],
  }),
);
const picture = { file: "1.png", bbox };
const demo = makeDemo(
  [
    makeField("Name", 'Ada "L"', { picture }),
    makeAction({ picture, ref: { role: "button", name: "Save", bbox: [100, 150, 180, 180] } }),
    makeAction({ tool: "type", input: { key: "ctrl+s" }, ref: undefined, point: undefined, aim: "focus" }),
    makeAction({ ref: undefined, evidence: undefined, point: { x: 500, y: 300 } }),
    makeAction({
      tool: "type",
      secret: "Password",
      input: {},
      ref: { role: "input", name: "Password" },
      point: undefined,
    }),
  ],
  { name: "form" },
);

test("set of marks: every control has its number in the picture, and actions name it", async () => {
  const files = await exportFolder(demo, "som", pictures);
  expect(files.map(({ name }) => name)).toEqual(["0001.png", "0002.png", "actions.json", "actions.txt"]);
  const text = (name: string) => Buffer.from(files.find((one) => one.name === name)?.bytes ?? []).toString();
  expect(text("actions.txt").trim().split("\n")).toEqual([
    '1\t0001.png\tTYPE([2], "Ada \\"L\\"")',
    "2\t0002.png\tCLICK([3])",
    '3\t-\tKEY("ctrl+s")',
    "4\t-\tCLICK(500, 300)",
    '5\t-\tFILL_SECRET("{{password}}")',
  ]);
  const { steps } = JSON.parse(text("actions.json"));
  expect(steps[1].marks).toEqual([
    { mark: 1, role: "checkbox", name: "Agree", bbox: [5, 90, 55, 110] },
    { mark: 2, role: "input", name: "Name", bbox: [5, 50, 205, 80] },
    { mark: 3, role: "button", name: "Save", bbox: [95, 140, 175, 170] },
  ]);
  // ImageMagick sees the outline of each mark in its colour, at the lower right corner of the box.
  const seen = decode(files[1]?.bytes ?? new Uint8Array(), "png");
  for (const {
    mark,
    bbox: [, , right, bottom],
  } of steps[1].marks) {
    const at = ((bottom - 1) * seen.width + right - 1) * 3;
    expect(`#${seen.rgb.toString("hex", at, at + 3)}`).toBe(colourOf(mark).toLowerCase());
  }
});

test("without pictures, actions have coordinates", async () => {
  const [list, text] = await exportFolder(demo, "som", join(root, "nowhere"));
  expect(Buffer.from(text?.bytes ?? []).toString()).toContain("2\t-\tCLICK(60, 35)");
  expect(JSON.parse(Buffer.from(list?.bytes ?? []).toString()).steps.length).toBe(5);
});

/** The reader refuses files that call themselves version 2, though it knows everything that is in this one. */
function declareVersion1(file: Buffer): Buffer {
  const start = file.length - 8 - file.readUInt32LE(file.length - 8);
  // Thrift's compact form: the first field of the metadata, a number of 32 bits, 2 as zigzag.
  expect([...file.subarray(start, start + 2)]).toEqual([0x15, 4]);
  const copy = Buffer.from(file);
  copy[start + 1] = 2;
  return copy;
}

test("a table is read by a library that shares no code with the writer", async () => {
  const folder = join(root, "table");
  expect(writeFolder(folder, await exportFolder(demo, "parquet", pictures))).toEqual({ ok: true, value: folder });
  expect(readdirSync(folder).toSorted()).toEqual(["0001.png", "0002.png", "steps.parquet"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const file = join(folder, "steps.parquet");
  const reader = await ParquetReader.openBuffer(declareVersion1(readFileSync(file)));
  const rows: Record<string, unknown>[] = [];
  const cursor = reader.getCursor();
  for (let row = await cursor.next(); row !== null; row = await cursor.next()) rows.push(row);
  await reader.close();
  expect(rows.length).toBe(5);
  expect(rows[0]).toMatchObject({
    ...{ demo: "form", step: 1, type: "type", tool: "set-value", role: "input", name: "Name", text: 'Ada "L"' },
    ...{ left: 10, top: 60, right: 210, bottom: 90, x: 60, y: 35, timestamp: 0, verdict: "confirmed" },
    ...{ picture: "0001.png", picture_left: 5, picture_top: 10 },
  });
  expect(rows[2]).toMatchObject({ type: "key", key: "ctrl+s" });
  expect(rows[4]).toMatchObject({ input: '{"from":"{{password}}"}' });
  expect(await exportFolder({ ...demo, steps: [] }, "parquet", pictures)).toHaveLength(1);
});

test("a folder that has something in it is not written to", () => {
  expect(writeFolder(pictures, [])).toMatchObject({ ok: false, failure: { message: `${pictures} is not empty` } });
});
