interface EffectWords {
  /** Distinguishes the kinds without colour. */
  readonly sign: string;
  readonly word: string;
  readonly kind: "good" | "bad" | "warn" | "plain";
}

const known: Readonly<Record<string, EffectWords>> = {
  confirmed: { sign: "✓", word: "Confirmed: the expected effect was observed", kind: "good" },
  partial: { sign: "◐", word: "Partial: only part of the effect was observed", kind: "warn" },
  unverified: { sign: "?", word: "Unverified: delivered, but nothing shows its effect", kind: "warn" },
  "no-change": { sign: "=", word: "No change: delivered, but nothing changed", kind: "warn" },
  "wrong-target": { sign: "✗", word: "Wrong target: something else changed", kind: "bad" },
  refused: { sign: "⊘", word: "Refused: nothing was done", kind: "bad" },
  unfinished: { sign: "…", word: "No end in the log: still running, or killed", kind: "warn" },
  picked: { sign: "✓", word: "Picked by a person", kind: "good" },
  yes: { sign: "✓", word: "Allowed", kind: "good" },
  denied: { sign: "⊘", word: "Refused by a person", kind: "bad" },
  unanswered: { sign: "⊘", word: "Not answered: refused", kind: "bad" },
};

/** Codes and reasons of failures. */
const reasons: Readonly<Record<string, string>> = {
  USAGE: "the request is not valid",
  NOT_FOUND: "the target was not found",
  AMBIGUOUS: "several targets match",
  UNAVAILABLE: "something that it needs is not available",
  TIMEOUT: "it took too long",
  FAILED: "it failed",
  CANCELLED: "it was cancelled",
  REFUSED: "it is not allowed",
  PATTERN_UNSUPPORTED: "the control cannot do this",
  NOT_VISIBLE: "the control is not in view",
  DISABLED: "the control is disabled",
  MOVING: "the control keeps moving",
  COVERED: "something covers the control",
  stopped: "everything was stopped",
  policy: "the policy file cannot be used",
  "read-only": "only reading is allowed",
  blind: "the application is never read",
  "hands-off": "the application is only read, not controlled",
  rule: "a rule of the policy forbids it",
  rate: "too many actions in a minute",
  turn: "another client had the turn",
  unasked: "no person could be asked",
  audit: "it could not be written to the log",
  secret: "it would show a secret",
  forged: "no person has given this permission",
  no: "a person said no",
};

/** Log entries that are not actions, by kind. */
const events: Readonly<Record<string, string>> = {
  stop: "Everything was stopped",
  resume: "Everything was resumed",
  allow: "Allowed for a time",
  policy: "The policy was changed",
  look: "Looked at",
};

/** Longer than any question stays open. */
const longestAskMs = 120_000;

interface Happened {
  readonly what: string;
  readonly effect: string;
  readonly atMs?: number | undefined;
}

/** Describes the outcome. */
export function describeEffect({ what, effect, atMs }: Happened, nowMs = Date.now()): EffectWords {
  const words = known[effect];
  if (words !== undefined) return words;
  const reason = reasons[effect] ?? effect;
  if (what === "action" && effect === "") return { sign: "…", word: "Running", kind: "plain" };
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

/** Whether the action was delivered; otherwise its way of acting means nothing. */
export function isDelivered(effect: string): boolean {
  return !Object.hasOwn(reasons, effect) && effect !== "" && effect !== "unfinished";
}
