import * as z from "zod/mini";
import { type Covered, type Frame, type FrameMark, imageFormats, scopes } from "../model/frame.ts";
import { quoteText, shorten } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import { joinRows } from "./csv.ts";
import { bounds, box, type DataOf, type Forms, point, space, spot } from "./output.ts";
import { maxNameLength, nameControl } from "./text.ts";

export interface Taken {
  readonly frame: Frame;
  readonly path?: string | undefined;
}

export const frameOutput = () =>
  z.strictObject({
    scope: z.enum(scopes),
    window: z.optional(z.strictObject({ id: z.number(), app: z.string(), title: z.string(), pid: z.number() })),
    monitor: z.optional(z.string()),
    mark: z.optional(z.number()),
    format: z.enum(imageFormats),
    width: z.number(),
    height: z.number(),
    scale: z.number(),
    origin: point(),
    space: space(),
    takenAt: z.string(),
    takenAtMs: z.number(),
    masked: z.number(),
    // In physical pixels of the screen.
    covered: z.optional(
      z.array(z.extend(bounds(), { what: z.enum(["secret", "blind", "unread"]), app: z.optional(z.string()) })),
    ),
    // Bounds in pixels of the picture, where the outline is drawn; the point in those of the screen, where a press goes.
    marks: z.optional(
      z.array(
        z.strictObject({
          id: z.number(),
          role: z.string(),
          name: z.optional(z.string()),
          bounds: box(),
          clickPoint: z.optional(spot()),
        }),
      ),
    ),
    bytes: z.number(),
    data: z.optional(z.string()),
    path: z.optional(z.string()),
  });

export type FrameData = DataOf<typeof frameOutput>;

export const frameForms: Forms<Taken, FrameData> = {
  data: frameToData,
  /** A line about the file, and one for each mark in it. */
  text({ frame, path = unwritten }) {
    const { width, height, format, scale, origin, data, marks } = frame;
    const size = `${width}x${height} ${format}, ${Math.ceil(data.length / 1024)} KB`;
    const where = `from ${origin.x},${origin.y} at scale ${scale}`;
    const first = `${path}  ${size}  ${describeSubject(frame)}  ${where}${showCovered(frame)}${marks === undefined ? "" : `  marks: ${marks.length}`}`;
    return [first, ...(marks ?? []).map(nameControl)].join("\n");
  },
  csv({ frame: { scope, format, width, height, scale, origin }, path = "" }) {
    const cells = [scope, format, width, height, scale, origin.x, origin.y].map(String);
    return joinRows("scope,format,width,height,scale,x,y,path", [[...cells, path]]);
  },
};

const unwritten = "(not written)";

/** With the picture as base64, or with the path of the file. */
function frameToData({ frame, path }: Taken): FrameData {
  const { scope, subject, format, width, height, scale, origin, takenAtMs, data, covered } = frame;
  return {
    ...{ scope, ...subject, format, width, height, scale, origin, space: frame.space },
    ...{ takenAt: new Date(takenAtMs).toISOString(), takenAtMs, masked: covered.length },
    ...(covered.length === 0 ? {} : { covered: covered.map(coveredToData) }),
    ...(frame.marks === undefined ? {} : { marks: frame.marks.map(markToData) }),
    bytes: data.length,
    ...(path === undefined ? { data: Buffer.from(data).toString("base64") } : { path }),
  };
}

function markToData({ mark, role, name, bounds: place, clickPoint }: FrameMark) {
  return {
    id: mark,
    role: shortRole(role),
    ...(name === "" ? {} : { name: shorten(name, maxNameLength) }),
    bounds: [place.x, place.y, place.width, place.height] as const,
    ...(clickPoint === undefined ? {} : { clickPoint: [clickPoint.x, clickPoint.y] as const }),
  };
}

function coveredToData({ what, bounds: { x, y, width, height }, app }: Covered) {
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

function describeSubject({ scope, subject }: Frame): string {
  if (subject.mark !== undefined) return `element ${subject.mark}`;
  if (subject.window !== undefined) return `window ${subject.window.id} ${quoteText(subject.window.title)}`;
  return subject.monitor === undefined ? scope : `monitor ${subject.monitor}`;
}
