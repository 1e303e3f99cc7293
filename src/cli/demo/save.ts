import * as z from "zod/mini";
import { type Demo, printDemo } from "../../demo/file.ts";
import { makeDemo } from "../../demo/make.ts";
import { parseDemo } from "../../demo/read.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { cleanLine, quoteName } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf } from "../../show/output.ts";
import { parseDuration } from "../../tools/duration.ts";
import { defineAnswer } from "../define.ts";
import { openStore, withHost } from "./open.ts";

const savedOutput = () =>
  z.strictObject({
    name: z.string(),
    file: z.string(),
    steps: z.number(),
    parameters: z.array(z.string()),
    doubts: z.array(z.strictObject({ step: z.number(), doubt: z.string() })),
  });

export type Saved = DataOf<typeof savedOutput>;

export const savedAnswer = {
  output: savedOutput,
  forms: {
    data: (saved: Saved) => saved,
    text({ name, file, steps, parameters, doubts }: Saved) {
      if (file === "") return `${quoteName(name)} was not saved`;
      const inputs = parameters.length === 0 ? "no parameters" : `parameters ${parameters.join(", ")}`;
      return [
        `${quoteName(name)}: ${steps} ${steps === 1 ? "step" : "steps"}, ${inputs}`,
        ...doubts.map(({ step, doubt }) => ` step ${step}: ${cleanLine(doubt)}`),
        file,
      ].join("\n");
    },
    csv: ({ name, file, steps, parameters }: Saved) =>
      joinRows("name,file,steps,parameters", [[name, file, String(steps), parameters.join(" ")]]),
  },
  encloses: () => true,
};

/** Saves a demo that can be read again; what cannot is a fault of its making, and refused. */
export function saveDemo(demo: Demo, isReplacing: boolean): Result<Saved> {
  const checked = parseDemo(printDemo(demo), "the demo");
  if (!checked.ok) return checked;
  const file = openStore().save(checked.value, { isReplacing });
  if (!file.ok) return file;
  return succeed(describeSaved(demo, file.value));
}

export function describeSaved({ name, steps, parameters }: Demo, file: string): Saved {
  const doubts = steps.flatMap((step, index) => (step.doubts ?? []).map((doubt) => ({ step: index + 1, doubt })));
  return { name, file, steps: steps.length, parameters: Object.keys(parameters), doubts };
}

export function describeUnsaved(name: string): Saved {
  return { name, file: "", steps: 0, parameters: [], doubts: [] };
}

const longestMs = 30 * 60_000;

export const save = defineAnswer({
  name: "save",
  summary: "Makes a demo of what agents did in the last minutes, without having begun a recording.",
  words: [["<name>", "what the demo is to be called"]],
  options: [
    ["--last <time>", "how far back, such as 90s or 5m: at most 30m (5m)"],
    ["--client <name>", "only the actions of this agent"],
    ["--description <text>", "what it is for"],
    ["--replace", "in place of a demo of that name"],
  ],
  notes: "The last 500 actions are known for 30 minutes, in the memory of the daemon alone.",
  examples: ["deskmap demo save invoice --last 5m", "deskmap demo save invoice --client claude --replace"],
  ...savedAnswer,
  async run(flags: SaveFlags, [name = ""]): Promise<Result<Saved>> {
    const lastMs = parseDuration(flags.last ?? "5m");
    if (lastMs === undefined || lastMs > longestMs) {
      return fail(describeUsage(`--last ${JSON.stringify(flags.last)} is not a time up to 30m`, "--last 5m"));
    }
    const { client, description } = flags;
    const known = openStore().fileOf(name);
    if (!known.ok) return known;
    const actions = await withHost((host) => host.recall({ sinceMs: Date.now() - lastMs, client }));
    if (!actions.ok) return actions;
    const demo = makeDemo(actions.value, { name, client, description });
    if (demo.steps.length > 0) return saveDemo(demo, flags.replace === true);
    const suggestion = "deskmap audit show lists what was done; --last 30m looks further back.";
    return fail(describeUsage(`nothing was done in the last ${flags.last ?? "5m"}`, suggestion));
  },
});

interface SaveFlags {
  readonly last?: string;
  readonly client?: string;
  readonly description?: string;
  readonly replace?: boolean;
}
