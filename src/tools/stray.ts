import { describeUsage, type Failure } from "../model/failure.ts";
import { toKebabCase } from "./options.ts";

/** Of a tool whose first word decides which options mean something: the first that was given and does not. */
export function findStray<Verb extends string>(
  tool: string,
  given: { readonly what: Verb },
  taken: Readonly<Record<Verb, readonly string[]>>,
): Failure | undefined {
  const { what, ...options } = given;
  const own = taken[what];
  const stray = Object.entries(options).find(([field, value]) => value !== undefined && !own.includes(field));
  if (stray === undefined) return undefined;
  const words = own.map((field) => `--${toKebabCase(field)}`).join(", ");
  const suggestion = words === "" ? `deskmap ${tool} ${what}` : `it takes ${words}.`;
  return describeUsage(`${tool} ${what} has no use for ${stray[0]}`, suggestion);
}
