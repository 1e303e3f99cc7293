import * as z from "zod/mini";
import { openDemoFile, writeEdited } from "../../demo/edit-file.ts";
import { addExpectation } from "../../demo/expect-tree.ts";
import { describeUsage, fail, succeed } from "../../model/failure.ts";
import { quoteName } from "../../model/plain-text.ts";
import { folders } from "../../os/index.ts";
import { flatForms } from "../../show/csv.ts";
import { defineAnswer } from "../define.ts";
import { openStore, withHost } from "./open.ts";

interface Flags {
  readonly after?: string;
  readonly within?: string;
  readonly app?: string;
  readonly window?: string;
}

interface Added extends Readonly<Record<string, string | number>> {
  readonly demo: string;
  readonly step: number;
  readonly lines: number;
}

export const expectTree = defineAnswer({
  name: "expect",
  summary: "Adds a step that expects a window, or a part of it, as it is now.",
  description:
    "Roles, names, values and lasting states of the part are kept as lines. replay waits until they are the same, and stops " +
    "with the lines that are different. Recorded values of parameters in it become those parameters.",
  words: [["<demo>", "the name of a demo, or the path of its file"]],
  options: [
    ["--after <n>", "the step after which it is expected; 0: at the beginning (the last step)"],
    ["--within <mark|words>", "only this control and what is in it, by its mark or by words (the whole window)"],
    ["--app <name>", "the application (that of the step)"],
    ["--window <title>", "the window (that of the step)"],
  ],
  examples: ["deskmap demo expect invoice --after 4 --within 12", 'deskmap demo expect invoice --within "Totals"'],
  output: () => z.strictObject({ demo: z.string(), step: z.number(), lines: z.number() }),
  forms: flatForms<Added>(
    ({ demo, step, lines }) => `${quoteName(demo)}: step ${step} expects ${lines} ${lines === 1 ? "line" : "lines"}`,
  ),
  async run({ after, within, app, window }: Flags, [name = ""]) {
    const file = openStore().find(name, folders.working());
    if (!file.ok) return file;
    const opened = openDemoFile(file.value);
    if (!opened.ok) return opened;
    const { demo } = opened.value;
    const place = after === undefined ? demo.steps.length : Number(after);
    if (!Number.isInteger(place))
      return fail(describeUsage(`--after ${JSON.stringify(after)} is no step`, "--after 4"));
    const added = await withHost((host) => addExpectation(demo, { host, after: place, within, app, window }));
    if (!added.ok) return added;
    const written = writeEdited(opened.value, added.value);
    return written.ok ? succeed({ demo: demo.name, step: place + 1, lines: added.value.lines }) : written;
  },
});
