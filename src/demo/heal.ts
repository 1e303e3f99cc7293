import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { parseJson } from "../model/caught.ts";
import type { DemoEvidence } from "../model/demo.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { type Demo, maxFileBytes, type StepRef } from "./file.ts";
import { checkDemo, readBounded } from "./read.ts";
import type { Proposal } from "./replay/report.ts";
import { writePrivate } from "./store.ts";

/** Proposals to a demo lie beside its file until a person accepts or discards them. */
function fileOf(demoFile: string): string {
  return `${demoFile.replace(/(\.demo)?\.json$/, "")}.heal.json`;
}

/** A newer proposal for a step replaces the older one. */
export function keepProposals(demoFile: string, demo: Demo, fresh: readonly Proposal[]): Result<readonly Proposal[]> {
  const kept = readProposals(demoFile, demo);
  const before = kept.ok ? kept.value.filter(({ step }) => fresh.every((one) => one.step !== step)) : [];
  const all = [...before, ...fresh].toSorted((a, b) => a.step - b.step);
  const written = writeProposals(demoFile, demo.name, all);
  return written.ok ? succeed(all) : written;
}

function writeProposals(demoFile: string, demo: string, proposals: readonly Proposal[]): Result<string> {
  return writePrivate(fileOf(demoFile), `${JSON.stringify({ demo, proposals }, undefined, 1)}\n`);
}

/** The proposals that still fit: each was made for the ref that its step has now. */
export function readProposals(demoFile: string, demo: Demo): Result<readonly Proposal[]> {
  const text = readBounded(fileOf(demoFile), maxFileBytes);
  if (!text.ok) {
    const message = `nothing is proposed for ${JSON.stringify(demo.name)}`;
    return fail(makeFailure("NOT_FOUND", message, "deskmap replay DEMO --heal proposes what it found otherwise."));
  }
  const given = parseJson(text.value);
  const list: unknown = isFields(given) ? given.proposals : undefined;
  const all = (Array.isArray(list) ? list : []).filter(isProposal);
  return succeed(all.filter(({ step, was }) => isSame(demo.steps[step - 1]?.ref, was)));
}

/** Changes when anything of the proposals does, also what is not shown of them. */
export function versionOfProposals(proposals: readonly Proposal[]): string {
  return createHash("sha256").update(JSON.stringify(proposals)).digest("hex").slice(0, 16);
}

/** The demo with the new refs; the old ones and their evidence are kept in `former`. */
export function acceptProposals(demo: Demo, accepted: readonly Proposal[], nowMs: number): Result<Demo> {
  const until = new Date(nowMs).toISOString();
  const steps = demo.steps.map((step, index) => {
    const own = accepted.find((one) => one.step === index + 1);
    return own === undefined ? step : { ...step, ref: own.ref, evidence: own.evidence.slice(0, 12) };
  });
  const former = accepted.flatMap(({ step }) => {
    const { ref, evidence } = demo.steps[step - 1] ?? {};
    return ref === undefined ? [] : [{ step, ref, ...(evidence === undefined ? {} : { evidence }), until }];
  });
  // A proposal comes from a file: the demo that it makes is checked as a whole.
  const healed = { ...demo, steps, former: [...(demo.former ?? []), ...former] };
  return checkDemo(JSON.parse(JSON.stringify(healed)), "the healed demo");
}

/** After the steps were moved or deleted, what is proposed for them follows. */
export function moveProposals(demoFile: string, before: Demo, places: (n: number) => number | undefined): Result<void> {
  const kept = readProposals(demoFile, before);
  if (!kept.ok || kept.value.every(({ step }) => places(step) === step)) return succeed(undefined);
  const moved = kept.value.flatMap((one) => {
    const step = places(one.step);
    return step === undefined ? [] : [{ ...one, step }];
  });
  discardProposals(demoFile);
  const written = moved.length === 0 ? succeed("") : writeProposals(demoFile, before.name, moved);
  return written.ok ? succeed(undefined) : written;
}

export function discardProposals(demoFile: string): void {
  rmSync(fileOf(demoFile), { force: true });
}

/** The fields in which two refs differ, for a person who decides. */
export function compareRefs(was: StepRef, now: StepRef): readonly { field: string; was: string; now: string }[] {
  const fields = [...new Set([...Object.keys(was), ...Object.keys(now)])];
  const show = (ref: StepRef, field: string): string =>
    JSON.stringify(Object.entries(ref).find(([key]) => key === field)?.[1]) ?? "–";
  return fields
    .map((field) => ({ field, was: show(was, field), now: show(now, field) }))
    .filter((one) => one.was !== one.now && !["bbox", "window_bbox", "focused", "enabled"].includes(one.field));
}

/** Whether a new ref alone finds one element, by the counts that were taken when the step was done. */
export function isUnique(evidence: readonly DemoEvidence[] | undefined): boolean {
  return evidence?.find(({ by }) => by === "ref")?.matches === 1;
}

function isSame(ref: StepRef | undefined, other: StepRef): boolean {
  return ref !== undefined && compareRefs(ref, other).length === 0;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isProposal(value: unknown): value is Proposal {
  return (
    isFields(value) &&
    typeof value.step === "number" &&
    isFields(value.was) &&
    isFields(value.ref) &&
    Array.isArray(value.evidence) &&
    typeof value.why === "string"
  );
}
