interface EffectWords {
  /** Told apart without colours. */
  readonly sign: string;
  readonly word: string;
  readonly kind: "good" | "bad" | "warn" | "plain";
}

const known: Readonly<Record<string, EffectWords>> = {
  confirmed: { sign: "✓", word: "Confirmed: what was wanted is seen", kind: "good" },
  partial: { sign: "◐", word: "Partial: a part of it is seen", kind: "warn" },
  unverified: { sign: "?", word: "Unverified: delivered, nothing shows what it did", kind: "warn" },
  "no-change": { sign: "=", word: "No change: delivered, everything is as it was", kind: "warn" },
  "wrong-target": { sign: "✗", word: "Wrong target: something else changed", kind: "bad" },
  refused: { sign: "⊘", word: "Refused: nothing was done", kind: "bad" },
  unfinished: { sign: "…", word: "No end in the log: it goes on, or was ended", kind: "warn" },
  yes: { sign: "✓", word: "Allowed", kind: "good" },
  denied: { sign: "⊘", word: "Refused by a person", kind: "bad" },
  unanswered: { sign: "⊘", word: "Not answered: refused", kind: "bad" },
};

/** What came of it, in words. */
export function describeEffect({ what, effect }: { readonly what: string; readonly effect: string }): EffectWords {
  const words = known[effect];
  if (words !== undefined) return words;
  if (what === "action" && effect === "") return { sign: "…", word: "Going on", kind: "plain" };
  if (what === "action") return { sign: "✗", word: `Not done: ${effect}`, kind: "bad" };
  if (what === "ask") return { sign: "…", word: "Waits for a person", kind: "warn" };
  if (what === "refused") return { sign: "⊘", word: `Refused: ${effect}`, kind: "bad" };
  return { sign: "•", word: effect === "" ? what : effect, kind: "plain" };
}
