import type { InputDeed } from "../../../model/deed.ts";
import { fail, nothingDone, type Result } from "../../../model/failure.ts";
import type { XConnection } from "./connection.ts";

export class XInput {
  constructor(
    readonly x: XConnection,
    readonly env: Readonly<Record<string, string | undefined>>,
  ) {}

  async carryOut(_deed: InputDeed): Promise<Result<void>> {
    return fail({ code: "UNAVAILABLE", message: "not written yet", done: nothingDone });
  }

  close(): void {}
}
