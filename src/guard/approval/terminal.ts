import { readSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type ProcessKey, type TerminalDevice, terminals } from "../../os/index.ts";

const lookAgainMs = 30;
const maxLineBytes = 4096;

/**
 * The terminal at which a command was typed, while it has the keyboard there. Neither standard input nor another terminal
 * counts: what comes from here was typed here.
 */
export class Terminal {
  private constructor(
    private readonly device: TerminalDevice,
    private readonly isOwn: boolean,
  ) {}

  /** The terminal of this process; undefined where it has none, or another command is in the foreground there. */
  static open(): Terminal | undefined {
    const device = terminals.openOwn();
    return device === undefined ? undefined : new Terminal(device, true);
  }

  /** The terminal of another process, a client; undefined where it has none, or another command is in the foreground there. */
  static openOf(process: ProcessKey): Terminal | undefined {
    const device = terminals.openOf(process);
    return device === undefined ? undefined : new Terminal(device, false);
  }

  write(text: string): void {
    let rest: Uint8Array = Buffer.from(text);
    while (rest.length > 0) rest = rest.subarray(this.writeSome(rest));
  }

  /** A terminal whose output a person has halted (Ctrl-S) must not halt the host with it. */
  private writeSome(bytes: Uint8Array): number {
    try {
      return writeSync(this.device.descriptor, bytes);
    } catch (error) {
      if (isBusy(error)) throw new TerminalHalted("the terminal takes no output");
      throw error;
    }
  }

  /**
   * The line that is typed in answer; undefined when it is over first, or nobody can type there any more. What was typed
   * before everything that was written is on the screen was typed by somebody who had not read it, and is forgotten.
   */
  async ask(prompt: string, isOver: () => boolean): Promise<string | undefined> {
    this.device.discardInput();
    this.write(prompt);
    return this.readLine(isOver);
  }

  /** The same, without showing what is typed. */
  async askHidden(prompt: string, isOver: () => boolean): Promise<string | undefined> {
    const leave = (): never => {
      this.device.setEcho(true);
      process.exit(130);
    };
    // At another process's terminal, Ctrl-C ends that process, and with it what is asked.
    if (this.isOwn) process.once("SIGINT", leave);
    this.device.setEcho(false);
    try {
      return await this.ask(prompt, isOver);
    } finally {
      this.device.setEcho(true);
      process.off("SIGINT", leave);
      this.write("\n");
    }
  }

  close(): void {
    this.device.close();
  }

  private async readLine(isOver: () => boolean): Promise<string | undefined> {
    while (!isOver()) {
      if (this.device.isForeground() && this.device.hasInput()) {
        const line = this.takeLine();
        if (line !== "none") return line.text;
      }
      await pause(lookAgainMs);
    }
    return undefined;
  }

  /** "none" where the client itself has read it meanwhile. */
  private takeLine(): { readonly text: string | undefined } | "none" {
    const bytes = Buffer.alloc(maxLineBytes);
    try {
      const length = readSync(this.device.descriptor, bytes);
      return { text: length === 0 ? undefined : bytes.toString("utf8", 0, length).replace(/\r?\n$/, "") };
    } catch (error) {
      if (isBusy(error)) return "none";
      throw error;
    }
  }
}

/** Nothing can be shown there, so nobody can be asked there. */
export class TerminalHalted extends Error {
  override readonly name = "TerminalHalted";
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
