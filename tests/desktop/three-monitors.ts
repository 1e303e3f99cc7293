import type { Bounds } from "../../src/model/bounds.ts";
import { parseMonitors } from "../../src/sandbox/index.ts";
import { openScene, type Scene } from "./scene.ts";

/** Three monitors of different sizes and heights on Xorg with the dummy driver; the primary is neither the leftmost nor the first. */
export const threeMonitors: Readonly<Record<"DUMMY0" | "DUMMY1" | "DUMMY2", Bounds>> = {
  DUMMY0: { x: 0, y: 0, width: 1280, height: 1024 },
  DUMMY1: { x: 1280, y: 0, width: 1920, height: 1080 },
  DUMMY2: { x: 3200, y: 312, width: 1024, height: 768 },
};

type Manager = NonNullable<Parameters<typeof openScene>[0]>["manager"];

export async function openThreeMonitors(manager?: Manager): Promise<Scene> {
  const size = { width: 1280, height: 1024 };
  const monitors = parseMonitors("1280x1024,1920x1080*,1024x768+3200+312", size);
  if (!monitors.ok) throw new Error(monitors.failure.message);
  return openScene({ ...size, monitors: monitors.value, manager });
}
