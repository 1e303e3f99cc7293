import type { SystemDeed } from "../../model/deed.ts";
import { fail, nothingDone, type Result } from "../../model/failure.ts";
import type { Parts } from "./parts.ts";

export async function doToSystem(_parts: Parts, _deed: SystemDeed): Promise<Result<string>> {
  return fail({ code: "UNAVAILABLE", message: "not written yet", done: nothingDone });
}
