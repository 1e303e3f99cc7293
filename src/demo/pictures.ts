import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, messageOf, parseJson } from "../model/caught.ts";
import type { PicturedElement } from "../model/demo.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { cleanText } from "../model/plain-text.ts";
import type { Demo, Step } from "./file.ts";
import { picturePattern } from "./file.ts";

const maxPictureBytes = 32 << 20;
const maxListBytes = 1 << 20;
const maxElements = 500;

/** The folder beside a demo's file; it may be missing. */
export function picturesOf(demoFile: string): string {
  return join(dirname(demoFile), `${basename(demoFile).replace(/(?:\.demo)?\.json$/, "")}.pictures`);
}

/** The files of a step's picture; undefined if it has none, or if it was deleted. */
export interface StoredPicture {
  readonly bytes: Uint8Array;
  readonly bbox: NonNullable<Step["picture"]>["bbox"];
  readonly elements: readonly PicturedElement[];
}

export function readPicture(folder: string, { picture }: Step): StoredPicture | undefined {
  if (picture === undefined || !picturePattern.test(picture.file)) return undefined;
  const bytes = readPlain(join(folder, picture.file), maxPictureBytes);
  return bytes && { bytes, bbox: picture.bbox, elements: readElements(folder, picture.file) };
}

function readElements(folder: string, file: string): readonly PicturedElement[] {
  const text = readPlain(join(folder, listOf(file)), maxListBytes);
  const given = parseJson(Buffer.from(text ?? []).toString("utf8"));
  if (typeof given !== "object" || given === null || !("elements" in given) || !Array.isArray(given.elements))
    return [];
  const listed: unknown[] = given.elements.slice(0, maxElements);
  return listed.filter(isElement).map(({ role, name, bbox }) => ({
    ...{ role: cleanText(role, 60), name: cleanText(name, 200), bbox },
  }));
}

function isElement(value: unknown): value is PicturedElement {
  if (typeof value !== "object" || value === null || !("role" in value && "name" in value && "bbox" in value))
    return false;
  const { role, name, bbox } = value;
  const isBox = Array.isArray(bbox) && bbox.length === 4 && bbox.every(Number.isInteger);
  return typeof role === "string" && typeof name === "string" && isBox;
}

function listOf(file: string): string {
  return file.replace(/\.\w+$/, ".json");
}

/** A regular file that is no link, or its first bytes; undefined for anything else. */
export function readPlain(path: string, most: number, length?: number): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.size > most) return undefined;
    const bytes = Buffer.alloc(Math.min(found.size, length ?? found.size));
    return readSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length ? bytes : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** The pictures of a demo's steps, named by their numbers, and the demo that refers to them so. */
export interface Numbered {
  readonly demo: Demo;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Pictures that are not there are not referred to either. */
export function numberPictures(demo: Demo, from: string): Numbered {
  const files: { name: string; bytes: Uint8Array }[] = [];
  const steps = demo.steps.map((step, index) => {
    const { picture, ...rest } = step;
    const stored = readPicture(from, step);
    if (picture === undefined || stored === undefined) return rest;
    const name = `${String(index + 1).padStart(4, "0")}${/\.\w+$/.exec(picture.file)?.[0] ?? ".png"}`;
    files.push({ name, bytes: stored.bytes });
    if (stored.elements.length > 0) {
      files.push({ name: listOf(name), bytes: Buffer.from(`${JSON.stringify({ elements: stored.elements })}\n`) });
    }
    return { ...step, picture: { ...picture, file: name } };
  });
  return { demo: { ...demo, steps }, files };
}

/** Replaces the folder of pictures; without pictures there is none. */
export function writePictures(demoFile: string, { files }: Numbered): Result<void> {
  const folder = picturesOf(demoFile);
  const draft = `${folder}.${process.pid}.part`;
  try {
    rmSync(draft, { recursive: true, force: true });
    if (files.length > 0) {
      mkdirSync(draft, { recursive: true, mode: 0o700 });
      chmodSync(draft, 0o700);
      for (const { name, bytes } of files) writeFileSync(join(draft, name), bytes, { mode: 0o600, flag: "wx" });
    }
    rmSync(folder, { recursive: true, force: true });
    if (files.length > 0) renameSync(draft, folder);
    return succeed(undefined);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const message = `${folder} could not be written: ${messageOf(error)}`;
    return fail(makeFailure("FAILED", message, "make room for the pictures, or leave them out with --no-pictures."));
  }
}

export function movePictures(from: string, to: string): void {
  deletePictures(to);
  try {
    renameSync(picturesOf(from), picturesOf(to));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

export function deletePictures(demoFile: string): void {
  rmSync(picturesOf(demoFile), { recursive: true, force: true });
}
