/** Page pixels per screen pixel; "fit" shows the whole screen. */
export type Zoom = "fit" | number;

const steps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4] as const;

export function stepZoom(from: number, by: 1 | -1): number {
  const next = by === 1 ? steps.find((one) => one > from + 0.001) : steps.findLast((one) => one < from - 0.001);
  return next ?? from;
}

/** The scale of the picture to ask for: no more pixels than are shown. */
export function choosePictureScale(shownScale: number): number {
  return shownScale <= 0.25 ? 0.25 : shownScale <= 0.5 ? 0.5 : 1;
}

export function fitInto(size: Size, room: Size): number {
  if (size.width === 0 || size.height === 0) return 1;
  return Math.max(0.05, Math.min(1, room.width / size.width, room.height / size.height));
}

interface Size {
  readonly width: number;
  readonly height: number;
}
