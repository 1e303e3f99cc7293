import type { Filling, SecretCommand } from "../model/command.ts";
import type { Element } from "../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { confirm, type Judgement } from "./judge.ts";
import type { Intent } from "./perform.ts";
import { takeFocus, type Way } from "./ways.ts";
import { nameElement } from "./words.ts";

/** Fills a field with a secret of which nothing but the name is known here: it is found, filled in and counted elsewhere. */
export function planFillSecret(element: Element, secret: string): Result<Intent> {
  if (!element.states.has("secret")) {
    return fail(
      makeFailure(
        "REFUSED",
        `${nameElement(element)} is no secret field: what is filled in there could be read`,
        "deskmap read shows which fields are secret; set-value and type fill in what is none.",
        { reason: "secret" },
      ),
    );
  }
  return succeed({
    chain: [byText(secret), byKeys(secret)],
    judge: (stage) => () => judgeAnswer(stage.answer),
    isRepeatable: true,
    // Dots do not tell what they stand for.
    isQuiet: true,
  });
}

/** Always tried first: so the log has the secret's name before anything is done. */
function byText(secret: string): Way {
  return {
    name: "editable text",
    refuse: ({ states }) => (states.has("readonly") ? "it is read-only" : undefined),
    take: (stage) => stage.deliver(fill(stage.element, secret, "text")),
  };
}

function byKeys(secret: string): Way {
  return {
    name: "focus, select all and type",
    refuse: ({ states }) => (states.has("readonly") ? "it is read-only" : undefined),
    take: async (stage) => {
      const focused = await takeFocus(stage);
      if (!focused.ok) return focused;
      const all = { kind: "keys", combo: { modifiers: ["ctrl"], key: "a" } } as const;
      const selected = await stage.prepare(all, "what it held was selected");
      return selected.ok ? stage.deliver(fill(stage.element, secret, "keys")) : selected;
    },
  };
}

function fill(element: Element, secret: string, by: SecretCommand["by"]): SecretCommand {
  return { kind: "fill-secret", element, secret, by };
}

const judgements: Readonly<Record<Filling, Judgement>> = {
  counted: confirm("it holds as many characters as the secret"),
  other: { verdict: "partial", evidence: ["it holds another number of characters than the secret"] },
  untold: { verdict: "unverified", evidence: ["it tells nothing of what it holds"] },
};

function judgeAnswer(answer: string): Judgement {
  const known = answer === "counted" || answer === "other" ? answer : "untold";
  return judgements[known];
}
