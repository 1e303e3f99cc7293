import { compareWindows } from "../changes/compare.ts";
import { nearest } from "../find/nearest.ts";
import type { Guard } from "../guard/guard.ts";
import { type Effect, noChanges, undelivered } from "../model/effect.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Opener } from "../model/opener.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { ProgramEnd } from "../model/program-end.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import type { Window } from "../model/window.ts";
import type { Platform, WindowList } from "../platform/port.ts";
import type { ActOptions } from "./desktop.ts";
import { type Progress, waitForWindows } from "./window-wait.ts";

export interface SystemActing {
  readonly platform: Pick<Platform, "listWindows" | "findOpener" | "isRunning" | "findEnd" | "belongsTo">;
  readonly guard: Pick<Guard, "run">;
}

interface OpenOptions extends ActOptions {
  /** What relative paths refer to. */
  readonly folder?: string | undefined;
}

/** Opens an application, a file or a URL, and waits until a window of it shows. */
export function open(
  { platform, guard }: SystemActing,
  what: string,
  args: readonly string[],
  { folder, ...options }: OpenOptions,
): Promise<Result<Effect>> {
  return guard.run({ tool: "open", ...options }, async (gate) => {
    const found = await platform.findOpener(what, args, folder);
    if (!found.ok) return fail({ ...found.failure, nearest: nearest(what, found.failure.nearest ?? [], 5) });
    const opener = found.value;
    const before = await platform.listWindows();
    if (!before.ok) return before;
    const way = opener.command[0] ?? "";
    const effect = { ...undelivered, intent: "open", target: { words: opener.words }, way, isRetrySafe: false };
    if (options.isDryRun) return succeed(effect);
    const delivered = await gate.carryOut({ kind: "open", opener }, { tool: "open" });
    if (!delivered.ok) return delivered;
    const pid = Number(/\bprocess (\d+)\b/.exec(delivered.value)?.[1] ?? 0);
    const isOwn = (window: Window): boolean => bearsName(window, opener) || (pid !== 0 && window.pid === pid);
    // By process: whether it belongs to what was started.
    const family = new Map<number, boolean>();
    const isFamily = (window: Window): boolean => isOwn(window) || family.get(window.pid) === true;
    // Another window of a child may be a picture that is shown while the program starts.
    const isAwaited = (window: Window): boolean =>
      isOwn(window) || (isFamily(window) && window.state.includes("modal"));
    let end: ProgramEnd | undefined;
    const lister = {
      listWindows: async () => {
        const ended = await platform.findEnd(pid);
        if (!ended.ok) return ended;
        end = ended.value;
        const list = await platform.listWindows();
        for (const window of list.ok ? list.value.windows : []) {
          if (pid === 0 || family.has(window.pid)) continue;
          const belongs = await platform.belongsTo(window.pid, pid);
          if (!belongs.ok) return belongs;
          family.set(window.pid, belongs.value);
        }
        return list;
      },
    };
    const judge = (now: WindowList): Progress =>
      findOpened(before.value, now, isAwaited) !== undefined || end?.isHandedOver === false ? "done" : "none";
    const watched = { before: before.value, isConcerned: isFamily, judge };
    const after = await waitForWindows(lister, watched, options.timeoutMs);
    if (!after.ok) return after;
    const opened = findOpened(before.value, after.value, isAwaited) ?? findOpened(before.value, after.value, isFamily);
    if (opened === undefined && end?.isSuccess === false)
      return fail(describeFailedStart(opener, delivered.value, end));
    const unseen = `no window of it showed${end === undefined ? " in that time" : `; it ended with ${showEnd(end)}`}`;
    return succeed({
      ...effect,
      verdict: opened === undefined ? "unverified" : "confirmed",
      evidence: [delivered.value, opened ?? unseen],
      changes: compareWindows(before.value.windows, after.value.windows, isFamily),
      isDelivered: true,
    });
  });
}

function describeFailedStart({ words }: Opener, started: string, end: ProgramEnd): Failure {
  return {
    code: "FAILED",
    message: `${words} showed no window and ended with ${showEnd(end)}`,
    suggestion: "arguments for the program come after two dashes; run it by hand to see more.",
    done: `it ${started}, which has ended.`,
  };
}

function showEnd({ how, lastLine }: ProgramEnd): string {
  return lastLine === "" ? how : `${how}; its last words: ${quoteText(maskSecrets(lastLine), maxLastLine)}`;
}

const maxLastLine = 300;

