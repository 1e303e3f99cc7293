import * as z from "zod/mini";
import { describeRef } from "../../demo/describe.ts";
import { type Demo, printDemo } from "../../demo/file.ts";
import { acceptProposals, compareRefs, discardProposals, readProposals } from "../../demo/heal.ts";
import type { Proposal } from "../../demo/replay/report.ts";
import { writePrivate } from "../../demo/store.ts";
import { confirmAtTerminal } from "../../guard/approval/pin.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { cleanLine, quoteName } from "../../model/plain-text.ts";
import { folders } from "../../os/index.ts";
import { flatForms, joinRows } from "../../show/csv.ts";
import type { DataOf } from "../../show/output.ts";
import { type CommandGroup, defineAnswer } from "../define.ts";
import { openStore, readDemo } from "./open.ts";

const demoWord = ["<demo>", "the name of a demo, or the path of its file"] as const;

export const heal: CommandGroup = {
  name: "heal",
  summary: "New refs that replay --heal has proposed: show, accept, discard.",
  description:
    "A new ref is proposed only if it finds exactly one control by itself, of the same role, and its step was then confirmed.",
  notes: "A person accepts; the old refs and their evidence are kept in the file.",
  examples: ["deskmap demo heal show invoice", "deskmap demo heal accept invoice"],
  commands: [
    { name: "show", load: async () => show },
    { name: "accept", load: async () => accept },
    { name: "discard", load: async () => discard },
  ],
};

interface Opened {
  readonly file: string;
  readonly demo: Demo;
  readonly proposals: readonly Proposal[];
}

function open(name: string): Result<Opened> {
  const demo = readDemo(name);
  if (!demo.ok) return demo;
  const file = openStore().find(name, folders.working());
  if (!file.ok) return file;
  const proposals = readProposals(file.value, demo.value);
  return proposals.ok ? succeed({ file: file.value, demo: demo.value, proposals: proposals.value }) : proposals;
}

const proposedOutput = () =>
  z.strictObject({
    demo: z.string(),
    proposals: z.array(
      z.strictObject({
        step: z.number(),
        control: z.string(),
        why: z.string(),
        fields: z.array(z.strictObject({ field: z.string(), was: z.string(), now: z.string() })),
      }),
    ),
  });
type Proposed = DataOf<typeof proposedOutput>;

function toData({ demo, proposals }: Opened): Proposed {
  return {
    demo: demo.name,
    proposals: proposals.map(({ step, was, ref, why }) => ({
      ...{ step, control: describeRef(was), why },
      fields: compareRefs(was, ref).map((one) => ({ ...one })),
    })),
  };
}

const show = defineAnswer({
  name: "show",
  summary: "What is proposed, as a difference.",
  words: [demoWord],
  output: proposedOutput,
  forms: {
    data: toData,
    text: (opened: Opened) => showProposals(toData(opened)),
    csv: (opened: Opened) =>
      joinRows(
        "step,field,was,now",
        toData(opened).proposals.flatMap(({ step, fields }) =>
          fields.map(({ field, was, now }) => [String(step), field, was, now]),
        ),
      ),
  },
  encloses: () => true,
  run: async (_flags, [name = ""]) => open(name),
});

function showProposals({ demo, proposals }: Proposed): string {
  if (proposals.length === 0) return `nothing is proposed for ${quoteName(demo)}`;
  return proposals
    .flatMap(({ step, control, why, fields }) => [
      `step ${step}: ${control}: ${why}`,
      ...fields.flatMap(({ field, was, now }) => [`- ${field} ${was}`, `+ ${field} ${now}`]),
    ])
    .map(cleanLine)
    .join("\n");
}

const accept = defineAnswer({
  name: "accept",
  summary: "Takes the proposed refs into the demo; a person confirms it.",
  words: [demoWord],
  options: [["--step <n>", "only of this step"]],
  output: () => z.strictObject({ demo: z.string(), accepted: z.number() }),
  forms: flatForms<{ readonly demo: string; readonly accepted: number }>(
    ({ demo, accepted }) => `${quoteName(demo)}: ${accepted} new ${accepted === 1 ? "ref" : "refs"}`,
  ),
  async run({ step }: { readonly step?: string }, [name = ""]) {
    const opened = open(name);
    if (!opened.ok) return opened;
    const { demo, file, proposals } = opened.value;
    const chosen = proposals.filter((one) => step === undefined || one.step === Number(step));
    if (chosen.length === 0) return fail(describeUsage("nothing such is proposed", `deskmap demo heal show ${name}`));
    process.stderr.write(`${showProposals(toData({ ...opened.value, proposals: chosen }))}\n`);
    const confirmed = await confirmAtTerminal(
      `Take the new refs of ${chosen.length} steps into ${quoteName(demo.name)}?`,
    );
    if (!confirmed.ok) return confirmed;
    const healed = acceptProposals(demo, chosen, Date.now());
    if (!healed.ok) return healed;
    const written = writePrivate(file, printDemo(healed.value));
    if (!written.ok) return written;
    if (chosen.length === proposals.length) discardProposals(file);
    return succeed({ demo: demo.name, accepted: chosen.length });
  },
});

const discard = defineAnswer({
  name: "discard",
  summary: "Drops what is proposed.",
  words: [demoWord],
  output: () => z.strictObject({ demo: z.string(), discarded: z.number() }),
  forms: flatForms<{ readonly demo: string; readonly discarded: number }>(
    ({ demo, discarded }) => `${quoteName(demo)}: ${discarded} proposals are dropped`,
  ),
  async run(_flags, [name = ""]) {
    const opened = open(name);
    if (!opened.ok) return opened;
    discardProposals(opened.value.file);
    return succeed({ demo: opened.value.demo.name, discarded: opened.value.proposals.length });
  },
});
