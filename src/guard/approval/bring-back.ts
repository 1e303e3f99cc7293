import { setTimeout as pause } from "node:timers/promises";
import type { Deed } from "../../model/deed.ts";
import { type Failure, nothingDone, type Result } from "../../model/failure.ts";
import type { Window } from "../../model/window.ts";
import type { Hands } from "../../platform/hands.ts";
import type { Glimpse, Platform } from "../../platform/port.ts";
import type { Request } from "../gate.ts";
import { findReceivers } from "../receiver.ts";
import type { Matter } from "../rules.ts";

const frontMs = 2000;
const lookMs = 2000;
const lookAgainMs = 30;

/** What a deed would meet at the moment when a person is asked about it. */
export interface Meeting {
  readonly receivers: readonly Window[] | undefined;
  readonly glimpse: Glimpse | undefined;
}

/** What is asked about, and by which rules. */
export type Asked = Pick<Matter, "deed" | "request" | "policy">;

export async function rememberMeeting(platform: Platform, asked: Asked): Promise<Meeting> {
  const { deed, request, policy } = asked;
  const receivers = goesToPlaceOrFocus(deed) ? await findReceivers(platform, deed, request, policy) : undefined;
  return { receivers: receivers?.ok === true ? receivers.value : undefined, glimpse: await look(platform, request) };
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
  return compareGlimpses(before, await look(platform, asked.request), asked.deed);
}

function goesToPlaceOrFocus({ kind }: Deed): boolean {
  return kind === "click" || kind === "drag" || kind === "keys" || kind === "type";
}

async function isReached(
  platform: Platform,
  { deed, request, policy }: Asked,
  wanted: readonly Window[],
): Promise<boolean> {
  const now = await findReceivers(platform, deed, request, policy);
  const listIds = (windows: readonly Window[]): string => windows.map(({ id }) => id).join();
  return now.ok && listIds(now.value) === listIds(wanted);
}

async function look(platform: Platform, { element }: Request): Promise<Glimpse | undefined> {
  const glimpse = element && (await platform.glimpse(element, lookMs));
  return glimpse?.ok === true ? glimpse.value : undefined;
}

function compareGlimpses({ glimpse }: Meeting, now: Glimpse | undefined, deed: Deed): Failure | undefined {
  if (glimpse === undefined) return undefined;
  if (now === undefined) return describeChanged("it is gone");
  if (now.ownName !== glimpse.ownName) return describeChanged("it is called something else");
  const isPointed = deed.kind === "click" || deed.kind === "drag";
  if (isPointed && now.place !== glimpse.place) return describeChanged("it is elsewhere");
  if (isPointed && now.states.has("hidden") && !glimpse.states.has("hidden")) return describeChanged("it is hidden");
  const isTyped = deed.kind === "keys" || deed.kind === "type";
  const lostFocus = glimpse.states.has("focused") && !now.states.has("focused");
  return isTyped && lostFocus ? describeChanged("it has not the focus any more") : undefined;
}

function describeChanged(why: string): Failure {
  return {
    code: "FAILED",
    message: `a person allowed it, but it is not as it was when it was asked: ${why}`,
    suggestion: "look again and try once more; an entry of a menu is better pressed by its mark, with the menu closed.",
    done: nothingDone,
  };
}
