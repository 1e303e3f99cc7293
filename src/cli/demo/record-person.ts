import { connectHost } from "../../client/connect.ts";
import { describeStep } from "../../demo/describe.ts";
import { makeDemo, trimTerminal } from "../../demo/make.ts";
import type { Recording, RecordingFolder } from "../../demo/recording.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { quoteName } from "../../model/plain-text.ts";
import { processes } from "../../os/index.ts";
import { tell } from "./ask.ts";
import { listOwnPrograms, openRecording, readDemo } from "./open.ts";
import { describeSaved, describeUnsaved, type Saved, saveDemo } from "./save.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** How long the recorder may take to write down what is under way. */
const endingMs = 20_000;
const checkMs = 50;

/** Records what a person does, in the terminal where it was typed, until Ctrl-C, `record stop` or a stop of everything. */
export async function recordPerson(
  name: string,
  { isReplacing, hasPictures }: { readonly isReplacing: boolean; readonly hasPictures: boolean },
): Promise<Result<Saved>> {
  const folder = openRecording();
  const host = await connectHost(process.env, { start: true });
  if (!host.ok) return host;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of signals) process.on(signal, end);
  let failure: Failure | undefined;
  let count = 0;
  try {
    // What was under way at the signal still comes.
    for await (const one of host.value.listen({ name, isTyped: true, hasPictures }, ending.signal)) {
      if (!one.ok) failure = one.failure;
      else if (one.value.of === "begun") {
        const begun = folder.start({ name, startedMs: Date.now(), kind: "person", recorder: processes.own() });
        if (!begun.ok) return begun;
        tell(`recording ${quoteName(name)}: work as usual. Ctrl-C here, or deskmap record stop, saves it.`);
      } else {
        const { step, picture } = one.value;
        count += 1;
        if (!folder.add(step, picture)) end();
        const words = step.gap ?? makeDemo([step], { name }).steps.map((made) => describeStep(made))[0];
        tell(`${count}  ${words ?? step.tool}`);
      }
    }
  } finally {
    await host.value.close();
  }
  if (failure !== undefined) return fail(describeBroken(failure, count));
  return savePerson(folder, name, isReplacing);
}

/** Saves what has been recorded; the recording is over then. */
function savePerson(folder: RecordingFolder, name: string, isReplacing: boolean): Result<Saved> {
  const ended = folder.end();
  // Discarded meanwhile.
  if (!ended.ok) return succeed(describeUnsaved(name));
  const demo = makeDemo(trimTerminal(ended.value.actions, listOwnPrograms()), { name });
  if (demo.steps.length === 0) {
    folder.finish();
    return fail(describeUsage("nothing was done that can be repeated", "deskmap record start NAME"));
  }
  const saved = saveDemo(demo, isReplacing, folder.pictures);
  if (saved.ok) folder.finish();
  return saved;
}

/** Ends a person's recording from another terminal. The recorder saves it; if that was killed, this does. */
export async function stopPerson(
  folder: RecordingFolder,
  { name, recorder }: Recording,
  { isDiscarded, isReplacing }: { readonly isDiscarded: boolean; readonly isReplacing: boolean },
): Promise<Result<Saved>> {
  if (isDiscarded) folder.finish();
  if (recorder !== undefined && processes.isAlive(recorder)) {
    processes.signal(recorder, "SIGINT");
    for (const until = Date.now() + endingMs; Date.now() < until && processes.isAlive(recorder); ) {
      await new Promise((resolve) => setTimeout(resolve, checkMs));
    }
  }
  if (isDiscarded) return succeed(describeUnsaved(name));
  if (folder.status() !== undefined) return savePerson(folder, name, isReplacing);
  const demo = readDemo(name);
  return demo.ok ? succeed(describeSaved(demo.value, name)) : demo;
}

function describeBroken(failure: Failure, count: number): Failure {
  if (count === 0) return failure;
  return { ...failure, suggestion: "deskmap record stop saves what was recorded until then." };
}
