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
  picked: { sign: "✓", word: "Picked by a person", kind: "good" },
  yes: { sign: "✓", word: "Allowed", kind: "good" },
  denied: { sign: "⊘", word: "Refused by a person", kind: "bad" },
  unanswered: { sign: "⊘", word: "Not answered: refused", kind: "bad" },
};

/** Codes and reasons of failures. */
const reasons: Readonly<Record<string, string>> = {
  USAGE: "it cannot be done in this way",
  NOT_FOUND: "what was meant is not there",
  AMBIGUOUS: "several things fit",
  UNAVAILABLE: "something that it needs is not there",
  TIMEOUT: "it took too long",
  FAILED: "it failed",
  CANCELLED: "it was wanted no more",
  REFUSED: "it is not allowed",
  PATTERN_UNSUPPORTED: "the control cannot do this",
  NOT_VISIBLE: "the control is not in view",
  DISABLED: "the control is disabled",
  MOVING: "the control does not keep still",
  COVERED: "something lies over the control",
  stopped: "everything was stopped",
  policy: "the policy file cannot be used",
  "read-only": "only looking is allowed",
  blind: "the application is never looked at",
  "hands-off": "the application is only read, not controlled",
  rule: "a rule of the policy forbids it",
  rate: "too many actions in a minute",
  turn: "another client had its turn",
  unasked: "no person could be asked",
  audit: "it could not be written into the log",
  secret: "it would show a secret",
  forged: "no person has given this permission",
  no: "a person said no",
};

/** What no failure is told by, but by the log's word for what happened. */
const events: Readonly<Record<string, string>> = {
  stop: "Everything was stopped",
  resume: "Everything may go on",
  allow: "Allowed for a time",
  policy: "What holds was changed",
  look: "Looked at",
};

/** Longer than anybody waits for an answer. */
const longestAskMs = 120_000;

interface Happened {
  readonly what: string;
  readonly effect: string;
  readonly atMs?: number | undefined;
}

/** What came of it, in words. */
export function describeEffect({ what, effect, atMs }: Happened, nowMs = Date.now()): EffectWords {
  const words = known[effect];
  if (words !== undefined) return words;
  const reason = reasons[effect] ?? effect;
  if (what === "action" && effect === "") return { sign: "…", word: "Going on", kind: "plain" };
  if (what === "action") return { sign: "✗", word: `Not done: ${reason}`, kind: "bad" };
  if (what === "ask" && effect === "") {
    const isOver = atMs !== undefined && nowMs - atMs > longestAskMs;
    return { sign: "…", word: isOver ? "No answer in the log" : "Waits for a person", kind: "warn" };
  }
  if (what === "ask" || what === "refused") return { sign: "⊘", word: `Refused: ${reason}`, kind: "bad" };
  const event = events[what];
  return {
    sign: "•",
    word: event === undefined ? reason || what : event + (effect === "" ? "" : `: ${reason}`),
    kind: "plain",
  };
}

/** Whether something was done, so that the way in which it was done tells something. */
export function isDelivered(effect: string): boolean {
  return !Object.hasOwn(reasons, effect) && effect !== "" && effect !== "unfinished";
}
