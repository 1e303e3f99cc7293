import { placeTags } from "../../src/marks/place-tags.ts";
import type { Tag } from "../../src/marks/tag.ts";
import { colourOf } from "../../src/marks/tag.ts";
import type { Bounds, Size } from "../../src/model/bounds.ts";
import { type PagePlace, screenBoundsToPage } from "../../src/model/coordinates.ts";
import type { SeenControl } from "./marks.ts";

const tagHeight = 13;
const tagFont = "600 11px ui-monospace, monospace";
/** More tags than this would hide the picture. */
const mostTags = 400;

export interface Drawn {
  readonly marked: readonly SeenControl[];
  readonly tags: readonly Tag[];
  readonly chosen: SeenControl | undefined;
  readonly hovered: SeenControl | undefined;
  readonly place: PagePlace;
  readonly width: number;
  readonly height: number;
}

const onTag = "#ffffff";

export function drawMarks(
  canvas: HTMLCanvasElement,
  { marked, tags, chosen, hovered, place, width, height }: Drawn,
): void {
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  pen.scale(density, density);
  const outlineOne = (one: SeenControl, line: number, isFilled: boolean): void => {
    const colour = colourOf(one.control.mark);
    const bounds = screenBoundsToPage(one.bounds, place);
    const over = one.over.map((front) => screenBoundsToPage(front, place));
    withoutCovered(pen, over, { x: 0, y: 0, width, height }, () => {
      if (isFilled) fill(pen, bounds, colour);
      outline(pen, bounds, colour, line);
    });
  };
  for (const one of marked) outlineOne(one, 1, one === hovered);
  if (hovered !== undefined && !marked.includes(hovered)) outlineOne(hovered, 1, true);
  drawTags(pen, tags);
  if (chosen !== undefined) outlineOne(chosen, 3, true);
  // The selected and the hovered control always show their tags, whatever these hide.
  const pointedAt = [chosen, hovered].filter((one) => one !== undefined);
  const missing = pointedAt.filter(({ control }) => !tags.some(({ mark }) => mark === control.mark));
  drawTags(pen, layTags(missing, place, { width, height }));
}

/** Draws around the windows in front, not over them. */
function withoutCovered(pen: CanvasRenderingContext2D, over: readonly Bounds[], room: Bounds, draw: () => void): void {
  pen.save();
  for (const front of over) {
    const hole = new Path2D();
    hole.rect(room.x, room.y, room.width, room.height);
    hole.rect(front.x, front.y, front.width, front.height);
    pen.clip(hole, "evenodd");
  }
  draw();
  pen.restore();
}

/** The picture may have any colour, so the line has a light edge. */
function outline(pen: CanvasRenderingContext2D, { x, y, width, height }: Bounds, colour: string, line: number): void {
  pen.strokeStyle = "rgb(255 255 255 / 70%)";
  pen.lineWidth = line + 2;
  pen.strokeRect(x, y, width, height);
  pen.strokeStyle = colour;
  pen.lineWidth = line;
  pen.strokeRect(x, y, width, height);
}

function fill(pen: CanvasRenderingContext2D, { x, y, width, height }: Bounds, colour: string): void {
  pen.globalAlpha = 0.2;
  pen.fillStyle = colour;
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = 1;
}

function drawTags(pen: CanvasRenderingContext2D, tags: readonly Tag[]): void {
  pen.font = tagFont;
  pen.textBaseline = "middle";
  for (const { mark, tag } of tags) {
    pen.fillStyle = colourOf(mark);
    pen.fillRect(tag.x, tag.y, tag.width, tag.height);
    pen.fillStyle = onTag;
    pen.fillText(String(mark), tag.x + 2, tag.y + tag.height / 2 + 0.5);
  }
}

/** Places the tags. Slower than drawing them, so callers keep the result while the pointer moves. */
export function layTags(marked: readonly SeenControl[], place: PagePlace, size: Size): readonly Tag[] {
  if (marked.length > mostTags) return [];
  const boxes = marked.map(({ control, free }) => ({ mark: control.mark, bounds: screenBoundsToPage(free, place) }));
  const measure = (mark: number) => ({ width: digitWidth * String(mark).length + 5, height: tagHeight });
  return placeTags(boxes, { x: 0, y: 0, ...size }, measure);
}

/** The widest digit of the tag font. */
const digitWidth = 7;
