import type { Scene } from "./scene.ts";

// A window's properties from X's own tools: nothing here goes through Deskmap.

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function findWindowId(scene: Scene, title: string): number {
  const line = scene
    .run("wmctrl", "-l")
    .stdout.split("\n")
    .find((one) => one.includes(title));
  if (line === undefined) throw new Error(`wmctrl lists no window "${title}"`);
  return Number(line.split(" ")[0]);
}

export function readActiveId(scene: Scene): number {
  return Number(/0x[0-9a-f]+/.exec(scene.run("xprop", "-root", "_NET_ACTIVE_WINDOW").stdout)?.[0] ?? 0);
}

/** Bottom to top. */
export function readStacking(scene: Scene): number[] {
  const listed = scene.run("xprop", "-root", "_NET_CLIENT_LIST_STACKING").stdout;
  return [...listed.matchAll(/0x[0-9a-f]+/g)].map(([id]) => Number(id));
}

export function readStates(scene: Scene, id: number): string[] {
  const listed = scene.run("xprop", "-id", String(id), "_NET_WM_STATE").stdout;
  return [...listed.matchAll(/_NET_WM_STATE_(\w+)/g)].map(([, name = ""]) => name).sort();
}

/** From xwininfo, which knows the content, and the frame width that the window manager declares. */
export function readPlace(scene: Scene, id: number): Place {
  const report = scene.run("xwininfo", "-id", String(id)).stdout;
  const read = (label: string): number => Number(new RegExp(`${label}:\\s+(-?\\d+)`).exec(report)?.[1]);
  const margins = (property: string): number[] => {
    const [, numbers = "0, 0, 0, 0"] = /= (.*)/.exec(scene.run("xprop", "-id", String(id), property).stdout) ?? [];
    return numbers.split(", ").map(Number);
  };
  const [left = 0, right = 0, top = 0, bottom = 0] = margins("_NET_FRAME_EXTENTS").map(
    (width, side) => width - (margins("_GTK_FRAME_EXTENTS")[side] ?? 0),
  );
  return {
    x: read("Absolute upper-left X") - left,
    y: read("Absolute upper-left Y") - top,
    width: read("Width") + left + right,
    height: read("Height") + top + bottom,
  };
}

interface EffectJson {
  readonly effect: string;
  readonly way: string;
  readonly evidence?: readonly string[];
  readonly passedOver?: readonly { readonly way: string; readonly why: string }[];
  readonly delivered: boolean;
  readonly retry: string;
  readonly changes?: {
    readonly openedWindows?: readonly { readonly id: number; readonly title: string }[];
    readonly closedWindows?: readonly { readonly id: number; readonly title: string }[];
  };
}

export interface Acted {
  readonly status: number;
  readonly effect: EffectJson | undefined;
  readonly error:
    | { readonly code: string; readonly message: string; readonly nearest: readonly string[]; readonly done: string }
    | undefined;
}

/** Runs one of Deskmap's acting commands and parses its JSON. */
export function act(scene: Scene, command: string, ...args: string[]): Acted {
  const { status, stdout, stderr } = scene.deskmap(command, "--format", "json", ...args);
  const isFailure = stdout.trim() === "";
  return {
    status,
    effect: isFailure ? undefined : (JSON.parse(stdout) as EffectJson),
    error: isFailure ? (JSON.parse(stderr) as { error: Acted["error"] }).error : undefined,
  };
}
