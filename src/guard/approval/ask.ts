import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { traced } from "../../model/trace.ts";
import { terminals } from "../../os/index.ts";
import { createLocked, isLocked } from "../lock.ts";
import type { Places } from "../places.ts";
import {
  type Approval,
  type Approver,
  describeDenied,
  describeUnanswered,
  describeUnasked,
  type Question,
} from "./approver.ts";
import { showPages } from "./content.ts";
import { onceQuestion, readVerdict, showQuestion } from "./describe.ts";
import { askForPin, describeDamaged, isVouched, type Pin, readPin } from "./pin.ts";
import {
  type ApprovalRequest,
  answerPath,
  codeOf,
  digestOf,
  isSigned,
  listAnswers,
  listSurfaces,
  readAnswer,
  requestPath,
  type SurfaceRecord,
  signedText,
  surfacePath,
  sweep,
} from "./surface.ts";
import { Terminal, TerminalHalted } from "./terminal.ts";

const defaultExpiryMs = 60_000;
const pollMs = 40;

/** Asks on the surfaces that a person has opened, else at the terminal where the person typed this command. */
export class PersonApprover implements Approver {
  constructor(
    private readonly places: Places,
    private readonly expiryMs = defaultExpiryMs,
    private readonly openTerminal = openOwnTerminal,
  ) {}

  async ask(question: Question, isOver: () => boolean = () => false): Promise<Result<Approval>> {
    const pin = readPin(this.places);
    if (pin === "damaged") return fail(describeDamaged(this.places));
    const surfaces = listSurfaces(this.places).filter((one) => pin === undefined || isVouched(pin, one));
    const asking = () => ["ask a person", surfaces.length > 0 ? `${surfaces.length} surfaces` : "terminal"] as const;
    return traced("guard", asking, () => this.askWhere(question, pin, surfaces, isOver));
  }

  private async askWhere(
    question: Question,
    pin: Pin | undefined,
    surfaces: readonly SurfaceRecord[],
    isOver: () => boolean,
  ): Promise<Result<Approval>> {
    if (surfaces.length > 0) return this.askSurfaces(question, surfaces, isOver);
    const terminal = this.openTerminal();
    if (terminal === undefined) return fail(describeUnasked(question));
    try {
      return await this.askAt(terminal, question, pin, isOver);
    } catch (error) {
      if (!(error instanceof TerminalHalted)) throw error;
      return fail(describeUnasked(question));
    } finally {
      terminal.close();
    }
  }

  private async askSurfaces(
    question: Question,
    surfaces: readonly SurfaceRecord[],
    isOver: () => boolean,
  ): Promise<Result<Approval>> {
    const { places } = this;
    const request = this.makeRequest(question, surfaces);
    const { nonce } = request;
    const bytes = JSON.stringify(request);
    mkdirSync(places.surfaces, { recursive: true, mode: 0o700 });
    sweep(places);
    const lock = createLocked(requestPath(places, nonce), bytes);
    try {
      return await this.awaitAnswer({ question, nonce, digest: digestOf(bytes), surfaces }, isOver);
    } finally {
      rmSync(requestPath(places, nonce), { force: true });
      for (const id of listAnswers(places, nonce)) rmSync(answerPath(places, nonce, id), { force: true });
      lock.release();
    }
  }

  /** Only answers of these surfaces that sign this digest count. */
  private async awaitAnswer(asked: Asked, isOver: () => boolean): Promise<Result<Approval>> {
    const { question, nonce, digest, surfaces } = asked;
    const giveUp = (why: string) => fail<Approval>(describeUnanswered(question, codeOf(digest), why));
    const deadline = performance.now() + this.expiryMs;
    for (;;) {
      // First, so that a late answer is ignored.
      if (performance.now() > deadline) return giveUp("nobody answered in time");
      const [id] = listAnswers(this.places, nonce);
      if (id !== undefined) return this.judge(asked, id);
      if (isOver()) return giveUp("everything was stopped meanwhile");
      if (!surfaces.some((one) => isLocked(surfacePath(this.places, one.id)))) {
        return giveUp("the place where it was asked has been closed");
      }
      await pause(pollMs);
    }
  }

  private judge({ question, nonce, digest, surfaces }: Asked, id: string): Result<Approval> {
    const surface = surfaces.find((one) => one.id === id);
    const answer = readAnswer(this.places, nonce, id);
    const code = codeOf(digest);
    const isOwn =
      surface !== undefined &&
      answer !== undefined &&
      isSigned(surface.publicKey, signedText(digest, nonce, id, answer.verdict), answer.signature);
    if (!isOwn) return fail(describeDenied(question, code, "an answer came that no open place for answers has signed"));
    if (answer.verdict === "no") return fail(describeDenied(question, code, "a person said no"));
    return succeed({ by: `deskmap ${surface.command}, process ${surface.pid}, request ${code}` });
  }

  private makeRequest(question: Question, surfaces: readonly SurfaceRecord[] = []): ApprovalRequest {
    const asked = surfaces.map(({ id }) => id);
    return { ...question, nonce: randomBytes(16).toString("hex"), untilMs: Date.now() + this.expiryMs, asked };
  }

  private async askAt(
    terminal: Terminal,
    question: Question,
    pin: Pin | undefined,
    isOver: () => boolean,
  ): Promise<Result<Approval>> {
    const code = codeOf(digestOf(JSON.stringify(this.makeRequest(question))));
    const deadline = performance.now() + this.expiryMs;
    const isDone = (): boolean => performance.now() > deadline || isOver();
    terminal.write(showQuestion(question, code, Math.round(this.expiryMs / 1000)));
    const by = "the terminal of this command";
    const shown = await showPages(terminal, question.content, isDone);
    if (shown === "no") return fail(describeDenied(question, code, "a person said no"));
    if (shown === "over") return fail(describeUnanswered(question, code, "nobody answered in time"));
    if (pin !== undefined) {
      terminal.write("To allow this once, ");
      const key = await askForPin(this.places, pin, terminal, isDone);
      return key.ok
        ? succeed({ by: `${by}, with the PIN` })
        : fail(describeDenied(question, code, key.failure.message));
    }
    for (;;) {
      const typed = await terminal.ask(onceQuestion, isDone);
      if (typed === undefined) {
        terminal.write("\nNot allowed.\n");
        return fail(describeUnanswered(question, code, "nobody answered in time"));
      }
      const verdict = readVerdict(typed);
      if (verdict === "yes") return succeed({ by });
      if (verdict === "no") return fail(describeDenied(question, code, "a person said no"));
    }
  }
}

export function openOwnTerminal(): Terminal | undefined {
  return terminals.isAtTerminal() ? Terminal.open() : undefined;
}

interface Asked {
  readonly question: Question;
  readonly nonce: string;
  readonly digest: string;
  /** Those that were open when it was asked: keys published later do not count. */
  readonly surfaces: readonly SurfaceRecord[];
}
