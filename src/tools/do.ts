import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { messageOf } from "../model/caught.ts";
import { describeUsage, exitCodeOf, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { type Batch, batchForms, batchOutput, type StepResult } from "../show/batch.ts";
import { defineTool, type Tool } from "./define.ts";
import { flag, text } from "./fields.ts";
import type { Session } from "./session.ts";
import { readSteps, repeatStep, type Step, type Tools } from "./steps.ts";

export function makeBatch(tools: Tools): Tool {
  return defineTool({
    name: "do",
    summary: "Run several steps in order; stop at the first that fails.",
    description:
      "A file, or - for standard input: one command per line, written as on the command line, or as JSON with the tool's " +
      'name in "do"; # begins a comment. Every line is parsed before the first is run. A step that is not confirmed, ' +
      "an expectation that does not hold and a wait that takes too long end the batch, unless --keep-going is given; what a " +
      "person's rules forbid always does. The exit code is that of the first step that failed. Steps share one connection, so a batch is faster than its commands alone. If one of them acts, no other client " +
      "acts from the first step to the last.",
    examples: ["deskmap do steps.txt", `printf 'click file --app mousepad\\nexpect "Save appears"\\n' | deskmap do -`],
    words: ["file"],
    daily: {
      says:
        "Do several steps in one call; stops at the first that fails, and nobody else acts meanwhile. One a line, as " +
        'command words (click --id 12; type "a b" --id 7; also hover, focus, quit, expect 12 exists) or JSON ' +
        '({"do":"click","id":12}).',
      fields: { steps: "" },
    },
    hints: { isReadOnly: false, isDestructive: true },
    input: z.object({
      file: text("the file with the steps, or - for standard input"),
      steps: text("the steps themselves, one a line"),
      keepGoing: flag("go on after a step that failed or was not confirmed"),
    }),
    output: batchOutput,
    forms: batchForms,
    async run(given, session) {
      const text = chooseText(given, session);
      if (!text.ok) return text;
      const readOnly = await session.findReadOnly();
      const steps = await readSteps(text.value, tools, { readOnly, reach: session.reach });
      if (!steps.ok) return steps;
      const acting = steps.value.filter(({ call }) => tools.acting.has(call.tool.name));
      const carryOut = async (own: Session): Promise<Result<Batch>> => {
        const names = await noteNames(own, acting);
        if (!names.ok) return names;
        return succeed(await carryOutSteps(steps.value, own, names.value, given.keepGoing === true));
      };
      return acting.length > 0 ? session.hold("do", carryOut) : carryOut(session);
    },
  });
}

/** A batch is read whole and parsed before its first step. */
const maxFileBytes = 1 << 20;

export function chooseText(
  { file, steps }: { readonly file?: string | undefined; readonly steps?: string | undefined },
  { folder, hasInput }: Pick<Session, "folder" | "hasInput">,
): Result<string> {
  if ((file === undefined) === (steps === undefined)) {
    const message = file === undefined ? "no steps are given" : "the steps are given twice";
    return fail(describeUsage(message, "a file, - or --steps, one of them."));
  }
  if (file === undefined) return succeed(steps ?? "");
  const path = resolve(folder, file);
  // In the caller's own process, a slow file delays nobody else.
  if (hasInput) return readText(() => readFileSync(file === "-" ? 0 : path, "utf8"));
  if (file !== "-") return readText(() => readOrdinary(path));
  return fail(describeUsage("there is no standard input of yours here", "give the steps themselves, one a line."));
}

function readText(read: () => string): Result<string> {
  try {
    return succeed(read());
  } catch (error) {
    const suggestion = "a file with one command a line, or - for standard input.";
    return fail(makeFailure("NOT_FOUND", `the steps cannot be read: ${messageOf(error)}`, suggestion));
  }
}

/** Reads only regular files: a device or a pipe could block the daemon, or fill its memory. */
function readOrdinary(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${path} is not a regular file`);
    const bytes = Buffer.alloc(maxFileBytes + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length < bytes.length; length += more) {
      more = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    if (length > maxFileBytes) throw new Error(`${path} is longer than 1 MB`);
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(descriptor);
  }
}

/** Fails for a step whose mark has other words than when the batch was written. */
type CheckNames = (step: Step) => Promise<Result<void>>;

/** The caller has seen no answer of the batch: "click 5" twice must not press Finish where Next was. */
async function noteNames(session: Session, acting: readonly Step[]): Promise<Result<CheckNames>> {
  const isActing = new Set(acting);
  const listMarks = ({ call: { input } }: Step): number[] =>
    markFields.flatMap((field) => (typeof input[field] === "number" ? input[field] : []));
  if (!acting.some((step) => listMarks(step).length > 0)) return succeed(async () => succeed(undefined));
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const { marks } = desktop.value;
  const before = marks.findNames(acting.flatMap(listMarks));
  return succeed(async (step) => {
    const own = isActing.has(step) ? listMarks(step) : [];
    const now = marks.findNames(own);
    const renamed = own.find((mark) => before.get(mark) !== now.get(mark));
    if (renamed === undefined) return succeed(undefined);
    const message = `${renamed} has other words than when the batch began`;
    return fail(makeFailure("NOT_FOUND", message, "deskmap read shows them; the rest of the batch can follow."));
  });
}

const markFields = ["id", "fromId", "toId"] as const;

async function carryOutSteps(
  steps: readonly Step[],
  session: Session,
  checkNames: CheckNames,
  keepsGoing: boolean,
): Promise<Batch> {
  const isEnd = (exitCode: number): boolean => (keepsGoing ? exitCode === exitCodeOf("REFUSED") : exitCode !== 0);
  const results: StepResult[] = [];
  for (const [index, step] of steps.entries()) {
    const { line, call } = step;
    const { name } = call.tool;
    session.tellProgress(index, steps.length, `step ${index + 1} of ${steps.length}: ${name}`);
    const checked = await checkNames(step);
    const result = checked.ok ? await call.run(session) : checked;
    const came = result.ok
      ? { exitCode: result.value.exitCode, answer: result.value }
      : { exitCode: exitCodeOf(result.failure.code), failure: session.recordRefusal(name, result.failure) };
    results.push({ line, text: repeatStep(step), isReport: call.tool.isReport === true, ...came });
    if (isEnd(came.exitCode)) break;
  }
  return { results, left: steps.length - results.length };
}
