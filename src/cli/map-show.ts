import type { Clues, Keeper, Learned, StoredTarget } from "../map/keep/keeper.ts";
import { type Failure, nothingDone } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import { judgeConfidence } from "../model/target.ts";
import { joinRows } from "../show/csv.ts";
import { stringify } from "../show/json.ts";
import { alignRows, describeTarget, nameWindow, roundShare } from "./map-describe.ts";
import { type FormatFlags, readNumber, withKeeper } from "./map-open.ts";
import { frame } from "./output.ts";
import { answer, type Forms } from "./report.ts";

export async function runShow(given: string, flags: FormatFlags): Promise<void> {
  await answer(flags.format, () =>
    withKeeper((keeper): { forms: Forms } | Failure => {
      const mark = readNumber("mark", given, Number.MAX_SAFE_INTEGER);
      if (!mark.ok) return mark.failure;
      const target = keeper?.find(mark.value);
      if (keeper === undefined || target === undefined) return describeUnknown(mark.value, keeper);
      const clues = keeper.findClues(target.learned.mark);
      return {
        forms: {
          text: () => frame(showTarget(target, clues), 1),
          json: () => stringify(toJson(target, clues), flags.pretty === true),
          csv: () => joinRows("name,value", listFacts(target, clues)),
        },
      };
    }),
  );
}

function describeUnknown(mark: number, keeper: Keeper | undefined): Failure {
  const last = keeper?.countMarks() ?? 0;
  const wasGiven = mark <= last;
  return {
    code: "NOT_FOUND",
    message: wasGiven
      ? `what mark ${mark} meant was forgotten`
      : `mark ${mark} was never given out here; the last one is ${last}`,
    suggestion: "deskmap map list shows what is remembered.",
    done: nothingDone,
  };
}

interface Step {
  readonly because: string;
  readonly confidence: number;
}

/** How each kind of news changed what the control is relied on, one after the other. */
function explainConfidence({ source, certainty, same, missing, hits, misses }: Learned): Step[] {
  const start = { source, certainty, same: 0, missing: 0, hits: 0, misses: 0 };
  const steps = [
    { because: `told by ${source}`, known: start, isSo: true },
    { because: `${count(same, "look")} at the same place`, known: { ...start, same }, isSo: same > 0 },
    { because: `${count(hits, "act")} came out as wanted`, known: { ...start, same, hits }, isSo: hits > 0 },
    { because: `${count(misses, "act")} did not`, known: { ...start, same, hits, misses }, isSo: misses > 0 },
    {
      because: `not there in the last ${count(missing, "look")} at where it was`,
      known: { ...start, same, hits, misses, missing },
      isSo: missing > 0,
    },
  ];
  return steps
    .filter(({ isSo }) => isSo)
    .map(({ because, known }) => ({ because, confidence: roundShare(judgeConfidence(known)) }));
}

function toJson(target: StoredTarget, clues: Clues): object {
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
    ref,
  };
}

function showTarget(target: StoredTarget, clues: Clues): string {
  const { ref, learned } = target;
  const head = `${learned.mark} ${ref.role} ${quoteText(ref.name)}`;
  return [head, alignRows(listFacts(target, clues).map(([name = "", value = ""]) => [`  ${name}`, value]))].join("\n");
}

function listFacts({ ref, clickPoint, learned }: StoredTarget, clues: Clues): string[][] {
  const { bounds } = ref;
  const place = bounds && `${bounds.x},${bounds.y} ${bounds.width}x${bounds.height} in its window`;
  const path = ref.path.map(({ role, name, index, count: all }) => {
    return [role, ...(name === "" ? [] : [quoteText(name)]), ...(all > 1 ? [`${index + 1} of ${all}`] : [])].join(" ");
  });
  const facts: [string, string][] = [
    ["taught", learned.taught === "" ? "" : quoteText(learned.taught)],
    ["application", quoteName(ref.app)],
    ["window", quoteText(nameWindow(ref.windows))],
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

function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}
