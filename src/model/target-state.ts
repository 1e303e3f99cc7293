import { lastingStates, type RecordedAction, type TargetState } from "./demo.ts";
import type { SingleElement } from "./element.ts";
import { isMasked, maskSecrets } from "./secrets-in-text.ts";
import { isPixelSource } from "./source.ts";

/** Longer ones may have been cut off when they were read. */
const longestValue = 1900;

/** What is recorded of a target beside its ref; undefined for one that is secret, or that no application describes. */
export function describeTargetStates(
  before: SingleElement | undefined,
  after: SingleElement | undefined,
): Pick<RecordedAction, "target"> {
  if (before === undefined || isPixelSource(before.source)) return {};
  if ([before, after].some((one) => one?.states.has("secret"))) return {};
  return {
    target: {
      before: describe(before),
      ...(after === undefined ? {} : { after: describe(after) }),
      isMultiline: before.states.has("multiline"),
      isCheckable: before.states.has("checkable") || before.states.has("checked"),
    },
  };
}

function describe({ value, states }: SingleElement): TargetState {
  const isWhole = value.length <= longestValue && maskSecrets(value) === value && !isMasked(value);
  return { ...(isWhole ? { value } : {}), states: lastingStates.filter((state) => states.has(state)) };
}
