import type { Size } from "../model/bounds.ts";
import type { ArrowEnds, Colour, Stroke } from "../model/drawing.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { findPathTrouble } from "../model/path-data.ts";
import { cleanText } from "../model/plain-text.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import type { Route } from "./connect.ts";

interface Anchored {
  readonly mark: number;
  readonly colour: Colour;
  readonly stroke: Stroke;
}

/** Something a client draws at a control. It follows the control and disappears with it. */
export type Annotation = Anchored &
  (
    | { readonly kind: "highlight" | "label"; readonly label: string }
    | {
        readonly kind: "connect";
        readonly to: number;
        readonly label: string;
        readonly arrows: ArrowEnds;
        readonly route: Route;
      }
    | {
        readonly kind: "shape";
        readonly path: string;
        /** The path's coordinate box; it is stretched over the control. */
        readonly size: Size;
        readonly isFilled: boolean;
      }
  );

export const annotationKinds = ["highlight", "label", "connect", "shape"] as const;

const defaultColour: Colour = "#d6336c";
/** Limits: in total, per client, and per label. */
export const maxAnnotations = 200;
export const maxOfClient = 50;
const maxLabelLength = 80;
/** Default and maximum lifetime. */
export const defaultAnnotationMs = 60 * 60_000;
export const longestAnnotationMs = 24 * 60 * 60_000;

export function marksOf(annotation: Annotation): readonly number[] {
  return annotation.kind === "connect" ? [annotation.mark, annotation.to] : [annotation.mark];
}

export function parseColour(text: string | undefined): Result<Colour> {
  if (text === undefined) return succeed(defaultColour);
  const digits = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return fail(describeUsage(`invalid --colour "${text}"`, "six digits: --colour #d6336c"));
  const colour: Colour = `#${digits.toLowerCase()}`;
  return succeed(colour);
}

/** A label is one line without control characters or secrets. */
export function parseLabel(text: string | undefined): Result<string> {
  if (text === undefined) return succeed("");
  const label = cleanText(maskSecrets(text), maxLabelLength);
  if (label !== "") return succeed(label);
  return fail(describeUsage("the label has no visible characters", 'give a word or two: --label "Press this"'));
}

export function parsePath(text: string | undefined, size: Size): Result<string> {
  const example = 'as SVG writes it: --path "M0 0 L100 100" --size 100x100';
  if (text === undefined) return fail(describeUsage("a shape needs --path", example));
  const trouble = findPathTrouble(text, size);
  return trouble === undefined ? succeed(text.trim()) : fail(describeUsage(`invalid --path: ${trouble}`, example));
}

const defaultSize = { width: 100, height: 100 };
const largestSize = 10_000;

export function parseSize(text: string | undefined): Result<Size> {
  if (text === undefined) return succeed(defaultSize);
  const [, width, height] = /^(\d{1,6})x(\d{1,6})$/i.exec(text.trim()) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const isSize = [size.width, size.height].every((one) => one > 0 && one <= largestSize);
  if (isSize) return succeed(size);
  return fail(
    describeUsage(
      `invalid --size "${text}"`,
      `the box of the path, from 1x1 to ${largestSize}x${largestSize}: --size 100x100`,
    ),
  );
}
