import type { Description } from "./description.ts";
import { type Feature, features, type Level, levels } from "./features.ts";

/** Which of the candidates a ref means, or why none of them is taken. */
export interface Resolution {
  readonly verdict: "match" | "not-found" | "ambiguous";
  /** The place of the best one in the list; it is the answer only where the verdict is match. */
  readonly best: number | undefined;
  /** How sure it is that the best one is meant, from 0 to 1. */
  readonly score: number;
  /** How much surer than of the next one. */
  readonly margin: number;
  /** What spoke for the best one and against it, the weightiest first. */
  readonly evidence: readonly Evidence[];
  /** The likeliest, the best first. */
  readonly ranking: readonly number[];
  /** Of each in the ranking: how sure it would be, and what speaks less for it than for the best, the weightiest first. */
  readonly standings: readonly Standing[];
}

interface Standing {
  readonly score: number;
  readonly lacks: readonly Evidence[];
}

interface Evidence {
  readonly feature: string;
  readonly level: Level;
  /** Above 0 it speaks for the candidate; in nats. */
  readonly weight: number;
}

/** How sure one must be to take it. Below, a refusal costs a look; a wrong match costs what the control does. */
const minScore = 0.92;
/** How often the control is not there any more. */
const goneShare = 0.07;
/** How many imagined other controls are counted beside the candidates. */
const imagined = 4;
/** How much all surroundings together may say beyond picking one of the candidates. */
const placeTrust = 1;
/** A few candidates are taken for a part of a window: the one that is meant may be among the rest. */
const minCount = 20;
const maxWeight = 10;
const maxRanking = 5;

/**
 * Weighs every candidate against all others: an agreement counts for as much as it is rarer among them than with a
 * control that is still the same. The answer is the candidate that is far likelier than every other and than its being
 * gone; otherwise there is none.
 */
export function resolve(ref: Description, candidates: readonly Description[]): Resolution {
  if (candidates.length === 0) {
    return { verdict: "not-found", best: undefined, score: 0, margin: 0, evidence: [], ranking: [], standings: [] };
  }
  const weighed = weigh(ref, candidates);
  const sums = weighed.map(sumUp);
  const shares = share(sums.map(({ look, position }) => look + position));
  const ranking = shares.map((_, place) => place).sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0));
  const [best = 0, next = 0] = ranking;
  const [own = [], rival = []] = [weighed[best], weighed[next]];
  // As long as no fewer than before look so, none of them has gone.
  const twins = ref.twins ?? 0;
  const isTwinGone = twins > 0 && weighed.filter(looksSame).length <= twins;
  const isThere = judgePresence(sums[best] ?? { look: 0, position: 0 }, candidates.length, isTwinGone ? twins : 0);
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

/** What hardly says anything is left out. */
function listEvidence(list: readonly Weighed[]): readonly Evidence[] {
  return list
    .filter(({ weight }) => Math.abs(weight) >= 0.1)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .map(({ feature, level, weight }) => ({ feature: feature.name, level, weight }));
}

function listLacks(best: readonly Weighed[], other: readonly Weighed[]): readonly Evidence[] {
  const weights = new Map(best.map(({ feature, weight }) => [feature.name, weight]));
  const lacks = other.map((one) => ({ ...one, weight: one.weight - (weights.get(one.feature.name) ?? 0) }));
  return listEvidence(lacks.filter(({ weight }) => weight < 0));
}

function judge(score: number, second: number, isDoubtful: boolean): Resolution["verdict"] {
  if (isDoubtful) return "ambiguous";
  if (score >= minScore) return "match";
  return second > 1 - minScore && second > score / 20 ? "ambiguous" : "not-found";
}

interface Sums {
  /** What speaks for it by what it is itself. */
  readonly look: number;
  /** What speaks for it by what it is beside and inside of and where it stands. */
  readonly position: number;
}

function sumUp(list: readonly Weighed[]): Sums {
  const sum = (isLook: boolean): number =>
    list.reduce((total, { feature, weight }) => total + ((feature.about === "self") === isLook ? weight : 0), 0);
  return { look: sum(true), position: sum(false) };
}

/** How likely each is the one, if one of them is. */
function share(totals: readonly number[]): number[] {
  const most = totals.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const odds = totals.map((total) => Math.exp(total - most));
  const all = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / all);
}

/**
 * How likely the one that is meant is there at all, by the best one. Whoever has taken the place of a control has all of
 * its surroundings, so that these say only so much together; and what a control is itself says as much for a twin of it.
 */
function judgePresence({ look, position }: Sums, given: number, twinsBefore: number): number {
  const count = Math.max(given, minCount);
  const byLook = twinsBefore > 0 ? Math.min(look, Math.log(count)) : look;
  // One of them has gone, and it may as well be this one.
  const gone = twinsBefore > 0 ? 1 / (twinsBefore + 1) : goneShare;
  const odds = (Math.exp(byLook + Math.min(position, Math.log(count) + placeTrust)) * (1 - gone)) / count;
  return odds / (odds + gone);
}

function looksSame(list: readonly Weighed[]): boolean {
  const telling = list.filter(({ feature }) => lookFeatures.has(feature.name));
  return telling.every(({ level }) => level === "same" || level === "neither");
}

/** What twins have in common. */
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
    // What most have and the ref has not was not looked for when it was described.
    if (met.filter((level) => level === "gained").length * 2 > met.length) continue;
    // What a button is called says something among buttons; the text inside it is called the same.
    const peers = kindFeatures.has(feature.name) ? candidates.map(() => "") : kinds;
    const counts = countPairs(peers, met);
    const sizes = countPairs(peers, peers);
    met.forEach((level, place) => {
      const peer = peers[place] ?? "";
      // Among the others: a candidate says nothing about how common its own agreement is.
      const others = (counts.get(`${peer} ${level}`) ?? 0) - 1;
      const all = (sizes.get(`${peer} ${peer}`) ?? 0) - 1;
      const usualOfOthers = (others + imagined * feature.chance[level]) / (all + imagined);
      const ratio = Math.log(feature.usual[level] / usualOfOthers);
      const weight = feature.weight * Math.max(-maxWeight, Math.min(maxWeight, ratio));
      weighed[place]?.push({ feature, level, weight });
    });
  }
  return weighed;
}

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
 * Whether two are the same in themselves, and only where they stand speaks for one of them. A double put before the one
 * that is meant stands where that one stood; it does not stand beside the same texts.
 */
function areTwins(best: readonly Weighed[], rival: readonly Weighed[]): boolean {
  // As many look-alikes as before, and this one in the old place among them: nothing was doubled.
  if (best.some(({ feature, level }) => feature.name === "index" && level === "same")) return false;
  return best.every(({ feature, level }, at) => {
    const other = rival[at]?.level;
    if (feature.about === "order") return true;
    if (feature.about === "self") return level === other;
    return level !== "same" || other === "same" || (feature.about === "beside" && other === "close");
  });
}

/** Whether another one that looks the same is in a container that fits better: then the two of them contradict each other. */
function isContested(best: readonly Weighed[], other: readonly Weighed[]): boolean {
  if (!looksSame(best) || !looksSame(other)) return false;
  return best.some(({ feature, level }, at) => {
    const rival = other[at]?.level;
    return feature.about === "around" && rival !== undefined && levels.indexOf(rival) < levels.indexOf(level);
  });
}
