import { fail, type Result } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { Platform, WindowList } from "../platform/port.ts";

const pollMs = 20;
/** A window that still moves, as animated by some window managers, has arrived after standing still for this long. */
const restMs = 60;
const maxRestMs = 1000;
/** A partial result counts as final after nothing has moved for this long. */
const stillMs = 400;

export type WindowLister = Pick<Platform, "listWindows">;

/** How far the goal is reached: completely; in part, or with another reaction; not at all. */
export type Progress = "done" | "some" | "none";

export interface Watched {
  /** The window list before the action. */
  readonly before: WindowList;
  /** The windows that must come to rest; others may change. */
  isConcerned(window: Window): boolean;
  judge(list: WindowList): Progress;
}

/** Polls the window list until the goal is reached, completely or in part, and at rest, or time is over. Returns the last list. */
export async function waitForWindows(
  platform: WindowLister,
  { before, isConcerned, judge }: Watched,
  timeoutMs: number,
): Promise<Result<WindowList>> {
  const start = performance.now();
  const describe = ({ windows }: WindowList): string =>
    JSON.stringify([windows.map(({ id }) => id), windows.filter(isConcerned)]);
  let last = describe(before);
  let hasMoved = false;
  let lastChange = start;
  let doneSince: number | undefined;
  for (;;) {
    const list = await platform.listWindows();
    if (!list.ok) return fail({ ...list.failure, done: "it was delivered; its effect was not seen." });
    const now = performance.now();
    const seen = describe(list.value);
    if (seen !== last) [last, lastChange, hasMoved] = [seen, now, true];
    const progress = judge(list.value);
    doneSince = progress === "done" ? (doneSince ?? now) : undefined;
    const isResting = now - lastChange >= restMs || now - (doneSince ?? now) >= maxRestMs;
    if (progress === "done" && isResting) return list;
    if (progress === "some" && hasMoved && now - lastChange >= stillMs) return list;
    if (now - start >= timeoutMs && progress !== "done") return list;
    await Bun.sleep(pollMs);
  }
}
