import { setTimeout as pause } from "node:timers/promises";
import { containsPoint } from "../../model/bounds.ts";
import type { Command } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Window } from "../../model/window.ts";
import type { Hands } from "../../platform/hands.ts";
import type { Platform } from "../../platform/port.ts";
import type { Glimpse } from "../../sources/port.ts";
import type { Request } from "../gate.ts";
import { findReceivers } from "../receiver.ts";
import { refuse } from "../refusals.ts";
import type { Attempt } from "../rules.ts";
import { findSecretPlace } from "../secret-place.ts";
import { isOwnPoint } from "./describe.ts";

const frontMs = 2000;
const glimpseMs = 2000;
const pollMs = 30;

interface AskedState {
  /** Undefined for a command to the control itself, which no window in front can take. */
  readonly receivers: readonly Window[] | undefined;
  /** The control, and the target of a drag. */
  readonly seen: readonly Seen[];
}

interface Seen {
  readonly element: SingleElement;
  readonly glimpse: Glimpse;
}

type Asked = Pick<Attempt, "command" | "request" | "policy" | "isPlanned">;

/** Fails if the control cannot be seen: then it could not be compared after the answer. */
export async function rememberState(platform: Platform, asked: Asked): Promise<Result<AskedState>> {
  const { command, request, policy, isPlanned } = asked;
  // A planned command is checked again after its window was raised.
  const receivers =
    goesToPlaceOrFocus(command) && !isPlanned ? await findReceivers(platform, command, request, policy) : undefined;
  if (receivers?.ok === false) return fail(describeUnseen(receivers.failure.message));
  const seen: Seen[] = [];
  for (const element of [request.element, request.onto]) {
    const glimpse = element && (await platform.glimpse(element, glimpseMs));
    if (glimpse?.ok === false) return fail(describeUnseen(glimpse.failure.message));
    if (element !== undefined && glimpse?.value === undefined) return fail(describeUnseen("it is gone"));
    if (element !== undefined && glimpse?.value !== undefined) seen.push({ element, glimpse: glimpse.value });
  }
  return succeed({ receivers: receivers?.value, seen });
}

/**
 * Makes sure that what was approved is what is done, since the person took time and used another window to answer. Raises
 * the window again if the answer took its focus or place; any other change is a failure.
 */
export async function bringBack(
  platform: Platform,
  openHands: () => Promise<Result<Hands>>,
  asked: Asked,
  before: AskedState,
): Promise<Failure | undefined> {
  const { window } = asked.request;
  if (before.receivers !== undefined && !(await isReached(platform, asked, before.receivers))) {
    const hands = await openHands();
    if (!hands.ok) return hands.failure;
    if (window !== undefined) await hands.value.arrange({ kind: "window", window, operation: { name: "front" } });
    const deadline = performance.now() + frontMs;
    while (!(await isReached(platform, asked, before.receivers))) {
      if (performance.now() > deadline) return describeChanged("another window would get it");
      await pause(pollMs);
    }
  }
  for (const seen of before.seen) {
    const changed = await findChange(platform, seen, asked.command);
    if (changed !== undefined) return describeChanged(changed);
  }
  return undefined;
}

/** An application reports the focus of its control a moment after its window has got the keyboard. */
async function findChange(
  platform: Platform,
  { element, glimpse }: Seen,
  command: Command,
): Promise<string | undefined> {
  const deadline = performance.now() + frontMs;
  for (;;) {
    const now = await platform.glimpse(element, glimpseMs);
    if (!now.ok) return `it cannot be read: ${now.failure.message}`;
    const changed = compareGlimpses(glimpse, now.value, command);
    if (changed !== lostFocus || performance.now() > deadline) return changed;
    await pause(pollMs);
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

const lostFocus = "it has lost the focus";

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
  const after = "it could not be checked afterwards that it is still the same";
  const message = `it needs a person's approval, and ${after}: ${why}`;
  return refuse("unasked", message, "read again and try once more, when the application answers.");
}

function describeChanged(why: string): Failure {
  const message = `a person allowed it, but it has changed since it was asked: ${why}`;
  const menu = "a menu entry is better pressed by its mark, with the menu closed.";
  return makeFailure("FAILED", message, `read again and try once more; ${menu}`);
}

/**
 * The key of an approval: this command on this target, for these reasons, and nothing else. Invoking a control's press
 * action, pressing it with a key and clicking it once are the same; any other command equals only itself.
 */
export function nameApproved(attempt: Pick<Attempt, "command" | "request" | "receivers" | "warnings">): string {
  const { command, request, warnings } = attempt;
  const { tool, window, element, onto } = request;
  const target = "element" in command ? command.element : element;
  return JSON.stringify([
    tool,
    window?.id ?? null,
    target?.handle ?? null,
    target?.name ?? null,
    onto?.handle ?? null,
    isPress(command, target, tool) ? "press" : nameCommand(command, request),
    warnings.map(({ danger }) => danger),
  ]);
}

/** What the log's digest covers: also the point of a control that is shown, since it is not the control's own. */
export function nameBound(attempt: Parameters<typeof nameApproved>[0]): string {
  const { command, request } = attempt;
  const key = nameApproved(attempt);
  const isShown = "point" in command && !isOwnPoint(command.point, request.element);
  return isShown ? JSON.stringify([key, command.point]) : key;
}

/** The tool with which a client asks for a key as such. */
const keyTool = "type";

function isPress(command: Command, target: SingleElement | undefined, tool: string): boolean {
  if (command.kind === "invoke") {
    const { press, toggle } = target?.invocations ?? {};
    return ["press", press, toggle].includes(command.action);
  }
  if (command.kind === "click") {
    const isOn = target?.bounds !== undefined && containsPoint(target.bounds, command.point);
    return isOn && command.button === "left" && command.count === 1;
  }
  if (command.kind !== "keys" || target === undefined || tool === keyTool) return false;
  const { modifiers, key } = command.combo;
  return modifiers.length === 0 && (key === " " || key === "Return");
}

/** All fields of a command but its element, which is named by its handle. */
function nameCommand(command: Command, request: Request): unknown {
  switch (command.kind) {
    case "keys":
      return [command.kind, ...command.combo.modifiers.toSorted(), command.combo.key, command.times ?? 1];
    case "type":
      return [command.kind, command.text];
    // In either of its two ways.
    case "fill-secret":
      return [command.kind, command.secret, findSecretPlace(request).origin ?? null];
    case "window":
      return [command.kind, nameWindow(command.window), command.operation];
    case "open":
      return [command.kind, command.opener.command, command.opener.cwd ?? null];
    case "quit":
      return [command.kind, command.pid, ...command.windows.map(nameWindow)];
    case "terminate":
      return [command.kind, nameWindow(command.window)];
    default:
      return { ...command, element: undefined };
  }
}

/** Without its title, which may change while a person is asked. */
function nameWindow({ id, pid }: Window): string {
  return `${id} ${pid}`;
}
