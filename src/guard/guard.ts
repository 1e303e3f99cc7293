import type { Selection } from "../model/clipboard.ts";
import type { Deed } from "../model/deed.ts";
import type { Result } from "../model/failure.ts";
import type { Hands } from "../platform/hands.ts";

/** Who asks for a deed, and with which tool. */
export interface Request {
  readonly tool: string;
}

/**
 * The one gate that every action passes: it alone holds the platform's hands, and opens them when the first deed comes.
 * What may pass is decided in `judge`.
 */
export class Guard {
  private hands: Promise<Result<Hands>> | undefined;

  constructor(private readonly openHands: () => Promise<Result<Hands>>) {}

  /** Delivers a deed, or refuses it. What comes back says what was delivered, not what it did. */
  async carryOut(deed: Deed, request: Request): Promise<Result<string>> {
    const refusal = judge(deed, request);
    if (refusal !== undefined) return refusal;
    const hands = await this.open();
    if (!hands.ok) return hands;
    const done = await deliver(hands.value, deed);
    return done.ok ? { ok: true, value: typeof done.value === "string" ? done.value : "" } : done;
  }

  async readClipboard(_request: Request, selection: Selection): Promise<Result<string>> {
    const hands = await this.open();
    return hands.ok ? hands.value.readClipboard(selection) : hands;
  }

  close(): void {
    this.hands?.then((hands) => hands.ok && hands.value.close()).catch(() => undefined);
  }

  private open(): Promise<Result<Hands>> {
    this.hands ??= this.openHands();
    return this.hands;
  }
}

/** Whether a deed may be done; every rule about consent, rate and danger belongs here. */
function judge(_deed: Deed, _request: Request): Result<string> | undefined {
  return undefined;
}

function deliver(hands: Hands, deed: Deed): Promise<Result<unknown>> {
  switch (deed.kind) {
    case "invoke":
    case "set-text":
    case "set-number":
    case "select":
    case "focus":
    case "reveal":
      return hands.doToElement(deed);
    case "point":
    case "click":
    case "drag":
    case "wheel":
    case "type":
    case "keys":
      return hands.input(deed);
    case "window":
      return hands.arrange(deed);
    case "open":
    case "quit":
    case "terminate":
    case "write-clipboard":
    case "hold-clipboard":
      return hands.doToSystem(deed);
  }
}
