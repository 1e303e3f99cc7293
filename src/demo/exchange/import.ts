import { parseJson } from "../../model/caught.ts";
import { fail, makeFailure, type Result } from "../../model/failure.ts";
import { cleanText } from "../../model/plain-text.ts";
import { type Demo, demoVersion, maxFileBytes, maxSteps, type Parameter, type Step, type StepRef } from "../file.ts";
import { dropUndefined } from "../fit.ts";
import { isTooDeep } from "../json-fault.ts";
import { guessType, listPlaceholders, nameParameter } from "../parameters.ts";
import { readPlain } from "../pictures.ts";
import { checkDemo, maxDepth, parseDemo, readBounded } from "../read.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads a demo of ours, or a recording of Chrome's Recorder. */
export function importDemo(path: string, name: string | undefined): Result<Demo> {
  const text = readBounded(path, maxFileBytes);
  if (!text.ok) return text;
  // What is no JSON is refused with its place.
  const given = isTooDeep(text.value, maxDepth) ? undefined : parseJson(text.value);
  if (given === undefined) return parseDemo(text.value, path);
  if (!isFields(given) || typeof given.title !== "string" || given.format !== undefined) {
    const demo = checkDemo(given, path);
    return demo.ok && name !== undefined ? checkDemo({ ...demo.value, name }, path) : demo;
  }
  return importFlow(given, path, name);
}

const sqliteHead = "SQLite format 3\0";

/** Whether a file is a database, as other recorders write them. */
export function isDatabase(path: string): boolean {
  return readPlain(path, Number.POSITIVE_INFINITY, sqliteHead.length)?.toString("latin1") === sqliteHead;
}

function importFlow(flow: Fields, path: string, name: string | undefined): Result<Demo> {
  const list = Array.isArray(flow.steps) ? flow.steps : [];
  if (list.length > maxSteps) return fail(refuse(path, "steps", `has ${list.length}; at most ${maxSteps} are read`));
  const parameters: Record<string, Parameter> = {};
  const steps: unknown[] = [];
  for (const [index, one] of list.entries()) {
    const place = `steps[${index}]`;
    if (!isFields(one)) return fail(refuse(path, place, "takes an object"));
    const step = importStep(one, parameters);
    if (step === "unknown") {
      return fail(refuse(path, `${place}.type`, `${cleanText(String(one.type), 40)} cannot be imported`));
    }
    if (step === "nameless") {
      return fail(
        refuse(path, `${place}.selectors`, "none of them names a control: aria/…, text/… or an element's kind"),
      );
    }
    steps.push(...step);
  }
  const title = cleanText(String(flow.title), 80)
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, " ")
    .trim();
  const demo = {
    format: "deskmap-demo",
    version: demoVersion,
    name: name ?? (title || "imported"),
    recorded: { at: new Date().toISOString(), by: "import", client: "Chrome Recorder" },
    parameters,
    steps,
  };
  return checkDemo(JSON.parse(JSON.stringify(demo)), path);
}

/** Steps that arrange the browser itself; what a page shows does not depend on them. */
const needless: ReadonlySet<unknown> = new Set(["setViewport", "emulateNetworkConditions", "keyUp", "close"]);

function importStep(given: Fields, parameters: Record<string, Parameter>): readonly Fields[] | "unknown" | "nameless" {
  const { type } = given;
  if (needless.has(type)) return [];
  if (type === "customStep") {
    if (given.name !== "deskmap" || !isFields(given.parameters)) return "unknown";
    addMissing(given.parameters, parameters);
    return [given.parameters];
  }
  if (type === "navigate")
    return typeof given.url === "string" ? [{ tool: "open", input: { what: given.url } }] : "unknown";
  if (type === "keyDown") {
    return typeof given.key === "string" ? [{ tool: "type", input: { key: given.key.toLowerCase() } }] : "unknown";
  }
  const ref = readSelectors(given.selectors);
  if (type === "scroll") return ref === undefined ? [] : [{ tool: "scroll", input: {}, ref, ...untested }];
  const isKnown = type === "click" || type === "doubleClick" || type === "hover" || type === "change";
  if (!isKnown) return type === "waitForElement" && ref !== undefined ? waitFor(ref) : "unknown";
  if (ref === undefined) return "nameless";
  if (type === "change") return importChange(given, ref, parameters);
  const input = {
    ...(type === "doubleClick" ? { double: true } : {}),
    ...(given.button === "secondary" ? { button: "right" } : {}),
  };
  return [{ tool: type === "hover" ? "hover" : "click", input, ref, ...untested }];
}

