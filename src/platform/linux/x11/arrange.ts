import type { WindowDeed } from "../../../model/deed.ts";
import { fail, nothingDone, type Result } from "../../../model/failure.ts";
import type { XConnection } from "./connection.ts";

export async function arrangeWindow(_x: XConnection, _deed: WindowDeed, _timeoutMs: number): Promise<Result<void>> {
  return fail({ code: "UNAVAILABLE", message: "not written yet", done: nothingDone });
}
