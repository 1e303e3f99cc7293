import { join } from "node:path";
import { describeStep } from "../../demo/describe.ts";
import { type Demo, printDemo } from "../../demo/file.ts";
import { makeDemo } from "../../demo/make.ts";
import { numberPictures, writePictures } from "../../demo/pictures.ts";
import { parseDemo } from "../../demo/read.ts";
import { describeGoingOn, type Recording, RecordingFolder } from "../../demo/recording.ts";
import { type DemoStore, describeTaken } from "../../demo/store.ts";
import { findPlaces } from "../../guard/places.ts";
import type { Host } from "../../host/port.ts";
import type { LiveRecording } from "../../inspector/demos.ts";
import { messageOf } from "../../model/caught.ts";
import type { RecordedAction } from "../../model/demo.ts";
import type { Env } from "../../model/env.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { processes } from "../../os/index.ts";
import { FolderWatch } from "./folder-watch.ts";
import { ownWords } from "./own-words.ts";
import type { PanelContext } from "./panel.ts";

const checkMs = 250;

interface Current {
  readonly name: string;
  readonly isReplacing: boolean;
  readonly ending: AbortController;
  readonly done: Promise<void>;
}

/** Records what a person does while a page is open, and tells pages what anybody records. One for all pages of a process. */
export class DemoRecorder {
  private current: Current | undefined;
  private trouble: string | undefined;

  constructor(
    private readonly host: Pick<Host, "listen">,
    private readonly folder: RecordingFolder,
    private readonly store: DemoStore,
  ) {}

  /**
   * Resolves when the person is listened to. It is the daemon that lets it begin, and only if this process runs in the
   * foreground of a person's terminal; if a PIN is set, it is asked for there.
   */
  async begin(name: string, isReplacing: boolean): Promise<Result<void>> {
    const file = this.store.fileOf(name);
    if (!file.ok) return file;
    if (!isReplacing && this.store.has(name)) return fail(describeTaken(name));
    const going = this.folder.status();
    if (going !== undefined) return fail(describeGoingOn(going));
    const ending = new AbortController();
    const begun = Promise.withResolvers<Failure | undefined>();
    const done = this.record(name, ending, begun.resolve).then(
      (failure) => {
        begun.resolve(failure);
        this.trouble = ending.signal.aborted ? undefined : failure?.message;
        this.current = undefined;
      },
      (error: unknown) => begun.resolve(makeFailure("FAILED", messageOf(error))),
    );
    this.trouble = undefined;
    this.current = { name, isReplacing, ending, done };
    const failure = await begun.promise;
    if (failure === undefined) return succeed(undefined);
    this.current = undefined;
    return fail(failure);
  }

  private async record(
    name: string,
    ending: AbortController,
    onBegun: (failure: undefined) => void,
  ): Promise<Failure | undefined> {
    let timer: NodeJS.Timeout | undefined;
    try {
      for await (const one of this.host.listen({ name, isTyped: true, hasPictures: true }, ending.signal)) {
        if (!one.ok) return one.failure;
        if (one.value.of === "begun") {
          // Without a process: `deskmap record stop` must not end the inspector. It takes the file away instead.
          const started = this.folder.start({ name, startedMs: Date.now(), kind: "person" });
          if (!started.ok) return started.failure;
          timer = setInterval(() => this.folder.status() ?? ending.abort(), checkMs);
          onBegun(undefined);
        } else if (!this.folder.add(one.value.step, one.value.picture)) ending.abort();
      }
    } finally {
      clearInterval(timer);
    }
    return undefined;
  }

  /** Ends what is recorded here, or an agents' recording, and saves it; returns its name, if something was saved. */
  async end(isDiscarded: boolean): Promise<Result<string | undefined>> {
    const { current } = this;
    current?.ending.abort();
    await current?.done;
    this.current = undefined;
    const ended = this.folder.end();
    if (!ended.ok) return ended;
    const { recording, actions } = ended.value;
    if (current === undefined && !isOurs(recording)) return fail(describeElsewhere(recording));
    const demo = makeDemo(actions.filter(isWork), { name: recording.name, client: recording.client });
    if (isDiscarded || demo.steps.length === 0) {
      this.folder.finish();
      return isDiscarded
        ? succeed(undefined)
        : fail(describeUsage("nothing was done that can be repeated", "record again."));
    }
    const saved = this.save(demo, current?.isReplacing === true);
    if (saved.ok) this.folder.finish();
    return saved.ok ? succeed(demo.name) : saved;
  }

  pause(isPaused: boolean): Result<void> {
    const done = this.folder.pause(isPaused);
    return done.ok ? succeed(undefined) : done;
  }

  describe(): LiveRecording {
    const status = this.folder.status();
    const trouble = this.trouble === undefined ? {} : { trouble: this.trouble };
    if (status === undefined) return { state: "off", name: "", kind: "", isHere: false, steps: [], ...trouble };
    const { name, kind, isPaused } = status;
    const ended = this.folder.end();
    const made = makeDemo(ended.ok ? ended.value.actions.filter(isWork) : [], { name });
    const isHere = this.current !== undefined || isOurs(status);
    const isBroken = this.current === undefined && kind === "person" && isHere;
    const steps = made.steps.map((step) => ({ words: describeStep(step), doubts: step.doubts ?? [] }));
    return { state: isBroken ? "broken" : isPaused ? "paused" : "recording", name, kind, isHere, steps, ...trouble };
  }

  private save(demo: Demo, isReplacing: boolean): Result<string> {
    const numbered = numberPictures(demo, this.folder.pictures);
    const checked = parseDemo(printDemo(numbered.demo), "the demo");
    if (!checked.ok) return checked;
    const file = this.store.save(checked.value, { isReplacing });
    if (!file.ok) return file;
    const written = writePictures(file.value, numbered);
    return written.ok ? file : written;
  }
}

/** Pressing the buttons of the inspector is no part of the work. */
function isWork({ window = "" }: RecordedAction): boolean {
  return !window.includes(ownWords);
}

/** What no process listens for: agents' actions, or a recording whose recorder was killed. */
function isOurs({ kind, recorder }: Recording): boolean {
  return kind === "agent" || recorder === undefined || !processes.isAlive(recorder);
}

function describeElsewhere({ name }: Recording): Failure {
  const message = `${JSON.stringify(name)} is being recorded in a terminal`;
  return describeUsage(message, "press Ctrl-C there, or run deskmap record stop.");
}

const recorders = new WeakMap<Host, DemoRecorder>();

export function findRecorder({ host, env }: PanelContext, store: DemoStore): DemoRecorder {
  const known = recorders.get(host) ?? new DemoRecorder(host, new RecordingFolder(folderOf(env)), store);
  recorders.set(host, known);
  return known;
}

function folderOf(env: Env): string {
  return join(findPlaces(env).state, "recording");
}

/** Sends one page, until it is closed, what is being recorded. */
export async function followRecording(context: PanelContext, recorder: DemoRecorder): Promise<void> {
  const { signal, env } = context;
  const changes = new FolderWatch([folderOf(env)], signal);
  let sent = "";
  while (!signal.aborted) {
    const now = recorder.describe();
    const text = JSON.stringify(now);
    if (text !== sent) await context.push("demos.recording", now);
    sent = text;
    await changes.next();
  }
}
