import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Edited } from "./edit.ts";
import { type Demo, maxFileBytes, printDemo } from "./file.ts";
import { moveProposals } from "./heal.ts";
import { picturesOf } from "./pictures.ts";
import { parseDemo, readBounded } from "./read.ts";
import { writePrivate } from "./store.ts";

/** A demo as its file has it now. */
export interface OpenedDemo {
  readonly file: string;
  readonly demo: Demo;
  /** Tells whether the file is still the same. */
  readonly version: string;
  readonly text: string;
}

export function openDemoFile(file: string): Result<OpenedDemo> {
  const text = readBounded(file, maxFileBytes);
  if (!text.ok) return text;
  const demo = parseDemo(text.value, file);
  return demo.ok ? succeed({ file, demo: demo.value, version: versionOf(text.value), text: text.value }) : demo;
}

/** Writes an edited demo back, whole or not at all; refuses if the file was changed since it was read. */
export function writeEdited({ file, version, demo: before }: OpenedDemo, edited: Edited): Result<OpenedDemo> {
  const text = printDemo(edited.demo);
  const checked = parseDemo(text, "the edited demo");
  if (!checked.ok) return fail({ ...checked.failure, done: unwritten });
  const now = readBounded(file, maxFileBytes);
  if (!now.ok || versionOf(now.value) !== version) {
    const message = `${file} was changed meanwhile by somebody else`;
    return fail(makeFailure("FAILED", message, "look at it again, and repeat the change.", { done: unwritten }));
  }
  const moved = moveProposals(file, before, edited.places);
  if (!moved.ok) return moved;
  const written = writePrivate(file, text);
  if (written.ok) dropPictures(file, before, checked.value);
  return written.ok ? succeed({ file, demo: checked.value, version: versionOf(text), text }) : written;
}

/** A step that is gone leaves no picture behind. */
function dropPictures(file: string, before: Demo, after: Demo): void {
  const kept = new Set(after.steps.map(({ picture }) => picture?.file));
  for (const { picture } of before.steps) {
    if (picture === undefined || kept.has(picture.file)) continue;
    for (const name of [picture.file, picture.file.replace(/\.\w+$/, ".json")]) {
      rmSync(join(picturesOf(file), name), { force: true });
    }
  }
}

const unwritten = "nothing was written.";

function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
