import * as z from "zod/mini";
import { makeDemo } from "../../demo/make.ts";
import type { RecordingStatus } from "../../demo/recording.ts";
import { describeTaken } from "../../demo/store.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName } from "../../model/plain-text.ts";
import { flatForms } from "../../show/csv.ts";
import { type CommandGroup, defineAnswer } from "../define.ts";
import { openRecording, openStore } from "./open.ts";
import { type Saved, saveDemo, savedAnswer } from "./save.ts";

export const record: CommandGroup = {
  name: "record",
  summary: "Record what agents do as a demo: start, stop, pause, resume, status.",
  description:
    "While a recording goes on, each action of an agent becomes a step, with the control it was done to and the effect that was seen.",
  notes:
    "What is typed into secret fields is never written down. What is recorded lies in Deskmap's state folder until stop.",
  examples: ["deskmap record start invoice --agent", "deskmap record status", "deskmap record stop"],
  commands: [
    { name: "start", load: async () => start },
    { name: "stop", load: async () => stop },
    { name: "pause", load: async () => pause },
    { name: "resume", load: async () => resume },
    { name: "status", load: async () => status },
  ],
};

const stateAnswer = {
  output: () =>
    z.strictObject({ state: z.string(), name: z.string(), client: z.string(), since: z.string(), actions: z.number() }),
  forms: flatForms<Answer>(({ state, name, client, since, actions }) => {
    if (name === "") return "nothing is being recorded";
    const of = client === "" ? "all agents" : quoteName(client);
    return `${state}: ${quoteName(name)}, ${actions} actions of ${of} since ${since}`;
  }),
};

interface Answer extends Readonly<Record<string, string | number | boolean>> {
  readonly state: string;
  readonly name: string;
  readonly client: string;
  readonly since: string;
  readonly actions: number;
}

function toAnswer({ name, client = "", startedMs, isPaused, actions }: RecordingStatus): Answer {
  const since = showLocalTime(startedMs);
  return { state: isPaused ? "paused" : "recording", name, client, since, actions };
}

const start = defineAnswer({
  name: "start",
  summary: "Begins to record what agents do through Deskmap.",
  words: [["<name>", "what the demo is to be called"]],
  options: [
    ["--agent [client]", "the actions of all agents, or of the one that is called so (mcp, cli, the agent's own name)"],
    ["--replace", "in place of a demo of that name"],
  ],
  ...stateAnswer,
  async run({ agent, replace }: { readonly agent?: string | true; readonly replace?: boolean }, [name = ""]) {
    if (agent === undefined) {
      const message = "only what agents do can be recorded so far, not what a person does";
      return fail(makeFailure("UNAVAILABLE", message, `deskmap record start ${quoteName(name)} --agent`));
    }
    const store = openStore();
    const file = store.fileOf(name);
    if (!file.ok) return file;
    if (replace !== true && store.has(name)) return fail(describeTaken(name));
    const client = agent === true ? undefined : agent;
    const begun = openRecording().start({ name, startedMs: Date.now(), client, kind: "agent" });
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
    if (discard === true) {
      folder.finish();
      return succeed({ name, file: "", steps: 0, parameters: [], doubts: [] });
    }
    if (actions.length === 0) {
      const suggestion = "deskmap record status, or deskmap record stop --discard";
      return fail(describeUsage("no action was recorded", suggestion));
    }
    const saved = saveDemo(makeDemo(actions, { name, client }), replace === true);
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
      found === undefined ? { state: "off", name: "", client: "", since: "", actions: 0 } : toAnswer(found),
    );
  },
});

function mapResult(result: Result<RecordingStatus>): Result<Answer> {
  return result.ok ? succeed(toAnswer(result.value)) : result;
}
