import { intersect } from "../../model/bounds.ts";
import type { PicturedElement } from "../../model/demo.ts";
import { decode } from "../../picture/decode.ts";
import { drawMarks } from "../../picture/draw-marks.ts";
import { encodePng } from "../../picture/encode.ts";
import { fromBox } from "../crop.ts";
import type { Demo, Step, StepRef } from "../file.ts";
import { dropUndefined } from "../fit.ts";
import { fillInput } from "../parameters.ts";
import { readPicture } from "../pictures.ts";
import { type ExportedFile, nameFile, recordedValues } from "./files.ts";

type Box = PicturedElement["bbox"];

interface Marked {
  readonly mark: number;
  readonly role: string;
  readonly name: string;
  /** In pixels of the picture. */
  readonly bbox: Box;
}

/** A picture of each step with numbered boxes, and what was done in terms of those numbers. */
export async function exportMarked(demo: Demo, folder: string): Promise<readonly ExportedFile[]> {
  const files: ExportedFile[] = [];
  const actions: object[] = [];
  const lines: string[] = [];
  for (const [index, step] of demo.steps.entries()) {
    const drawn = await drawStep(folder, step).catch(() => undefined);
    const image = drawn && nameFile(index, "png");
    if (image !== undefined) files.push({ name: image, bytes: drawn?.png ?? new Uint8Array() });
    const action = describeAction(demo, step, drawn?.target, drawn?.end);
    lines.push(`${index + 1}\t${image ?? "-"}\t${action}`);
    actions.push(
      dropUndefined({ step: index + 1, image, action, target: drawn?.target, marks: drawn?.marks, element: step.ref }),
    );
  }
  const list = `${JSON.stringify({ demo: demo.name, steps: actions }, undefined, 1)}\n`;
  return [
    ...files,
    { name: "actions.json", bytes: Buffer.from(list) },
    { name: "actions.txt", bytes: Buffer.from(`${lines.join("\n")}\n`) },
  ];
}

interface Drawn {
  readonly png: Uint8Array;
  readonly marks: readonly Marked[];
  /** The marks of the control, and of the end of a drag. */
  readonly target: number | undefined;
  readonly end: number | undefined;
}

async function drawStep(folder: string, step: Step): Promise<Drawn | undefined> {
  const stored = readPicture(folder, step);
  if (stored === undefined) return undefined;
  const raster = await decode(stored.bytes);
  const room = { ...fromBox(stored.bbox), width: raster.width, height: raster.height };
  const own = [step.ref, step.to_ref].flatMap((ref) => toElement(ref) ?? []);
  const missing = own.filter((one) => !stored.elements.some((other) => isSame(one, other)));
  const shown = [...stored.elements, ...missing].filter(({ bbox }) => intersect(fromBox(bbox), room) !== undefined);
  const marks = shown.map(({ role, name, bbox: [left, top, right, bottom] }, index) => ({
    ...{ mark: index + 1, role, name },
    bbox: [left - room.x, top - room.y, right - room.x, bottom - room.y] as const,
  }));
  drawMarks(
    raster,
    marks.map(({ mark, bbox }) => ({ mark, bounds: fromBox(bbox) })),
  );
  const markOf = (ref: StepRef | undefined): number | undefined => {
    const element = toElement(ref);
    const at = element === undefined ? -1 : shown.findIndex((one) => isSame(element, one));
    return at < 0 ? undefined : at + 1;
  };
  return { png: encodePng(raster), marks, target: markOf(step.ref), end: markOf(step.to_ref) };
}

function toElement(ref: StepRef | undefined): PicturedElement | undefined {
  if (ref?.bbox === undefined) return undefined;
  return { role: ref.role ?? "element", name: ref.name ?? "", bbox: ref.bbox };
}

/** A ref has its parameters in its name, so the place tells. */
function isSame(one: PicturedElement, other: PicturedElement): boolean {
  return one.role === other.role && one.bbox.every((value, at) => Math.abs(value - (other.bbox[at] ?? 0)) <= 1);
}

/** CLICK([5]), or CLICK(500, 300) for what has no mark; texts are quoted as in JSON. */
function describeAction(demo: Demo, step: Step, target: number | undefined, end: number | undefined): string {
  const { tool, point, to_point } = step;
  const input = fillInput(step.input, recordedValues(demo));
  const place = (mark: number | undefined, at: Step["point"]): string[] =>
    mark !== undefined ? [`[${mark}]`] : at === undefined ? [] : [at.join(", ")];
  const middle = step.ref?.bbox && middleOf(step.ref.bbox);
  const words = Object.entries(input).flatMap(([field, value]) => {
    const isPlain = ["text", "key", "direction", "what", "for", "condition", "from", "name"].includes(field);
    return isPlain ? [JSON.stringify(value)] : [`${field}=${JSON.stringify(value)}`];
  });
  const toMiddle = step.to_ref?.bbox && middleOf(step.to_ref.bbox);
  const ends = tool === "drag" ? place(end, to_point ?? toMiddle) : [];
  return `${nameAction(step)}(${[...place(target, point ?? middle), ...ends, ...words].join(", ")})`;
}

function middleOf([left, top, right, bottom]: Box): [number, number] {
  return [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
}

function nameAction({ tool, input }: Step): string {
  if (tool === "type" && input.key !== undefined) return "KEY";
  return (tool === "set-value" ? "type" : tool).replaceAll("-", "_").toUpperCase();
}
