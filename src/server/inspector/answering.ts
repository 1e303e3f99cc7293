import { Answered } from "../../guard/approval/answered.ts";
import { describeNoTerminal } from "../../guard/approval/person.ts";
import { describeDamaged, type Pin, readPin, tryPin, vouch } from "../../guard/approval/pin.ts";
import { listAsked, type Shown, Surface } from "../../guard/approval/surface-host.ts";
import { Terminal } from "../../guard/approval/terminal.ts";
import type { Places } from "../../guard/places.ts";
import type { AnswerPlace, AskedQuestion } from "../../inspector/activity.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { cleanText } from "../../model/plain-text.ts";

const maxWords = 400;
/** A page that is loaded again comes back within this time: what it was asked meanwhile is still its own. */
const comeBackMs = 3000;

/** Where a person answers in a browser: open while a page is, and only for a person as `deskmap approve` knows one. */
export class Answering {
  private surface: Surface | undefined;
  /** The PIN that the surface was opened with. */
  private vouchedBy: Pin | undefined;
  /** The asker takes a moment to see an answer: until then it is not shown as one that waits elsewhere. */
  private readonly answered = new Answered();
  private pages = 0;
  private closing: NodeJS.Timeout | undefined;

  constructor(
    private readonly places: Places,
    private readonly isAtTerminal = canSitHere,
  ) {}

  /** A page is there; gives what tells that it has gone. */
  enter(): () => void {
    this.pages += 1;
    clearTimeout(this.closing);
    return () => {
      this.pages -= 1;
      if (this.pages === 0) this.closing = setTimeout(() => this.close(), comeBackMs);
    };
  }

  /** Whether answers count here, as things are now: a PIN may have been set or taken away. */
  findPlace(): AnswerPlace {
    const pin = readPin(this.places);
    if (pin === "damaged") return this.leave("elsewhere");
    if (pin !== undefined)
      return this.surface !== undefined && isSamePin(this.vouchedBy, pin) ? "here" : this.leave("pin");
    if (!this.isAtTerminal()) return this.leave("elsewhere");
    if (this.vouchedBy !== undefined) this.close();
    if (this.pages > 0) this.surface ??= Surface.open(this.places, undefined, "inspect");
    return "here";
  }

  /** What waits, also where it is answered elsewhere. */
  list(): readonly AskedQuestion[] {
    const own = new Set(this.surface?.listPending().map(({ petition }) => petition.nonce));
    return listAsked(this.places)
      .filter(({ petition }) => own.has(petition.nonce) || !this.answered.has(petition.nonce))
      .map((shown) => describeShown(shown, own.has(shown.petition.nonce)))
      .toSorted((one, other) => one.untilMs - other.untilMs);
  }

  unlock(typed: string): Result<void> {
    const key = this.provePin(typed);
    if (!key.ok) return key;
    const pin = readPin(this.places);
    this.close();
    this.surface = Surface.open(this.places, (publicKey) => vouch(key.value, publicKey), "inspect");
    this.vouchedBy = pin === "damaged" ? undefined : pin;
    return succeed(undefined);
  }

  get hasPin(): boolean {
    return readPin(this.places) !== undefined;
  }

  /** To the very words that were shown; once. */
  answer(nonce: string, digest: string, verdict: "yes" | "no"): Result<void> {
    if (this.findPlace() !== "here" || this.surface === undefined) return fail(describeElsewhere());
    const shown = this.surface.listPending().find((one) => one.petition.nonce === nonce && one.digest === digest);
    if (shown === undefined || !this.surface.isPending(shown)) return fail(describeOver());
    this.surface.answer(shown, verdict);
    this.answered.add(nonce, shown.petition.untilMs);
    return succeed(undefined);
  }

  /** What `deskmap resume` asks for: a person at the terminal, or the PIN where one is set. */
  confirm(typed: string | undefined): Result<void> {
    const pin = readPin(this.places);
    if (pin === undefined) return this.isAtTerminal() ? succeed(undefined) : fail(describeNoTerminal());
    const key = this.provePin(typed ?? "");
    return key.ok ? succeed(undefined) : key;
  }

  close(): void {
    clearTimeout(this.closing);
    this.surface?.close();
    this.surface = undefined;
    this.vouchedBy = undefined;
  }

  private provePin(typed: string) {
    const pin = readPin(this.places);
    if (pin === "damaged") return fail<never>(describeDamaged(this.places));
    if (pin === undefined || typed === "") return fail<never>(describeNoPin(pin !== undefined));
    return tryPin(this.places, pin, typed);
  }

  private leave(place: AnswerPlace): AnswerPlace {
    if (this.surface !== undefined) this.close();
    return place;
  }
}

/** As `deskmap approve`: with a terminal of its own that it has in the foreground. */
function canSitHere(): boolean {
  const terminal = Terminal.open();
  terminal?.close();
  return terminal !== undefined;
}

function isSamePin(one: Pin | undefined, other: Pin): boolean {
  return one?.publicKey === other.publicKey && one.salt === other.salt;
}

function describeShown({ petition, digest, code }: Shown, isHere: boolean): AskedQuestion {
  const { nonce, untilMs, client, tool, app, window, words, why } = petition;
  const clean = (text: string): string => cleanText(text, maxWords);
  return {
    nonce,
    digest,
    code,
    untilMs,
    isHere,
    words: clean(words),
    why: clean(why),
    app: clean(app),
    window: clean(window),
    client: clean(client),
    tool: clean(tool),
  };
}

export const elsewhereHint = "run deskmap approve in a terminal, or start deskmap inspect from one";

function describeElsewhere(): Failure {
  return {
    code: "REFUSED",
    reason: "unasked",
    message:
      "this page was not opened by a person at a terminal, or the PIN has not been typed: nothing can be answered here",
    suggestion: `${elsewhereHint}.`,
    done: nothingDone,
  };
}

function describeOver(): Failure {
  return {
    code: "NOT_FOUND",
    message: "nobody waits for this answer any more",
    done: nothingDone,
  };
}

function describeNoPin(isSet: boolean): Failure {
  const message = isSet ? "the PIN was not typed" : "no PIN is set";
  return { code: "REFUSED", reason: "denied", message, done: nothingDone };
}
