import type { Point } from "../../../model/bounds.ts";
import type { InputCommand } from "../../../model/command.ts";
import type { Env } from "../../../model/env.ts";
import { type Failure, fail, makeFailure, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { showCombo } from "../../../model/keys.ts";
import { describeInterruption } from "../../../model/unfinished.ts";
import type { Recheck } from "../../hands.ts";
import type { XConnection } from "./connection.ts";
import { Interrupted } from "./held.ts";
import { WatchdogLost } from "./input-watchdog.ts";
import { describeTaken, Keyboard, type TypeOutcome } from "./keyboard.ts";
import { Pointer } from "./pointer.ts";
import { XError, XUnavailable } from "./transport.ts";
import { Xkb } from "./xkb.ts";
import { XTest } from "./xtest.ts";

/** The pointer and keyboard of an X display, over a separate connection. */
export class XInput {
  private opening: Promise<XTest | undefined> | undefined;
  private openingKeyboard: Promise<Keyboard | undefined> | undefined;

  constructor(
    readonly x: XConnection,
    readonly env: Env,
    readonly timeoutMs: number,
    private readonly signal?: AbortSignal,
  ) {}

  /** `window` must have the keyboard for keys. Returns what is missing if only a part of a text arrived. */
  async carryOut(command: InputCommand, window?: number, recheck?: Recheck): Promise<Result<string | undefined>> {
    try {
      this.opening ??= this.openTest();
      const xtest = await this.opening;
      if (xtest === undefined) return fail(lacksTest);
      return await this.deliver(xtest, command, window, recheck);
    } catch (error) {
      if (error instanceof XError) return fail(describeRefusal(error));
      if (error instanceof Interrupted) return fail(describeInterrupted(error, this.signal?.reason));
      if (error instanceof WatchdogLost) return fail(describeUnwatched(error));
      if (!(error instanceof XUnavailable)) throw error;
      return fail({
        code: "UNAVAILABLE",
        message: `the display went away: ${error.message}`,
        suggestion: "check that the X server still runs.",
        done: "part of it may have been delivered.",
      });
    }
  }

  close(): void {
    this.x.close();
  }

  private async deliver(
    xtest: XTest,
    command: InputCommand,
    window: number | undefined,
    recheck: Recheck | undefined,
  ): Promise<Result<string | undefined>> {
    const outside = pointsOf(command).find((point) => !this.isOnScreen(point));
    if (outside !== undefined) return fail(this.describeOutside(outside));
    const pointer = new Pointer(this.x, xtest, this.env, this.timeoutMs, this.signal);
    switch (command.kind) {
      case "point":
        await pointer.point(command.point);
        return succeed(undefined);
      case "click":
        await pointer.click(command.point, command.button, command.count);
        return succeed(undefined);
      case "wheel":
        await pointer.wheel(command.point, command.direction, command.amount);
        return succeed(undefined);
      case "drag":
        return pointer.drag(command.from, command.to, command.button, recheck);
      case "type": {
        const problem = checkText(command.text);
        if (problem !== undefined) return fail(problem);
        const total = [...command.text].length;
        return this.withKeyboard(
          xtest,
          (keyboard) => keyboard.type(command.text, command.delayMs, { window, recheck }),
          (outcome) => describeTaken(outcome, total),
        );
      }
      case "keys":
        return this.withKeyboard(
          xtest,
          (keyboard) => keyboard.press(command.combo, { window, recheck }),
          ({ typed }) => (typed === 0 ? nothingDone : `${showCombo(command.combo)} was pressed.`),
        );
    }
  }

  private async withKeyboard(
    xtest: XTest,
    work: (keyboard: Keyboard) => Promise<TypeOutcome>,
    describeDone: (outcome: TypeOutcome) => string,
  ): Promise<Result<string | undefined>> {
    this.openingKeyboard ??= this.openKeyboard(xtest);
    const keyboard = await this.openingKeyboard;
    if (keyboard === undefined) return fail(lacksXkb);
    const outcome = await work(keyboard);
    const { trouble, typed, isLost = false, refusal } = outcome;
    if (trouble === undefined) return succeed(undefined);
    const done = describeDone(outcome);
    if (refusal !== undefined) return fail({ ...refusal, done });
    if (isLost && typed > 0) return succeed(`${trouble}: ${done.replace(/\.$/, "")}`);
    const code = isLost ? "FAILED" : typed === 0 ? "UNAVAILABLE" : "TIMEOUT";
    return fail({ code, message: trouble, suggestion: "check the screen before you try again.", done });
  }

  private async openTest(): Promise<XTest | undefined> {
    const extension = await this.x.findExtension("XTEST");
    return extension && new XTest(extension, this.x.root);
  }

  private async openKeyboard(xtest: XTest): Promise<Keyboard | undefined> {
    const xkb = await Xkb.open(this.x);
    return xkb && new Keyboard(this.x, xtest, xkb, this.env, this.timeoutMs, this.signal);
  }

  private isOnScreen({ x, y }: Point): boolean {
    return x >= 0 && y >= 0 && x < this.x.rootWidth && y < this.x.rootHeight;
  }

  private describeOutside({ x, y }: Point): Failure {
    return makeFailure(
      "USAGE",
      `the point ${x},${y} is outside the screen of ${this.x.rootWidth}×${this.x.rootHeight}`,
      "points are physical pixels of the screen; deskmap list shows where the windows are.",
    );
  }
}

function pointsOf(command: InputCommand): Point[] {
  if (command.kind === "drag") return [command.from, command.to];
  return "point" in command ? [command.point] : [];
}

function describeRefusal(error: XError): Failure {
  return {
    code: "FAILED",
    message: `the X server refused the input (${error.message})`,
    suggestion: "check the screen before you try again.",
    done: "part of it may have been delivered; keys, buttons and the keyboard were restored.",
  };
}

/** Whoever aborts says why: a stop, or the client. */
function describeInterrupted({ done }: Interrupted, reason: unknown): Failure {
  return { ...(isFailure(reason) ? reason : describeInterruption({ tool: "input" })), done };
}

function isFailure(reason: unknown): reason is Failure {
  return typeof reason === "object" && reason !== null && "code" in reason && "done" in reason;
}

function describeUnwatched(error: WatchdogLost): Failure {
  return {
    code: "FAILED",
    message: `the watchdog that would release keys and buttons after a crash is not running: ${error.message}`,
    suggestion: "check that /bin/sh can be started.",
    done: "what was held or changed was restored; the rest was not done.",
  };
}

const lacksTest: Failure = makeFailure(
  "UNAVAILABLE",
  "this X server accepts no input from programs: it has no XTEST extension",
  "start it without “-extension XTEST”; actions through accessibility still work.",
);

const lacksXkb: Failure = makeFailure(
  "UNAVAILABLE",
  "the keys of this X server cannot be read: it has no XKEYBOARD extension",
  "start it with XKEYBOARD; actions through accessibility still work.",
);

/** Control characters except line feed and tab, and lone surrogates: no key types them. */
const untypable = /[^\P{Cc}\n\t]|\p{Cs}/u;

/** The position of a character that cannot be typed; the text is not repeated, since it may be secret. */
export function checkText(text: string): Failure | undefined {
  const characters = [...text];
  const at = characters.findIndex((character) => untypable.test(character));
  if (at < 0) return undefined;
  const codePoint = characters[at]?.codePointAt(0) ?? 0;
  const isHalf = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  const kind = isHalf ? "half of a character (a lone surrogate)" : "a control character";
  return makeFailure(
    "USAGE",
    `character ${at + 1} of ${characters.length} is ${kind}, ${code}, which no key types`,
    isHalf
      ? "give the text as whole Unicode characters."
      : "leave it out; line feed types Return, tab types Tab, and other keys are pressed by their names.",
  );
}
