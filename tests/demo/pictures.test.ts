import { afterAll, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCrops } from "../../src/demo/crop.ts";
import type { Demo } from "../../src/demo/file.ts";
import { printDemo } from "../../src/demo/file.ts";
import { makeDemo } from "../../src/demo/make.ts";
import {
  deletePictures,
  movePictures,
  numberPictures,
  picturesOf,
  readPicture,
  writePictures,
} from "../../src/demo/pictures.ts";
import { parseDemo } from "../../src/demo/read.ts";
import { RecordingFolder } from "../../src/demo/recording.ts";
import { showDemoPage } from "../../src/demo/show.ts";
import { decode } from "../../src/picture/decode.ts";
import { encodePng } from "../../src/picture/encode.ts";
import { draw } from "../picture/pictures.ts";
import { makeAction, makeField } from "./actions.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-pictures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const png = Buffer.from(encodePng(draw(600, 400, (x, y) => [x % 256, y % 256, 99])));
const taken = {
  png: png.toString("base64"),
  bbox: [0, 0, 600, 400] as const,
  elements: [{ role: "button", name: "Save", bbox: [10, 20, 110, 50] as const }],
};

/** A recording of two steps with a picture each, as a person's recorder writes it. */
function record(): { readonly demo: Demo; readonly recording: RecordingFolder } {
  const recording = new RecordingFolder(join(folder, "recording"));
  recording.finish();
  recording.start({ name: "form", startedMs: 0, kind: "person" });
  recording.add({ ...makeField("Name", "Ada"), n: 1 }, taken);
  recording.add({ ...makeAction(), n: 2 }, taken);
  const ended = recording.end();
  if (!ended.ok) throw new Error(ended.failure.message);
  return { demo: makeDemo(ended.value.actions, { name: "form" }), recording };
}

let file: string;
beforeEach(() => {
  file = join(folder, "form.demo.json");
  deletePictures(file);
});

function save(): Demo {
  const { demo, recording } = record();
  const numbered = numberPictures(demo, recording.pictures);
  expect(writePictures(file, numbered)).toMatchObject({ ok: true });
  return numbered.demo;
}

test("pictures lie beside the demo, for its user alone, and steps name them", async () => {
  const demo = save();
  expect(demo.steps.map(({ picture }) => picture?.file)).toEqual(["0001.png", "0002.png"]);
  expect(readdirSync(picturesOf(file)).toSorted()).toEqual(["0001.json", "0001.png", "0002.json", "0002.png"]);
  expect(picturesOf(file)).toBe(join(folder, "form.pictures"));
  expect(statSync(picturesOf(file)).mode & 0o777).toBe(0o700);
  expect(statSync(join(picturesOf(file), "0001.png")).mode & 0o777).toBe(0o600);
  expect(parseDemo(printDemo(demo), "x")).toMatchObject({ ok: true });
  const [step] = demo.steps;
  expect(step && readPicture(picturesOf(file), step)).toMatchObject({
    bbox: [0, 0, 600, 400],
    elements: taken.elements,
  });
});

test("without the folder nothing is missed; a demo is moved and deleted with it", () => {
  const demo = save();
  const other = join(folder, "other.demo.json");
  movePictures(file, other);
  expect([existsSync(picturesOf(file)), existsSync(picturesOf(other))]).toEqual([false, true]);
  deletePictures(other);
  expect(existsSync(picturesOf(other))).toBe(false);
  movePictures(file, other);
  expect(numberPictures(demo, picturesOf(file)).demo.steps.map(({ picture }) => picture)).toEqual([
    undefined,
    undefined,
  ]);
});

test("a picture outside of the folder is neither named nor read", () => {
  const demo = save();
  for (const bad of [
    "../x.png",
    "/etc/passwd",
    "a/b.png",
    "..png",
    "x.svg",
    ".png",
    "a.png\u0000",
    "x".repeat(80) + ".png",
  ]) {
    const copy = JSON.parse(printDemo(demo));
    copy.steps[0].picture.file = bad;
    expect(parseDemo(JSON.stringify(copy), "x")).toMatchObject({
      ok: false,
      failure: { message: "x: steps[0].picture.file (step 1): is not written as it must be" },
    });
  }
  const secret = join(folder, "elsewhere.png");
  writeFileSync(secret, png);
  mkdirSync(picturesOf(file), { recursive: true });
  rmSync(join(picturesOf(file), "0001.png"));
  symlinkSync(secret, join(picturesOf(file), "0001.png"));
  const [step] = demo.steps;
  expect(step && readPicture(picturesOf(file), step)).toBeUndefined();
});

test("a page has the crops in itself, and a damaged one is left out", async () => {
  const demo = save();
  writeFileSync(join(picturesOf(file), "0001.png"), "damaged");
  const crops = await makeCrops(demo, picturesOf(file));
  expect([...crops.keys()]).toEqual([1]);
  const page = showDemoPage(demo, crops);
  const address = /<img src="data:image\/png;base64,([^"]+)" alt="before step 2: click button &quot;Save&quot;/.exec(
    page,
  )?.[1];
  const crop = await decode(Buffer.from(address ?? "", "base64"));
  expect([crop.width, crop.height]).toEqual([480, 320]);
  // The outline of the control: its upper left corner is no longer what was there.
  const at = (20 * crop.width + 60) * 4;
  expect([...crop.pixels.subarray(at, at + 3)]).not.toEqual([99, 20, 60]);
  expect(page).toContain(`default-src 'none'; style-src 'unsafe-inline'; img-src data:`);
  expect(page).not.toMatch(/(?:src|href)="(?!data:)/);
  expect(showDemoPage(demo)).not.toContain("<img");
});
