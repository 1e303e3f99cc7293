import * as z from "zod/mini";
import { locateRef } from "../desktop/locate-ref.ts";
import { parseJson } from "../model/caught.ts";
import { farthest } from "../model/coordinates.ts";
import type { DemoRef } from "../model/demo-ref.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { cleanText } from "../model/plain-text.ts";
import { sources } from "../model/source.ts";
import { locatedRefForms, locatedRefOutput } from "../show/located-ref.ts";
import { defineTool } from "./define.ts";
import { requiredWords } from "./fields.ts";
import { visionOption, windowQueryOf, windowSelection } from "./selection.ts";

export const locate = defineTool({
  name: "locate",
  summary: "Find the control that a ref describes, or refuse.",
  description:
    "Only a match has a mark (id); otherwise the likeliest are listed, and the exit code is 1. What shows comes first, then what is hidden, with --vision on also pictures.",
  examples: [
    `deskmap locate '{"role":"button","name":"Save","app":"mousepad"}'`,
    "deskmap locate - --app mousepad < ref.json",
  ],
  words: ["ref"],
  piped: "ref",
  hints: { isReadOnly: true },
  isReport: true,
  input: z.object({
    ref: requiredWords("the ref, JSON as demos record it"),
    ...windowSelection,
    ...visionOption,
  }),
  output: locatedRefOutput,
  forms: locatedRefForms,
  async run(input, session) {
    const ref = parseRef(input.ref);
    if (!ref.ok) return ref;
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const { vision } = input;
    return locateRef(desktop.value, { ref: ref.value, ...windowQueryOf(input), vision, timeoutMs: session.timeoutMs });
  },
});

const maxRefLength = 16_384;

const words = () => z.optional(z.string().check(z.maxLength(1000, "is longer than 1000 characters")));
const pixel = () => z.number().check(z.minimum(-farthest), z.maximum(farthest));
const box = () => z.optional(z.tuple([pixel(), pixel(), pixel(), pixel()]));
const count = () => z.optional(z.int().check(z.minimum(0)));
const listOf = (most: number) =>
  z.optional(z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(most, `has more than ${most} entries`)));

const refShape = () =>
  z.strictObject({
    role: words(),
    name: words(),
    app: words(),
    window: words(),
    bbox: box(),
    window_bbox: box(),
    container_path: listOf(100),
    enabled: z.optional(z.boolean()),
    focused: z.optional(z.boolean()),
    automation_id: words(),
    accessibility_id: words(),
    css_selector: words(),
    xpath: words(),
    tag: words(),
    confidence: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    source: z.optional(z.enum(sources)),
    neighbours: listOf(100),
    sisters: z.optional(z.tuple([z.string().check(z.maxLength(1000)), z.string().check(z.maxLength(1000))])),
    index: count(),
    count: count(),
    twins: count(),
  });

const example = `a ref is JSON: '{"role":"button","name":"Save","app":"mousepad"}'`;

/** It comes from a file that anybody may have written. */
function parseRef(text: string): Result<DemoRef> {
  if (text.length > maxRefLength) {
    return fail(describeUsage(`the ref is longer than ${maxRefLength} characters`, example));
  }
  const given = parseJson(text);
  if (given === undefined) return fail(describeUsage("the ref is not JSON", example));
  const parsed = refShape().safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = cleanText((issue?.path ?? []).join("."), 80);
    const what = cleanText(issue?.message ?? "not accepted", 120);
    return fail(describeUsage(`the ref is not accepted: ${place === "" ? what : `${place}: ${what}`}`, example));
  }
  const { role = "", name = "" } = parsed.data;
  if (role === "" && name === "") return fail(describeUsage("the ref has neither a role nor a name", example));
  return succeed(parsed.data);
}
