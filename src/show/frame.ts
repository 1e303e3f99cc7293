import type { Covered, Frame, FrameMark } from "../model/frame.ts";
import { quoteText, shorten } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";

/** With the file's bytes as base64, or with the path under which they were written. */
export function frameToJson(frame: Frame, path: string | undefined, isPretty: boolean): string {
  const { scope, subject, format, width, height, scale, origin, space, takenAtMs, data, covered } = frame;
  const head = { scope, ...subject, format, width, height, scale, origin, space };
  const time = { takenAt: new Date(takenAtMs).toISOString(), takenAtMs };
  const masks = { masked: covered.length, ...(covered.length === 0 ? {} : { covered: covered.map(coveredToJson) }) };
  const marks = frame.marks === undefined ? {} : { marks: frame.marks.map(markToJson) };
  const body = path === undefined ? { data: Buffer.from(data).toString("base64") } : { path };
  return stringify({ ...head, ...time, ...masks, ...marks, bytes: data.length, ...body }, isPretty);
}

const maxNameLength = 120;

/** Bounds in pixels of the frame, where the outline is drawn; the point in those of the screen, where a press goes. */
function markToJson({ mark, role, name, bounds: { x, y, width, height }, clickPoint }: FrameMark) {
  return {
    id: mark,
    role: shortRole(role),
    ...(name === "" ? {} : { name: shorten(name, maxNameLength) }),
    bounds: [x, y, width, height],
    ...(clickPoint === undefined ? {} : { clickPoint: [clickPoint.x, clickPoint.y] }),
  };
}

/** In physical pixels of the screen, as everything else that has a place. */
function coveredToJson({ what, bounds: { x, y, width, height }, app }: Covered): Record<string, unknown> {
  return { what, ...(app === "" ? {} : { app }), x, y, width, height };
}

const coveredWords = {
  secret: ["secret field", "secret fields"],
  blind: ["part of what is not to be looked at", "parts of what is not to be looked at"],
  unread: ["window that did not answer", "windows that did not answer"],
} as const;

function showCovered({ covered }: Frame): string {
  if (covered.length === 0) return "";
  const told = [...Map.groupBy(covered, ({ what }) => what)].map(([what, some]) => {
    return `${some.length} ${coveredWords[what][some.length === 1 ? 0 : 1]}`;
  });
  return `  masked: ${told.join(", ")}`;
}

/** For people, who have the file itself: a line about it, and one for each mark in it. */
export function showFrame(frame: Frame, path: string): string {
  const { width, height, format, scale, origin, data } = frame;
  const size = `${width}x${height} ${format}, ${Math.ceil(data.length / 1024)} KB`;
  const where = `from ${origin.x},${origin.y} at scale ${scale}`;
  const first = `${path}  ${size}  ${describeSubject(frame)}  ${where}${showCovered(frame)}${countMarks(frame)}`;
  return [first, ...(frame.marks ?? []).map(showMark)].join("\n");
}

function countMarks({ marks }: Frame): string {
  return marks === undefined ? "" : `  marks: ${marks.length}`;
}

function showMark({ mark, role, name }: FrameMark): string {
  return `${mark} ${shortRole(role)}${name === "" ? "" : ` ${quoteText(name, maxNameLength)}`}`;
}

export function frameToCsv(frame: Frame, path: string): string {
  const { scope, format, width, height, scale, origin } = frame;
  const cells = [scope, format, width, height, scale, origin.x, origin.y].map(String);
  return joinRows("scope,format,width,height,scale,x,y,path", [[...cells, path]]);
}

function describeSubject({ scope, subject }: Frame): string {
  if (subject.mark !== undefined) return `element ${subject.mark}`;
  if (subject.window !== undefined) return `window ${subject.window.id} ${quoteText(subject.window.title)}`;
  return subject.monitor === undefined ? scope : `monitor ${subject.monitor}`;
}
