import type { Point } from "../../model/bounds.ts";
import type {
  ClipboardCommand,
  ElementCommand,
  Filling,
  InputCommand,
  ProgramCommand,
  SecretCommand,
  WindowCommand,
} from "../../model/command.ts";
import { type FailureCode, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Role } from "../../model/role.ts";
import { maskSecrets } from "../../model/secrets-in-text.ts";
import type { Hands, SecretField } from "../hands.ts";
import type { FakeControl } from "./control.ts";
import { ownNameOf } from "./tree.ts";
import type { FakeApplication, FakeWindow } from "./windows.ts";

const toggles: ReadonlySet<Role> = new Set<Role>(["checkbox", "switch", "toggle"]);
const writable: ReadonlySet<Role> = new Set<Role>(["input", "document", "spin"]);

interface Reach {
  pointer: Point;
  readonly pressed: FakeControl[];
  readonly secrets: ReadonlyMap<string, string>;
  findControl(handle: string): FakeControl | undefined;
  findControlAt(point: Point): FakeControl | undefined;
  findApplication(pid: number): FakeApplication | undefined;
  bringToFront(application: FakeApplication, window: FakeWindow): void;
  end(application: FakeApplication): void;
}

/** Hands in memory: what is pressed reacts as on the real platforms, and the desktop keeps a list of it. */
export class FakeHands implements Hands {
  clipboard = "";
  private focused: FakeControl | undefined;

  constructor(private readonly desktop: Reach) {}

  async doToElement(command: ElementCommand): Promise<Result<void>> {
    const control = this.desktop.findControl(command.element.handle);
    if (control === undefined) return refuse("NOT_FOUND", "the control is gone");
    if (control.role !== command.element.role || ownNameOf(control) !== command.element.ownName) {
      return refuse("NOT_FOUND", `"${command.element.name}" is another control now`);
    }
    if (control.states.has("disabled")) return refuse("DISABLED", `"${control.name}" is disabled`);
    return this.reach(control, command);
  }

  private reach(control: FakeControl, command: ElementCommand): Result<void> {
    switch (command.kind) {
      case "invoke":
        if (control.sketch.actions?.some((action) => action === command.action) !== true)
          return refuse("PATTERN_UNSUPPORTED", "no such action");
        return this.press(control);
      case "set-text":
        if (!writable.has(control.role) || control.states.has("readonly"))
          return refuse("PATTERN_UNSUPPORTED", "no editable text");
        write(control, command.text);
        return succeed(undefined);
      case "set-number":
        control.value = String(command.value);
        return succeed(undefined);
      case "select":
        return select(control, command.isSelected);
      case "focus":
        return this.focus(control);
      case "reveal":
        control.isHidden = false;
        return succeed(undefined);
    }
  }

  async checkSecret(name: string): Promise<Result<void>> {
    if (this.desktop.secrets.has(name)) return succeed(undefined);
    return refuse("NOT_FOUND", `no secret is called "${name}"`);
  }

  async fillSecret({ element, secret, by }: SecretCommand, field: SecretField): Promise<Result<Filling>> {
    const text = this.desktop.secrets.get(secret);
    if (text === undefined) return refuse("NOT_FOUND", `no secret is called "${secret}"`);
    if (!element.states.has("secret")) return refuse("REFUSED", "it is no secret field");
    const control = this.desktop.findControl(element.handle);
    if (by === "keys" && (control === undefined || this.focused !== control)) {
      return refuse("FAILED", "it has not got the keyboard");
    }
    const done = by === "text" ? await field.setText(text) : succeed(undefined);
    if (!done.ok) return done;
    if (by === "keys" && control !== undefined) control.value = text;
    const now = await field.glimpse();
    return now.ok ? succeed(now.value?.length === [...text].length ? "counted" : "other") : now;
  }

  async input(command: InputCommand): Promise<Result<string | undefined>> {
    const done = this.inputTo(command);
    return done.ok ? succeed(undefined) : done;
  }

  private inputTo(command: InputCommand): Result<void> {
    switch (command.kind) {
      case "point":
        this.desktop.pointer = command.point;
        return succeed(undefined);
      case "click": {
        this.desktop.pointer = command.point;
        const control = this.desktop.findControlAt(command.point);
        if (control === undefined || control.states.has("disabled")) return succeed(undefined);
        if (control.states.has("focusable")) this.focus(control);
        if (control.states.has("selectable")) select(control, true);
        return this.press(control);
      }
      case "type":
        if (this.focused !== undefined && writable.has(this.focused.role))
          write(this.focused, `${this.focused.value}${command.text}`);
        return succeed(undefined);
      case "keys":
        if (command.combo.key === " " && this.focused !== undefined) return this.press(this.focused);
        return succeed(undefined);
      case "drag":
      case "wheel":
        return succeed(undefined);
    }
  }

  async arrange({ window, operation }: WindowCommand): Promise<Result<void>> {
    const application = this.desktop.findApplication(window.pid);
    const own = application?.windows.find(({ id }) => id === window.id);
    if (application === undefined || own === undefined) return refuse("NOT_FOUND", "the window is gone");
    if (operation.name === "close") application.closeWindow(own);
    if (operation.name === "front") this.desktop.bringToFront(application, own);
    if (operation.name === "move") own.moveTo(operation.x, operation.y);
    return succeed(undefined);
  }

  /** Applications end when they are asked to; none can be started. */
  async doToProgram(command: ProgramCommand): Promise<Result<string>> {
    if (command.kind === "open") return refuse("NOT_FOUND", "nothing can be started here");
    const pid = command.kind === "quit" ? command.pid : command.window.pid;
    const application = this.desktop.findApplication(pid);
    if (application === undefined) return refuse("NOT_FOUND", `no process has the id ${pid}`);
    this.desktop.end(application);
    return succeed(`asked process ${pid} to end`);
  }

  async writeClipboard({ text }: ClipboardCommand): Promise<Result<string>> {
    this.clipboard = text;
    return succeed("");
  }

  async findClipboardOwner(): Promise<Result<readonly string[]>> {
    return succeed([]);
  }

  async readClipboard(): Promise<Result<string>> {
    return succeed(maskSecrets(this.clipboard));
  }

  close(): void {
    // Nothing is held.
  }

  private press(control: FakeControl): Result<void> {
    this.desktop.pressed.push(control);
    if (toggles.has(control.role) && !control.states.delete("checked")) control.states.add("checked");
    control.sketch.onPress?.();
    return succeed(undefined);
  }

  private focus(control: FakeControl): Result<void> {
    if (!control.states.has("focusable")) return refuse("PATTERN_UNSUPPORTED", "it takes no focus");
    this.focused?.states.delete("focused");
    this.focused = control;
    control.states.add("focused");
    return succeed(undefined);
  }
}

function write(control: FakeControl, text: string): void {
  if (control.sketch.accepts?.(text) !== false) control.value = text;
}

function select(control: FakeControl, isSelected: boolean): Result<void> {
  if (!control.states.has("selectable")) return refuse("PATTERN_UNSUPPORTED", "its container offers no selection");
  for (const sister of control.parent?.children ?? []) sister.states.delete("selected");
  if (isSelected) control.states.add("selected");
  return succeed(undefined);
}

function refuse(code: FailureCode, message: string): Result<never> {
  return fail(makeFailure(code, message));
}
