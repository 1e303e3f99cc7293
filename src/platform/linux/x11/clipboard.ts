import { fail, nothingDone, type Result } from "../../../model/failure.ts";
import type { XConnection } from "./connection.ts";

export async function readClipboard(_x: XConnection, _timeoutMs: number): Promise<Result<string>> {
  return fail({ code: "UNAVAILABLE", message: "not written yet", done: nothingDone });
}
