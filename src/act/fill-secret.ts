import type { Filling, SecretCommand } from "../model/command.ts";
import type { Element } from "../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { nameElement } from "../model/observed.ts";
import { confirm, type Judgement } from "./judge.ts";
import type { Intent } from "./perform.ts";
import { takeFocus, type Way } from "./ways.ts";

/** Fills a field with a secret. Only its name is known here; the platform looks it up and counts its characters. */
export function planFillSecret(element: Element, secret: string): Result<Intent> {
  if (!element.states.has("secret")) {
    return fail(
      makeFailure(
        "REFUSED",
        `${nameElement(element)} is no secret field: what is filled in there could be read`,
        "deskmap read shows which fields are secret; set-value and type fill all others.",
        { reason: "secret" },
      ),
    );
  }
  return succeed({
    chain: [byText(secret), byKeys(secret)],
    judge: (attempt) => () => judgeAnswer(attempt.answer),
    isRepeatable: true,
    // The dots of a secret field show nothing.
    isQuiet: true,
  });
}

/** Always tried first, so that the log has the name of the secret before anything is done. */
function byText(secret: string): Way {
  return {
    name: "editable text",
    refuse: ({ states }) => (states.has("readonly") ? "it is read-only" : undefined),
    take: (attempt) => attempt.deliver(fill(attempt.element, secret, "text")),
  };
}

function byKeys(secret: string): Way {
  return {
    name: "focus, select all and type",
    refuse: ({ states }) => (states.has("readonly") ? "it is read-only" : undefined),
    take: async (attempt) => {
      const focused = await takeFocus(attempt);
      if (!focused.ok) return focused;
      const all = { kind: "keys", combo: { modifiers: ["ctrl"], key: "a" } } as const;
      const selected = await attempt.prepare(all, "what it held was selected");
      return selected.ok ? attempt.deliver(fill(attempt.element, secret, "keys")) : selected;
    },
  };
}

function fill(element: Element, secret: string, by: SecretCommand["by"]): SecretCommand {
  return { kind: "fill-secret", element, secret, by };
}

const judgements: Readonly<Record<Filling, Judgement>> = {
  counted: confirm("it holds as many characters as the secret"),
  other: { verdict: "partial", evidence: ["it holds another number of characters than the secret"] },
  untold: { verdict: "unverified", evidence: ["it does not report its content"] },
};

function judgeAnswer(answer: string): Judgement {
  const known = answer === "counted" || answer === "other" ? answer : "untold";
  return judgements[known];
}
