import { type CallRequest, type Host, isAnswer } from "../host/port.ts";
import type { DemoTarget } from "../model/demo-ref.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";

interface Described {
  readonly there: boolean;
  readonly why?: { readonly message: string };
  readonly portable?: DemoTarget;
}

/** What `element` says of the control that is pointed at, as a demo describes it. `where` are the fields of that tool. */
export async function pickTarget(
  host: Pick<Host, "call">,
  where: CallRequest["input"],
  signal?: AbortSignal,
): Promise<Result<DemoTarget>> {
  const input = { ...where, evidence: true };
  const { data, failure } = await host.call({ tool: "element", input, formats: ["data"] }, { signal });
  if (failure !== undefined) return fail(failure);
  const { there = false, why, portable } = isAnswer<Described>(data) ? data : {};
  if (there && portable?.ref !== undefined) return succeed(portable);
  const message = there
    ? "no tree tells of that control, so nothing describes it"
    : (why?.message ?? "it is not there");
  return fail(makeFailure("NOT_FOUND", message, "show the control on the screen, and point at it again."));
}