/** A flow has no parameters: what was one without a value, such as a secret, is one again. */
function addMissing({ tool, input }: Fields, parameters: Record<string, Parameter>): void {
  for (const value of isFields(input) ? Object.values(input) : []) {
    for (const name of typeof value === "string" ? listPlaceholders(value) : []) {
      parameters[name] ??= { type: tool === "fill-secret" ? "secret" : "text" };
    }
  }
}

const untested = { doubts: ["imported: it was not tested whether its ref finds it"] } satisfies Partial<Step>;

function waitFor({ role, name }: StepRef): readonly Fields[] | "nameless" {
  if (name === undefined || name.includes('"')) return "nameless";
  return [{ tool: "wait", input: { for: `${role ?? ""} "${name}" appears`.trim() } }];
}

function importChange({ value }: Fields, ref: StepRef, parameters: Record<string, Parameter>): readonly Fields[] {
  const text = typeof value === "string" ? value : "";
  const isSecret = /passw|secret/i.test(`${ref.name} ${ref.css_selector} ${ref.accessibility_id}`);
  const type = isSecret ? "secret" : guessType(text);
  const name = nameParameter(ref.name ?? "", type, new Set(Object.keys(parameters)));
  parameters[name] = dropUndefined({ type, label: ref.name, default: isSecret ? undefined : text });
  const call = isSecret
    ? { tool: "fill-secret", input: { from: `{{${name}}}` } }
    : { tool: "set-value", input: { text: `{{${name}}}` } };
  return [{ ...call, ref, ...untested }];
}

const kinds: Readonly<Record<string, string>> = {
  a: "link",
  button: "button",
  input: "input",
  textarea: "input",
  select: "combo",
};

/** Each selector is a text, or a list of texts that leads through shadow roots to the last one. */
function readSelectors(given: unknown): StepRef | undefined {
  const all = (Array.isArray(given) ? given : []).flatMap((one: unknown) => {
    const last: unknown = Array.isArray(one) ? one.at(-1) : one;
    return typeof last === "string" && last.length <= 500 ? [last] : [];
  });
  const after = (start: string): string | undefined => all.find((one) => one.startsWith(start))?.slice(start.length);
  const aria = /^(.*?)(?:\[role="([a-z]+)"\])?$/.exec(after("aria/") ?? "");
  const css = all.find((one) => !/^(aria|text|xpath|pierce)\//.test(one));
  const [, tag, id] = /^([a-z]+)?(?:#([\w-]+))?/.exec(css ?? "") ?? [];
  const name = cleanText(aria?.[1] || after("text/") || "", 200);
  const ref = dropUndefined({
    role: aria?.[2] ?? (tag === undefined ? undefined : kinds[tag]),
    name: name === "" ? undefined : name,
    css_selector: css,
    xpath: after("xpath/"),
    tag,
    accessibility_id: id,
    source: "dom" as const,
  });
  return ref.role === undefined && ref.name === undefined ? undefined : ref;
}

function refuse(path: string, place: string, what: string) {
  const suggestion = "export it from Chrome's Recorder as JSON.";
  return makeFailure("USAGE", `${path}: ${place}: ${what}`, suggestion, { done: "nothing was imported." });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
