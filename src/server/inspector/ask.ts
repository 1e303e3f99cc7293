import { type CallRequest, type Host, isAnswer } from "../../host/port.ts";
import type { Bounds } from "../../model/bounds.ts";
import { fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import type { ElementDescriptionData } from "../../show/description-data.ts";
import type { FrameData } from "../../show/frame.ts";
import type { ListData, MonitorData, WindowData } from "../../show/list.ts";

type Input = CallRequest["input"];

/** Asks a tool of a host, and gives its answer as data. */
export class Asker {
  constructor(
    private readonly host: Pick<Host, "call">,
    private readonly signal: AbortSignal,
  ) {}

  async windows(): Promise<Result<readonly WindowData[]>> {
    const list = await this.ask<ListData>("list", {});
    if (!list.ok) return list;
    return succeed("windows" in list.value ? list.value.windows : []);
  }

  async monitors(): Promise<Result<readonly MonitorData[]>> {
    const list = await this.ask<ListData>("list", { monitors: true });
    if (!list.ok) return list;
    return succeed("monitors" in list.value ? list.value.monitors : []);
  }

  frame(input: Input): Promise<Result<FrameData>> {
    return this.ask("screenshot", input);
  }

  element(input: Input): Promise<Result<ElementDescriptionData>> {
    return this.ask("element", input);
  }

  /** `Answer` is what the tool declares. */
  private async ask<Answer extends object>(tool: string, input: Input): Promise<Result<Answer>> {
    const { data, failure } = await this.host.call({ tool, input, formats: ["data"] }, { signal: this.signal });
    if (failure !== undefined) return fail(failure);
    if (isAnswer<Answer>(data)) return succeed(data);
    return fail({ code: "FAILED", message: `${tool} gave no answer`, done: nothingDone });
  }
}

export function toBounds([x, y, width, height]: WindowData["bounds"]): Bounds {
  return { x, y, width, height };
}
