import type { Selection } from "../../model/clipboard.ts";
import type { ElementDeed, InputDeed, SystemDeed, WindowDeed } from "../../model/deed.ts";
import type { Result } from "../../model/failure.ts";
import type { Hands } from "../hands.ts";
import type { Parts } from "./parts.ts";
import type { XInput } from "./x11/input.ts";

/** Each part is loaded when the first deed needs it: a click through accessibility never touches the keyboard. */
export class LinuxHands implements Hands {
  private opening: Promise<XInput> | undefined;

  constructor(private readonly parts: Parts) {}

  async doToElement(deed: ElementDeed): Promise<Result<void>> {
    const { performDeed } = await import("./atspi/perform.ts");
    return flattenResult(await this.parts.withBus((bus) => performDeed(bus, deed, this.parts.options.timeoutMs)));
  }

  async input(deed: InputDeed): Promise<Result<void>> {
    this.opening ??= this.openInput();
    // Without the display's deadline: a slow text takes as long as it takes.
    return (await this.opening).carryOut(deed);
  }

  async arrange(deed: WindowDeed): Promise<Result<void>> {
    const { arrangeWindow } = await import("./x11/arrange.ts");
    const { x, options } = this.parts;
    return flattenResult(await this.parts.withDisplay(() => arrangeWindow(x, deed, options.timeoutMs)));
  }

  async doToSystem(deed: SystemDeed): Promise<Result<string>> {
    const { doToSystem } = await import("./system.ts");
    return doToSystem(this.parts, deed);
  }

  async findClipboardOwner(selection: Selection): Promise<Result<readonly string[]>> {
    const { findClipboardOwner } = await import("./x11/clipboard.ts");
    return this.parts.withDisplay(() => findClipboardOwner(this.parts.x, selection));
  }

  async readClipboard(selection: Selection): Promise<Result<string>> {
    const { readClipboard } = await import("./x11/clipboard.ts");
    const { x, options } = this.parts;
    return flattenResult(await this.parts.withDisplay(() => readClipboard(x, options.timeoutMs, selection)));
  }

  close(): void {
    this.opening?.then((input) => input.close()).catch(() => undefined);
  }

  private async openInput(): Promise<XInput> {
    const { XInput: Input } = await import("./x11/input.ts");
    const { x, options } = this.parts;
    return new Input(x, options.env, options.timeoutMs, options.signal);
  }
}

function flattenResult<T>(result: Result<Result<T>>): Result<T> {
  return result.ok ? result.value : result;
}
