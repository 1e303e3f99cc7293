import type { Bounds, Point, screenSpace } from "./bounds.ts";
import type { Role } from "./role.ts";

/** Pixels as a platform takes them: rows from the top without gaps, 4 bytes a pixel: blue, green, red, and one to ignore. */
export interface Picture {
  readonly pixels: Uint8Array;
  /** What it shows, in physical screen pixels; its size is the picture's size. */
  readonly bounds: Bounds;
  /** What was painted over. */
  readonly covered?: readonly Covered[];
}

/** A part of a picture that was painted over, before anybody saw it. */
export interface Covered {
  readonly what: CoveredWhat;
  readonly bounds: Bounds;
  /** Whose it is; of an application that is not to be looked at, nobody's. */
  readonly app: string;
}

type CoveredWhat =
  /** A field that holds a secret, or a text with one in it. */
  | "secret"
  /** A window of an application that is not to be looked at. */
  | "blind"
  /** A window whose application did not tell in time what is in it. */
  | "unread";

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
  readonly covered: readonly Covered[];
  /** The controls whose marks are drawn into it; undefined where none were asked for. */
  readonly marks?: readonly FrameMark[] | undefined;
}

/** A control in a frame, as its mark is drawn there. */
export interface FrameMark {
  readonly mark: number;
  readonly role: Role;
  readonly name: string;
  /** What is seen of it, in pixels of the frame. */
  readonly bounds: Bounds;
  /** Where to press, in physical pixels of the screen, as everywhere. */
  readonly clickPoint: Point | undefined;
}

/** What a frame is a picture of, as far as it has a name. */
export interface Subject {
  readonly window?: { readonly id: number; readonly app: string; readonly title: string; readonly pid: number };
  readonly monitor?: string;
  readonly mark?: number;
}
