import type { Candidate } from "../../model/element-description.ts";
import type { Clue, Resolved } from "../../model/resolved.ts";
import type { Description } from "./description.ts";
import { type Feature, features, type Level, levels } from "./features.ts";

/** Which candidate a ref means, or why none is accepted. */
export interface Resolution extends Resolved {
  /** The index of the best candidate; it is the answer only if the verdict is match. */
  readonly best: number | undefined;
  /** Indexes of the likeliest candidates, best first. */
  readonly ranking: readonly number[];
  readonly standings: readonly Pick<Candidate, "score" | "lacks">[];
}

/** The minimum score for a match. A refusal costs another read; a wrong match costs a wrong action. */
const minScore = 0.93;
/** The prior probability that the control no longer exists. */
const goneShare = 0.07;
/** The weight of the prior `chance`, as a number of imaginary candidates. */
const imagined = 4;
/** How much position may contribute beyond selecting one of the candidates. */
const placeTrust = 1;
/** A short candidate list is taken for part of a window: the right control may be outside it. */
const minCount = 20;
const maxWeight = 10;
const maxRanking = 5;

/**
 * Weighs every candidate against all others: an agreement counts by how much rarer it is among them than for a control
 * that is still the same. Accepts a candidate only if it is far likelier than every other and than the control being
 * gone.
 */
export function resolve(ref: Description, candidates: readonly Description[]): Resolution {
  if (candidates.length === 0) {
    return { verdict: "not-found", best: undefined, score: 0, margin: 0, evidence: [], ranking: [], standings: [] };
  }
  const weighed = weigh(ref, candidates);
  const sums = weighed.map(sumUp);
  const shares = share(sums.map(({ self, position }) => self + position));
  const ranking = shares.map((_, place) => place).sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0));
  const [best = 0, next = 0] = ranking;
  const [own = [], rival = []] = [weighed[best], weighed[next]];
  // If at least as many look-alikes exist as before, none of them is gone.
  const twins = ref.twins ?? 0;
  const isTwinGone = twins > 0 && weighed.filter(looksSame).length <= twins;
  const isThere = judgePresence(sums[best] ?? { self: 0, position: 0 }, candidates.length, isTwinGone ? twins : 0);
  const score = (shares[best] ?? 0) * isThere;
  const second = ranking.length < 2 ? 0 : (shares[next] ?? 0) * isThere;
  const others = weighed.filter((_, place) => place !== best);
  const isDoubtful = (ranking.length > 1 && areTwins(own, rival)) || others.some((other) => isContested(own, other));
  return {
    verdict: judge(score, second, isDoubtful),
    best,
    score,
    margin: score - second,
    evidence: listEvidence(own),
    ranking: ranking.slice(0, maxRanking),
    standings: ranking.slice(0, maxRanking).map((place) => ({
      score: (shares[place] ?? 0) * isThere,
      lacks: listLacks(own, weighed[place] ?? []),
    })),
  };
}

/** Negligible evidence is left out. */
function listEvidence(list: readonly Weighed[]): readonly Clue[] {
  return list
    .filter(({ weight }) => Math.abs(weight) >= 0.1)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .map(({ feature, level, weight }) => ({ feature: feature.name, level, weight }));
}

function listLacks(best: readonly Weighed[], other: readonly Weighed[]): readonly Clue[] {
  const weights = new Map(best.map(({ feature, weight }) => [feature.name, weight]));
  const lacks = other.map((one) => ({ ...one, weight: one.weight - (weights.get(one.feature.name) ?? 0) }));
  return listEvidence(lacks.filter(({ weight }) => weight < 0));
}

function judge(score: number, second: number, isDoubtful: boolean): Resolution["verdict"] {
  if (isDoubtful && score + second > 1 - minScore) return "ambiguous";
  if (score >= minScore) return "match";
  return second > 1 - minScore && second > score / 20 ? "ambiguous" : "not-found";
}

interface Sums {
  /** Evidence from the control itself. */
  readonly self: number;
  /** Evidence from its kind, neighbours, containers and position, which another control may share. */
  readonly position: number;
}

function sumUp(list: readonly Weighed[]): Sums {
  const sum = (isSelf: boolean): number =>
    list.reduce((total, { feature, weight }) => total + ((feature.about === "self") === isSelf ? weight : 0), 0);
  return { self: sum(true), position: sum(false) };
}

/** The probability of each candidate, given that one of them is right. */
function share(totals: readonly number[]): number[] {
  const most = totals.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const odds = totals.map((total) => Math.exp(total - most));
  const all = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / all);
}

