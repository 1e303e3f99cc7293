import { makeDemoTarget } from "../find/demo-target.ts";
import { lookWhere, type ReadOptions, recognise, withMap } from "../find/read.ts";
import { chooseWindow, selectWindows, type WindowQuery } from "../find/select.ts";
import type { Request as GuardRequest } from "../guard/gate.ts";
import type { Point } from "../model/bounds.ts";
import type { Command } from "../model/command.ts";
import type { DemoRef, DemoTarget } from "../model/demo-ref.ts";
import { type Effect, undelivered } from "../model/effect.ts";
import { type Element, flatten, listWithPaths } from "../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Foretold } from "../model/foretold.ts";
import type { Role } from "../model/role.ts";
import { listElements, type WindowRead } from "../model/snapshot.ts";
import { hasTrait } from "../model/trait.ts";
import { attachMarks } from "../model/view.ts";
import { isSameApplication, type Window } from "../model/window.ts";
import { describeStuck, frontMs, isTyped, nameTaker, waitUntil } from "./attempt.ts";
import type { Seen } from "./compare.ts";
import type { GatedDesktop } from "./desktop.ts";
import { Inputs } from "./inputs.ts";
import { admitShortfall, type Judge, type Judgement } from "./judge.ts";
import { hasMenuEntry, listTexts } from "./names.ts";
import { findPress, waitOutPress } from "./readiness.ts";
import { verify } from "./verify.ts";

/** A command to a point or to the focused control, not to a control that was named. */
export interface UntargetedRequest extends ReadOptions {
  readonly tool: string;
  /** The window it reaches; undefined if that is only the desktop itself. */
  readonly window: Window | undefined;
  readonly words: string;
  readonly way: string;
  readonly command: Command;
  /** How often it is carried out; the guard is asked each time. */
  readonly times?: number | undefined;
  readonly isDryRun: boolean;
  readonly isUnverified?: boolean | undefined;
  readonly foretold?: Foretold | undefined;
  readonly isRepeatable: boolean;
  /** The element it will reach, as far as the window reports it. */
  find(reads: readonly WindowRead[]): Element | undefined;
  judge(element: Element | undefined): Judge | Promise<Judge>;
  readonly isQuiet?: boolean;
  /** Where it is dragged to. */
  readonly onto?: Element | undefined;
  readonly toRef?: DemoRef | undefined;
}

export function performUntargeted(desktop: GatedDesktop, request: UntargetedRequest): Promise<Result<Effect>> {
  return withMap(async () => {
    const { platform } = desktop;
    const press = request.isDryRun ? undefined : findPress(request.command);
    const waited = press && (await waitOutPress(platform, press.point, press.button));
    if (waited?.ok === false) return waited;
    if (!request.isDryRun)
      await desktop.gate.showBefore?.({ tool: request.tool, window: request.window }, request.command);
    const before = await lookAround(desktop, request);
    if (!before.ok) return before;
    const element = request.find(before.value.snapshot.windows);
    if (request.isDryRun) return succeed(describe(request, before.value, element, false));
    const judge = await request.judge(element);
    const watched = before.value.snapshot.windows.map(({ window }) => window);
    const watch = await platform.watch(watched, request.timeoutMs);
    if (!watch.ok) return watch;
    try {
      const inputs = new Inputs(desktop.marks, watched, watch.value);
      if (request.isUnverified !== true && (await inputs.waitOutEarlier()))
        return await performUntargeted(desktop, request);
      inputs.note("input");
      const done = await carryOut(desktop, request, describeForGuard(request, before.value, element));
      if (!done.ok) {
        const isKeys = isTyped(request.command);
        return isKeys ? fail(await nameTaker(platform, watch.value, request.window, done.failure)) : done;
      }
      const situation = {
        before: before.value,
        handle: element?.handle,
        watch: watch.value,
        inputs,
        early: [],
        isQuiet: request.isQuiet ?? false,
      };
      const verified = await verify(desktop, situation, judge, request);
      if (!verified.ok) return verified;
      const { changes } = verified.value;
      const judgement = admitShortfall(doubtDenial(request.command, verified.value.judgement), done.value);
      return succeed({ ...describe(request, before.value, element, true), ...judgement, changes });
    } finally {
      watch.value.close();
    }
  });
}

