import * as z from "zod/mini";
import { connectHost, findHost } from "../../client/connect.ts";
import type { RingState } from "../../host/port.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { cleanLine } from "../../model/plain-text.ts";
import { flatForms } from "../../show/csv.ts";
import { defineAnswer } from "../define.ts";

interface Answer extends Readonly<Record<string, string | number | boolean>> {
  readonly isOn: boolean;
  readonly minutes: number;
  readonly steps: number;
  readonly since: string;
  readonly oldest: string;
  readonly ended: string;
}

function toAnswer({ isOn, minutes, steps, sinceMs, oldestMs, ended = "" }: RingState): Answer {
  const show = (atMs: number | undefined): string => (atMs === undefined ? "" : showLocalTime(atMs));
  return { isOn, minutes, steps, since: show(sinceMs), oldest: show(oldestMs), ended };
}

const actions = ["on", "off", "status"] as const;

export const ring = defineAnswer({
  name: "ring",
  summary:
    "Keeps what you do in the last minutes in memory, so that demo save --last can make a demo of it: on, off, status.",
  description:
    "Buttons, wheel and keys are observed as by record start, and every monitor says so meanwhile. Nothing is written to disk, and older steps are forgotten. It ends with off, with two Escapes or deskmap stop, and with the daemon; everything is forgotten then.",
  words: [["<on|off|status>", "what to do"]],
  options: [["--minutes <n>", "how many minutes are kept: 1 to 60 (10)"]],
  notes:
    "Only a person at a terminal switches it on; anybody may switch it off. What is typed into secret fields is never kept, and nothing of applications that may not be seen.",
  examples: ["deskmap record ring on --minutes 5", "deskmap demo save invoice --last 5m", "deskmap record ring off"],
  output: () =>
    z.strictObject({
      isOn: z.boolean(),
      minutes: z.number(),
      steps: z.number(),
      since: z.string(),
      oldest: z.string(),
      ended: z.string(),
    }),
  forms: flatForms<Answer>(({ isOn, minutes, steps, since, oldest, ended }) => {
    if (!isOn) return `off${ended === "" ? "" : `: ${cleanLine(ended)}; everything is forgotten`}`;
    const held = steps === 0 ? "nothing yet" : `${steps} ${steps === 1 ? "step" : "steps"} since ${oldest}`;
    return `on since ${since}: holds ${held}, of the last ${minutes} min, in memory alone`;
  }),
  async run({ minutes: given }: { readonly minutes?: string }, [word = ""]): Promise<Result<Answer>> {
    const action = actions.find((one) => one === word);
    if (action === undefined)
      return fail(describeUsage(`${JSON.stringify(word)} is nothing to do`, actions.join(", ")));
    const minutes = given === undefined ? undefined : Number(given);
    if (minutes !== undefined && (action !== "on" || !Number.isFinite(minutes))) {
      return fail(describeUsage("--minutes takes a number, with on", "deskmap record ring on --minutes 5"));
    }
    const connected = action === "on" ? await connectHost(process.env, { start: true }) : undefined;
    if (connected?.ok === false) return connected;
    const host = connected?.value ?? (await findHost(process.env));
    // It is the daemon that holds it.
    if (host === undefined) return succeed(toAnswer({ isOn: false, minutes: 0, steps: 0 }));
    try {
      const state = await host.ring({ action, minutes, isTyped: true });
      return state.ok ? succeed(toAnswer(state.value)) : state;
    } finally {
      await host.close();
    }
  },
});