/**
 * The probability that the control still exists, judged by the best candidate. A replacement inherits the whole
 * surroundings, so their evidence is capped; and evidence about the control itself supports its twins equally.
 */
function judgePresence({ self, position }: Sums, given: number, twinsBefore: number): number {
  const count = Math.max(given, minCount);
  const bySelf = twinsBefore > 0 ? Math.min(self, Math.log(count)) : self;
  // One of the twins is gone, and it may be this one.
  const gone = twinsBefore > 0 ? 1 / (twinsBefore + 1) : goneShare;
  const odds = (Math.exp(bySelf + Math.min(position, Math.log(count) + placeTrust)) * (1 - gone)) / count;
  return odds / (odds + gone);
}

function looksSame(list: readonly Weighed[]): boolean {
  const telling = list.filter(({ feature }) => lookFeatures.has(feature.name));
  return telling.every(({ level }) => level === "same" || level === "neither");
}

/** The features that twins share. */
const lookFeatures: ReadonlySet<string> = new Set(["role", "tag", "name", "address"]);

interface Weighed {
  readonly feature: Feature;
  readonly level: Level;
  readonly weight: number;
}

function weigh(ref: Description, candidates: readonly Description[]): Weighed[][] {
  const weighed: Weighed[][] = candidates.map(() => []);
  const kinds = candidates.map(({ role = "", tag = "" }) => `${role} ${tag}`);
  for (const feature of features) {
    const met = candidates.map((candidate) => feature.compare(ref, candidate));
    // If most candidates have a feature that the ref lacks, it was not recorded when the ref was made.
    if (met.filter((level) => level === "gained").length * 2 > met.length) continue;
    // If most candidates lack one that the ref has, such as an id, the application no longer uses it.
    if (dispensable.has(feature.name) && met.filter((level) => level === "lost").length * 2 > met.length) continue;
    // A name is compared among candidates of the same kind: the text inside a button has the button's name.
    const peers = kindFeatures.has(feature.name) ? candidates.map(() => "") : kinds;
    const counts = countPairs(peers, met);
    const sizes = countPairs(peers, peers);
    met.forEach((level, place) => {
      const peer = peers[place] ?? "";
      // Counted among the others: a candidate does not show how common its own agreement is.
      const others = (counts.get(`${peer} ${level}`) ?? 0) - 1;
      const all = (sizes.get(`${peer} ${peer}`) ?? 0) - 1;
      const counted = (others + imagined * feature.chance[level]) / (all + imagined);
      // A disagreement does not speak for a candidate because it is rare among the others.
      const isAgainst = disagreements.has(level) || (level === "near" && feature.about === "self");
      const usualOfOthers = isAgainst ? Math.max(counted, feature.chance[level]) : counted;
      const ratio = Math.log(feature.usual[level] / usualOfOthers);
      const weight = feature.weight * Math.max(-maxWeight, Math.min(maxWeight, ratio));
      weighed[place]?.push({ feature, level, weight });
    });
  }
  return weighed;
}

const disagreements: ReadonlySet<Level> = new Set<Level>(["far", "lost", "gained", "neither"]);

const dispensable: ReadonlySet<string> = new Set(["id", "made-up id", "class", "attributes"]);

const kindFeatures: ReadonlySet<string> = new Set(["role", "tag"]);

function countPairs(ones: readonly string[], others: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  ones.forEach((one, at) => {
    const pair = `${one} ${others[at]}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  });
  return counts;
}

/**
 * Whether two candidates are equal in themselves and only position favours one. A duplicate inserted before the
 * original takes its position, but not its adjacent texts.
 */
function areTwins(best: readonly Weighed[], rival: readonly Weighed[]): boolean {
  // As many look-alikes as before, and this one at the old index: nothing was duplicated.
  if (best.some(({ feature, level }) => feature.name === "index" && level === "same")) return false;
  return best.every(({ feature, level }, at) => {
    const other = rival[at]?.level;
    if (feature.about === "order") return true;
    if (feature.about === "self") return level === other;
    return level !== "same" || other === "same" || (feature.about === "beside" && other === "close");
  });
}

/** Whether an equal-looking candidate fits the container better: then the evidence is contradictory. */
function isContested(best: readonly Weighed[], other: readonly Weighed[]): boolean {
  if (!looksSame(best) || !looksSame(other)) return false;
  return best.some(({ feature, level }, at) => {
    const rival = other[at]?.level;
    return feature.about === "around" && rival !== undefined && levels.indexOf(rival) < levels.indexOf(level);
  });
}
