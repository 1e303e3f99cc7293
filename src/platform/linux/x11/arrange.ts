import type { Point } from "../../../model/bounds.ts";
import type { WindowCommand, WindowOperation } from "../../../model/command.ts";
import { fail, makeFailure, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { quoteText } from "../../../model/plain-text.ts";
import { findObstacle } from "./arrange-obstacles.ts";
import {
  type Configuration,
  configureWindow,
  managerMask,
  readServerTime,
  sendClientMessage,
  setInputFocus,
} from "./client-requests.ts";
import type { XConnection } from "./connection.ts";
import { readWindowFacts, type WindowFacts } from "./window-facts.ts";
import { placeWindow } from "./windows.ts";
import { eventMask, restackWindow } from "./wire.ts";

/** EWMH source indication "pager": the request comes from the user, so focus stealing prevention lets it pass. */
const fromTool = 2;
const iconicState = 3;
const stateChange = { remove: 0, add: 1 };
const stackMode = { above: 0, below: 1 };
/** The position is that of the content, wherever the frame's edges are (ICCCM 4.1.2.3). */
const staticGravity = 10;
const widestBorder = 8;
const pollMs = 15;
const maxPolls = 20;
const moveResizeFlag = { x: 1 << 8, y: 1 << 9, width: 1 << 10, height: 1 << 11 };

/** Asks the window manager. Success means that it was asked; the caller checks the result. */
export async function arrangeWindow(x: XConnection, command: WindowCommand, timeoutMs: number): Promise<Result<void>> {
  const { window, operation } = command;
  const facts = await readWindowFacts(x, window.id);
  if (facts === undefined) {
    const message = `the window ${quoteText(window.title)} is gone`;
    return fail(makeFailure("NOT_FOUND", message, "deskmap list shows every window."));
  }
  const obstacle = findObstacle(facts, operation);
  if (obstacle !== undefined) {
    const what = `${operation.name} the window ${quoteText(window.title)}`;
    return fail({ ...obstacle, message: `cannot ${what}: ${obstacle.message}`, done: nothingDone });
  }
  await ask(new Requests(x, window.id, facts, await readServerTime(x, timeoutMs)), operation);
  return succeed(undefined);
}

async function ask(requests: Requests, operation: WindowOperation): Promise<void> {
  const { atoms, hasState } = requests.facts;
  const maximised = [atoms._NET_WM_STATE_MAXIMIZED_VERT, atoms._NET_WM_STATE_MAXIMIZED_HORZ];
  const isMinimised = hasState(atoms._NET_WM_STATE_HIDDEN);
  const isFullscreen = hasState(atoms._NET_WM_STATE_FULLSCREEN);
  switch (operation.name) {
    case "front":
      await requests.activate();
      return requests.stack("above");
    case "back":
      return requests.stack("below");
    case "minimize":
      return requests.ask(atoms.WM_CHANGE_STATE, [iconicState]);
    case "restore":
      if (isMinimised) return requests.activate();
      return requests.changeState("remove", isFullscreen ? [atoms._NET_WM_STATE_FULLSCREEN] : maximised);
    case "maximize":
      if (isMinimised) await requests.activate();
      if (isFullscreen) await requests.changeState("remove", [atoms._NET_WM_STATE_FULLSCREEN]);
      return requests.changeState("add", maximised);
    case "fullscreen":
      if (isMinimised) await requests.activate();
      return requests.changeState("add", [atoms._NET_WM_STATE_FULLSCREEN]);
    case "close":
      return requests.close();
    case "move":
      return requests.move(operation.x, operation.y);
    case "resize":
      return requests.resize(operation.width, operation.height);
  }
}

class Requests {
  constructor(
    private readonly x: XConnection,
    private readonly window: number,
    readonly facts: WindowFacts,
    private readonly timeMs: number,
  ) {}

  /** Sent to the root window, where window managers listen. */
  ask(type: number, data: readonly number[], window = this.window): Promise<void> {
    return sendClientMessage(this.x, { to: this.x.root, mask: managerMask, window, type, data });
  }

  /** Raised, focused, and restored if it was minimised. */
  async activate(): Promise<void> {
    const { atoms, manager, otherDesktop } = this.facts;
    if (manager === undefined) return setInputFocus(this.x, this.window, this.timeMs);
    // Xfwm4 can be configured (activate_action=none) to ignore windows of another workspace: that is shown first.
    if (otherDesktop !== undefined) {
      await this.ask(atoms._NET_CURRENT_DESKTOP, [otherDesktop, this.timeMs], this.x.root);
    }
    return this.ask(atoms._NET_ACTIVE_WINDOW, [fromTool, this.timeMs, 0]);
  }

  stack(place: "above" | "below"): Promise<void> {
    const { atoms, manager, isSupported } = this.facts;
    // Xfwm4 4.18 announces _NET_RESTACK_WINDOW and ignores it.
    const isHeard = manager !== undefined && manager !== "Xfwm4" && isSupported(atoms._NET_RESTACK_WINDOW);
    return isHeard
      ? this.ask(atoms._NET_RESTACK_WINDOW, [fromTool, 0, stackMode[place]])
      : this.x.send(restackWindow(this.window, place));
  }

  changeState(change: keyof typeof stateChange, states: readonly number[]): Promise<void> {
    const [first = 0, second = 0] = states;
    return this.ask(this.facts.atoms._NET_WM_STATE, [stateChange[change], first, second, fromTool]);
  }

  /** Sent to the window itself: a window manager might kill an unresponsive one instead. */
  close(): Promise<void> {
    const { atoms } = this.facts;
    return sendClientMessage(this.x, {
      to: this.window,
      mask: eventMask.none,
      window: this.window,
      type: atoms.WM_PROTOCOLS,
      data: [atoms.WM_DELETE_WINDOW, this.timeMs],
    });
  }

  /** `left` and `top` are those of the outer bounds; the request positions the content. */
  async move(left: number, top: number): Promise<void> {
    const { content, bounds } = this.facts;
    const place = { x: left + content.x - bounds.x, y: top + content.y - bounds.y };
    await this.moveContent(place);
    const off = await this.awaitOffset({ x: left, y: top });
    if (off !== undefined) await this.moveContent({ x: place.x - off.x, y: place.y - off.y });
  }

  private moveContent(place: Point): Promise<void> {
    return this.configure(place, [place.x, place.y, 0, 0], moveResizeFlag.x | moveResizeFlag.y);
  }

  /**
   * The offset between the wanted and the final position, if small. Openbox 3.6 includes the border a window had before
   * it was framed (xterm's 1 pixel), which can no longer be read; so it is measured and compensated.
   */
  private async awaitOffset(wanted: Point): Promise<Point | undefined> {
    let last = this.facts.bounds;
    for (let poll = 0; poll < maxPolls; poll += 1) {
      const bounds = await placeWindow(this.x, this.window);
      if (bounds === undefined || (bounds.x === wanted.x && bounds.y === wanted.y)) return undefined;
      const isAtRest = bounds.x === last.x && bounds.y === last.y;
      const off = { x: bounds.x - wanted.x, y: bounds.y - wanted.y };
      if (isAtRest && Math.max(Math.abs(off.x), Math.abs(off.y)) <= widestBorder) return off;
      last = bounds;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    return undefined;
  }

  resize(width: number, height: number): Promise<void> {
    const { content, bounds } = this.facts;
    const size = {
      width: Math.max(1, width + content.width - bounds.width),
      height: Math.max(1, height + content.height - bounds.height),
    };
    const flags = moveResizeFlag.width | moveResizeFlag.height;
    return this.configure(size, [0, 0, size.width, size.height], flags);
  }

  private configure(
    wanted: Configuration,
    [x = 0, y = 0, width = 0, height = 0]: readonly number[],
    flags: number,
  ): Promise<void> {
    const { atoms, manager, isSupported } = this.facts;
    if (manager === undefined || !isSupported(atoms._NET_MOVERESIZE_WINDOW)) {
      return configureWindow(this.x, this.window, wanted);
    }
    return this.ask(atoms._NET_MOVERESIZE_WINDOW, [staticGravity | flags | (fromTool << 12), x, y, width, height]);
  }
}
