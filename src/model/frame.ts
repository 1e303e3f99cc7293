import type { Bounds, Point, screenSpace } from "./bounds.ts";
import type { Role } from "./role.ts";

/** Raw pixels: rows from the top without padding, 4 bytes each: blue, green, red, unused. */
export interface Picture {
  readonly pixels: Uint8Array;
  /** The area it shows, in physical screen pixels; the same size as the picture. */
  readonly bounds: Bounds;
  /** The parts painted over. */
  readonly covered?: readonly Covered[];
}

/** A part of a picture that was painted over before anyone saw it. */
export interface Covered {
  readonly what: CoveredWhat;
  readonly bounds: Bounds;
  /** The application; empty for one that must not be read. */
  readonly app: string;
}

type CoveredWhat =
  /** A secret field, or a text that contains a secret. */
  | "secret"
  /** A window of an application that must not be read. */
  | "blind"
  /** A window whose application did not report its content in time. */
  | "unread";

export const scopes = ["screen", "monitor", "window", "region", "element"] as const;
export type Scope = (typeof scopes)[number];

export const imageFormats = ["png", "jpg"] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** An encoded picture. Point p of the frame is the screen point origin + p / scale. */
export interface Frame {
  /** The PNG or JPEG file. */
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
  /** The controls whose marks are drawn; undefined if none were requested. */
  readonly marks?: readonly FrameMark[] | undefined;
}

export interface FrameMark {
  readonly mark: number;
  readonly role: Role;
  readonly name: string;
  /** Its visible part, in frame pixels. */
  readonly bounds: Bounds;
  /** Where to click, in physical screen pixels. */
  readonly clickPoint: Point | undefined;
}

/** What a frame shows, where it has a name. */
export interface Subject {
  readonly window?: { readonly id: number; readonly app: string; readonly title: string; readonly pid: number };
  readonly monitor?: string;
  readonly mark?: number;
}
