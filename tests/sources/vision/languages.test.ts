import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseLanguages } from "../../../src/sources/vision/languages.ts";
import { Tesseract } from "../../../src/sources/vision/tesseract.ts";
import { draw, parsePpm } from "../../picture/pictures.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-languages-"));
for (const name of ["eng", "deu", "fra", "chi_tra", "osd"]) writeFileSync(join(folder, `${name}.traineddata`), "");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const choose = (env: Readonly<Record<string, string>>): string | undefined => {
  return chooseLanguages({ TESSDATA_PREFIX: folder, ...env });
};

describe("pictures are read in the person's language", () => {
  test("and in English, if both are installed", () => {
    expect(choose({ LANG: "de_AT.UTF-8" })).toBe("deu+eng");
    expect(choose({ LANG: "zh_TW" })).toBe("chi_tra+eng");
    expect(choose({ LANG: "pl_PL.UTF-8" })).toBeUndefined();
    expect(choose({ LANG: "de_DE@euro", TESSDATA_PREFIX: join(folder, "nowhere") })).toBeUndefined();
  });

  test("which is the language of program messages", () => {
    expect(choose({ LANG: "de_DE.UTF-8", LC_ALL: "fr_FR.UTF-8" })).toBe("fra+eng");
    expect(choose({ LANG: "de_DE.UTF-8", LC_MESSAGES: "fr_FR.UTF-8" })).toBe("fra+eng");
    expect(choose({ LANG: "de_DE.UTF-8", LANGUAGE: "fr:de" })).toBe("fra+deu+eng");
  });

  test("and in English alone, as before, if no other is requested", () => {
    for (const LANG of ["", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "constructor", "../deu"]) {
      expect(choose({ LANG })).toBeUndefined();
    }
    expect(choose({ LANG: "C.UTF-8", LANGUAGE: "de" })).toBeUndefined();
  });
});

test("German words are read with their own letters", async () => {
  const words = "Größe ändern, Schließen";
  const options = [
    "-font",
    "DejaVu-Sans",
    "-pointsize",
    "15",
    "-gravity",
    "center",
    "-size",
    "320x60",
    `label:${words}`,
  ];
  const { stdout } = spawnSync("convert", [...options, "-depth", "8", "ppm:-"], { maxBuffer: 1 << 20 });
  const { rgb, width, height } = parsePpm(stdout);
  const { pixels } = draw(width, height, (x, y) =>
    Array.from(rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)),
  );
  const read = async (LANG: string): Promise<string> => {
    const { PATH = "" } = process.env;
    const picture = { pixels, bounds: { x: 0, y: 0, width, height } };
    const found = await new Tesseract({ env: { PATH, LANG } }).detect(picture, {
      app: "",
      windowTitle: "",
      knownLabels: [],
      scale: 1,
    });
    if (!found.ok) throw new Error(found.failure.message);
    return found.value.map(({ label }) => label).join(" ");
  };
  expect(await read("C.UTF-8")).not.toContain("ß");
  expect(await read("de_DE.UTF-8")).toContain(words);
});
