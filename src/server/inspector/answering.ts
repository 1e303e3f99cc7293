import { dirname } from "node:path";
import { showContent } from "../../guard/approval/content.ts";
import { describeDamaged, describeNoTerminal, type Pin, readPin, tryPin, vouch } from "../../guard/approval/pin.ts";
import { Answered, listAsked, type Shown, Surface } from "../../guard/approval/surface.ts";
import { Terminal } from "../../guard/approval/terminal.ts";
import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces, type Places } from "../../guard/places.ts";
import type { Host } from "../../host/port.ts";
import { type AnswerPlace, type AskedQuestion, type Attention, readingMs } from "../../inspector/activity.ts";
import { messageOf } from "../../model/caught.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { cleanText } from "../../model/plain-text.ts";
import { FolderWatch } from "./folder-watch.ts";
import type { PanelContext } from "./panel.ts";

const maxWords = 400;
/** A page that is reloaded within this time keeps its questions. */
const reloadMs = 3000;

/** The approval surface of the inspector: open while a page is, and only for a person, by the same test as `deskmap approve`. */
export class Answering {
  private surface: Surface | undefined;
  private vouchedBy: Pin | undefined;
  /** Hides an answered question until the asker has seen the answer. */
  private readonly answered = new Answered();
  /** When each open question was first told to a page. */
  private readonly toldAtMs = new Map<string, number>();
  private pages = 0;
  private closing: NodeJS.Timeout | undefined;

  constructor(
    private readonly places: Places,
    private readonly isAtTerminal = hasTerminal,
    private readonly now = () => performance.now(),
  ) {}

  /** Counts a page as open until the returned function is called. */
  enter(): () => void {
    this.pages += 1;
    clearTimeout(this.closing);
    return () => {
      this.pages -= 1;
      if (this.pages === 0) this.closing = setTimeout(() => this.close(), reloadMs);
    };
  }

  /** Whether answers count here now: a PIN may have been set or cleared. */
  findPlace(): AnswerPlace {
    const pin = readPin(this.places);
    if (pin === "damaged") return this.leave("elsewhere");
    if (pin !== undefined)
      return this.surface !== undefined &&
        this.vouchedBy?.publicKey === pin.publicKey &&
        this.vouchedBy.salt === pin.salt
        ? "here"
        : this.leave("pin");
    if (!this.isAtTerminal()) return this.leave("elsewhere");
    if (this.vouchedBy !== undefined) this.close();
    if (this.pages > 0) this.surface ??= Surface.open(this.places, undefined, "inspect");
    return "here";
  }

  /** The open questions, also those that are answered elsewhere. */
  list(): readonly AskedQuestion[] {
    const own = new Set(this.surface?.listPending().map(({ request }) => request.nonce));
    for (const nonce of this.toldAtMs.keys()) if (!own.has(nonce)) this.toldAtMs.delete(nonce);
    for (const nonce of own) this.toldAtMs.set(nonce, this.toldAtMs.get(nonce) ?? this.now());
    return listAsked(this.places)
      .filter(({ request }) => own.has(request.nonce) || !this.answered.has(request.nonce))
      .map((shown) => describeShown(shown, own.has(shown.request.nonce)))
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

  /** Answers the question with exactly this text, once. */
  answer(nonce: string, digest: string, verdict: "yes" | "no"): Result<void> {
    if (this.findPlace() !== "here" || this.surface === undefined) {
      return fail({ ...makeFailure("REFUSED", notHere, `${elsewhereHint}.`), reason: "unasked" });
    }
    const shown = this.surface.listPending().find((one) => one.request.nonce === nonce && one.digest === digest);
    if (shown === undefined || !this.surface.isPending(shown))
      return fail(makeFailure("NOT_FOUND", "nobody waits for this answer any more"));
    if (this.now() - (this.toldAtMs.get(nonce) ?? Number.POSITIVE_INFINITY) < readingMs)
      return fail({ ...makeFailure("REFUSED", tooEarly, "read it first, then answer."), reason: "unasked" });
    this.surface.answer(shown, verdict);
    this.answered.add(nonce, shown.request.untilMs);
    return succeed(undefined);
  }

  /** The test of `deskmap resume`: a person at the terminal, or the PIN if one is set. */
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
    if (pin === undefined || typed === "") {
      const message = pin === undefined ? "no PIN is set" : "the PIN was not typed";
      return fail<never>({ ...makeFailure("REFUSED", message), reason: "denied" });
    }
    return tryPin(this.places, pin, typed);
  }

  private leave(place: AnswerPlace): AnswerPlace {
    if (this.surface !== undefined) this.close();
    return place;
  }
}

function hasTerminal(): boolean {
  const terminal = Terminal.open();
  terminal?.close();
  return terminal !== undefined;
}

function describeShown({ request, digest, code }: Shown, isHere: boolean): AskedQuestion {
  const { nonce, untilMs, client, caller = "claimed", tool, app, window, words, why, content } = request;
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
    caller: clean(caller),
    tool: clean(tool),
    content: showContent(content),
  };
}

const tooEarly = "this question has only just appeared";

const notHere =
  "this page was not opened by a person at a terminal, or the PIN has not been typed: nothing can be answered here";
const elsewhereHint = "run deskmap approve in a terminal, or start deskmap inspect from one";

/** One for all pages of a process. */
const answerings = new WeakMap<Host, Answering>();

export function findAnswering({ host, env }: PanelContext): Answering {
  const known = answerings.get(host) ?? new Answering(findPlaces(env));
  answerings.set(host, known);
  return known;
}

/** Sends one page, until it is closed, the open questions and whether everything is stopped. */
export async function attend(context: PanelContext): Promise<void> {
  const { signal, env } = context;
  const answering = findAnswering(context);
  const { state, surfaces, pin } = findPlaces(env);
  const records = new FileRecords(findPlaces(env));
  const changes = new FolderWatch([state, surfaces, dirname(pin)], signal);
  const leave = answering.enter();
  let sent = "";
  try {
    while (!signal.aborted) {
      const now = readAttention(answering, records);
      const text = JSON.stringify(now);
      if (text !== sent) await context.push("activity.attention", now);
      sent = text;
      await changes.next();
    }
  } finally {
    leave();
  }
}

function readAttention(answering: Answering, records: FileRecords): Attention {
  try {
    const place = answering.findPlace();
    const hint = place === "elsewhere" ? elsewhereHint : undefined;
    return { questions: answering.list(), place, hasPin: answering.hasPin, hint, stop: records.findStop() };
  } catch (error) {
    // Files that cannot be read now are read again later; nothing can be answered meanwhile.
    const hint = messageOf(error);
    return { questions: [], place: "elsewhere", hasPin: false, hint };
  }
}
