import { selectElements } from "../find/filter.ts";
import { type Bounds, boundsAround, centreOf, containsBounds, intersect, keepWithin } from "../model/bounds.ts";
import type { PicturedElement, Shot, TakenPicture } from "../model/demo.ts";
import { flatten } from "../model/element.ts";
import type { Picture } from "../model/frame.ts";
import { cleanText } from "../model/plain-text.ts";
import type { WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";
import { encodePng, encodePngAside } from "../picture/encode.ts";
import type { Platform } from "../platform/port.ts";

/** Of a larger window, the part around the control. Figures in docs/decisions.md. */
const most = { width: 1280, height: 960 };
const maxElements = 200;
const maxName = 80;
/** A narrower part cannot be recognised. */
const leastPx = 4;

/** A window as itself, or its menu that holds the place. Undefined if it may not be seen, or cannot be. */
export async function takeShot(
  platform: Platform,
  window: Window,
  place: Bounds,
  read: () => Promise<WindowRead | undefined>,
): Promise<Shot | undefined> {
  const [surfaces, list] = await Promise.all([platform.listSurfaces(), platform.listWindows()]);
  if (!surfaces.ok || !list.ok) return undefined;
  const popup = surfaces.value.find(
    ({ windowId, pid, bounds }) => windowId === undefined && pid === window.pid && containsBounds(bounds, place),
  );
  const room = intersect(popup?.bounds ?? window.bounds, list.value.screen);
  if (room === undefined) return undefined;
  const [picture, tree] = await Promise.all([platform.captureWindow(window, choosePart(room, place)), read()]);
  if (!picture.ok) return undefined;
  return { picture: picture.value, elements: listElements(tree, picture.value, popup !== undefined) };
}

function choosePart(room: Bounds, place: Bounds): Bounds {
  const size = { width: Math.min(room.width, most.width), height: Math.min(room.height, most.height) };
  return keepWithin(boundsAround(centreOf(place), size), room);
}

/** What can be acted on and lies in the picture. A window's own picture shows none of its menus. */
function listElements(
  read: WindowRead | undefined,
  { bounds: shown, covered = [] }: Picture,
  isPopup: boolean,
): readonly PicturedElement[] {
  if (read?.root === undefined) return [];
  const all = flatten(selectElements(read.root, { isInteractive: true }).elements);
  const isHidden = (part: Bounds): boolean => covered.some(({ bounds }) => containsBounds(bounds, part));
  const listed = all.flatMap(({ role, name, bounds, states }) => {
    const part = bounds === undefined || states.has("hidden") ? undefined : intersect(bounds, shown);
    if (part === undefined || part.width < leastPx || part.height < leastPx) return [];
    const isUnseen = isHidden(part) && !states.has("secret");
    const isInMenu =
      role === "menuitem" && bounds !== undefined && !isPopup && !containsBounds(read.window.bounds, bounds);
    return isUnseen || isInMenu ? [] : [{ role, name: cleanText(name, maxName), bbox: toBox(part) }];
  });
  return listed.slice(0, maxElements);
}

function toBox({ x, y, width, height }: Bounds): PicturedElement["bbox"] {
  return [x, y, x + width, y + height];
}

export function encodeShot({ picture, elements }: Shot): TakenPicture {
  return describe(encodePng({ pixels: picture.pixels, ...picture.bounds }), picture, elements);
}

/** Nothing waits for it: what a person does meanwhile is noticed in time. */
export async function encodeShotAside({ picture, elements }: Shot): Promise<TakenPicture> {
  return describe(await encodePngAside({ pixels: picture.pixels, ...picture.bounds }), picture, elements);
}

function describe(png: Uint8Array, { bounds }: Picture, elements: Shot["elements"]): TakenPicture {
  return { png: Buffer.from(png).toString("base64"), bbox: toBox(bounds), elements };
}