async function carryOut(
  { gate }: GatedDesktop,
  { command, times = 1 }: UntargetedRequest,
  asked: GuardRequest,
): Promise<Result<string>> {
  let done = await gate.carryOut(command, asked);
  for (let count = 1; done.ok && count < times; count += 1) {
    done = await gate.carryOut(command, asked);
    if (!done.ok) return fail({ ...done.failure, done: `it was done ${count} of ${times} times.` });
  }
  return done;
}

/** A shortcut may save a file or fill the clipboard, which nothing on the screen shows. */
function doubtDenial(command: Command, judgement: Judgement): Judgement {
  const isShortcut = command.kind === "keys" && command.combo.modifiers.some((one) => one !== "shift");
  if (!isShortcut || judgement.verdict !== "no-change") return judgement;
  const evidence = [...judgement.evidence, "files and the clipboard are not watched"];
  return { ...judgement, verdict: "unverified", evidence };
}

/** Where nothing can be written to, typed text presses the focused control. */
function describeForGuard(
  request: UntargetedRequest,
  { snapshot, numbers }: Seen,
  found: Element | undefined,
): GuardRequest {
  const { windows } = snapshot;
  const focused = findFocused(readsWithKeyboard(windows, request.window));
  const element = found ?? (request.command.kind === "type" ? focused : undefined);
  return {
    tool: request.tool,
    window: request.window,
    element,
    mark: element && numbers.get(element.handle),
    onto: request.onto,
    within: () => listContainers(windows, element),
    surroundings: () => listTexts(windows),
    elements: () => listElements(windows),
    tellsMenu: () => hasMenuEntry(windows),
  };
}

/** Reads all windows of the application that will be reached. */
async function lookAround(
  { platform, marks }: GatedDesktop,
  { window, timeoutMs, vision = "off" }: UntargetedRequest,
): Promise<Result<Seen>> {
  const isOwn = (one: Window): boolean => window !== undefined && isSameApplication(one, window);
  const snapshot = await lookWhere(platform, isOwn, { includeHidden: false, timeoutMs, vision });
  if (!snapshot.ok) return snapshot;
  return succeed({ snapshot: snapshot.value, numbers: recognise(marks, snapshot.value, new Set()) });
}

function listContainers(reads: readonly WindowRead[], element: Element | undefined): readonly Element[] {
  const all = reads.flatMap(({ root }) => listWithPaths(root));
  return all.find((placed) => placed.element === element)?.ancestors ?? [];
}

export function findIn(reads: readonly WindowRead[], isWanted: (element: Element) => boolean): Element | undefined {
  return listElements(reads).find(isWanted);
}

/** What the window with the keyboard shows: a control of another window may report the focus it had there. */
export function readsWithKeyboard(reads: readonly WindowRead[], window: Window | undefined): readonly WindowRead[] {
  const own = reads.filter((read) => read.window.id === window?.id && read.root !== undefined);
  return own.length > 0 ? own : reads;
}

/** A list entry may report the focus only because it is current, so any other focused element comes first. */
export function findFocused(reads: readonly WindowRead[]): Element | undefined {
  const isFocused = ({ states }: Element): boolean => states.has("focused");
  const inMenu = findChosenInMenu(reads);
  if (inMenu !== undefined) return inMenu;
  const focused =
    findIn(reads, (element) => isFocused(element) && !hasTrait(element, "focus-means-current")) ??
    findIn(reads, isFocused);
  // A list has the focus as a whole; keys act on its current entry.
  const entries = focused !== undefined && listRoles.has(focused.role) ? flatten(focused.children) : [];
  return entries.find(isFocused) ?? entries.find(({ states }) => states.has("selected")) ?? focused;
}

/**
 * An open menu takes every key. Each element on the path to its current entry may report the focus or the selection: the
 * innermost counts. If nothing in a menu is chosen yet, its first entry counts.
 */
function findChosenInMenu(reads: readonly WindowRead[]): Element | undefined {
  const chosen = reads
    .flatMap(({ root }) => listWithPaths(root))
    .filter(({ element: { role, states }, ancestors }) => {
      const isMarked =
        states.has("selected") || (states.has("focused") && ancestors.some((one) => one.role === "menu"));
      return menuRoles.has(role) && isMarked && !states.has("hidden");
    })
    .toSorted((a, b) => a.ancestors.length - b.ancestors.length)
    .at(-1)?.element;
  if (chosen?.role !== "menu") return chosen;
  return flatten(chosen.children).find(({ role, states }) => role === "menuitem" && !states.has("hidden")) ?? chosen;
}

