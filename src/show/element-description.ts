import { screenSpace } from "../model/bounds.ts";
import type { Again, Candidate, ElementDescription } from "../model/element-description.ts";
import { showLocalTime } from "../model/local-time.ts";
import { patternsOf } from "../model/pattern.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import type { Step } from "../model/ref.ts";
import { shortRole } from "../model/role.ts";
import { judgeConfidence } from "../model/target.ts";
import type { Located } from "../model/view.ts";
import { count, explainConfidence, roundShare } from "./confidence.ts";
import { joinRows } from "./csv.ts";
import type { ElementDescriptionData } from "./description-data.ts";
import type { Forms } from "./output.ts";
import { nameWindow } from "./remembered.ts";

export const descriptionForms: Forms<ElementDescription, ElementDescriptionData> = {
  data(description) {
    const { mark, now, again } = description;
    return {
      mark,
      there: now.ok,
      ...(now.ok ? { now: locatedFacts(now.value) } : { why: describeWhy(now.failure) }),
      memory: memoryFacts(description),
      ...(again === undefined ? {} : { again: againFacts(again) }),
    };
  },
  text(description) {
    const { ref } = description.remembered;
    const head = `${description.mark} ${shortRole(ref.role)}${ref.name === "" ? "" : ` ${quoteText(ref.name)}`}`;
    return [head, ...listFacts(description).map(([name, value]) => ` ${name} ${value}`)].join("\n");
  },
  csv: (description) => joinRows("name,value", listFacts(description)),
};

function describeWhy({ code, message, nearest, suggestion }: { code: string; message: string } & Nearest) {
  return { code, message, nearest, try: suggestion };
}

interface Nearest {
  readonly nearest?: readonly string[] | undefined;
  readonly suggestion?: string | undefined;
}

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
    // What a secret field holds is never asked for; should it be here all the same, it stays here.
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
    window: nameWindow(ref.windows),
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
