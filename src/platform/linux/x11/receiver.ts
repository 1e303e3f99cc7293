import { setTimeout as pause } from "node:timers/promises";
import type { Failure } from "../../../model/failure.ts";
import type { Recheck } from "../../hands.ts";
import type { XConnection } from "./connection.ts";
import { isKeyboardGrabbed } from "./keyboard-grab.ts";
import { sendIf } from "./xtest.ts";

/** A window may be active a moment before it gets the keyboard: it takes the focus itself when it is told to. */
const arrivalMs = 500;
const lookAgainMs = 20;

/** The window that keys are meant for. Where none is known, it is the one that has the keyboard at first. */
export class Receiver {
  private focus: number | undefined;
  private isGrabJudged = false;

  constructor(
    private readonly x: XConnection,
    private window: number | undefined,
  ) {}

  /** A grab that is there already is the guard's to judge; a later one takes the keyboard away. */
  async judgeGrab(recheck: Recheck | undefined): Promise<Failure | undefined> {
    this.isGrabJudged = await isKeyboardGrabbed(this.x);
    return this.isGrabJudged ? recheck?.() : undefined;
  }

  async waitForKeyboard(): Promise<boolean> {
    const deadline = performance.now() + arrivalMs;
    while (!(await this.hasKeyboard())) {
      if (performance.now() > deadline) return false;
      await pause(lookAgainMs);
    }
    return true;
  }

  /**
   * Sends keys only if they reach it. Nothing can take the keyboard between the question and the keys, not even the
   * window's end.
   */
  send(requests: readonly Buffer[]): Promise<boolean> {
    return sendIf(this.x, () => this.hasKeyboard(), requests);
  }

  async hasKeyboard(): Promise<boolean> {
    const [focus, isGrabbed] = await Promise.all([this.x.getInputFocus(), isKeyboardGrabbed(this.x)]);
    if (isGrabbed && !this.isGrabJudged && !(await this.hasPopup())) return false;
    if (focus === this.focus) return true;
    const chain = await Array.fromAsync(this.x.listAround(focus));
    // Without a window manager the focus may be on no window; keys go to what is under the pointer.
    const isFirstOfNone = chain.length === 0 && this.focus === undefined;
    this.window ??= chain.at(-1);
    if (!isFirstOfNone && !chain.some((one) => one === this.window)) return this.hasMenu();
    this.focus = focus;
    return true;
  }

  private async hasPopup(): Promise<boolean> {
    const { x, window } = this;
    if (window === undefined) return false;
    const { listPopups } = await import("./surfaces.ts");
    return (await listPopups(x)).some(({ id }) => x.clientOf(id) === x.clientOf(window));
  }

  /** An open menu of its program takes every key, whichever window has the focus. */
  private async hasMenu(): Promise<boolean> {
    const { x, window } = this;
    if (window === undefined) return false;
    const [{ listPopups }, { findShell }] = await Promise.all([import("./surfaces.ts"), import("./shell.ts")]);
    const [popups, shell] = await Promise.all([listPopups(x), findShell(x)]);
    if (shell?.isModal === true) return shell.id === window;
    return popups.some(({ id, isMenu }) => isMenu === true && x.clientOf(id) === x.clientOf(window));
  }
}
