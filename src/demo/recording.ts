import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, parseJson } from "../model/caught.ts";
import type { RecordedAction, StepPicture, TakenPicture } from "../model/demo.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { writePrivate } from "./store.ts";

/**
 * What is being recorded. Whichever process acts looks for this file, and appends each action of an agent to steps.jsonl
 * beside it; a person's steps are appended by the recorder, which listens.
 */
export interface Recording {
  readonly name: string;
  readonly startedMs: number;
  /** Only the actions of this client; without one, of all. */
  readonly client?: string | undefined;
  readonly kind: "agent" | "person";
  /** False if it takes none. */
  readonly pictures?: boolean | undefined;
  /** The process that listens to the person. */
  readonly recorder?: { readonly pid: number; readonly startTicks: number } | undefined;
}

export interface RecordingStatus extends Recording {
  readonly isPaused: boolean;
  readonly actions: number;
}

/** A recording that goes on while its file exists; a paused one has the file under another name. */
export class RecordingFolder {
  private readonly running: string;
  private readonly paused: string;
  private readonly actions: string;
  /** Named as the steps' pictures say. */
  readonly pictures: string;

  constructor(private readonly folder: string) {
    this.running = join(folder, "recording.json");
    this.paused = join(folder, "paused.json");
    this.actions = join(folder, "steps.jsonl");
    this.pictures = join(folder, "pictures");
  }

  start(recording: Recording): Result<Recording> {
    const { value: open } = this.find();
    if (open !== undefined) return fail(describeGoingOn(open));
    // Left over from a recording whose demo was saved.
    rmSync(this.actions, { force: true });
    rmSync(this.pictures, { recursive: true, force: true });
    const written = writePrivate(this.running, `${JSON.stringify(recording)}\n`, this.folder);
    return written.ok ? succeed(recording) : written;
  }

  /** Adds a person's step, unless it is paused; false if the recording is over. */
  add(step: RecordedAction, taken?: TakenPicture): boolean {
    const { value, isPaused } = this.find();
    if (value === undefined) return false;
    if (isPaused) return true;
    const picture = taken && this.addPicture(`p-${step.n}`, taken);
    const line = picture === undefined ? step : { ...step, picture };
    appendFileSync(this.actions, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    return true;
  }

  /** A step is worth more than its picture: on a full disk it has none. */
  private addPicture(name: string, { png, bbox, elements }: TakenPicture): StepPicture | undefined {
    try {
      mkdirSync(this.pictures, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.pictures, `${name}.png`), Buffer.from(png, "base64"), { mode: 0o600 });
      writeFileSync(join(this.pictures, `${name}.json`), `${JSON.stringify({ elements })}\n`, { mode: 0o600 });
      return { file: `${name}.png`, bbox };
    } catch {
      return undefined;
    }
  }

  status(): RecordingStatus | undefined {
    const { value, isPaused } = this.find();
    return value === undefined ? undefined : { ...value, isPaused, actions: this.readActions(value).length };
  }

  pause(isPaused: boolean): Result<RecordingStatus> {
    const status = this.status();
    if (status === undefined) return fail(describeNone());
    if (status.isPaused === isPaused) {
      return fail(describeUsage(`it is ${isPaused ? "paused already" : "not paused"}`, "deskmap record status"));
    }
    renameSync(isPaused ? this.running : this.paused, isPaused ? this.paused : this.running);
    return succeed({ ...status, isPaused });
  }

  /** What was recorded. It stays until `finish`, so that nothing is lost if the demo cannot be saved. */
  end(): Result<{ readonly recording: Recording; readonly actions: readonly RecordedAction[] }> {
    const { value } = this.find();
    return value === undefined ? fail(describeNone()) : succeed({ recording: value, actions: this.readActions(value) });
  }

  finish(): void {
    for (const file of [this.running, this.paused, this.actions, this.pictures]) {
      rmSync(file, { recursive: true, force: true });
    }
  }

  private find(): { readonly value: Recording | undefined; readonly isPaused: boolean } {
    const isPaused = !existsSync(this.running);
    const value = parseJson(readIfThere(isPaused ? this.paused : this.running) ?? "");
    return { value: isRecording(value) ? value : undefined, isPaused };
  }

  /** A process that was killed may have left half a line. */
  private readActions({ client }: Recording): readonly RecordedAction[] {
    const lines = (readIfThere(this.actions) ?? "").split("\n").map(parseJson);
    return lines
      .filter(isAction)
      .filter((one) => client === undefined || one.client === client)
      .toSorted((a, b) => a.atMs - b.atMs);
  }
}

export function describeGoingOn({ name }: Pick<Recording, "name">): Failure {
  const message = `${JSON.stringify(name)} is being recorded already`;
  return describeUsage(message, "deskmap record stop, or deskmap record stop --discard");
}

function describeNone(): Failure {
  return makeFailure("NOT_FOUND", "nothing is being recorded", "deskmap record start NAME");
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRecording(value: unknown): value is Recording {
  return isRecord(value) && typeof value.name === "string" && typeof value.startedMs === "number";
}

/** Written by a host of this build; what a step keeps of it is tidied, and the demo is checked as a whole. */
function isAction(value: unknown): value is RecordedAction {
  return isRecord(value) && typeof value.tool === "string" && typeof value.atMs === "number" && isRecord(value.input);
}
