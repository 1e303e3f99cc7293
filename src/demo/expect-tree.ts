import type { DemoRef, DemoTarget } from "../model/demo-ref.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Edited } from "./edit.ts";
import { type Demo, maxSteps, maxTreeLine, maxTreeLines, type Step } from "./file.ts";
import { dropUndefined, tidyRef } from "./fit.ts";
import { pickTarget } from "./pick-target.ts";
import { abstractText } from "./placeholders.ts";
import { isSameApp, isSimilarTitle, type SeenWindow } from "./replay/answers.ts";
import { Asking, type ReplayHost } from "./replay/asking.ts";
import { readTree } from "./tree.ts";

export interface ExpectOptions {
  readonly host: ReplayHost;
  /** The step after which it is expected; 0 at the beginning. */
  readonly after: number;
  /** A mark or words for the control whose part of the tree is meant; without it, the whole window. */
  readonly within?: string | undefined;
  readonly app?: string | undefined;
  readonly window?: string | undefined;
}

/** Adds a step that expects a part of the tree as it is now. Recorded values of parameters become those parameters. */
export async function addExpectation(demo: Demo, options: ExpectOptions): Promise<Result<Edited & { lines: number }>> {
  const { host, after, within } = options;
  const before = demo.steps[after - 1];
  if (!Number.isInteger(after) || after < 0 || after > demo.steps.length) {
    return fail(describeUsage(`--after ${after} is no step of it`, `a number from 0 to ${demo.steps.length}`));
  }
  if (demo.steps.length >= maxSteps) return fail(describeUsage(`it has ${maxSteps} steps already`, "split it."));
  const app = options.app ?? before?.app;
  if (app === undefined) return fail(describeUsage("nothing tells which application is meant", "--app NAME"));
  const asking = new Asking(host, { timeoutMs: 0 });
  const abstract = (text: string): string => abstractText(text, demo.parameters);
  const found = await findControl(host, within, app);
  if (!found.ok) return found;
  const ref = found.value && tidyRef(found.value.ref, abstract);
  const window = await findWindow(
    asking,
    app,
    options.window ?? (ref === undefined ? before?.window : undefined),
    ref === undefined,
  );
  if (!window.ok) return window;
  const part = ref === undefined ? { windowId: window.value?.id } : { app, mark: found.value?.mark };
  const lines = await readTree(asking, part);
  if (!lines.ok) return lines;
  if (lines.value.length > maxTreeLines) {
    const message = `that part has ${lines.value.length} lines; at most ${maxTreeLines} are kept`;
    return fail(describeUsage(message, "--within MARK names a smaller part: deskmap read shows the marks."));
  }
  const title = ref?.window ?? (window.value === undefined ? undefined : abstract(window.value.title));
  const step: Step = dropUndefined({
    ...{ tool: "expect" as const, input: {}, app, window: title, ref },
    evidence: ref === undefined ? undefined : found.value?.evidence?.slice(0, 12),
    tree: lines.value.map((line) => keepIndent(line, abstract)),
  });
  return succeed({ ...insertStep(demo, after, step), lines: lines.value.length });
}

/** Within quotes, a name that is a parameter is replaced as a whole or as a word. */
function keepIndent(line: string, abstract: (text: string) => string): string {
  const replaced = line.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => `"${abstract(text)}"`);
  return replaced.length <= maxTreeLine ? replaced : line;
}

interface FoundControl {
  readonly mark: number;
  readonly ref: DemoRef;
  readonly evidence: DemoTarget["evidence"];
}

async function findControl(
  host: ReplayHost,
  within: string | undefined,
  app: string,
): Promise<Result<FoundControl | undefined>> {
  if (within === undefined) return succeed(undefined);
  const isMark = /^\d+$/.test(within);
  const where = isMark ? { id: Number(within) } : { on: within, app };
  const target = await pickTarget(host, where);
  if (!target.ok) return target;
  const { data } = await host.call({
    tool: "locate",
    input: { ref: JSON.stringify(target.value.ref) },
    formats: ["data"],
  });
  const mark = isMark ? Number(within) : typeof data?.id === "number" ? data.id : undefined;
  if (mark === undefined || target.value.ref === undefined) {
    return fail(describeUsage(`${JSON.stringify(within)} is not found again by its ref`, "--within MARK"));
  }
  return succeed({ mark, ref: target.value.ref, evidence: target.value.evidence });
}

/** The application's only window, or the one with this title. */
async function findWindow(
  asking: Asking,
  app: string,
  title: string | undefined,
  isNeeded: boolean,
): Promise<Result<SeenWindow | undefined>> {
  if (!isNeeded) return succeed(undefined);
  const listed = await asking.listWindows(app);
  if (!listed.ok) return listed;
  const own = listed.value.filter((one) => isSameApp(app, one.app));
  const fit = title === undefined ? own : own.filter((one) => isSimilarTitle(one.title, title));
  const [only] = fit.length === 0 ? own : fit;
  if (only !== undefined && (fit.length === 1 || own.length === 1)) return succeed(only);
  const titles = own.map((one) => JSON.stringify(one.title)).join(", ");
  const message = own.length === 0 ? `${app} shows no window` : `${app} has several windows: ${titles}`;
  return fail(describeUsage(message, "--window TITLE"));
}

/** Later steps move by one; what refers to them does, too. */
function insertStep(demo: Demo, after: number, step: Step): Edited {
  const places = (n: number): number => (n > after ? n + 1 : n);
  const steps = demo.steps.map((one) => {
    const opener = one.wait?.opened_by;
    return opener === undefined ? one : { ...one, wait: { ...one.wait, opened_by: places(opener) } };
  });
  const parameters = Object.fromEntries(
    Object.entries(demo.parameters).map(([name, one]) => [
      name,
      one.from === undefined ? one : { ...one, from: { ...one.from, step: places(one.from.step) } },
    ]),
  );
  const former = demo.former?.map((one) => ({ ...one, step: places(one.step) }));
  return { demo: { ...demo, parameters, steps: steps.toSpliced(after, 0, step), ...(former && { former }) }, places };
}
