import * as z from "zod/mini";
import { describeRef, describeStep } from "../../../demo/describe.ts";
import {
  deleteSteps,
  type Edited,
  moveStep,
  noteStep,
  renameParameter,
  repickStep,
  retypeParameter,
} from "../../../demo/edit.ts";
import { type OpenedDemo, openDemoFile, writeEdited } from "../../../demo/edit-file.ts";
import {
  acceptProposals,
  compareRefs,
  discardProposals,
  keepProposals,
  readProposals,
  versionOfProposals,
} from "../../../demo/heal.ts";
import { chooseValues } from "../../../demo/parameters.ts";
import { pickTarget } from "../../../demo/pick-target.ts";
import { picturesOf } from "../../../demo/pictures.ts";
import { replay } from "../../../demo/replay/replay.ts";
import type { StepOutcome } from "../../../demo/replay/report.ts";
import { describeEffect } from "../../../demo/show.ts";
import { needsTarget } from "../../../demo/tools.ts";
import {
  type DemoChange,
  editParams,
  healParams,
  type ListedDemo,
  nameParams,
  type Replayed,
  type ReplayedStep,
  recordParams,
  replayParams,
  type ShownDemo,
  stepParams,
  stopParams,
} from "../../../inspector/demos.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { openDemoStore } from "../../demo-store.ts";
import { findAnswering } from "../answering.ts";
import { findRecorder, followRecording } from "../demo-recording.ts";
import { type Method, method, type PanelContext } from "../panel.ts";

/** Demos of the person whose inspector it is: to see, to edit, to do again, to record. */
export const demosMethods: readonly Method[] = [
  method("demos.list", z.object({}), async (_, { env }) => succeed(listDemos(env))),
  method("demos.show", nameParams, async ({ name }, { env }) => showOne(open(env, name))),
  method("demos.picture", stepParams, async ({ name, step: n }, { env, sendPicture }) => {
    const opened = open(env, name);
    if (!opened.ok) return opened;
    const step = opened.value.demo.steps[n - 1];
    const { makeCrop } = await import("../../../demo/crop.ts");
    // A picture that is damaged is as good as none.
    const png = step && (await makeCrop(picturesOf(opened.value.file), step, n).catch(() => undefined));
    if (png === undefined) return fail(makeFailure("NOT_FOUND", `there is no picture of step ${n}`));
    return succeed({ picture: sendPicture(png) });
  }),
  method("demos.edit", editParams, async ({ name, version, change }, { env, host }, signal) => {
    const opened = open(env, name, version);
    if (!opened.ok) return opened;
    const target = change.kind === "repick" ? await pickTarget(host, { id: change.mark }, signal) : undefined;
    if (target?.ok === false) return target;
    const edited = applyChange(opened.value, change, target?.value);
    return edited.ok ? showOne(writeEdited(opened.value, edited.value)) : edited;
  }),
  method("demos.replay", replayParams, replayOne),
  method("demos.heal", healParams, async ({ name, version, proposed: shown, verdict, step, pin }, context) => {
    const opened = open(context.env, name, version);
    if (!opened.ok) return opened;
    const { file, demo } = opened.value;
    if (verdict === "discard") {
      discardProposals(file);
      return showOne(opened);
    }
    const proposed = readProposals(file, demo);
    if (!proposed.ok) return proposed;
    if (versionOfProposals(proposed.value) !== shown) {
      return fail(makeFailure("FAILED", "other refs are proposed by now than the page shows", "look again: Reload."));
    }
    const chosen = proposed.value.filter((one) => step === undefined || one.step === step);
    if (chosen.length === 0) return fail(makeFailure("NOT_FOUND", "nothing such is proposed any more"));
    // The test of `deskmap demo heal accept`: a person, or the PIN if one is set.
    const confirmed = findAnswering(context).confirm(pin);
    if (!confirmed.ok) return confirmed;
    const healed = acceptProposals(demo, chosen, Date.now());
    if (!healed.ok) return healed;
    const written = writeEdited(opened.value, { demo: healed.value, places: (n) => n });
    if (written.ok && chosen.length === proposed.value.length) discardProposals(file);
    return showOne(written);
  }),
  method("demos.record", recordParams, async ({ name, isReplacing }, context) => {
    const begun = await findRecorder(context, openDemoStore(context.env)).begin(name, isReplacing);
    return begun.ok ? succeed({ name }) : begun;
  }),
  method("demos.stop", stopParams, async ({ isDiscarded }, context) => {
    const ended = await findRecorder(context, openDemoStore(context.env)).end(isDiscarded);
    return ended.ok ? succeed({ saved: ended.value }) : ended;
  }),
  method("demos.pause", z.object({ isPaused: z.boolean() }), async ({ isPaused }, context) => {
    const done = findRecorder(context, openDemoStore(context.env)).pause(isPaused);
    return done.ok ? succeed({}) : done;
  }),
  method("demos.follow", z.object({}), async (_, context) => {
    void followRecording(context, findRecorder(context, openDemoStore(context.env)));
    return succeed({});
  }),
];

