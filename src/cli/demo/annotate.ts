import * as z from "zod/mini";
import { type Annotation, annotateDemo, type Detect } from "../../demo/annotate.ts";
import { openDemoFile, writeEdited } from "../../demo/edit-file.ts";
import { chooseValues } from "../../demo/parameters.ts";
import { visionScale } from "../../model/detection.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { cleanLine, quoteName } from "../../model/plain-text.ts";
import { folders } from "../../os/index.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf } from "../../show/output.ts";
import { pickVision } from "../../sources/vision/pick.ts";
import { defineAnswer } from "../define.ts";
import { cancelOnInterrupt } from "../tell.ts";
import { findPictures, openStore, withHost } from "./open.ts";

interface Annotated {
  readonly demo: string;
  readonly annotations: readonly Annotation[];
}

const output = () =>
  z.strictObject({
    demo: z.string(),
    added: z.number(),
    steps: z.array(
      z.strictObject({
        step: z.number(),
        words: z.string(),
        by: z.optional(z.string()),
        control: z.optional(z.string()),
        confidence: z.optional(z.number()),
        why: z.optional(z.string()),
      }),
    ),
  });

const countAdded = ({ annotations }: Annotated): number => annotations.filter(({ by }) => by !== undefined).length;

export const annotate = defineAnswer({
  name: "annotate",
  summary:
    "Adds refs to steps that have coordinates only: from the application if it shows them, else from their pictures.",
  description:
    "A control is taken from the application if the recorded window is at the point, and looks as in the step's picture. " +
    "Otherwise its picture is read by text recognition. A ref that a step has is never replaced.",
  words: [["<demo>", "the name of a demo, or the path of its file"]],
  options: [["--no-vision", "do not read pictures"]],
  notes: "Exit code 1 if a step stays without a ref. deskmap demo lint shows what is doubtful about the new ones.",
  examples: ["deskmap demo import recording.db --name note", "deskmap demo annotate note"],
  output,
  forms: {
    data: (annotated: Annotated): DataOf<typeof output> => ({
      ...{ demo: annotated.demo, added: countAdded(annotated) },
      steps: annotated.annotations.map((one) => ({ ...one })),
    }),
    text(annotated: Annotated) {
      const { demo, annotations } = annotated;
      if (annotations.length === 0) return `${quoteName(demo)}: no step has coordinates only`;
      const lines = annotations.map(({ step, words, by, control, confidence, why }) =>
        cleanLine(
          by === undefined
            ? `step ${step}: ${words}: nothing was added: ${why}`
            : `step ${step}: ${words}: ${control}, by ${by}, confidence ${confidence}`,
        ),
      );
      return [
        `${quoteName(demo)}: ${countAdded(annotated)} of ${annotations.length} steps have a ref now`,
        ...lines,
      ].join("\n");
    },
    csv: ({ annotations }: Annotated) =>
      joinRows(
        "step,by,control,confidence,why",
        annotations.map(({ step, by = "", control = "", confidence = "", why = "" }) => [
          ...[String(step), by, control, String(confidence), why],
        ]),
      ),
    exitCode: (annotated: Annotated) => (countAdded(annotated) === annotated.annotations.length ? 0 : 1),
  },
  encloses: () => true,
  async run({ vision = true }: { readonly vision?: boolean }, [name = ""]): Promise<Result<Annotated>> {
    const file = openStore().find(name, folders.working());
    if (!file.ok) return file;
    const opened = openDemoFile(file.value);
    if (!opened.ok) return opened;
    const { demo } = opened.value;
    const values = chooseValues(demo, {}, [], true);
    if (!values.ok) return values;
    const detect = vision ? await openDetect() : succeed(undefined);
    if (!detect.ok) return detect;
    const done = await cancelOnInterrupt(true, (signal) =>
      withHost((host) =>
        annotateDemo(demo, {
          ...{ host, signal, values: values.value, detect: detect.value, pictures: findPictures(name) },
        }),
      ),
    );
    if (done.demo === demo) return succeed({ demo: demo.name, annotations: done.annotations });
    const written = writeEdited(opened.value, { demo: done.demo, places: (n) => n });
    return written.ok ? succeed({ demo: demo.name, annotations: done.annotations }) : written;
  },
});

/** Undefined if there is no text recognition here. */
async function openDetect(): Promise<Result<Detect | undefined>> {
  const provider = await pickVision(process.env);
  if (!provider.ok) return provider;
  const { value } = provider;
  if (value === undefined) return succeed(undefined);
  return succeed((picture, app, windowTitle) =>
    value.detect(picture, { app, windowTitle, knownLabels: [], scale: visionScale }),
  );
}
