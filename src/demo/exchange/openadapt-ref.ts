import type { DemoEvidence, DemoRef } from "../../model/demo.ts";
import { rolesNamed } from "../../model/role.ts";
import { dropUndefined } from "../fit.ts";
import { readJson, textOf } from "./rows.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The element that the recorder found at an action. */
export interface Observed {
  readonly ref?: DemoRef | undefined;
  readonly evidence?: readonly DemoEvidence[] | undefined;
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  /** The label of a field whose keys must not be kept. */
  readonly secret?: string | undefined;
}

const version = "openadapt.capture.structural-observation/v1";

/** Control types of UI Automation that are called otherwise here. */
const controlTypes: Readonly<Record<string, string>> = {
  edit: "input",
  hyperlink: "link",
  combobox: "select",
  listitem: "option",
  tabitem: "tab",
  radiobutton: "radio",
  splitbutton: "button",
  spinner: "spin",
};

/** Undefined if it has another form. */
export function readObservation(given: unknown, ratio: number): Observed | undefined {
  const fields = readJson(given);
  if (fields.schema_version !== version) return undefined;
  const element = readJson(fields.element);
  const window = textOf(readJson(fields.window).title);
  const app = textOf(readJson(fields.process).process_name)?.replace(/\.exe$/i, "");
  const role = readRole(textOf(element.role) ?? textOf(element.control_type));
  const name = textOf(element.name);
  const isSecret = /passw|secret|\bpin\b/i.test(`${textOf(element.role)} ${name} ${textOf(element.automation_id)}`);
  const ref = dropUndefined({
    ...{ role, name, window, app },
    bbox: readBounds(element.bounds, ratio),
    automation_id: textOf(element.automation_id),
    source: "a11y" as const,
  });
  const hasRef = role !== undefined || name !== undefined;
  return {
    ...{ app, window },
    ...(hasRef ? { ref, evidence: readEvidence(fields) } : {}),
    ...(isSecret ? { secret: name ?? "password" } : {}),
  };
}

function readRole(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const plain = given
    .replace(/Control$/, "")
    .replace(/^AX/, "")
    .toLowerCase();
  return rolesNamed(plain)[0] ?? controlTypes[plain] ?? rolesNamed(plain.replaceAll(/[\s_-]/g, ""))[0] ?? plain;
}

function readBounds(given: unknown, ratio: number): DemoRef["bbox"] {
  const { left, top, right, bottom } = readJson(given);
  const box = [left, top, right, bottom].map((value) => (typeof value === "number" ? Math.round(value * ratio) : NaN));
  const [a = NaN, b = NaN, c = NaN, d = NaN] = box;
  return box.every((value) => Math.abs(value) < 100_000) ? [a, b, c, d] : undefined;
}

/** How many elements had the same id, or the same role and name, when it was recorded. */
function readEvidence({ candidate_count: count, candidate_context }: Fields): readonly DemoEvidence[] {
  const { matched_fields: given } = readJson(candidate_context);
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0 || !Array.isArray(given)) return [];
  const fields = new Set<unknown>(given);
  if (fields.has("automation_id")) return [{ by: "id", matches: count }];
  return fields.has("name") && fields.has("control_type") ? [{ by: "role+name", matches: count }] : [];
}
