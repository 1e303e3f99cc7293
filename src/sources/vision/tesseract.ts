import type { Bounds } from "../../model/bounds.ts";
import { fromLocal, toLocal } from "../../model/coordinates.ts";
import type { Detection } from "../../model/detection.ts";
import type { Env } from "../../model/env.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Picture } from "../../model/frame.ts";
import { cleanText } from "../../model/plain-text.ts";
import { traced } from "../../model/trace.ts";
import { type Box, findBoxes } from "./boxes.ts";
import { describeReading, type Reading } from "./describe.ts";
import { type Column, encodePgm, enlarge, type GreyImage, makeColumn, makeGrey, makePage } from "./grey-image.ts";
import { chooseLanguages } from "./languages.ts";
import type { VisionHints, VisionProvider } from "./port.ts";
import { type ProgramRun, type RunEnd, runProgram } from "./run-program.ts";
import { parseTable, type Word } from "./words.ts";

const installCommand = "apt install tesseract-ocr";

export interface TesseractOptions {
  /** PATH and TESSDATA_PREFIX, and the user's locale. */
  readonly env: Env;
  readonly timeoutMs?: number;
  readonly program?: string;
}

/** Page segmentation modes: sparse text, or a uniform block. */
const layouts = { scattered: "11", block: "6" } as const;
const usualTimeoutMs = 20_000;
const maxOutputBytes = 16 << 20;
/** At this scale text is large enough without enlarging. */
const largeEnoughScale = 1.75;
/** 4K. Larger pictures are not enlarged: they take long enough. */
const maxEnlargedPixels = 8_300_000;

/** Recognises text with the local Tesseract: nothing leaves this machine. */
export class Tesseract implements VisionProvider {
  readonly name = "tesseract";

  private readonly languages: readonly string[];

  constructor(private readonly options: TesseractOptions) {
    const languages = chooseLanguages(options.env);
    this.languages = languages === undefined ? [] : ["-l", languages];
  }

  async detect(picture: Picture, hints: VisionHints, signal?: AbortSignal): Promise<Result<readonly Detection[]>> {
    const { width, height } = picture.bounds;
    if (width <= 0 || height <= 0) return succeed([]);
    const scale = Math.max(1, hints.scale);
    const boxes = findBoxes(picture, scale);
    const grey = makeGrey(picture);
    const column = makeColumn(grey, boxes, scale);
    const [page, inBoxes] = await Promise.all([
      this.read(makePage(grey, boxes, scale), layouts.scattered, scale, signal),
      boxes.length === 0 ? succeed([]) : this.read(column, layouts.block, scale, signal),
    ]);
    if (!page.ok) return page;
    if (!inBoxes.ok) return inBoxes;
    const reading: Reading = { page: page.value, boxes: sortIntoBoxes(inBoxes.value, boxes, column) };
    return succeed(describeReading(reading, picture, scale));
  }

  private async read(
    image: GreyImage,
    layout: string,
    scale: number,
    signal: AbortSignal | undefined,
  ): Promise<Result<readonly Word[]>> {
    const isEnlarged = scale < largeEnoughScale && image.width * image.height <= maxEnlargedPixels;
    const { env, program = "tesseract", timeoutMs = usualTimeoutMs } = this.options;
    const run: ProgramRun = {
      command: [program, "stdin", "stdout", ...this.languages, "--psm", layout, "tsv"],
      env: givenTo(env),
      input: encodePgm(isEnlarged ? enlarge(image) : image),
      timeoutMs,
      maxOutputBytes,
      signal,
    };
    const describe = () => ["tesseract", `${image.width}×${image.height} pixels`] as const;
    const end = await traced("vision", describe, () => runProgram(run));
    if (end.how === "done" && end.code === 0) return succeed(parseTable(end.stdout, isEnlarged ? 2 : 1));
    return fail(describeEnd(end, timeoutMs));
  }
}

/** A minimal environment; one thread each, since two instances run. */
function givenTo({ PATH, TESSDATA_PREFIX }: TesseractOptions["env"]): Record<string, string> {
  const env: Record<string, string> = { OMP_THREAD_LIMIT: "1", LC_ALL: "C.UTF-8", PATH: PATH ?? "/usr/bin:/bin" };
  return TESSDATA_PREFIX === undefined ? env : { ...env, TESSDATA_PREFIX };
}

/** Maps column positions back to picture positions. */
function sortIntoBoxes(words: readonly Word[], boxes: readonly Box[], { slots }: Column): Reading["boxes"] {
  return boxes.map((box, at) => {
    const slot = slots[at] ?? box.bounds;
    const own = words.filter(({ bounds }) => isAtHeight(bounds, slot));
    return { box, words: own.map((word) => ({ ...word, bounds: fromLocal(toLocal(word.bounds, slot), box.bounds) })) };
  });
}

function isAtHeight({ y, height }: Bounds, slot: Bounds): boolean {
  const middle = y + height / 2;
  return middle >= slot.y && middle < slot.y + slot.height;
}

function describeEnd(end: RunEnd, timeoutMs: number): Failure {
  switch (end.how) {
    case "missing":
      return makeFailure(
        "UNAVAILABLE",
        "the picture cannot be read: Tesseract is not installed",
        `${installCommand}; or DESKMAP_VISION=off to do without.`,
      );
    case "timeout":
      return makeFailure(
        "TIMEOUT",
        `the picture was not read within ${timeoutMs} ms`,
        "ask for a smaller part of the screen.",
      );
    case "aborted":
      return makeFailure("FAILED", "text recognition was cancelled");
    case "too-long":
      return makeFailure("FAILED", "Tesseract's output is too long", "ask for a smaller part of the screen.");
    case "done":
      return makeFailure(
        "FAILED",
        `Tesseract ended with ${end.code}: ${cleanText(end.stderr, 300)}`,
        `check that its language data is installed: ${installCommand}.`,
      );
  }
}
