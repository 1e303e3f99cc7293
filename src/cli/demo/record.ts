import * as z from "zod/mini";
import { makeDemo } from "../../demo/make.ts";
import { describeGoingOn, type RecordingStatus } from "../../demo/recording.ts";
import { describeTaken } from "../../demo/store.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName } from "../../model/plain-text.ts";
import { processes } from "../../os/index.ts";
import { flatForms } from "../../show/csv.ts";
import { type CommandGroup, defineAnswer } from "../define.ts";
import { openRecording, openStore } from "./open.ts";
import { recordPerson, stopPerson } from "./record-person.ts";
import { describeUnsaved, type Saved, saveDemo, savedAnswer } from "./save.ts";

export const record: CommandGroup = {
  name: "record",
  summary: "Record what you do, or what agents do, as a demo: start, stop, pause, resume, status, ring.",
  description:
    "While a recording goes on, each action becomes a step, with the control it was done to and the effect that was seen. Your own pointer and keyboard are observed only by a command that you type at a terminal, and every monitor says so meanwhile.",
  notes:
    "What is typed into secret fields is never written down, and nothing of applications that may not be seen. What is recorded lies in Deskmap's state folder until stop. Each step comes with a picture of its window, in which secrets are painted over; NAME.pictures beside the demo may be deleted.",
  examples: [
    "deskmap record start invoice",
    "deskmap record start invoice --agent",
    "deskmap record status",
    "deskmap record stop",
  ],
  commands: [
    { name: "start", load: async () => start },
    { name: "stop", load: async () => stop },
    { name: "pause", load: async () => pause },
    { name: "resume", load: async () => resume },
    { name: "status", load: async () => status },
    { name: "ring", load: async () => (await import("./ring.ts")).ring },
  ],
};

const stateAnswer = {
  output: () =>
    z.strictObject({
      state: z.string(),
      kind: z.string(),
      name: z.string(),
      client: z.string(),
      since: z.string(),
      actions: z.number(),
    }),
  forms: flatForms<Answer>(({ state, kind, name, client, since, actions }) => {
    if (name === "") return "nothing is being recorded";
    const of = kind === "person" ? "a person" : client === "" ? "all agents" : quoteName(client);
    return `${state}: ${quoteName(name)}, ${actions} actions of ${of} since ${since}`;
  }),
};

interface Answer extends Readonly<Record<string, string | number | boolean>> {
  readonly state: string;
  readonly kind: string;
  readonly name: string;
  readonly client: string;
  readonly since: string;
  readonly actions: number;
}

function toAnswer({ name, client = "", kind, recorder, startedMs, isPaused, actions }: RecordingStatus): Answer {
  const isBroken = recorder !== undefined && !processes.isAlive(recorder);
  const state = isBroken ? "ended, not saved" : isPaused ? "paused" : "recording";
  return { state, kind, name, client, since: showLocalTime(startedMs), actions };
}

type Started = Answer | Saved;
const isSaved = (started: Started): started is Saved => "file" in started;

interface StartFlags {
  readonly agent?: string | true;
  readonly replace?: boolean;
  readonly pictures?: boolean;
}

const start = defineAnswer({
  name: "start",
  summary: "Begins to record: what you do, until Ctrl-C; with --agent, what agents do through Deskmap.",
  words: [["<name>", "what the demo is to be called"]],
  options: [
    ["--agent [client]", "the actions of all agents, or of the one that is called so (mcp, cli, the agent's own name)"],
    ["--no-pictures", "take no pictures of the windows"],
    ["--replace", "in place of a demo of that name"],
  ],
  output: () => z.union([stateAnswer.output(), savedAnswer.output()]),
  forms: {
    data: (started: Started): Started => (isSaved(started) ? savedAnswer.forms.data(started) : started),
    text: (started: Started) => (isSaved(started) ? savedAnswer.forms.text(started) : stateAnswer.forms.text(started)),
    csv: (started: Started) => (isSaved(started) ? savedAnswer.forms.csv(started) : stateAnswer.forms.csv(started)),
  },
  encloses: isSaved,
  async run({ agent, replace, pictures }: StartFlags, [name = ""]): Promise<Result<Started>> {
    const store = openStore();
    const file = store.fileOf(name);
    if (!file.ok) return file;
    if (replace !== true && store.has(name)) return fail(describeTaken(name));
    const folder = openRecording();
    const going = folder.status();
    if (going !== undefined) return fail(describeGoingOn(going));
    if (agent === undefined)
      return recordPerson(name, { isReplacing: replace === true, hasPictures: pictures !== false });
    const client = agent === true ? undefined : agent;
    const begun = folder.start({ name, startedMs: Date.now(), client, kind: "agent", pictures });
    return begun.ok ? succeed(toAnswer({ ...begun.value, isPaused: false, actions: 0 })) : begun;
  },
});

const stop = defineAnswer({
  name: "stop",
  summary: "Ends the recording, and saves it as a demo.",
  options: [
    ["--discard", "save nothing"],
    ["--replace", "in place of a demo of that name"],
  ],
  ...savedAnswer,
  async run({ discard, replace }: { readonly discard?: boolean; readonly replace?: boolean }): Promise<Result<Saved>> {
    const folder = openRecording();
    const ended = folder.end();
    if (!ended.ok) return ended;
    const { recording, actions } = ended.value;
    const { name, client } = recording;
    if (recording.kind === "person") {
      return stopPerson(folder, recording, { isDiscarded: discard === true, isReplacing: replace === true });
    }
    if (discard === true) {
      folder.finish();
      return succeed(describeUnsaved(name));
    }
    if (actions.length === 0) {
      const suggestion = "deskmap record status, or deskmap record stop --discard";
      return fail(describeUsage("no action was recorded", suggestion));
    }
    const saved = saveDemo(makeDemo(actions, { name, client }), replace === true, folder.pictures);
    if (saved.ok) folder.finish();
    return saved;
  },
});

const pause = defineAnswer({
  name: "pause",
  summary: "Leaves out what is done until resume.",
  ...stateAnswer,
  run: async () => mapResult(openRecording().pause(true)),
});

const resume = defineAnswer({
  name: "resume",
  summary: "Goes on after pause.",
  ...stateAnswer,
  run: async () => mapResult(openRecording().pause(false)),
});

const status = defineAnswer({
  name: "status",
  summary: "What is being recorded, and how much of it there is.",
  ...stateAnswer,
  async run() {
    const found = openRecording().status();
    return succeed(
      found === undefined ? { state: "off", kind: "", name: "", client: "", since: "", actions: 0 } : toAnswer(found),
    );
  },
});

function mapResult(result: Result<RecordingStatus>): Result<Answer> {
  return result.ok ? succeed(toAnswer(result.value)) : result;
}