/** Describes a new window of the application; else one that came to the front or changed its title. */
function findOpened(before: WindowList, now: WindowList, isOwn: (window: Window) => boolean): string | undefined {
  const own = now.windows.filter(isOwn);
  const name = ({ id, app, title }: Window): string => `${quoteName(app)} ${quoteText(title)} (window ${id})`;
  const fresh = own.find(({ id }) => before.windows.every((known) => known.id !== id));
  if (fresh !== undefined) return `opened ${name(fresh)}`;
  for (const window of own) {
    const old = before.windows.find(({ id }) => id === window.id);
    if (old === undefined) continue;
    if (old.title !== window.title) return `${name(window)} was ${quoteText(old.title)} before`;
    if (window.isFocused && !old.isFocused) return `${name(window)} came to the front`;
  }
  return undefined;
}

/** Shorter names must match completely: they occur inside others. */
const leastPart = 5;

function bearsName({ app, aliases }: Window, { names }: Opener): boolean {
  const own = [app, ...aliases].map((name) => name.toLowerCase());
  return own.some((name) =>
    names.some((other) => name === other || (other.length >= leastPart && name.includes(other))),
  );
}

export interface QuitOptions extends ActOptions {
  /** Terminate the process if it does not quit when asked. */
  readonly isForced: boolean;
}

/** Asks all windows of a process to close, and waits until the process has ended. */
export function quit({ platform, guard }: SystemActing, window: Window, options: QuitOptions): Promise<Result<Effect>> {
  const { timeoutMs, isDryRun, isForced } = options;
  return guard.run({ tool: "quit", ...options }, async (gate) => {
    const before = await platform.listWindows();
    if (!before.ok) return before;
    const { pid } = window;
    const windows = before.value.windows.filter((one) => one.pid === pid);
    const effect = {
      ...undelivered,
      intent: "quit",
      target: { window, words: `process ${pid}` },
      way: "a request to its windows",
      isRetrySafe: false,
    };
    if (isDryRun) return succeed(effect);
    const asked = await gate.carryOut({ kind: "quit", windows, pid }, { tool: "quit", window });
    // If the guard refuses the request to quit, it has not allowed the process to be terminated either.
    if (!asked.ok && (!isForced || asked.failure.code === "REFUSED")) return asked;
    const polite = asked.ok ? await waitForEnd(platform, before.value, pid, timeoutMs) : undefined;
    if (polite?.ok === false) return polite;
    const seen = polite?.value ?? { verdict: "no-change" as const, evidence: [], changes: noChanges };
    if (seen.verdict === "confirmed" || !isForced) return succeed({ ...effect, ...seen, isDelivered: true });
    const why = asked.ok ? seen.evidence.join("; ") : asked.failure.message;
    const forced = await gate.carryOut({ kind: "terminate", window }, { tool: "quit", window });
    if (!forced.ok) return forced;
    const ended = await waitForEnd(platform, before.value, pid, timeoutMs);
    if (!ended.ok) return ended;
    const passedOver = [{ way: effect.way, why }];
    return succeed({ ...effect, ...ended.value, way: "SIGTERM", passedOver, isDelivered: true });
  });
}

type Ending = Pick<Effect, "verdict" | "evidence" | "changes">;

async function waitForEnd(
  platform: SystemActing["platform"],
  before: WindowList,
  pid: number,
  timeoutMs: number,
): Promise<Result<Ending>> {
  const isOwn = (window: Window): boolean => window.pid === pid;
  const listAsking = (now: WindowList): Window[] =>
    now.windows.filter((one) => isOwn(one) && before.windows.every(({ id }) => id !== one.id));
  let isGone = false;
  const lister = {
    listWindows: async () => {
      const running = await platform.isRunning(pid);
      if (!running.ok) return running;
      isGone = !running.value;
      return platform.listWindows();
    },
  };
  const judge = (now: WindowList): Progress => (isGone ? "done" : listAsking(now).length > 0 ? "some" : "none");
  const after = await waitForWindows(lister, { before, isConcerned: isOwn, judge }, timeoutMs);
  if (!after.ok) return after;
  const changes = compareWindows(before.windows, after.value.windows, isOwn);
  const asking = listAsking(after.value);
  if (isGone) return succeed({ verdict: "confirmed", evidence: [`process ${pid} has ended`], changes });
  if (asking.length > 0) {
    const titles = asking.map(({ id, title }) => `${quoteText(title)} (window ${id})`).join(", ");
    return succeed({ verdict: "partial", evidence: [`process ${pid} still runs and asks ${titles}`], changes });
  }
  const hasWindows = after.value.windows.some(isOwn);
  return succeed({
    verdict: hasWindows ? "no-change" : "partial",
    evidence: [`process ${pid} still runs${hasWindows ? "" : ", but has no window any more"}`],
    changes,
  });
}
