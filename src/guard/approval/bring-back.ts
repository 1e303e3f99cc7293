import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import type { Window } from "../../model/window.ts";
import type { Hands } from "../../platform/hands.ts";
import type { Platform } from "../../platform/port.ts";
import type { Glimpse } from "../../sources/port.ts";
import { findReceivers } from "../receiver.ts";
import type { Matter } from "../rules.ts";

const frontMs = 2000;
const lookMs = 2000;
const lookAgainMs = 30;

/** What a command would meet at the moment when a person is asked about it. */
export interface Meeting {
  /** Undefined where it goes to a control itself, whatever is in front. */
  readonly receivers: readonly Window[] | undefined;
  /** Of the control, and of the one that something is dragged onto. */
  readonly seen: readonly Seen[];
}

interface Seen {
  readonly element: SingleElement;
  readonly glimpse: Glimpse;
}

/** What is asked about, and by which rules. */
export type Asked = Pick<Matter, "command" | "request" | "policy" | "isPlanned">;

/** Refused where it cannot be seen what is there: nothing could tell later whether it is still the same. */
export async function rememberMeeting(platform: Platform, asked: Asked): Promise<Result<Meeting>> {
  const { command, request, policy, isPlanned } = asked;
  // What is only planned is brought to the front later, and judged once more then.
  const receivers =
    goesToPlaceOrFocus(command) && !isPlanned ? await findReceivers(platform, command, request, policy) : undefined;
  if (receivers?.ok === false) return fail(describeUnseen(receivers.failure.message));
  const seen: Seen[] = [];
  for (const element of [request.element, request.onto]) {
    const glimpse = element && (await platform.glimpse(element, lookMs));
    if (glimpse?.ok === false) return fail(describeUnseen(glimpse.failure.message));
    if (element !== undefined && glimpse?.value === undefined) return fail(describeUnseen("it is gone"));
    if (element !== undefined && glimpse?.value !== undefined) seen.push({ element, glimpse: glimpse.value });
  }
  return succeed({ receivers: receivers?.value, seen });
}

/**
 * Makes sure that what was allowed is what is done: the person took time, and went to another window to answer. The window
 * is brought back where the answer took the keyboard or the place from it; anything else that changed ends it.
 */
export async function bringBack(
  platform: Platform,
  openHands: () => Promise<Result<Hands>>,
  asked: Asked,
  before: Meeting,
): Promise<Failure | undefined> {
  const { window } = asked.request;
  if (before.receivers !== undefined && !(await isReached(platform, asked, before.receivers))) {
    const hands = await openHands();
    if (!hands.ok) return hands.failure;
    if (window !== undefined) await hands.value.arrange({ kind: "window", window, operation: { name: "front" } });
    const deadline = performance.now() + frontMs;
    while (!(await isReached(platform, asked, before.receivers))) {
      if (performance.now() > deadline) return describeChanged("another window would get it");
      await pause(lookAgainMs);
    }
  }
  for (const seen of before.seen) {
    const changed = await findChange(platform, seen, asked.command);
    if (changed !== undefined) return describeChanged(changed);
  }
  return undefined;
}

/** An application tells that its control has the focus again a moment after its window has the keyboard. */
async function findChange(
  platform: Platform,
  { element, glimpse }: Seen,
  command: Command,
): Promise<string | undefined> {
  const deadline = performance.now() + frontMs;
  for (;;) {
    const now = await platform.glimpse(element, lookMs);
    if (!now.ok) return `it cannot be looked at: ${now.failure.message}`;
    const changed = compareGlimpses(glimpse, now.value, command);
    if (changed !== lostFocus || performance.now() > deadline) return changed;
    await pause(lookAgainMs);
  }
}

const pointed: ReadonlySet<Command["kind"]> = new Set(["click", "drag", "wheel", "point"] as const);
const typed: ReadonlySet<Command["kind"]> = new Set(["keys", "type"] as const);

function goesToPlaceOrFocus(command: Command): boolean {
  return (
    pointed.has(command.kind) || typed.has(command.kind) || (command.kind === "fill-secret" && command.by === "keys")
  );
}

async function isReached(
  platform: Platform,
  { command, request, policy }: Asked,
  wanted: readonly Window[],
): Promise<boolean> {
  const now = await findReceivers(platform, command, request, policy);
  const listIds = (windows: readonly Window[]): string => windows.map(({ id }) => id).join();
  return now.ok && listIds(now.value) === listIds(wanted);
}

const lostFocus = "it has not the focus any more";

function compareGlimpses(glimpse: Glimpse, now: Glimpse | undefined, { kind }: Command): string | undefined {
  if (now === undefined) return "it is gone";
  if (now.platformRole !== glimpse.platformRole) return "it is another kind of control";
  if (now.ownName !== glimpse.ownName) return "it is called something else";
  const isPointed = pointed.has(kind);
  if (isPointed && now.place !== glimpse.place) return "it is elsewhere";
  if (isPointed && now.states.has("hidden") && !glimpse.states.has("hidden")) return "it is hidden";
  const isFocusLost = glimpse.states.has("focused") && !now.states.has("focused");
  return typed.has(kind) && isFocusLost ? lostFocus : undefined;
}

function describeUnseen(why: string): Failure {
  return {
    code: "REFUSED",
    reason: "unasked",
    message: `it needs a person's word, and nothing could tell whether it is still the same after it: ${why}`,
    suggestion: "look again and try once more, when the application answers.",
    done: nothingDone,
  };
}

function describeChanged(why: string): Failure {
  return {
    code: "FAILED",
    message: `a person allowed it, but it is not as it was when it was asked: ${why}`,
    suggestion: "look again and try once more; an entry of a menu is better pressed by its mark, with the menu closed.",
    done: nothingDone,
  };
}