type Env = PanelContext["env"];

function open(env: Env, name: string, version?: string): Result<OpenedDemo> {
  const store = openDemoStore(env);
  const file = store.fileOf(name);
  if (!file.ok) return file;
  const opened = openDemoFile(file.value);
  if (!opened.ok || version === undefined || opened.value.version === version) return opened;
  return fail(makeFailure("FAILED", "the demo was changed meanwhile by somebody else", "look at it again: Reload."));
}

function listDemos(env: Env): readonly ListedDemo[] {
  const store = openDemoStore(env);
  return store.listNames().map((name): ListedDemo => {
    const opened = open(env, name);
    if (!opened.ok) {
      const fault = opened.failure.message;
      return { name, steps: 0, recorded: "", parameters: 0, doubts: 0, proposals: 0, fault };
    }
    const { demo, file } = opened.value;
    const proposed = readProposals(file, demo);
    return {
      name,
      steps: demo.steps.length,
      recorded: demo.recorded.at,
      parameters: Object.keys(demo.parameters).length,
      doubts: demo.steps.filter(({ doubts = [] }) => doubts.length > 0).length,
      proposals: proposed.ok ? proposed.value.length : 0,
    };
  });
}

function showOne(opened: Result<OpenedDemo>): Result<ShownDemo> {
  if (!opened.ok) return opened;
  const { demo, file, version } = opened.value;
  const proposed = readProposals(file, demo);
  const proposals = proposed.ok ? proposed.value : [];
  return succeed({
    name: demo.name,
    version,
    description: demo.description ?? "",
    recorded: demo.recorded.at,
    by: demo.recorded.client ?? demo.recorded.by,
    parameters: Object.entries(demo.parameters).map(([name, { type, default: value = "", label = "", from }]) => ({
      ...{ name, type, value, label },
      from: from?.step,
    })),
    steps: demo.steps.map((step, index) => ({
      n: index + 1,
      afterMs: step.after_ms,
      tool: step.tool,
      words: describeStep(step),
      window: step.window ?? "",
      effect: describeEffect(step),
      doubts: step.doubts ?? [],
      note: step.note ?? "",
      hasPicture: step.picture !== undefined,
      isAimed: needsTarget(step.tool) || step.ref !== undefined,
    })),
    proposed: versionOfProposals(proposals),
    proposals: proposals.map(({ step, was, ref, why }) => ({
      ...{ step, why, control: describeRef(was) },
      fields: compareRefs(was, ref),
    })),
  });
}

function applyChange(
  { demo }: OpenedDemo,
  change: DemoChange,
  target: Parameters<typeof repickStep>[2] | undefined,
): Result<Edited> {
  switch (change.kind) {
    case "delete":
      return deleteSteps(demo, [change.step]);
    case "move":
      return moveStep(demo, change.step, change.to);
    case "note":
      return noteStep(demo, change.step, change.note);
    case "rename":
      return renameParameter(demo, change.parameter, change.to);
    case "type":
      return retypeParameter(demo, change.parameter, change.to);
    case "repick":
      return repickStep(demo, change.step, target ?? {}, Date.now());
  }
}

async function replayOne(
  { name, from, to, values: given, isDry = false, isHealing = false, allowsDoubtful }: z.infer<typeof replayParams>,
  { env, host, push }: PanelContext,
  signal: AbortSignal,
): Promise<Result<Replayed>> {
  const opened = open(env, name);
  if (!opened.ok) return opened;
  const { demo, file } = opened.value;
  const last = to ?? demo.steps.length;
  if (from > last || last > demo.steps.length) {
    return fail(describeUsage("the demo has no such steps", `1 to ${demo.steps.length}`));
  }
  const values = chooseValues(demo, given, demo.steps.slice(from - 1, last), isDry);
  if (!values.ok) return values;
  const report = await replay(demo, {
    host: {
      call: (request, options) => host.call(request, options),
      watch: (request, ending) => host.watch(request, ending),
    },
    values: values.value,
    ...{ from, to: last, isDry, allowsDoubtful, signal },
    recall: isHealing ? (request) => host.recall(request) : undefined,
    onDone: (outcome) => void push("demos.progress", { demo: name, ...toStep(outcome) }),
  });
  const kept = report.proposals.length === 0 ? undefined : keepProposals(file, demo, report.proposals);
  if (kept?.ok === false) return kept;
  const { stop, tookMs, proposals } = report;
  return succeed({
    steps: report.steps.map(toStep),
    tookMs,
    proposals: proposals.length,
    ...(stop === undefined ? {} : { stop: { n: stop.n, failure: stop.failure } }),
  });
}

function toStep({ n, words, state, verdict, notes, tookMs }: StepOutcome): ReplayedStep {
  return { n, words, state, verdict, notes, tookMs };
}