const listRoles: ReadonlySet<Role> = new Set<Role>(["list", "table", "tree"]);

const menuRoles: ReadonlySet<Role> = new Set<Role>(["menu", "menuitem"]);

function describe(
  request: UntargetedRequest,
  before: Seen,
  element: Element | undefined,
  isDelivered: boolean,
): Effect {
  const { window, words } = request;
  return {
    ...undelivered,
    intent: request.tool,
    target: {
      ...(element === undefined ? {} : { element: attachMarks({ ...element, children: [] }, before.numbers) }),
      ...(window === undefined ? {} : { window }),
      words,
    },
    ...(isDelivered ? { aimed: makeReachedTarget(request, before, element) } : {}),
    way: request.way,
    isDelivered,
    isRetrySafe: !isDelivered || request.isRepeatable,
  };
}

function makeReachedTarget(
  { command, toRef, window }: UntargetedRequest,
  { snapshot }: Seen,
  element: Element | undefined,
): DemoTarget {
  const place = command.kind === "drag" ? { point: command.from, toPoint: command.to } : {};
  const pressed = "point" in command && command.point !== undefined ? { point: command.point } : {};
  return {
    ...(element && makeDemoTarget(snapshot, element, window)),
    toRef,
    ...place,
    ...pressed,
  };
}

/** An open menu takes every key, whichever window has the focus. Returns a window of its application. */
async function findMenuOwner(
  { platform }: Pick<GatedDesktop, "platform">,
  windows: readonly Window[],
): Promise<Window | undefined> {
  const popups = await platform.listPopups();
  const menu = popups.ok ? popups.value.find(({ isMenu, pid }) => isMenu === true && pid !== 0) : undefined;
  const own = menu === undefined ? [] : windows.filter(({ pid }) => pid === menu.pid);
  return own.find(({ isFocused }) => isFocused) ?? own[0];
}

/** The window that gets the keys: the selected one, which is brought to the front, else the focused one. */
export async function chooseKeyboardWindow(
  { platform, gate }: GatedDesktop,
  query: WindowQuery,
  tool: string,
  isDryRun: boolean,
): Promise<Result<Window>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const focused = list.value.windows.find(({ isFocused }) => isFocused);
  const fitting = selectWindows(list.value, query);
  if (!fitting.ok) return fitting;
  const isAnyMeant = fitting.value.length === list.value.windows.length;
  const owner = isAnyMeant ? await findMenuOwner({ platform }, list.value.windows) : undefined;
  if (owner !== undefined) return succeed(owner);
  if (focused !== undefined && fitting.value.some(({ id }) => id === focused.id)) return succeed(focused);
  // The windows of one application may be all that there are.
  const isNamed = [query.app, query.window, query.windowId, query.pid, query.class].some((one) => one !== undefined);
  if (!isNamed) {
    const suggestion = "deskmap focus --app NAME gives one the keyboard.";
    return fail(makeFailure("NOT_FOUND", "no window has the keyboard", suggestion));
  }
  const chosen = chooseWindow(list.value, query);
  if (!chosen.ok || isDryRun) return chosen;
  const operation = { name: "front" as const };
  const raised = await gate.carryOut(
    { kind: "window", window: chosen.value, operation },
    { tool, window: chosen.value },
  );
  return raised.ok ? waitForFocus({ platform }, chosen.value) : raised;
}

async function waitForFocus({ platform }: Pick<GatedDesktop, "platform">, window: Window): Promise<Result<Window>> {
  const watch = await platform.watch([window], frontMs);
  if (!watch.ok) return watch;
  let now: Result<Window | undefined> = succeed(window);
  await waitUntil(watch.value, frontMs, async () => {
    const list = await platform.listWindows();
    now = list.ok ? succeed(list.value.windows.find(({ id }) => id === window.id)) : list;
    return !now.ok || now.value === undefined || now.value.isFocused;
  }).finally(() => watch.value.close());
  if (!now.ok) return now;
  if (now.value?.isFocused === true) return succeed(now.value);
  const done = "the window manager was asked to bring it to the front; nothing was typed.";
  return fail({ ...describeStuck(window, await platform.listWindows()), done });
}

export function describePoint({ x, y }: Point): string {
  return `the point ${x},${y}`;
}
