import * as z from "zod/mini";
import { describeStep } from "../../demo/describe.ts";
import { chooseValues } from "../../demo/parameters.ts";
import { replay } from "../../demo/replay/replay.ts";
import { exitCodeOfReplay } from "../../demo/replay/report.ts";
import type { DemoStore } from "../../demo/store.ts";
import { type CallOptions, type CallReply, replyWithFailure } from "../../host/port.ts";
import { describeIssue, describeUsage } from "../../model/failure.ts";
import { cleanLine, quoteName } from "../../model/plain-text.ts";
import { failureToData, showFailure } from "../../show/failure.ts";
import { findIssue } from "../../tools/define.ts";
import { flag, requiredWords, wholeNumber } from "../../tools/fields.ts";
import { openDemoStore } from "../demo-store.ts";
import type { ClientCalls } from "./client-calls.ts";
import type { OfferedTool } from "./own-tools.ts";

const parameterOutput = () =>
  z.strictObject({
    name: z.string(),
    type: z.string(),
    default: z.optional(z.string()),
    label: z.optional(z.string()),
  });

/** A client names a demo that is stored; it opens no other file. */
export const demoTools: readonly Omit<OfferedTool, "isBrief">[] = [
  {
    name: "list_demos",
    acts: false,
    demo: "list",
    tool: {
      name: "list_demos",
      summary: "List recorded demos, with their parameters and steps.",
      description: "A demo is work that was done before; replay does it again, without a model, with other values.",
      examples: [],
      input: z.object({}),
      output: () =>
        z.strictObject({
          demos: z.array(
            z.strictObject({
              name: z.string(),
              description: z.optional(z.string()),
              parameters: z.array(parameterOutput()),
              steps: z.array(z.string()),
            }),
          ),
        }),
    },
  },
  {
    name: "replay",
    acts: true,
    demo: "replay",
    tool: {
      name: "replay",
      summary: "Run a demo again, with values for its parameters.",
      description:
        "It waits for what each step needs and stops at the first doubt: the answer says why, what is there instead, what was done " +
        "and with which from to go on. Never repeat a step that may have been done.",
      examples: [],
      input: z.object({
        demo: requiredWords("its name, as list_demos gives it"),
        params: z.optional(z.record(z.string(), z.string())),
        from: wholeNumber(1, "the first step"),
        to: wholeNumber(1, "the last step"),
        dryRun: flag("tell, do nothing"),
      }),
      output: () => replayOutput(),
    },
  },
];

export const replayOutput = () =>
  z.strictObject({
    demo: z.string(),
    done: z.array(z.number()),
    stoppedAt: z.optional(z.number()),
    why: z.optional(z.record(z.string(), z.unknown())),
    tookMs: z.number(),
  });

interface Job {
  readonly calls: Pick<ClientCalls, "call" | "watch">;
  readonly client: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<CallOptions["onProgress"]>;
}

export function callDemoTool(offered: OfferedTool, job: Job, store = openDemoStore(process.env)): Promise<CallReply> {
  return offered.demo === "list" ? Promise.resolve(listDemos(store)) : replayStored(offered, store, job);
}

function listDemos(store: DemoStore): CallReply {
  const demos = store.listNames().flatMap((name) => {
    const demo = store.read(name, store.folder);
    if (!demo.ok) return [];
    const { description, parameters, steps } = demo.value;
    const inputs = Object.entries(parameters).map(([key, { type, default: value, label }]) => ({
      ...{ name: key, type, label },
      default: type === "secret" ? undefined : value,
    }));
    return [{ name, description, parameters: inputs, steps: steps.map((step) => describeStep(step)) }];
  });
  const text = demos.map(({ name, parameters, steps }) => {
    const inputs = parameters.map((one) => one.name).join(", ");
    const head = `${quoteName(name)}${inputs === "" ? "" : ` (${inputs})`}`;
    return [head, ...steps.map((step, index) => cleanLine(` ${index + 1} ${step}`))].join("\n");
  });
  return { outputs: { text: text.join("\n") || "no demos" }, data: { demos }, exitCode: 0, warnings: [] };
}

async function replayStored({ tool, stored }: OfferedTool, store: DemoStore, job: Job): Promise<CallReply> {
  const parsed = tool.input.safeParse(job.input);
  if (!parsed.success) return replyWithFailure(describeIssue(tool.name, findIssue(parsed.error)));
  // The fields of a demo that is a tool of its own are its parameters.
  const given: Readonly<Record<string, unknown>> =
    stored === undefined ? parsed.data : { demo: stored, params: readParameters(parsed.data) };
  const { demo: name, params, from, to, dryRun } = given;
  const file = store.fileOf(String(name));
  if (!file.ok) return replyWithFailure(file.failure);
  const demo = store.read(String(name), store.folder);
  if (!demo.ok) return replyWithFailure(demo.failure);
  const values = chooseValues(demo.value, isValues(params) ? params : {});
  if (!values.ok) return replyWithFailure(values.failure);
  const count = demo.value.steps.length;
  const [first, last] = [from, to].map((one) => (typeof one === "number" ? one : undefined));
  if ((first ?? 1) > (last ?? count) || (last ?? 1) > count) {
    return replyWithFailure(describeUsage("the demo has no such steps", `from and to: 1 to ${count}`));
  }
  const { calls, client, signal, onProgress } = job;
  const turn = typeof job.input.turn === "string" ? job.input.turn : undefined;
  const report = await replay(demo.value, {
    host: {
      call: (request, options) => calls.call(client, request, options),
      watch: (request, ending) => calls.watch(client, request, ending),
    },
    values: values.value,
    ...{ from: first, to: last, isDry: dryRun === true, signal, turn },
    onDone: ({ n, words }) => onProgress(n, count, `step ${n} of ${count}: ${words}`),
  });
  const done = report.steps.filter(({ state }) => state === "done").map(({ n }) => n);
  const { stop, tookMs } = report;
  const lines = report.steps.map(({ n, state, verdict, words }) => cleanLine(`${n} ${verdict ?? state} ${words}`));
  const text = [...lines, ...(stop === undefined ? [] : [showFailure(stop.failure)])].join("\n");
  const why = stop === undefined ? undefined : failureToData(stop.failure).error;
  const data = { demo: demo.value.name, done, tookMs, ...(stop === undefined ? {} : { stoppedAt: stop.n, why }) };
  return { outputs: { text }, data, exitCode: exitCodeOfReplay(report), warnings: [] };
}

function readParameters(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([field, value]) => [parameterOf(field), value]));
}

/** A turn is a field of every tool that acts, so a parameter that is called so has another. */
export function fieldOf(parameter: string): string {
  return parameter === "turn" ? "turn_" : parameter;
}

function parameterOf(field: string): string {
  return field === fieldOf("turn") ? "turn" : field;
}

function isValues(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null;
}
