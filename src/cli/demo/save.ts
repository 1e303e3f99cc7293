import * as z from "zod/mini";
import { type Demo, printDemo } from "../../demo/file.ts";
import { makeDemo, trimTerminal } from "../../demo/make.ts";
import { deletePictures, type Numbered, numberPictures, writePictures } from "../../demo/pictures.ts";
import { parseDemo } from "../../demo/read.ts";
import type { Host } from "../../host/port.ts";
import type { RecordedAction } from "../../model/demo.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { cleanLine, quoteName } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf } from "../../show/output.ts";
import { parseDuration } from "../../tools/duration.ts";
import { defineAnswer } from "../define.ts";
import { tell } from "./ask.ts";
import { listOwnPrograms, openStore, withHost } from "./open.ts";

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

/**
 * Saves a demo that can be read again; what cannot is a fault of its making, and refused. Its pictures are those of a
 * folder, or given; otherwise nothing is changed about them.
 */
export function saveDemo(demo: Demo, isReplacing: boolean, pictures?: string | Numbered["files"]): Result<Saved> {
  const numbered =
    typeof pictures === "string" ? numberPictures(demo, pictures) : pictures && { demo, files: pictures };
  const checked = parseDemo(printDemo(numbered?.demo ?? demo), "the demo");
  if (!checked.ok) return checked;
  const file = openStore().save(checked.value, { isReplacing });
  if (!file.ok) return file;
  const written = numbered === undefined ? succeed(undefined) : writePictures(file.value, numbered);
  return written.ok ? succeed(describeSaved(demo, file.value)) : written;
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
  summary: "Makes a demo of what was done in the last minutes, without having begun a recording.",
  words: [["<name>", "what the demo is to be called"]],
  options: [
    ["--last <time>", "how far back, such as 90s or 5m: at most 30m (5m)"],
    ["--client <name>", "only the actions of this agent"],
    ["--description <text>", "what it is for"],
    ["--replace", "in place of a demo of that name"],
  ],
  notes:
    "The last 500 actions of agents are known for 30 minutes, in the memory of the daemon alone. What you did yourself is known only while deskmap record ring is on, and is told only where you type this.",
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
    const actions = await withHost((host) => recallAll(host, Date.now() - lastMs, client));
    if (!actions.ok) return actions;
    const demo = makeDemo(trimTerminal(actions.value, listOwnPrograms()), { name, client, description });
    if (demo.steps.length > 0) {
      const saved = saveDemo(demo, flags.replace === true);
      // Of a demo that it replaces.
      if (saved.ok) deletePictures(saved.value.file);
      return saved;
    }
    const suggestion = "deskmap audit show lists what was done; --last 30m looks further back.";
    return fail(describeUsage(`nothing was done in the last ${flags.last ?? "5m"}`, suggestion));
  },
});

/** What agents did; and what the person did who types this, if the ring holds it. */
async function recallAll(
  host: Host,
  sinceMs: number,
  client: string | undefined,
): Promise<Result<readonly RecordedAction[]>> {
  const ring = client === undefined ? await host.ring({ action: "status" }) : undefined;
  if (ring?.ok === true && ring.value.isOn) {
    const all = await host.recall({ sinceMs, withPerson: true, isTyped: true });
    if (all.ok || all.failure.code !== "REFUSED" || all.failure.reason === "stopped") return all;
    tell(`what the ring holds of a person is left out: ${all.failure.message}`);
  }
  return host.recall({ sinceMs, client });
}

interface SaveFlags {
  readonly last?: string;
  readonly client?: string;
  readonly description?: string;
  readonly replace?: boolean;
}
