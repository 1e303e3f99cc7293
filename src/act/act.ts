import { findDeepest } from "../find/hit.ts";
import type { Point } from "../model/bounds.ts";
import type { Command } from "../model/command.ts";
import type { Effect } from "../model/effect.ts";
import type { Element } from "../model/element.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import { judgeKeys } from "./caret.ts";
import type { ActingDesktop, ActRequest, GatedDesktop } from "./desktop.ts";
import { performDrag } from "./drag.ts";
import { planFillSecret } from "./fill-secret.ts";
import { planAction, planCheck, planClick, planExpand, planFocus, planSelect, planToggle } from "./intents.ts";
import { confirm, type Judge, judgeAnything, judgePress } from "./judge.ts";
import { learnEffect } from "./learn-effect.ts";
import { judgeScroll, planHover, planScroll, planScrollPercent, planScrollTo } from "./movement.ts";
import { planParts } from "./parts.ts";
import { type Intent, perform } from "./perform.ts";
import { planSetValue, planType, typeAtFocus } from "./text.ts";
import {
  chooseKeyboardWindow,
  describePoint,
  findFocused,
  performUntargeted,
  readsWithKeyboard,
} from "./untargeted.ts";

/** Carries out an order: on a control, at a point, or on whatever has the keyboard focus. */
export async function act({ guard, ...desktop }: ActingDesktop, request: ActRequest): Promise<Result<Effect>> {
  const effect = await guard.run(request, (gate) => actThrough({ ...desktop, gate }, request));
  if (effect.ok) await learnEffect(desktop, request, effect.value);
  return effect;
}

async function actThrough(desktop: GatedDesktop, request: ActRequest): Promise<Result<Effect>> {
  const { aim, order } = request;
  if (order.kind === "drag") return performDrag(desktop, { ...request, order });
  if (order.kind === "type" && aim === undefined) return typeAtFocus(desktop, { ...request, order });
  if (order.kind === "keys") return pressKeys(desktop, request, order);
  if (aim === undefined) {
    const usage = `deskmap ${request.tool} --id N, --on WORDS, or --at X,Y.`;
    return fail(describeUsage("no control is given", usage));
  }
  const point = aim.by === "point" ? aim.point : undefined;
  const command = point && findPointCommand(order, point);
  if (command !== undefined && point !== undefined) return actAtPoint(desktop, request, point, command);
  const meant = aim.by === "words" && !anyElement.has(order.kind) ? { ...aim, order: order.kind } : aim;
  const isByKeys = order.kind === "type";
  return perform(desktop, { ...request, aim: meant, isByKeys }, (element) => plan(order, element));
}

/** Orders that make sense for a text too. */
const anyElement: ReadonlySet<Order["kind"]> = new Set([
  "hover",
  "scroll",
  "scroll-to",
  "scroll-percent",
  "focus",
] as const);

/** The plan for an order on one control. */
function plan(order: Exclude<Order, { readonly kind: "drag" | "keys" }>, element: Element): Result<Intent> {
  switch (order.kind) {
    case "click":
      return succeed(planClick(element, order));
    case "toggle":
      return planToggle(element);
    case "check":
    case "uncheck":
      return planCheck(element, order.kind === "check");
    case "expand":
    case "collapse":
      return succeed(planExpand(element, order.kind === "expand"));
    case "select":
      return succeed(planSelect());
    case "focus":
      return succeed(planFocus());
    case "hover":
      return succeed(planHover());
    case "scroll-to":
      return succeed(planScrollTo());
    case "action":
      return succeed(planAction(order.name));
    case "set-value":
      return planParts(element, order.text) ?? planSetValue(element, order.text);
    case "fill-secret":
      return planFillSecret(element, order.secret);
    case "type":
      return succeed(planType(order));
    case "scroll":
      return succeed(planScroll(order));
    case "scroll-percent":
      return succeed(planScrollPercent(order.percent, order.isHorizontal));
  }
}

/** Orders that go to the point itself; all others mean the control there. */
function findPointCommand(order: Order, point: Point): Command | undefined {
  switch (order.kind) {
    case "click":
      return { kind: "click", point, button: order.button, count: order.count };
    case "hover":
      return { kind: "point", point };
    case "scroll":
      return { kind: "wheel", point, direction: order.direction, amount: order.amount };
    default:
      return undefined;
  }
}

async function actAtPoint(
  desktop: GatedDesktop,
  request: ActRequest,
  point: Point,
  command: Command,
): Promise<Result<Effect>> {
  const window = await desktop.platform.findWindowAt(point);
  if (!window.ok) return window;
  return performUntargeted(desktop, {
    ...request,
    window: window.value,
    words: describePoint(point),
    way: command.kind === "wheel" ? "wheel" : "pointer",
    command,
    isRepeatable: command.kind === "point",
    isQuiet: command.kind === "point",
    find: (reads) => {
      const root = reads.find((read) => read.window.id === window.value?.id)?.root;
      return root && findDeepest(root, point)?.element;
    },
    judge: (element) => judgeAtPoint(desktop, command, point, element),
  });
}

function judgeAtPoint(desktop: GatedDesktop, command: Command, point: Point, element: Element | undefined): Judge {
  if (command.kind === "wheel") return judgeScroll;
  if (command.kind === "click") return element === undefined ? judgeAnything : judgePress(element);
  return async () => {
    const pointer = await desktop.platform.findPointer();
    const isThere = pointer.ok && pointer.value.x === point.x && pointer.value.y === point.y;
    return isThere ? confirm("the pointer is there") : undefined;
  };
}

/** Keys go to the focused control; if a control is named, it is focused first. */
async function pressKeys(
  desktop: GatedDesktop,
  request: ActRequest,
  order: Order & { readonly kind: "keys" },
): Promise<Result<Effect>> {
  const { aim, isDryRun, tool } = request;
  const command: Command = { kind: "keys", combo: order.combo, times: order.times };
  if (aim !== undefined && !isDryRun) {
    const alone = { ...request, aim, isUnverified: false, isByKeys: true, foretold: undefined };
    const focused = await perform(desktop, alone, () => succeed({ ...planFocus(), foresee: () => command }));
    if (!focused.ok) return focused;
    if (focused.value.verdict !== "confirmed") return focused;
  }
  const chosen = await chooseKeyboardWindow(desktop, request, tool, isDryRun);
  if (!chosen.ok) return chosen;
  return performUntargeted(desktop, {
    ...request,
    window: chosen.value,
    words: "what has the keyboard",
    way: "keys",
    command,
    times: order.times,
    isRepeatable: false,
    find: (reads) => findFocused(readsWithKeyboard(reads, chosen.value)),
    judge: (element) => judgeKeys(desktop, element, request.timeoutMs),
  });
}
