import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { traced } from "../../model/trace.ts";
import { terminals } from "../../os/index.ts";
import { isLocked, type Lock, tryLock } from "../lock.ts";
import type { Places } from "../places.ts";
import {
  type Approval,
  type Approver,
  describeDenied,
  describeUnanswered,
  describeUnasked,
  type Question,
} from "./approver.ts";
import { askForPin, describeDamaged, isVouched, type Pin, readPin } from "./pin.ts";
import { onceQuestion, readVerdict, showQuestion } from "./prompt.ts";
import {
  answerPath,
  codeOf,
  digestOf,
  isSigned,
  listAnswers,
  listSurfaces,
  type Petition,
  parseAnswer,
  readText,
  requestPath,
  type SurfaceNote,
  signedText,
  surfacePath,
  sweep,
} from "./surface.ts";
import { Terminal, TerminalHalted } from "./terminal.ts";

const defaultExpiryMs = 60_000;
const lookAgainMs = 40;

/** Asks where a person has opened `deskmap approve`; else at the terminal where the person typed this very command. */
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
    surfaces: readonly SurfaceNote[],
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
    surfaces: readonly SurfaceNote[],
    isOver: () => boolean,
  ): Promise<Result<Approval>> {
    const petition = this.makePetition(question, surfaces);
    const bytes = JSON.stringify(petition);
    const lock = this.publish(petition.nonce, bytes);
    try {
      return await this.awaitAnswer({ question, petition, bytes, surfaces }, isOver);
    } finally {
      this.withdraw(petition.nonce, lock);
    }
  }

  /** From here on only what these very surfaces sign, over these very bytes, counts. */
  private async awaitAnswer(asked: Asked, isOver: () => boolean): Promise<Result<Approval>> {
    const { question, petition, bytes, surfaces } = asked;
    const digest = digestOf(bytes);
    const code = codeOf(digest);
    const deadline = performance.now() + this.expiryMs;
    for (;;) {
      // What comes too late is not looked at.
      if (performance.now() > deadline) return fail(describeUnanswered(question, code, "nobody answered in time"));
      const [id] = listAnswers(this.places, petition.nonce);
      if (id !== undefined) return this.judge(asked, id, digest);
      if (isOver()) return fail(describeUnanswered(question, code, "everything was stopped meanwhile"));
      if (!surfaces.some((one) => isLocked(surfacePath(this.places, one.id)))) {
        return fail(describeUnanswered(question, code, "the place where it was asked has ended"));
      }
      await pause(lookAgainMs);
    }
  }

  private judge({ question, petition, surfaces }: Asked, id: string, digest: string): Result<Approval> {
    const surface = surfaces.find((one) => one.id === id);
    const answer = parseAnswer(readText(answerPath(this.places, petition.nonce, id)));
    const code = codeOf(digest);
    const isOwn =
      surface !== undefined &&
      answer !== undefined &&
      isSigned(surface.publicKey, signedText(digest, petition.nonce, id, answer.verdict), answer.signature);
    if (!isOwn) return fail(describeDenied(question, code, "an answer came that no open place for answers has signed"));
    if (answer.verdict === "no") return fail(describeDenied(question, code, "a person said no"));
    return succeed({ by: `deskmap ${surface.command ?? "approve"}, process ${surface.pid}, request ${code}` });
  }

  private makePetition(question: Question, surfaces: readonly SurfaceNote[] = []): Petition {
    const asked = surfaces.map(({ id }) => id);
    return { ...question, nonce: randomBytes(16).toString("hex"), untilMs: Date.now() + this.expiryMs, asked };
  }

  private publish(nonce: string, bytes: string): Lock {
    mkdirSync(this.places.surfaces, { recursive: true, mode: 0o700 });
    sweep(this.places);
    const path = requestPath(this.places, nonce);
    const lock = tryLock(`${path}.new`);
    if (lock === undefined) throw new Error(`${path}.new is locked`);
    writeSync(lock.descriptor, bytes);
    // Whole and locked from the first moment that anybody can see it.
    renameSync(`${path}.new`, path);
    return lock;
  }

  private withdraw(nonce: string, lock: Lock): void {
    rmSync(requestPath(this.places, nonce), { force: true });
    for (const id of listAnswers(this.places, nonce)) rmSync(answerPath(this.places, nonce, id), { force: true });
    lock.release();
  }

  private async askAt(
    terminal: Terminal,
    question: Question,
    pin: Pin | undefined,
    isOver: () => boolean,
  ): Promise<Result<Approval>> {
    const code = codeOf(digestOf(JSON.stringify(this.makePetition(question))));
    const deadline = performance.now() + this.expiryMs;
    const isDone = (): boolean => performance.now() > deadline || isOver();
    terminal.write(showQuestion(question, code, Math.round(this.expiryMs / 1000)));
    const by = "the terminal of this command";
    if (pin !== undefined) {
      terminal.write("To allow this once, ");
      const key = await askForPin(this.places, pin, terminal, isDone);
      return key.ok ? succeed({ by: `${by}, with the PIN` }) : fail(describe(question, code, key.failure));
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

/** Where somebody has typed this very command. */
export function openOwnTerminal(): Terminal | undefined {
  return terminals.isAtTerminal() ? Terminal.open() : undefined;
}

interface Asked {
  readonly question: Question;
  readonly petition: Petition;
  readonly bytes: string;
  /** As they were when it was asked: a key that is published later counts for nothing. */
  readonly surfaces: readonly SurfaceNote[];
}

function describe(question: Question, code: string, { message }: Failure): Failure {
  return describeDenied(question, code, message);
}
