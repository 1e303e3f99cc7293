import { quoteText } from "../model/plain-text.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import { type Demo, maxStepBytes, type Step, sizeOf } from "./file.ts";
import { listPlaceholders } from "./parameters.ts";
import { hasLiteral } from "./placeholders.ts";
import { isRelatedTitle } from "./replay/answers.ts";
import { needsTarget } from "./tools.ts";

export interface Finding {
  /** From 1; 0 for the demo as a whole. */
  readonly step: number;
  readonly kind: "ref" | "wait" | "coordinates" | "secret" | "effect" | "parameter" | "size" | "doubt";
  readonly what: string;
}

/** What may make a demo stop, or should not be in it. */
export function lintDemo(demo: Demo): readonly Finding[] {
  return [
    ...demo.steps.flatMap((step, index) => lintStep(step, index + 1, demo)),
    ...Object.entries(demo.parameters).flatMap(([name, parameter]) => lintParameter(demo, name, parameter)),
  ];
}

function lintStep(step: Step, n: number, demo: Demo): readonly Finding[] {
  const found: Finding[] = [];
  const add = (kind: Finding["kind"], what: string): void => void found.push({ step: n, kind, what });
  const { tool, ref, evidence = [], effect, wait, input } = step;
  const matchesOf = (by: string): number | undefined => evidence.find((one) => one.by === by)?.matches;
  if (needsTarget(tool) && ref === undefined) add("coordinates", "it has nothing but a place on the screen");
  if (ref !== undefined) {
    const [own, named, id] = [matchesOf("ref"), matchesOf("role+name"), matchesOf("id")];
    if (own === undefined) add("ref", "it was not tested whether its ref finds it");
    else if (own !== 1) add("ref", `its ref found ${own} elements when it was recorded`);
    else if ((named ?? 1) > 1 && id !== 1) add("ref", `${named} controls had this role and name: only its place tells`);
    if (ref.confidence !== undefined && ref.confidence < 0.8) add("ref", "it was only seen in a picture");
  }
  const isPlaced = ref !== undefined || tool === "window" || tool === "type";
  if (isPlaced && wait?.window === undefined && wait?.app === undefined) {
    add("wait", "it does not say which window it needs");
  }
  const before = demo.steps[n - 2];
  const window = wait?.window;
  if (window !== undefined && wait?.opened_by === undefined && before?.wait?.window !== undefined) {
    const isKnown = demo.steps.slice(0, n - 1).some((one) => isRelatedTitle(one.wait?.window ?? "", window));
    if (!isKnown) add("wait", `no step opens the window ${quoteText(window)} that it needs`);
  }
  if (effect === undefined || effect.verdict === "unverified") add("effect", "nothing tells what it does");
  if (effect?.verdict === "no-change") add("effect", "it did nothing that was seen when it was recorded");
  if (sizeOf(step) > maxStepBytes) add("size", `it has ${sizeOf(step)} bytes; ${maxStepBytes} should be enough`);
  if (hasSecret(JSON.stringify(input))) add("secret", "its input looks like a secret");
  if (hasSecret(JSON.stringify([ref, effect, step.window]))) add("secret", "what it saw looks like a secret");
  for (const { name, where, text } of listLiterals(step, n, demo)) {
    add("parameter", `${where} has ${quoteText(text)} whatever ${name} is: with another value it may stop there`);
  }
  for (const doubt of step.doubts ?? []) if (!isAboutRef(doubt)) add("doubt", doubt);
  return found;
}

/** What the findings about refs say already. */
function isAboutRef(doubt: string): boolean {
  return /^(its ref found|it was not tested whether its ref|coordinates only)/.test(doubt);
}

/** Recorded values that stand in what a step seeks or saw since they were typed, without being a parameter there. */
function listLiterals(
  { ref, window, effect }: Step,
  n: number,
  { parameters, steps }: Demo,
): readonly { readonly name: string; readonly where: string; readonly text: string }[] {
  const { opened = [], closed = [], appeared = [], changed = [] } = effect ?? {};
  const places: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ["the name of its control", [ref?.name]],
    ["the title of its window", [window]],
    ["its effect", [...opened, ...closed, ...appeared.map((one) => one.name), ...changed.map(({ after }) => after)]],
  ];
  return Object.entries(parameters).flatMap(([name, { type, default: value = "", from }]) => {
    const first = steps.findIndex(({ input }) =>
      Object.values(input).some((one) => listPlaceholders(one).includes(name)),
    );
    if (type === "secret" || from !== undefined || first < 0 || first >= n) return [];
    return places.flatMap(([where, texts]) => {
      const text = texts.find((one) => one !== undefined && hasLiteral(one, value));
      return text === undefined ? [] : [{ name, where, text }];
    });
  });
}

const secretNames = /passw|passphrase|secret|token|api_?key|(^|_)(pin|cvc|cvv|otp|tan)(_|$)/;

function lintParameter(
  demo: Demo,
  name: string,
  { type, default: value = "" }: Demo["parameters"][string],
): readonly Finding[] {
  const found: Finding[] = [];
  if (type !== "secret" && (hasSecret(value) || (secretNames.test(name) && value !== ""))) {
    found.push({ step: 0, kind: "secret", what: `the value of ${name} looks like a secret: make its type secret` });
  }
  const isUsed = demo.steps.some(({ input }) =>
    Object.values(input).some((one) => listPlaceholders(one).includes(name)),
  );
  if (!isUsed) found.push({ step: 0, kind: "parameter", what: `no step uses ${name}` });
  return found;
}

function hasSecret(text: string): boolean {
  return maskSecrets(text) !== text;
}
