import * as z from "zod/mini";
import { screenSpace, windowSpace } from "../model/bounds.ts";
import type { DemoTarget } from "../model/demo-ref.ts";
import { type Again, type Candidate, certainties, type ElementDescription } from "../model/element-description.ts";
import type { Failure } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import { patterns, patternsOf } from "../model/pattern.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import type { Step } from "../model/ref.ts";
import { verdicts as resolverVerdicts } from "../model/resolved.ts";
import { roles, shortRole } from "../model/role.ts";
import { sources } from "../model/source.ts";
import { judgeConfidence } from "../model/target.ts";
import type { Located } from "../model/view.ts";
import { joinRows } from "./csv.ts";
import { bounds, type DataOf, type Forms, notes, point, space, titled } from "./output.ts";
import { count, explainConfidence, roundShare, windowTitleOf } from "./remembered.ts";

const role = () => titled("Role", z.enum(roles));

const nowOutput = () =>
  z.strictObject({
    app: z.string(),
    pid: z.number(),
    window: z.string(),
    windowId: z.number(),
    role: role(),
    platformRole: z.string(),
    name: z.string(),
    ownName: z.string(),
    description: z.string(),
    value: z.string(),
    states: z.array(z.string()),
    space: space(),
    bounds: z.optional(bounds()),
    clickPoint: z.optional(point()),
    patterns: z.array(z.enum(patterns)),
    actions: z.array(z.string()),
    platformActions: z.array(z.string()),
    shortcut: z.string(),
    platformId: z.string(),
    url: z.string(),
    // Its ancestors, the window first.
    inside: z.array(z.strictObject({ mark: z.optional(z.number()), role: role(), name: z.string() })),
    notes: z.optional(notes()),
  });

/** Bounds are relative to the window, which may be moved. */
const refOutput = () =>
  z.strictObject({
    app: z.string(),
    windows: z.array(z.string()),
    role: role(),
    name: z.string(),
    platformId: z.string(),
    path: z.array(z.strictObject({ role: role(), name: z.string(), index: z.number(), count: z.number() })),
    index: z.number(),
    count: z.number(),
    owner: z.string(),
    sisters: z.tuple([z.string(), z.string()]),
    twins: z.number(),
    hasTwin: z.boolean(),
    bounds: z.optional(bounds()),
    space: z.literal(windowSpace),
  });

const memoryOutput = () =>
  z.strictObject({
    app: z.string(),
    window: z.string(),
    taught: z.string(),
    confidence: z.number(),
    source: z.enum(sources),
    certainty: z.optional(z.number()),
    firstSeen: z.string(),
    lastSeen: z.string(),
    hits: z.number(),
    misses: z.number(),
    same: z.number(),
    moved: z.number(),
    missing: z.number(),
    layoutVersion: z.number(),
    // From the upper left corner of the window, like the ref's bounds.
    clickPoint: z.optional(point()),
    feedback: z.optional(z.string()),
    why: z.array(z.strictObject({ because: z.string(), confidence: z.number() })),
    history: z.array(z.strictObject({ at: z.string(), confidence: z.number(), hits: z.number(), misses: z.number() })),
    ref: refOutput(),
  });

const againOutput = () => {
  const clue = z.strictObject({ feature: z.string(), level: z.string(), weight: z.number() });
  return z.strictObject({
    certainty: z.enum(certainties),
    verdict: z.enum(resolverVerdicts),
    isItself: z.boolean(),
    score: z.number(),
    margin: z.number(),
    evidence: z.array(clue),
    nearest: z.array(
      z.strictObject({
        mark: z.optional(z.number()),
        role: role(),
        name: z.string(),
        score: z.number(),
        lacks: z.array(clue),
      }),
    ),
    weighed: z.number(),
    present: z.number(),
  });
};

const portableOutput = () =>
  z.strictObject({
    ref: z.optional(z.record(z.string(), z.unknown())),
    evidence: z.optional(z.array(z.strictObject({ by: z.string(), matches: z.number() }))),
    point: z.optional(point()),
  });

