import { readSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "../../model/caught.ts";
import { type ProcessKey, type TerminalDevice, terminals } from "../../os/index.ts";

const pollMs = 30;
const maxLineBytes = 4096;

/** The terminal at which a command was typed and is in the foreground. Unlike standard input, it cannot be redirected. */
export class Terminal {
  private constructor(
    private readonly device: TerminalDevice,
    private readonly isOwn: boolean,
  ) {}

  /** The terminal of this process; undefined if it has none or is not in the foreground there. */
  static open(): Terminal | undefined {
    const device = terminals.openOwn();
    return device === undefined ? undefined : new Terminal(device, true);
  }

  /** The terminal of a client's process; undefined if it has none or is not in the foreground there. */
  static openOf(process: ProcessKey): Terminal | undefined {
    const device = terminals.openOf(process);
    return device === undefined ? undefined : new Terminal(device, false);
  }

  write(text: string): void {
    let rest: Uint8Array = Buffer.from(text);
    while (rest.length > 0) rest = rest.subarray(this.writeSome(rest));
  }

  /** A terminal whose output is halted (Ctrl-S) must not block the host. */
  private writeSome(bytes: Uint8Array): number {
    try {
      return writeSync(this.device.descriptor, bytes);
    } catch (error) {
      if (isBusy(error)) throw new TerminalHalted("the terminal takes no output");
      throw error;
    }
  }

  /** Undefined if `isOver` comes first or the terminal is closed. What was typed before the prompt is discarded. */
  async ask(prompt: string, isOver: () => boolean): Promise<string | undefined> {
    this.device.discardInput();
    this.write(prompt);
    return this.readLine(isOver);
  }

  async askHidden(prompt: string, isOver: () => boolean): Promise<string | undefined> {
    const leave = (): never => {
      this.device.setEcho(true);
      process.exit(130);
    };
    // At a client's terminal, Ctrl-C ends the client and with it the question.
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
      await pause(pollMs);
    }
    return undefined;
  }

  /** "none" if the client itself has read the line meanwhile. */
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

/** The terminal takes no output, so nobody can be asked there. */
export class TerminalHalted extends Error {
  override readonly name = "TerminalHalted";
}

function isBusy(error: unknown): boolean {
  return codeOf(error) === "EAGAIN";
}
