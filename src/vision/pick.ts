import { fail, nothingDone, type Result } from "../model/failure.ts";
import type { VisionProvider } from "./port.ts";
export async function openVision(_env: Readonly<Record<string, string | undefined>>): Promise<Result<VisionProvider>> {
  return fail({ code: "UNAVAILABLE", message: "none", done: nothingDone });
}