/** Everything about one mark, with long keys: it is asked for rarely. */
export const descriptionOutput = () =>
  z.strictObject({
    mark: z.number(),
    there: z.boolean(),
    now: z.optional(nowOutput()),
    // Why it is not there.
    why: z.optional(
      z.strictObject({
        code: z.string(),
        message: z.string(),
        nearest: z.optional(z.array(z.string())),
        try: z.optional(z.string()),
      }),
    ),
    memory: memoryOutput(),
    again: z.optional(againOutput()),
    // As demos describe it: docs/demo.schema.json.
    portable: z.optional(portableOutput()),
  });

export type ElementDescriptionData = DataOf<typeof descriptionOutput>;

const toWhy = ({ code, message, nearest, suggestion }: Failure) => ({ code, message, nearest, try: suggestion });

export const descriptionForms: Forms<ElementDescription, ElementDescriptionData> = {
  data(description) {
    const { mark, now, again, portable } = description;
    return {
      mark,
      there: now.ok,
      ...(now.ok ? { now: locatedFacts(now.value) } : { why: toWhy(now.failure) }),
      memory: memoryFacts(description),
      ...(again === undefined ? {} : { again: againFacts(again) }),
      ...(portable === undefined ? {} : { portable: toPortableFacts(portable) }),
    };
  },
  text(description) {
    const { ref } = description.remembered;
    const head = `${description.mark} ${shortRole(ref.role)}${ref.name === "" ? "" : ` ${quoteText(ref.name)}`}`;
    return [head, ...listFacts(description).map(([name, value]) => ` ${name} ${value}`)].join("\n");
  },
  csv: (description) => joinRows("name,value", listFacts(description)),
};

function locatedFacts({ window, element, ancestors, notes }: Located): ElementDescriptionData["now"] {
  const { role, platformRole, name, ownName, description, states, bounds, clickPoint, actions } = element;
  const { platformActions, shortcut, platformId, url } = element;
  return {
    app: window.app,
    pid: window.pid,
    window: window.title,
    windowId: window.id,
    role,
    platformRole,
    name,
    ownName,
    description,
    // The value of a secret field is never requested; this is a second check.
    value: states.has("secret") ? "" : element.value,
    states: [...states],
    space: screenSpace,
    bounds,
    clickPoint,
    patterns: patternsOf(element),
    actions,
    platformActions,
    shortcut,
    platformId,
    url,
    inside: ancestors.map((one) => ({ mark: one.mark === 0 ? undefined : one.mark, role: one.role, name: one.name })),
    notes: notes.length === 0 ? undefined : notes,
  };
}

function memoryFacts(description: ElementDescription): ElementDescriptionData["memory"] {
  const {
    remembered: { ref, clickPoint, learned, feedback },
    moments,
  } = description;
  const { source, certainty, firstSeenMs, lastSeenMs, same, moved, missing, hits, misses, taught } = learned;
  return {
    app: ref.app,
    window: windowTitleOf(ref.windows),
    taught,
    confidence: roundShare(judgeConfidence(learned)),
    source,
    certainty,
    firstSeen: toTime(firstSeenMs),
    lastSeen: toTime(lastSeenMs),
    ...{ hits, misses, same, moved, missing },
    layoutVersion: learned.layoutVersion,
    clickPoint,
    feedback: feedback === "" ? undefined : feedback,
    why: explainConfidence(learned),
    history: moments.map(({ atMs, confidence, ...acts }) => ({ at: toTime(atMs), confidence, ...acts })),
    ref,
  };
}

function toPortableFacts({ ref, evidence, point }: DemoTarget): ElementDescriptionData["portable"] {
  return {
    ...(ref === undefined ? {} : { ref: { ...ref } }),
    ...(evidence === undefined ? {} : { evidence: evidence.map((one) => ({ ...one })) }),
    ...(point === undefined ? {} : { point }),
  };
}

function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

function againFacts({ score, margin, evidence, nearest, ...rest }: Again): ElementDescriptionData["again"] {
  const roundWeights = (clues: Again["evidence"]) =>
    clues.map((clue) => ({ ...clue, weight: Math.round(clue.weight * 10) / 10 }));
  return {
    ...rest,
    score: roundShare(score),
    margin: roundShare(margin),
    evidence: roundWeights(evidence),
    nearest: nearest.map((one) => ({ ...one, score: roundShare(one.score), lacks: roundWeights(one.lacks) })),
  };
}

type Fact = [name: string, value: string];

