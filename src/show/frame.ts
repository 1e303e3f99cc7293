import type { Frame } from "../model/frame.ts";
import { quoteText } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";

/** With the file's bytes as base64, or with the path under which they were written. */
export function frameToJson(frame: Frame, path: string | undefined, isPretty: boolean): string {
  const { scope, subject, format, width, height, scale, origin, space, takenAtMs, data } = frame;
  const head = { scope, ...subject, format, width, height, scale, origin, space };
  const time = { takenAt: new Date(takenAtMs).toISOString(), takenAtMs };
  const body = path === undefined ? { data: Buffer.from(data).toString("base64") } : { path };
  return stringify({ ...head, ...time, bytes: data.length, ...body }, isPretty);
}

/** For people, who have the file itself. */
export function showFrame(frame: Frame, path: string): string {
  const { width, height, format, scale, origin, data } = frame;
  const size = `${width}x${height} ${format}, ${Math.ceil(data.length / 1024)} KB`;
  return `${path}  ${size}  ${describeSubject(frame)}  from ${origin.x},${origin.y} at scale ${scale}`;
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
