import * as z from "zod/mini";
import { verdicts } from "../model/effect.ts";
import { sources } from "../model/source.ts";
import { type DemoTool, demoTools } from "./tools.ts";

/** The format of demo files, version 1. docs/demo.schema.json is generated from it. */
export const demoVersion = 1;
export const maxFileBytes = 8 << 20;
export const maxSteps = 2000;
export const maxStepBytes = 2048;
/** Of a part of a tree that is expected. */
export const [maxTreeLines, maxTreeLine] = [100, 200];
/** A letter that was typed, not a book. */
const maxValue = 100_000;
const maxName = 300;
export const maxNote = 500;

/** Control characters could disguise a line; only values that were typed may have line breaks and tabs. */
const hasNoControls = (given: string): boolean => !/\p{Cc}/u.test(given);
const isTypable = (given: string): boolean => hasNoControls(given.replaceAll(/[\n\t\r]/g, ""));

const text = (most = maxName) =>
  z.string().check(z.maxLength(most), z.refine(hasNoControls, { message: "has control characters" }));
const value = () => z.string().check(z.maxLength(maxValue), z.refine(isTypable, { message: "has control characters" }));
const coordinate = () => z.int().check(z.minimum(-100_000), z.maximum(100_000));
const box = () => z.tuple([coordinate(), coordinate(), coordinate(), coordinate()]);
const few = <Item extends z.ZodMiniType>(item: Item, most: number) => z.array(item).check(z.maxLength(most));
/** A sheet has thousands of millions of cells. */
const count = () => z.int().check(z.minimum(0));

export const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u;
export const parameterPattern = /^[a-z][a-z0-9_]{0,39}$/;
export const parameterTypes = ["text", "email", "date", "number", "path", "secret"] as const;
export type ParameterType = (typeof parameterTypes)[number];

const refSchema = () =>
  z.strictObject({
    role: z.optional(text(60)),
    name: z.optional(text()),
    app: z.optional(text(120)),
    window: z.optional(text()),
    bbox: z.optional(box()),
    window_bbox: z.optional(box()),
    container_path: z.optional(few(text(), 24)),
    enabled: z.optional(z.boolean()),
    focused: z.optional(z.boolean()),
    automation_id: z.optional(text()),
    accessibility_id: z.optional(text()),
    css_selector: z.optional(text(1000)),
    xpath: z.optional(text(1000)),
    tag: z.optional(text(60)),
    confidence: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    source: z.optional(z.enum(sources)),
    neighbours: z.optional(few(text(), 8)),
    sisters: z.optional(z.tuple([text(), text()])),
    index: z.optional(count()),
    count: z.optional(count()),
    twins: z.optional(count()),
  });

const evidenceSchema = () =>
  z.strictObject({
    by: z.enum(["id", "role+name", "name", "role+name+container", "role+neighbour", "ref"]),
    matches: count(),
  });

const partSchema = () => z.strictObject({ role: text(60), name: text() });

const effectSchema = () =>
  z.strictObject({
    verdict: z.enum(verdicts),
    way: text(),
    opened: z.optional(few(text(), 20)),
    closed: z.optional(few(text(), 20)),
    appeared: z.optional(few(partSchema(), 40)),
    gone: z.optional(few(partSchema(), 40)),
    changed: z.optional(few(z.strictObject({ role: text(60), name: text(), what: text(20), after: text(500) }), 40)),
  });

const inputValue = () => z.union([text(1000), z.number(), z.boolean(), few(text(1000), 50)]);

/** A name without a path, so that it leads nowhere else. */
export const picturePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}\.(?:png|jpg|webp)$/;

const pictureSchema = () => z.strictObject({ file: z.string().check(z.regex(picturePattern)), bbox: box() });

const stepSchema = () =>
  z.strictObject({
    tool: z.enum(demoTools),
    input: z.record(z.string().check(z.maxLength(40)), inputValue()),
    app: z.optional(text(120)),
    window: z.optional(text()),
    ref: z.optional(refSchema()),
    evidence: z.optional(few(evidenceSchema(), 12)),
    to_ref: z.optional(refSchema()),
    point: z.optional(z.tuple([coordinate(), coordinate()])),
    to_point: z.optional(z.tuple([coordinate(), coordinate()])),
    wait: z.optional(
      z.strictObject({
        app: z.optional(text(120)),
        window: z.optional(text()),
        element: z.optional(z.boolean()),
        opened_by: z.optional(count()),
        holds: z.optional(text(400)),
      }),
    ),
    typed: z.optional(text()),
    tree: z.optional(few(text(maxTreeLine), maxTreeLines)),
    picture: z.optional(pictureSchema()),
    effect: z.optional(effectSchema()),
    after_ms: z.optional(z.number().check(z.minimum(0))),
    took_ms: z.optional(z.number().check(z.minimum(0))),
    doubts: z.optional(few(text(500), 8)),
    note: z.optional(text(maxNote)),
  });

const parameterSchema = () =>
  z.strictObject({
    type: z.enum(parameterTypes),
    default: z.optional(value()),
    label: z.optional(text()),
    from: z.optional(
      z.strictObject({
        step: z.int().check(z.minimum(1), z.maximum(maxSteps)),
        role: text(60),
        name: text(),
        what: z.enum(["value", "name"]),
      }),
    ),
  });

export const demoSchema = () =>
  z.strictObject({
    $schema: z.optional(text()),
    format: z.literal("deskmap-demo"),
    version: z.literal(demoVersion),
    name: z.string().check(z.regex(namePattern)),
    description: z.optional(text(1000)),
    recorded: z.strictObject({
      at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/)),
      by: z.enum(["agent", "person", "import"]),
      client: z.optional(text(120)),
    }),
    parameters: z.record(z.string().check(z.regex(parameterPattern)), parameterSchema()),
    steps: few(stepSchema(), maxSteps),
    former: z.optional(
      few(
        z.strictObject({
          step: z.int().check(z.minimum(1), z.maximum(maxSteps)),
          ref: refSchema(),
          evidence: z.optional(few(evidenceSchema(), 12)),
          until: text(40),
        }),
        maxSteps,
      ),
    ),
  });

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

export type Demo = DeepReadonly<z.infer<ReturnType<typeof demoSchema>>>;
export type Step = Demo["steps"][number];
export type StepRef = NonNullable<Step["ref"]>;
export type StepInput = Step["input"];
export type StepEffect = NonNullable<Step["effect"]>;
export type Parameter = Demo["parameters"][string];
export type { DemoTool };

/** Fields in one line each, so that a person can read a step and a tool can compare two files line by line. */
export function printDemo(demo: Demo): string {
  const lines = (entries: object, indent: string): string =>
    Object.entries(entries)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(one)}`)
      .join(",\n");
  const { parameters, steps, former, ...head } = demo;
  const shownSteps = steps.map((step) => `  {\n${lines(step, "   ")}\n  }`).join(",\n");
  const parts = [
    lines(head, " "),
    Object.keys(parameters).length === 0 ? ' "parameters": {}' : ` "parameters": {\n${lines(parameters, "  ")}\n }`,
    steps.length === 0 ? ' "steps": []' : ` "steps": [\n${shownSteps}\n ]`,
    ...(former === undefined ? [] : [lines({ former }, " ")]),
  ];
  return `{\n${parts.join(",\n")}\n}\n`;
}

export function sizeOf(step: Step): number {
  return Buffer.byteLength(JSON.stringify(step));
}
