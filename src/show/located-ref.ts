import * as z from "zod/mini";
import type { LocatedRef } from "../model/demo-ref.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import { type Clue, verdicts } from "../model/resolved.ts";
import { sources } from "../model/source.ts";
import { joinRows } from "./csv.ts";
import { type DataOf, type Forms, partly } from "./output.ts";
import { roundShare } from "./remembered.ts";

export const locatedRefOutput = () => {
  const clue = z.strictObject({ feature: z.string(), level: z.string(), weight: z.number() });
  return z.strictObject({
    verdict: z.enum(verdicts),
    // The mark and the properties of the match; absent if there is none.
    id: z.optional(z.number()),
    role: z.optional(z.string()),
    name: z.optional(z.string()),
    app: z.optional(z.string()),
    window: z.optional(z.string()),
    source: z.optional(z.enum(sources)),
    score: z.number(),
    margin: z.number(),
    evidence: z.array(clue),
    nearest: z.array(
      z.strictObject({
        role: z.string(),
        name: z.string(),
        window: z.string(),
        score: z.number(),
        lacks: z.array(clue),
      }),
    ),
    ...partly(),
  });
};

type LocatedRefData = DataOf<typeof locatedRefOutput>;

export const locatedRefForms: Forms<LocatedRef, LocatedRefData> = {
  data({ score, margin, evidence, nearest, notes, ...found }) {
    return {
      ...found,
      score: roundShare(score),
      margin: roundShare(margin),
      evidence: roundWeights(evidence),
      nearest: nearest.map((one) => ({ ...one, score: roundShare(one.score), lacks: roundWeights(one.lacks) })),
      ...(notes === undefined ? {} : { partial: true, notes }),
    };
  },
  text(located) {
    const { verdict, score, margin, evidence, nearest, notes = [] } = located;
    const [sure, lead] = [score.toFixed(3), margin.toFixed(3)];
    const head =
      located.id === undefined
        ? verdict
        : `${verdict} ${located.id} ${showNear({ role: located.role ?? "", name: located.name ?? "", window: located.window ?? "" })}`;
    return [
      `${head}, ${sure} sure, ${lead} before the next`,
      ...notes.map(({ code, text }) => `! ${code} ${cleanLine(text)}`),
      ...evidence.map(
        ({ feature, level, weight }) => ` ${weight > 0 ? "+" : ""}${weight.toFixed(1)} ${feature} ${level}`,
      ),
      ...nearest
        .slice(located.id === undefined ? 0 : 1)
        .map((one) => ` next ${showNear(one)}, ${one.score.toFixed(3)} sure`),
    ].join("\n");
  },
  /** The likeliest elements, a row each. */
  csv({ verdict, id, nearest }) {
    const rows = nearest.map(({ role, name, window, score }, at) => {
      return [verdict, at === 0 && id !== undefined ? String(id) : "", role, name, window, String(roundShare(score))];
    });
    return joinRows("verdict,id,role,name,window,score", rows);
  },
  exitCode: ({ verdict }) => (verdict === "match" ? 0 : 1),
};

function showNear({ role, name, window }: { readonly role: string; readonly name: string; readonly window: string }) {
  return `${cleanLine(role)}${name === "" ? "" : ` ${quoteText(name)}`} in ${quoteName(window)}`;
}

function roundWeights(clues: readonly Clue[]): Clue[] {
  return clues.map((clue) => ({ ...clue, weight: Math.round(clue.weight * 10) / 10 }));
}
