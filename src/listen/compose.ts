import type { Inputs } from "./inputs.ts";
import { composeKey, isKey, isModifier } from "./keys.ts";
import type { Eyes, Seen } from "./moment.ts";
import { composePress, composeWheel, isPress, isTurn } from "./pointer.ts";
import type { Step } from "./step.ts";
import { composeText, isTyping } from "./texts.ts";

/** A step, and the input that began it. */
export interface Composed {
  readonly step: Step;
  readonly seen: Seen;
}

/** Turns a person's inputs into steps, until they end. Gaps that follow each other are one. */
export async function* composeSteps(inputs: Inputs, eyes: Eyes): AsyncGenerator<Composed> {
  let gap: string | undefined;
  for (let seen = await inputs.take(); seen !== undefined; seen = await inputs.take()) {
    for (const step of await composeOne(seen, inputs, eyes)) {
      if (step.gap === undefined || step.gap !== gap) yield { step, seen };
      gap = step.gap;
    }
  }
}

async function composeOne(seen: Seen, inputs: Inputs, eyes: Eyes): Promise<readonly Step[]> {
  if (isTurn(seen)) return composeWheel(seen, inputs, eyes);
  if (isPress(seen)) return seen.input.kind === "press" ? composePress(seen, inputs, eyes) : [];
  if (!isKey(seen)) return [];
  const { key } = seen.input;
  if (isTyping(seen.input)) return composeText(seen, inputs, eyes);
  if (!isModifier(key)) return composeKey(seen, inputs, eyes);
  return isAlone(key, await inputs.next(longestTapMs), inputs) ? composeKey(seen, inputs, eyes) : [];
}

const longestTapMs = 600;

/** The Super key opens a menu if nothing is pressed with it. */
function isAlone(key: string, next: Seen | undefined, inputs: Inputs): boolean {
  if (!key.startsWith("Super_") || next?.input.kind !== "key-release" || next.input.key !== key) return false;
  inputs.drop();
  return true;
}
