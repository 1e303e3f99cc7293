import { fail, nothingDone, type Result } from "../../model/failure.ts";
import type { Window } from "../../model/window.ts";
import type { Watch } from "../port.ts";
import type { Parts } from "./parts.ts";

export async function watchApplications(
  _parts: Parts,
  _windows: readonly Window[],
  _timeoutMs: number,
): Promise<Result<Watch>> {
  return fail({ code: "UNAVAILABLE", message: "not written yet", done: nothingDone });
}
