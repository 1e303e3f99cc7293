import { type Element, flatten } from "../../src/model/element.ts";
import { openLivePlatform } from "../../src/platform/pick.ts";
import type { LivePlatform, Platform } from "../../src/platform/port.ts";
import { type ControlsScene, type Kit, openControls, unwrap } from "./controls-scene.ts";
import { type Agreement, agree } from "./live-compare.ts";

/** Random numbers, reproducible by seed. */
function makeDice(seed: number): (sides: number) => number {
  let state = seed >>> 0 || 1;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 4294967296) * sides);
  };
}

export interface DriveReport {
  readonly steps: number;
  readonly lasting: readonly string[];
  readonly longestMs: number;
  readonly figures: ReturnType<LivePlatform["mirror"]["figures"]>;
  readonly warmMs: readonly number[];
}

/** Another reader of the same desktop. */
export interface BackgroundReader {
  close(): Promise<void>;
}

interface DriveOptions {
  readonly seed: number;
  readonly steps?: number;
  readonly deadlineMs?: number;
  readonly attend?: (env: Record<string, string>) => Promise<BackgroundReader>;
}

/** Performs random pointer and keyboard input on an application, and compares after each. */
export async function drive(kit: Kit, { seed, attend, ...limits }: DriveOptions): Promise<DriveReport> {
  const { steps = Number.POSITIVE_INFINITY, deadlineMs = Number.POSITIVE_INFINITY } = limits;
  const controls = await openControls(kit);
  const attendant = await attend?.(controls.scene.sandbox.env);
  const live = unwrap(await openLivePlatform({ env: controls.scene.sandbox.env, timeoutMs: 5000 }));
  const lasting: string[] = [];
  const warmMs: number[] = [];
  let longestMs = 0;
  let done = 0;
  try {
    const roll = makeDice(seed);
    await note("the start", await agree(live, controls.platform, 500));
    for (; done < steps && performance.now() < deadlineMs; done += 1) {
      const what = await disturb(controls, controls.platform, roll);
      await note(`${done} ${what}`, await agree(live, controls.platform, 500));
      const { windows } = unwrap(await live.listWindows());
      const startedMs = performance.now();
      unwrap(await live.readWindows({ windows, includeHidden: false, timeoutMs: 5000 }));
      warmMs.push(performance.now() - startedMs);
    }
    return { steps: done, lasting, longestMs, figures: live.mirror.figures(), warmMs };
  } finally {
    await attendant?.close();
    live.close();
    await controls.close();
  }

  async function note(what: string, { differences, differedMs }: Agreement): Promise<void> {
    longestMs = Math.max(longestMs, differedMs);
    lasting.push(...differences.slice(0, 8).map((line) => `${kit} after ${what}: ${line}`));
  }
}

async function disturb({ scene }: ControlsScene, platform: Platform, roll: (sides: number) => number): Promise<string> {
  const xdotool = (...args: string[]): void => void scene.run("xdotool", ...args);
  const windows = unwrap(await platform.listWindows()).windows;
  const [front] = windows;
  const reads = unwrap(await platform.readWindows({ windows, includeHidden: false, timeoutMs: 5000 }));
  const all = flatten(reads.flatMap(({ root }) => root ?? []));
  const pressable = all.filter(({ clickPoint, role, name }) => {
    return (
      clickPoint !== undefined &&
      !["window", "titlebar"].includes(role) &&
      !/close|minimi[sz]e|maximi[sz]e|quit|save|download|menu|sign in|profile/i.test(name)
    );
  });
  const target: Element | undefined = pressable[roll(pressable.length)];
  const at = target?.clickPoint ?? { x: 200, y: 200 };
  const called = `${target?.role} "${target?.name}"`;
  switch (roll(9)) {
    case 0:
    case 1:
    case 2:
      xdotool("mousemove", String(at.x), String(at.y), "click", "1");
      return `a click on ${called}`;
    case 3:
      xdotool("type", "--delay", "3", ["hello", "x1", "some words"][roll(3)] ?? "");
      return "typing";
    case 4: {
      const key = ["Tab", "Escape", "Down", "Up", "Return", "space", "Page_Down", "BackSpace"][roll(8)] ?? "Tab";
      xdotool("key", key);
      return `the key ${key}`;
    }
    case 5:
      xdotool("mousemove", String(at.x), String(at.y), "click", String(4 + roll(2)));
      return `the wheel over ${called}`;
    case 6:
      xdotool("mousemove", String(at.x), String(at.y));
      return `the pointer over ${called}`;
    case 7:
      xdotool("windowmove", String(front?.id), String(20 + roll(300)), String(20 + roll(200)));
      return "a move";
    default:
      xdotool("windowsize", String(front?.id), String(500 + roll(400)), String(500 + roll(300)));
      return "another size";
  }
}
