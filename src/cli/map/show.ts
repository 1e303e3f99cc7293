import * as z from "zod/mini";
import type { Clues, Keeper, StoredTarget } from "../../map/keep/keeper.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName, quoteText } from "../../model/plain-text.ts";
import { judgeConfidence } from "../../model/target.ts";
import { joinRows } from "../../show/csv.ts";
import { type DataOf, point } from "../../show/output.ts";
import {
  count,
  describedOutput,
  describeTarget,
  explainConfidence,
  roundShare,
  windowTitleOf,
} from "../../show/remembered.ts";
import { alignRows } from "../../show/text.ts";
import { defineAnswer } from "../define.ts";
import { readNumber, withKeeper } from "./open.ts";

interface Shown {
  readonly target: StoredTarget;
  readonly clues: Clues;
}

const shownOutput = () =>
  z.extend(describedOutput(), {
    firstSeen: z.string(),
    same: z.number(),
    moved: z.number(),
    missing: z.number(),
    certainty: z.optional(z.number()),
    parent: z.optional(z.number()),
    depth: z.number(),
    layoutVersion: z.number(),
    visualHash: z.optional(z.string()),
    // From the upper left corner of the window, like the ref's bounds.
    clickPoint: z.optional(point()),
    why: z.array(z.strictObject({ because: z.string(), confidence: z.number() })),
    evidence: z.strictObject({ looks: z.number(), objects: z.number() }),
    calm: z.optional(z.boolean()),
    aliases: z.array(z.number()),
    ref: z.record(z.string(), z.unknown()),
  });

export const show = defineAnswer({
  name: "show",
  summary: "Everything that is known of one control, and why it is relied on as far as it is.",
  words: [["<mark>", ""]],
  output: shownOutput,
  forms: { data: toData, text: showTarget, csv: (shown: Shown) => joinRows("name,value", listFacts(shown)) },
  encloses: () => true,
  run: (_flags, [given = ""]) =>
    withKeeper((keeper): Result<Shown> => {
      const mark = readNumber("mark", given, Number.MAX_SAFE_INTEGER);
      if (!mark.ok) return mark;
      const target = keeper?.find(mark.value);
      if (keeper === undefined || target === undefined) return fail(describeUnknown(mark.value, keeper));
      return succeed({ target, clues: keeper.findClues(target.learned.mark) });
    }),
});

function describeUnknown(mark: number, keeper: Keeper | undefined): Failure {
  const last = keeper?.countMarks() ?? 0;
  const unused = `mark ${mark} was never given out here; the last one is ${last}`;
  const message = mark <= last ? `what mark ${mark} meant was forgotten` : unused;
  return makeFailure("NOT_FOUND", message, "deskmap map list shows what is remembered.");
}

function toData({ target, clues }: Shown): DataOf<typeof shownOutput> {
  const { ref, clickPoint, learned } = target;
  const { same, moved, missing, parent, depth, visualHash, layoutVersion, firstSeenMs, certainty } = learned;
  return {
    ...describeTarget(target),
    firstSeen: new Date(firstSeenMs).toISOString(),
    ...{ same, moved, missing, certainty, parent, depth, layoutVersion },
    visualHash: visualHash || undefined,
    clickPoint,
    why: explainConfidence(learned),
    evidence: { looks: clues.looks, objects: clues.objects },
    calm: clues.isCalm,
    aliases: clues.aliases,
    ref: { ...ref },
  };
}

function showTarget(shown: Shown): string {
  const { ref, learned } = shown.target;
  const head = `${learned.mark} ${ref.role} ${quoteText(ref.name)}`;
  return [head, alignRows(listFacts(shown).map(([name = "", value = ""]) => [`  ${name}`, value]))].join("\n");
}

function listFacts({ target: { ref, clickPoint, learned }, clues }: Shown): string[][] {
  const { bounds } = ref;
  const place = bounds && `${bounds.x},${bounds.y} ${bounds.width}x${bounds.height} in its window`;
  const path = ref.path.map(({ role, name, index, count: all }) => {
    return [role, ...(name === "" ? [] : [quoteText(name)]), ...(all > 1 ? [`${index + 1} of ${all}`] : [])].join(" ");
  });
  const facts: [string, string][] = [
    ["taught", learned.taught === "" ? "" : quoteText(learned.taught)],
    ["application", quoteName(ref.app)],
    ["window", quoteText(windowTitleOf(ref.windows))],
    ["inside", path.join(" > ")],
    ["id", ref.platformId === "" ? "" : quoteText(ref.platformId)],
    ["beside", ref.owner === "" ? "" : quoteText(ref.owner)],
    ["between", ref.sisters.some((one) => one !== "") ? ref.sisters.map((one) => quoteText(one)).join(" and ") : ""],
    ["alike", ref.count > 1 ? `${ref.index + 1} of ${ref.count} sisters` : ""],
    ["twins", ref.twins === 0 ? "" : `${ref.twins} in the window`],
    ["place", [place, clickPoint && `pressed at ${clickPoint.x},${clickPoint.y}`].filter(Boolean).join(", ")],
    ["confidence", roundShare(judgeConfidence(learned)).toFixed(2)],
    ...explainConfidence(learned).map(({ because, confidence }): [string, string] => [
      "because",
      `${confidence.toFixed(2)} ${because}`,
    ]),
    ["acts", `${learned.hits} as wanted, ${learned.misses} not`],
    ["looks", `${learned.same} at the same place, ${learned.moved} elsewhere, ${learned.missing} without it since`],
    ["first seen", showLocalTime(learned.firstSeenMs)],
    ["last seen", showLocalTime(learned.lastSeenMs)],
    ["evidence", `${count(clues.looks, "look")}, ${count(clues.objects, "trace")} of objects`],
    ["changes", describeTemper(clues.isCalm)],
    ["parent", learned.parent === undefined ? "" : String(learned.parent)],
    ["layout", String(learned.layoutVersion)],
    ["also", clues.aliases.map((alias) => String(alias)).join(" ")],
  ];
  return facts.filter(([, value]) => value !== "");
}

function describeTemper(isCalm: boolean | undefined): string {
  if (isCalm === undefined) return "";
  return isCalm ? "only when something is done" : "by itself";
}
