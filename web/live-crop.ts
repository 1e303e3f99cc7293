import type { Bounds } from "../src/model/bounds.ts";
import type { RowPicture } from "./activity-rows.ts";
import { findPart } from "./crop-part.ts";
import type { TakenPicture } from "./screen/picture-feed.ts";

/** Cuts a part out of the live picture, in which secrets are already covered. */
export async function cropLive(picture: TakenPicture, place: Bounds): Promise<RowPicture | undefined> {
  const part = findPart(picture, place);
  if (part === undefined) return undefined;
  const { x, y, width, height } = part;
  const bitmap = await createImageBitmap(picture.file, x, y, width, height);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const url = URL.createObjectURL(await canvas.convertToBlob({ type: "image/png" }));
  return { url, width, height, liveAtMs: picture.takenAtMs };
}
