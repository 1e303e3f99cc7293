import type { Selection } from "../../model/clipboard.ts";
import type {
  ClipboardCommand,
  ElementCommand,
  Filling,
  InputCommand,
  ProgramCommand,
  SecretCommand,
  WindowCommand,
} from "../../model/command.ts";
import { fail, type Result, succeed } from "../../model/failure.ts";
import type { SecretPlace } from "../../model/secrets.ts";
import type { Window } from "../../model/window.ts";
import type { Hands, Recheck, SecretField } from "../hands.ts";
import { flattenResult, type Parts } from "./connections.ts";
import type { FilledPlace } from "./secrets/binding.ts";
import type { XInput } from "./x11/input.ts";
import type { SelectionOwner } from "./x11/selection-owner.ts";

/** How long a field may take to show what it was given. */
const countMs = 1500;
const pollMs = 30;

/** Parts are loaded on first use: a click through accessibility never needs the keyboard. */
export class LinuxHands implements Hands {
  private opening: Promise<XInput> | undefined;
  private isClosed = false;

  constructor(private readonly parts: Parts) {}

  async doToElement(command: ElementCommand): Promise<Result<void>> {
    const { performCommand } = await import("./atspi/perform.ts");
    const connections = await this.parts.openActions();
    const { timeoutMs } = this.parts.options;
    return flattenResult(await this.parts.withBus((bus) => performCommand(bus, connections, command, timeoutMs)));
  }

  async checkSecret(name: string, place: SecretPlace): Promise<Result<void>> {
    const { checkSecret } = await import("./secrets/find.ts");
    const filled = await this.findPlace(place);
    return filled.ok ? checkSecret(name, filled.value, this.parts.options) : filled;
  }

  async fillSecret(command: SecretCommand, field: SecretField): Promise<Result<Filling>> {
    const { element, by } = command;
    const { describeUnfit, describeUnfocused, describeUnfilled } = await import("./secrets/find.ts");
    const before = await field.glimpse();
    if (!before.ok) return before;
    if (!element.states.has("secret") || before.value?.states.has("secret") !== true)
      return fail(describeUnfit(element));
    // Keys go to the focus, so it is checked right before.
    if (by === "keys" && !before.value.states.has("focused")) return fail(describeUnfocused(element));
    const { findSecret } = await import("./secrets/find.ts");
    const place = await this.findPlace(field.place);
    if (!place.ok) return place;
    const secret = await findSecret(command.secret, place.value, this.parts.options);
    if (!secret.ok) return secret;
    const text = secret.value;
    const done = await (by === "text"
      ? field.setText(text)
      : this.input({ kind: "type", text, delayMs: 0 }, field.window, field.recheck));
    return done.ok ? succeed(await countFilled(field, text)) : fail(describeUnfilled(element, done.failure));
  }

  async input(command: InputCommand, window?: Window, recheck?: Recheck): Promise<Result<string | undefined>> {
    const opened = await this.parts.withDisplay(() => this.openInput());
    // Without the display's deadline: typing slowly takes its time.
    return opened.ok ? opened.value.carryOut(command, window?.id, recheck) : opened;
  }

  async arrange(command: WindowCommand): Promise<Result<void>> {
    const { arrangeWindow } = await import("./x11/arrange.ts");
    const { x, options } = this.parts;
    return flattenResult(await this.parts.withDisplay(() => arrangeWindow(x, command, options.timeoutMs)));
  }

  async doToProgram(command: ProgramCommand): Promise<Result<string>> {
    const { doToProgram } = await import("./system.ts");
    return doToProgram(this.parts, command);
  }

  async writeClipboard(command: ClipboardCommand): Promise<Result<string>> {
    const { writeClipboard } = await import("./system.ts");
    return writeClipboard(this.parts, command);
  }

  async findClipboardOwner(selection: Selection): Promise<Result<readonly string[]>> {
    const owner = await this.findOwner(selection);
    return owner.ok ? succeed(owner.value?.names ?? []) : owner;
  }

  async readClipboard(selection: Selection): Promise<Result<string>> {
    const [{ readClipboard, describeSecretSelection }, owner] = await Promise.all([
      import("./x11/clipboard.ts"),
      this.findOwner(selection),
    ]);
    const { x, options } = this.parts;
    const read = flattenResult(await this.parts.withDisplay(() => readClipboard(x, options.timeoutMs, selection)));
    const pid = owner.ok ? owner.value?.pid : undefined;
    if (!read.ok || pid === undefined) return read;
    const { isShownSecret } = await import("./secret-selection.ts");
    const isSecret = await isShownSecret(this.parts, pid, read.value);
    return isSecret ? fail(describeSecretSelection(selection, "shown")) : read;
  }

  /** By the server's word on who made the window: a window may claim any class and process. */
  private async findPlace({ origin, windowId }: SecretPlace): Promise<Result<FilledPlace>> {
    const { readProgramNames } = await import("./program-names.ts");
    const pid = await this.parts.withDisplay(async () =>
      windowId === undefined ? undefined : this.parts.x.findClientPid(windowId),
    );
    return pid.ok ? succeed({ origin, programs: readProgramNames(pid.value ?? 0) }) : pid;
  }

  private async findOwner(selection: Selection): Promise<Result<SelectionOwner | undefined>> {
    const { findSelectionOwner } = await import("./x11/selection-owner.ts");
    return this.parts.withDisplay(() => findSelectionOwner(this.parts.x, selection));
  }

  close(): void {
    this.isClosed = true;
    this.opening?.then((input) => input.close()).catch(() => undefined);
  }

  private openInput(): Promise<XInput> {
    this.opening ??= this.connectInput();
    return this.opening;
  }

  /** A separate connection: what the server ties to a connection, such as the keyboard turn, ends with it. */
  private async connectInput(): Promise<XInput> {
    try {
      const [{ XInput: Input }, { XConnection }] = await Promise.all([
        import("./x11/input.ts"),
        import("./x11/connection.ts"),
      ]);
      const { env, timeoutMs, signal } = this.parts.options;
      const input = new Input(await XConnection.connect(env, timeoutMs), env, timeoutMs, signal);
      if (this.isClosed) input.close();
      return input;
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }
}

/** Applications take a moment; Qt counts UTF-16 units, others characters. */
async function countFilled(field: SecretField, text: string): Promise<Filling> {
  const deadline = performance.now() + countMs;
  for (;;) {
    const now = await field.glimpse();
    const length = now.ok ? now.value?.length : undefined;
    if (length === [...text].length || length === text.length) return "counted";
    if (performance.now() > deadline) return length === undefined ? "untold" : "other";
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
