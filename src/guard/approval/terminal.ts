import { dlopen, ptr } from "bun:ffi";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { cLibraries } from "../flock.ts";

// <termios.h>, <poll.h>: the same on Linux and macOS.
const afterFlush = 2;
const hasInput = 1;
/** More than any system's termios. */
const settingsBytes = 256;
const lookAgainMs = 30;
const maxLineBytes = 4096;

/**
 * The terminal that this process belongs to and has the keyboard of. Neither standard input nor another terminal counts:
 * what comes from here was typed here.
 */
export class Terminal {
  private constructor(private readonly descriptor: number) {}

  /** Undefined where nobody could be sitting: no controlling terminal, or one that another command has now. */
  static open(): Terminal | undefined {
    try {
      const terminal = new Terminal(openSync("/dev/tty", "r+"));
      if (terminal.isForeground()) return terminal;
      terminal.close();
      return undefined;
    } catch {
      return undefined;
    }
  }

  static openOf(_process: { readonly pid: number }): Terminal | undefined {
    return undefined;
  }

  write(text: string): void {
    writeSync(this.descriptor, text);
  }

  /**
   * The line that is typed in answer; undefined when it is over first, or nobody can type there any more. What was typed
   * before everything that was written is on the screen was typed by somebody who had not read it, and is forgotten.
   */
  async ask(prompt: string, isOver: () => boolean): Promise<string | undefined> {
    this.forgetTyped();
    this.write(prompt);
    return this.readLine(isOver);
  }

  /** The same, without showing what is typed. */
  async askHidden(prompt: string, isOver: () => boolean): Promise<string | undefined> {
    const leave = (): never => {
      this.setEcho(true);
      process.exit(130);
    };
    process.once("SIGINT", leave);
    this.setEcho(false);
    try {
      return await this.ask(prompt, isOver);
    } finally {
      this.setEcho(true);
      process.off("SIGINT", leave);
      this.write("\n");
    }
  }

  private isForeground(): boolean {
    return functions().tcgetpgrp(this.descriptor) === functions().getpgrp();
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private async readLine(isOver: () => boolean): Promise<string | undefined> {
    while (!isOver()) {
      if (this.isForeground() && this.hasLine()) {
        const bytes = Buffer.alloc(maxLineBytes);
        const length = readSync(this.descriptor, bytes);
        return length === 0 ? undefined : bytes.toString("utf8", 0, length).replace(/\r?\n$/, "");
      }
      await pause(lookAgainMs);
    }
    return undefined;
  }

  /** It waits until all is shown, too. */
  private forgetTyped(): void {
    const settings = new Uint8Array(settingsBytes);
    const { tcgetattr, tcsetattr } = functions();
    const isDone =
      tcgetattr(this.descriptor, ptr(settings)) === 0 && tcsetattr(this.descriptor, afterFlush, ptr(settings)) === 0;
    if (!isDone) throw new Error("the terminal does not forget what was typed");
  }

  private hasLine(): boolean {
    const wish = new DataView(new ArrayBuffer(8));
    wish.setInt32(0, this.descriptor, true);
    wish.setInt16(4, hasInput, true);
    return functions().poll(ptr(wish), 1, 0) > 0;
  }

  private setEcho(isOn: boolean): void {
    const { status } = spawnSync("stty", [isOn ? "echo" : "-echo"], { stdio: [this.descriptor, "ignore", "ignore"] });
    if (status !== 0 && !isOn) throw new Error("the terminal cannot hide what is typed");
  }
}

/** Whether this very command was typed by somebody who sits there: its input and its messages are the terminal's. */
export function isAtTerminal(): boolean {
  const own = functions().getpgrp();
  // For any other file, or another terminal, the answer is -1.
  return [0, 2].every((descriptor) => functions().tcgetpgrp(descriptor) === own);
}

type Functions = ReturnType<typeof openLibrary>;
let library: Functions | undefined;

function functions(): Functions {
  library ??= openLibrary();
  return library;
}

function openLibrary() {
  for (const name of cLibraries) {
    try {
      return dlopen(name, {
        tcgetpgrp: { args: ["i32"], returns: "i32" },
        getpgrp: { args: [], returns: "i32" },
        tcgetattr: { args: ["i32", "ptr"], returns: "i32" },
        tcsetattr: { args: ["i32", "i32", "ptr"], returns: "i32" },
        poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
      }).symbols;
    } catch {
      // Not this C library: try the next.
    }
  }
  throw new Error("the C library has no terminals");
}
