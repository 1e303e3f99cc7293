import type { ElementDeed } from "../../../model/deed.ts";
import { fail, nothingDone, type Result } from "../../../model/failure.ts";
import type { Bus } from "../dbus/bus.ts";

export async function performDeed(_bus: Bus, _deed: ElementDeed, _timeoutMs: number): Promise<Result<void>> {
  return fail({ code: "UNAVAILABLE", message: "not written yet", done: nothingDone });
}
