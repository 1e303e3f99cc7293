import { type CallRequest, type Host, isAnswer } from "../../host/port.ts";
import type { Bounds } from "../../model/bounds.ts";
import { describeUndone, fail, type Result, succeed } from "../../model/failure.ts";
import type { ElementDescriptionData } from "../../show/element-description.ts";
import type { FrameData } from "../../show/frame.ts";
import type { ListData, MonitorData, WindowData } from "../../show/list.ts";

type Input = CallRequest["input"];

/** Calls tools of a host, and returns their answers as data. */
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

  /** `Answer` is the tool's declared output. */
  private async ask<Answer extends object>(tool: string, input: Input): Promise<Result<Answer>> {
    const { data, failure } = await this.host.call({ tool, input, formats: ["data"] }, { signal: this.signal });
    if (failure !== undefined) return fail(failure);
    if (isAnswer<Answer>(data)) return succeed(data);
    return fail(describeUndone("FAILED", `${tool} gave no answer`));
  }
}

export function toBounds([x, y, width, height]: WindowData["bounds"]): Bounds {
  return { x, y, width, height };
}
