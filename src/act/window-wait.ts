import { fail, type Result } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { Platform, WindowList } from "../platform/port.ts";

const pollMs = 20;
/** A window that is done but still on its way (Openbox lets windows fly) has arrived when it stood for so long. */
const restMs = 60;
const maxRestMs = 1000;
/** So long must nothing move before what is only half of what was wanted counts as the end of it. */
const stillMs = 400;

export type WindowLister = Pick<Platform, "listWindows">;

/** How far what was wanted has come: "done"; "some" of it, or an answer of another kind; "none". */
export type Progress = "done" | "some" | "none";

export interface Watched {
  /** The list as it was before anything was done. */
  readonly before: WindowList;
  /** The windows whose rest is waited for; others may change as they like. */
  isConcerned(window: Window): boolean;
  judge(list: WindowList): Progress;
}

/** Looks at the windows until it is done and at rest, or half done and at rest, or the time is over: the last look. */
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
    if (!list.ok) return fail({ ...list.failure, done: "it was delivered; what it did was not seen." });
    const now = performance.now();
    const seen = describe(list.value);
    if (seen !== last) [last, lastChange, hasMoved] = [seen, now, true];
    const progress = judge(list.value);
    doneSince = progress === "done" ? (doneSince ?? now) : undefined;
    const isResting = now - lastChange >= restMs || now - (doneSince ?? now) >= maxRestMs;
    if (progress === "done" && isResting) return list;
    if (progress === "some" && hasMoved && now - lastChange >= stillMs) return list;
    if (now - start >= timeoutMs && progress !== "done") return list;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
