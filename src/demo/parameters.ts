import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Demo, ParameterType, Step, StepInput, StepRef } from "./file.ts";

export type Values = Readonly<Record<string, string>>;

const placeholder = /\{\{([a-z][a-z0-9_]{0,39})\}\}/g;

const looks: readonly (readonly [ParameterType, RegExp])[] = [
  ["email", /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/],
  ["date", /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})|\d{1,2}\/\d{1,2}\/(?:\d{2}|\d{4}))$/],
  ["number", /^[+-]?(?:\d{1,15}|\d{1,3}(?:[ ',.]\d{3})+)(?:[.,]\d{1,10})?$/],
  ["path", /^(?:~?\/|\.{1,2}\/|[A-Za-z]:\\|file:\/\/)[^\n]*$/],
];

/** What a typed value is by its looks. */
export function guessType(value: string): ParameterType {
  return looks.find(([, pattern]) => pattern.test(value))?.[0] ?? "text";
}

/** Why a value is not of a type; undefined if it is. A text may be anything; a secret is named, not given. */
export function refuseValue(type: ParameterType, value: string): string | undefined {
  const pattern = looks.find(([one]) => one === type)?.[1];
  if (type === "secret") return /^\S{1,200}$/.test(value) ? undefined : "takes the name of a secret, without spaces";
  if (pattern === undefined || type === "path" || pattern.test(value)) return undefined;
  return `does not look like ${type === "email" ? "an e-mail address" : `a ${type}`}`;
}

/** A name for a parameter from a label, such as e_mail_address. */
export function nameParameter(label: string, type: ParameterType, taken: ReadonlySet<string>): string {
  const words = label
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 30)
    .replace(/_+$/, "");
  const isAddress = type === "email" && /^e_?mail/.test(words);
  const plain = isAddress || words === "" ? type : /^\d/.test(words) ? `p_${words}` : words;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plain : `${plain}_${number}`;
    if (!taken.has(name)) return name;
  }
}

export function listPlaceholders(value: StepInput[string]): readonly string[] {
  const texts = typeof value === "string" ? [value] : typeof value === "object" ? value : [];
  return texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name = ""]) => name));
}

/** One pass: a value that looks like a placeholder stays as it is. */
export function fillText(text: string, values: Values): string {
  if (!text.includes("{{")) return text;
  return text.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? "") : whole,
  );
}

export function fillInput(input: StepInput, values: Values): StepInput {
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => {
      if (typeof value === "string") return [field, fillText(value, values)];
      return [field, typeof value === "object" ? value.map((one) => fillText(one, values)) : value];
    }),
  );
}

/** The texts of a ref may name a document or an entry that was typed before. */
export function fillRef(ref: StepRef, values: Values): StepRef {
  const fill = (text: string): string => fillText(text, values);
  const { name, window, container_path, neighbours, sisters } = ref;
  return {
    ...ref,
    ...(name === undefined ? {} : { name: fill(name) }),
    ...(window === undefined ? {} : { window: fill(window) }),
    ...(container_path === undefined ? {} : { container_path: container_path.map(fill) }),
    ...(neighbours === undefined ? {} : { neighbours: neighbours.map(fill) }),
    ...(sisters === undefined ? {} : { sisters: [fill(sisters[0]), fill(sisters[1])] }),
  };
}

export function describeStray(name: string, known: readonly string[]): Failure {
  const has = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  return describeUsage(`the demo has no parameter called ${JSON.stringify(name)}: ${has}`, "--param NAME=VALUE");
}

/** The values of a run: those that are given, else the recorded ones. Those that a step produces come later. */
export function chooseValues(
  demo: Demo,
  given: Values,
  steps: readonly Step[] = demo.steps,
  isDry = false,
): Result<Values> {
  const known = Object.keys(demo.parameters);
  const stray = Object.keys(given).find((name) => !known.includes(name));
  if (stray !== undefined) return fail(describeStray(stray, known));
  const needed = new Set(steps.flatMap(({ input }) => Object.values(input).flatMap(listPlaceholders)));
  const values: Record<string, string> = {};
  for (const [name, { type, default: recorded, from }] of Object.entries(demo.parameters)) {
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    const wrong = own === undefined ? undefined : refuseValue(type, own);
    if (wrong !== undefined) {
      const suggestion = "give another value, or change the type of the parameter in the file to text.";
      return fail(describeUsage(`--param ${name}: ${wrong}`, suggestion));
    }
    const value = own ?? recorded;
    if (value !== undefined) values[name] = value;
    else if (needed.has(name) && from === undefined && !isDry) {
      const what = type === "secret" ? "NAME (the name of a secret that you keep)" : "VALUE";
      return fail(describeUsage(`the demo needs a value for ${name}`, `--param ${name}=${what}`));
    }
  }
  return succeed(values);
}
