import { parquetWriteBuffer } from "hyparquet-writer";
import type { Demo, Step } from "../file.ts";
import { fillInput } from "../parameters.ts";
import { readPicture } from "../pictures.ts";
import { middleOf, typeOf } from "./actions.ts";
import { type ExportedFile, nameFile, recordedValues } from "./files.ts";

const dataFile = "steps.parquet";

interface Row {
  readonly demo: string;
  readonly step: number;
  readonly action: string;
  readonly tool: string;
  readonly app: string | undefined;
  readonly window: string | undefined;
  readonly role: string | undefined;
  readonly name: string | undefined;
  readonly left: number | undefined;
  readonly top: number | undefined;
  readonly right: number | undefined;
  readonly bottom: number | undefined;
  readonly x: number | undefined;
  readonly y: number | undefined;
  readonly text: string | undefined;
  readonly key: string | undefined;
  readonly input: string;
  readonly element: string | undefined;
  readonly verdict: string | undefined;
  readonly timestamp: number | undefined;
  readonly picture: string | undefined;
  readonly pictureLeft: number | undefined;
  readonly pictureTop: number | undefined;
}

type Type = "STRING" | "INT32" | "DOUBLE";

/** One column for each field, in this order. */
const columns: readonly (readonly [field: keyof Row, name: string, type: Type])[] = [
  ["demo", "demo", "STRING"],
  ["step", "step", "INT32"],
  ["action", "type", "STRING"],
  ["tool", "tool", "STRING"],
  ["app", "app", "STRING"],
  ["window", "window", "STRING"],
  ["role", "role", "STRING"],
  ["name", "name", "STRING"],
  ["left", "left", "INT32"],
  ["top", "top", "INT32"],
  ["right", "right", "INT32"],
  ["bottom", "bottom", "INT32"],
  ["x", "x", "INT32"],
  ["y", "y", "INT32"],
  ["text", "text", "STRING"],
  ["key", "key", "STRING"],
  ["input", "input", "STRING"],
  ["element", "element", "STRING"],
  ["verdict", "verdict", "STRING"],
  ["timestamp", "timestamp", "DOUBLE"],
  ["picture", "picture", "STRING"],
  ["pictureLeft", "picture_left", "INT32"],
  ["pictureTop", "picture_top", "INT32"],
];

/** A table with one row for each step, and the pictures as files beside it. */
export function exportTable(demo: Demo, folder: string): readonly ExportedFile[] {
  const pictures: ExportedFile[] = [];
  const rows = demo.steps.map((step, index) => {
    const stored = readPicture(folder, step);
    const name = stored && nameFile(index, step.picture?.file.split(".").at(-1) ?? "png");
    if (stored !== undefined && name !== undefined) pictures.push({ name, bytes: stored.bytes });
    return toRow(demo, step, index, name);
  });
  const table = parquetWriteBuffer({
    codec: "UNCOMPRESSED",
    createdBy: "deskmap",
    columnData: columns.map(([field, name, type]) => ({
      // Every reader knows it, and a demo is small.
      ...{ name, type, nullable: true, encoding: "PLAIN" as const },
      data: rows.map((row) => row[field] ?? null),
    })),
  });
  return [{ name: dataFile, bytes: new Uint8Array(table) }, ...pictures];
}

function toRow(demo: Demo, step: Step, index: number, picture: string | undefined): Row {
  const { tool, app, window, ref, effect, after_ms } = step;
  const input = fillInput(step.input, recordedValues(demo));
  const [x, y] = step.point ?? middleOf(step);
  const [left, top, right, bottom] = ref?.bbox ?? [];
  const [pictureLeft, pictureTop] = picture === undefined ? [] : (step.picture?.bbox ?? []);
  return {
    ...{ demo: demo.name, step: index + 1, action: typeOf(step), tool, app, window },
    ...{ role: ref?.role, name: ref?.name, left, top, right, bottom, x, y },
    text: typeof input.text === "string" ? input.text : undefined,
    key: typeof input.key === "string" ? input.key : undefined,
    input: JSON.stringify(input),
    element: ref === undefined ? undefined : JSON.stringify(ref),
    verdict: effect?.verdict,
    timestamp: after_ms === undefined ? undefined : after_ms / 1000,
    ...{ picture, pictureLeft, pictureTop },
  };
}