function listFacts({ now, remembered, moments, again }: ElementDescription): Fact[] {
  const { ref, learned } = remembered;
  const facts: Fact[] = [
    ...(now.ok ? listNow(now.value) : ([["there", `no: ${cleanLine(now.failure.message)}`]] satisfies Fact[])),
    ["taught", learned.taught === "" ? "" : quoteText(learned.taught)],
    [
      "known as",
      `${shortRole(ref.role)} of ${quoteName(ref.app)}, ${ref.path.map(showStep).join(" > ") || "its window"}`,
    ],
    ["confidence", roundShare(judgeConfidence(learned)).toFixed(2)],
    ...explainConfidence(learned).map(
      ({ because, confidence }): Fact => ["because", `${confidence.toFixed(2)} ${because}`],
    ),
    ["acts", `${learned.hits} as wanted, ${learned.misses} not`],
    ["seen", `${showLocalTime(learned.firstSeenMs)} to ${showLocalTime(learned.lastSeenMs)}`],
    ...moments.map(({ atMs, confidence, hits, misses }): Fact => {
      return ["then", `${showLocalTime(atMs)} ${confidence.toFixed(2)}, ${hits} as wanted, ${misses} not`];
    }),
    ...(again === undefined ? [] : listAgain(again)),
  ];
  return facts.filter(([, value]) => value !== "");
}

function listNow({ window, element, ancestors }: Located): Fact[] {
  const { bounds, clickPoint, states, value } = element;
  return [
    ["window", `${quoteName(window.app)} ${quoteText(window.title)}`],
    ["inside", ancestors.map((one) => showCandidate({ ...one, mark: one.mark || undefined })).join(" > ")],
    ["role", `${element.role}, platform role ${quoteText(element.platformRole)}`],
    ["own name", element.ownName === element.name ? "" : quoteText(element.ownName)],
    ["description", element.description === "" ? "" : quoteText(element.description)],
    ["value", value === "" || states.has("secret") ? "" : quoteText(value)],
    ["states", [...states].join(" ")],
    ["bounds", bounds === undefined ? "" : `${bounds.width}x${bounds.height} at ${bounds.x},${bounds.y}`],
    ["press at", clickPoint === undefined ? "" : `${clickPoint.x},${clickPoint.y}`],
    ["patterns", patternsOf(element).join(" ")],
    ["actions", element.platformActions.map((name) => quoteText(name, 40)).join(" ")],
    ["shortcut", element.shortcut === "" ? "" : quoteName(element.shortcut)],
    ["id", element.platformId === "" ? "" : quoteText(element.platformId)],
    ["url", element.url === "" ? "" : quoteText(element.url)],
  ];
}

function showStep({ role, name, index, count: all }: Step): string {
  const parts = [
    shortRole(role),
    ...(name === "" ? [] : [quoteText(name)]),
    ...(all > 1 ? [`${index + 1} of ${all}`] : []),
  ];
  return parts.join(" ");
}

function showCandidate({ mark, role, name }: Pick<Candidate, "mark" | "role" | "name">): string {
  return [...(mark === undefined ? [] : [mark]), shortRole(role), ...(name === "" ? [] : [quoteText(name)])].join(" ");
}

const verdicts = { match: "yes", ambiguous: "ambiguous", "not-found": "no" } as const;

function listAgain({ certainty, verdict, isItself, score, margin, evidence, nearest, weighed }: Again): Fact[] {
  const found = verdict === "match" && !isItself ? "no, another one" : verdicts[verdict];
  return [
    ["leads to it", certainty],
    [
      "found again",
      `${found}, ${score.toFixed(3)} sure, ${margin.toFixed(3)} before the next of ${count(weighed, "control")}`,
    ],
    ...evidence.map(({ feature, level, weight }): Fact => {
      return ["evidence", `${weight > 0 ? "+" : ""}${weight.toFixed(1)} ${feature} ${level}`];
    }),
    ...nearest.slice(1).map((one): Fact => {
      const lacks = one.lacks.slice(0, 3).map(({ feature, weight }) => `${weight.toFixed(1)} ${feature}`);
      return ["next", [showCandidate(one), `${one.score.toFixed(3)} sure`, ...lacks].join(", ")];
    }),
  ];
}
