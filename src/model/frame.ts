import type { Bounds, Point, screenSpace } from "./bounds.ts";

/** Pixels as a platform takes them: rows from the top without gaps, 4 bytes a pixel: blue, green, red, and one to ignore. */
export interface Picture {
  readonly pixels: Uint8Array;
  /** What it shows, in physical screen pixels; its size is the picture's size. */
  readonly bounds: Bounds;
}

export const scopes = ["screen", "monitor", "window", "region", "element"] as const;
export type Scope = (typeof scopes)[number];

export const imageFormats = ["png", "jpg"] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** A picture as everybody gets it. A point p of the frame is the point origin + p / scale of the screen. */
export interface Frame {
  /** The file: PNG or JPEG. */
  readonly data: Uint8Array;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly takenAtMs: number;
  readonly origin: Point;
  readonly scale: number;
  readonly space: typeof screenSpace;
  readonly scope: Scope;
  readonly subject: Subject;
}

/** What a frame is a picture of, as far as it has a name. */
export interface Subject {
  readonly window?: { readonly id: number; readonly app: string; readonly title: string; readonly pid: number };
  readonly monitor?: string;
  readonly mark?: number;
}
