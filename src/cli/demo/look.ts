import * as z from "zod/mini";
import { type Difference, diffDemos } from "../../demo/diff.ts";
import { printDemo } from "../../demo/file.ts";
import { type Finding, lintDemo } from "../../demo/lint.ts";
import { showDemo, showDemoPage } from "../../demo/show.ts";
import { describeUsage, fail, succeed } from "../../model/failure.ts";
import { cleanLine, quoteName } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf } from "../../show/output.ts";
import { alignRows } from "../../show/text.ts";
import { defineAnswer, defineCommand } from "../define.ts";
import { frame, isTerminal } from "../output.ts";
import { findPictures, openStore, readDemo } from "./open.ts";

const demoWord = ["<demo>", "the name of a demo, or the path of its file"] as const;

const listOutput = () =>
  z.strictObject({
    folder: z.string(),
    demos: z.array(
      z.strictObject({
        name: z.string(),
        steps: z.number(),
        parameters: z.array(z.string()),
        recorded: z.string(),
        doubts: z.number(),
        fault: z.optional(z.string()),
      }),
    ),
  });
type Listed = DataOf<typeof listOutput>;

export const list = defineAnswer({
  name: "list",
  summary: "The demos that are stored, with their parameters.",
  output: listOutput,
  forms: {
    data: (listed: Listed) => listed,
    text({ folder, demos }: Listed) {
      if (demos.length === 0) return `no demos in ${folder}`;
      const rows = demos.map(({ name, steps, parameters, recorded, doubts, fault }) => [
        ...[quoteName(name), String(steps), recorded.slice(0, 16).replace("T", " "), String(doubts)],
        fault === undefined ? parameters.join(" ") : cleanLine(fault),
      ]);
      return alignRows([["name", "steps", "recorded", "doubts", "parameters"], ...rows]);
    },
    csv: ({ demos }: Listed) =>
      joinRows(
        "name,steps,recorded,doubts,parameters",
        demos.map(({ name, steps, recorded, doubts, parameters }) => [
          ...[name, String(steps), recorded, String(doubts), parameters.join(" ")],
        ]),
      ),
  },
  encloses: () => true,
  async run() {
    const store = openStore();
    const demos = store.listNames().map((name) => {
      const demo = store.read(name, store.folder);
      if (!demo.ok) return { name, steps: 0, parameters: [], recorded: "", doubts: 0, fault: demo.failure.message };
      const { steps, parameters, recorded } = demo.value;
      const doubts = steps.filter((step) => step.doubts !== undefined).length;
      return { name, steps: steps.length, parameters: Object.keys(parameters), recorded: recorded.at, doubts };
    });
    return succeed({ folder: store.folder, demos });
  },
});

export const show = defineCommand({
  name: "show",
  summary: "A demo as a list of steps, as a page, or as its file has it.",
  words: [demoWord],
  options: [
    ["--format <text|html|json>", "a list, a page for a browser, or the file (text)"],
    ["--no-pictures", "leave the pictures out of the page"],
  ],
  examples: ["deskmap demo show invoice", "deskmap demo show invoice --format html > invoice.html"],
  async run(
    { format = "text", pictures = true }: { readonly format?: string; readonly pictures?: boolean },
    [name = ""],
  ) {
    const demo = readDemo(name);
    if (!demo.ok) return demo;
    if (format === "html") {
      const crops = pictures
        ? await (await import("../../demo/crop.ts")).makeCrops(demo.value, findPictures(name))
        : undefined;
      return succeed(showDemoPage(demo.value, crops).trimEnd());
    }
    if (format === "json") return succeed(printDemo(demo.value).trimEnd());
    if (format === "text") return succeed(isTerminal() ? showDemo(demo.value) : frame(showDemo(demo.value), 1));
    return fail(describeUsage(`no format is called ${JSON.stringify(format)}`, "text, html or json"));
  },
});

const lintOutput = () =>
  z.strictObject({
    demo: z.string(),
    findings: z.array(z.strictObject({ step: z.number(), kind: z.string(), what: z.string() })),
  });

export const lint = defineAnswer({
  name: "lint",
  summary: "Finds what may make a demo stop: ambiguous refs, missing waits, coordinates; and secrets in it.",
  words: [demoWord],
  notes: "Exit code 1 if there is something to tell.",
  output: lintOutput,
  forms: {
    data: ({ demo, findings }: Linted): DataOf<typeof lintOutput> => ({ demo, findings }),
    text({ demo, findings }: Linted) {
      if (findings.length === 0) return `${quoteName(demo)}: nothing to tell`;
      return findings
        .map(({ step, kind, what }) => cleanLine(`${step === 0 ? "demo" : `step ${step}`}  ${kind}: ${what}`))
        .join("\n");
    },
    csv: ({ findings }: Linted) =>
      joinRows(
        "step,kind,what",
        findings.map(({ step, kind, what }) => [String(step), kind, what]),
      ),
    exitCode: ({ findings }: Linted) => (findings.length === 0 ? 0 : 1),
  },
  encloses: () => true,
  async run(_flags, [name = ""]) {
    const demo = readDemo(name);
    return demo.ok ? succeed({ demo: demo.value.name, findings: lintDemo(demo.value) }) : demo;
  },
});

interface Linted {
  readonly demo: string;
  readonly findings: readonly Finding[];
}

const diffOutput = () =>
  z.strictObject({
    differences: z.array(
      z.strictObject({ sign: z.string(), a: z.optional(z.number()), b: z.optional(z.number()), what: z.string() }),
    ),
  });

export const diff = defineAnswer({
  name: "diff",
  summary: "What one demo has that another has not, step by step.",
  words: [
    ["<a>", "a demo, by name or path"],
    ["<b>", "the other one"],
  ],
  notes: "Exit code 1 if they differ.",
  output: diffOutput,
  forms: {
    data: (differences: readonly Difference[]): DataOf<typeof diffOutput> => ({ differences }),
    text(differences: readonly Difference[]) {
      if (differences.length === 0) return "no difference";
      return differences
        .map(({ sign, a, b, what }) => {
          const step = [a, b].filter((one) => one !== undefined).join(" → ");
          return cleanLine(`${sign} ${step === "" ? "" : `step ${step}: `}${what}`);
        })
        .join("\n");
    },
    csv: (differences: readonly Difference[]) =>
      joinRows(
        "sign,a,b,what",
        differences.map(({ sign, a = "", b = "", what }) => [sign, String(a), String(b), what]),
      ),
    exitCode: (differences: readonly Difference[]) => (differences.length === 0 ? 0 : 1),
  },
  encloses: () => true,
  async run(_flags, [a = "", b = ""]) {
    const one = readDemo(a);
    if (!one.ok) return one;
    const other = readDemo(b);
    return other.ok ? succeed(diffDemos(one.value, other.value)) : other;
  },
});
