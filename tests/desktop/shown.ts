import type { Scene } from "./scene.ts";

/** One element of Deskmap's JSON. */
export interface Shown {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly v?: string;
  readonly d?: string;
  readonly p?: readonly [number, number];
  readonly b?: readonly [number, number, number, number];
  readonly f?: true;
  readonly e?: false;
  readonly s?: true;
  readonly x?: readonly string[];
  readonly a?: readonly string[];
  readonly c?: readonly Shown[];
}

/** Everything that `deskmap read` shows of the selected windows, in reading order. */
export function readShown(scene: Scene, ...args: string[]): Shown[] {
  const { stdout, stderr, status } = scene.deskmap("read", "--format", "json", "--points", ...args);
  if (status !== 0) throw new Error(stderr);
  const read = JSON.parse(stdout) as { elements?: Shown[]; windows?: { elements: Shown[] }[] };
  const top = read.elements ?? read.windows?.flatMap(({ elements }) => elements) ?? [];
  const flatten = (list: readonly Shown[]): Shown[] => list.flatMap((one) => [one, ...flatten(one.c ?? [])]);
  return flatten(top);
}

/** The only element of that role and name; throws if there are several or none. */
export function pick(elements: readonly Shown[], role: string, name?: string): Shown {
  const found = elements.filter(({ r, t }) => r === role && t === name);
  const [only] = found;
  if (found.length !== 1 || only === undefined) throw new Error(`${found.length} of ${role} "${name ?? ""}"`);
  return only;
}

/** Clicks at Deskmap's point with xdotool. */
export function clickOn(scene: Scene, { r, t, p }: Shown): void {
  if (p === undefined) throw new Error(`no point for ${r} "${t ?? ""}"`);
  scene.run("xdotool", "mousemove", "--sync", String(p[0]), String(p[1]), "click", "1");
}

/** An element in one line: role, name, value and states. */
export function describeShown({ r, t, v, e, s, x = [] }: Shown): string {
  const states = [e === false ? "disabled" : "", s === true ? "selected" : "", ...x].filter((state) => state !== "");
  return [r, t === undefined ? "" : JSON.stringify(t), v === undefined ? "" : `=${v}`, ...states]
    .filter((part) => part !== "")
    .join(" ");
}
