import * as z from "zod/mini";

// The kinds of fields of a tool's input. zod/mini, since it loads faster (docs/decisions.md).

function describe<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

export function flag(description: string) {
  return describe(z.optional(z.boolean()), description);
}

export function text(description: string) {
  return describe(z.optional(z.string().check(z.minLength(1, "must not be empty"))), description);
}

/** Any text, also an empty one. */
export function anyText(description: string) {
  return describe(z.optional(z.string()), description);
}

export function oneOf<const Words extends readonly string[]>(words: Words, description: string) {
  return describe(z.optional(z.enum(words, `takes one of ${words.join(", ")}`)), description);
}

export function wholeNumber(least: number, description: string, most = Number.MAX_SAFE_INTEGER) {
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  const message = `takes a whole number, ${isOpen ? `${least} or more` : `${least} to ${most}`}`;
  return describe(z.optional(z.int(message).check(z.minimum(least, message), z.maximum(most, message))), description);
}

export function number(least: number, most: number, description: string) {
  const message = `takes a number, ${least} to ${most}`;
  const range = z.number(message).check(z.minimum(least, message), z.maximum(most, message));
  return describe(z.optional(range), description);
}

export function requiredWords(description: string) {
  return describe(z.string().check(z.minLength(1, "must not be empty")), description);
}

export function requiredNumber(least: number, most: number, description: string) {
  const message = `takes a whole number from ${least} to ${most}`;
  return describe(z.int(message).check(z.minimum(least, message), z.maximum(most, message)), description);
}

export function requiredOneOf<const Words extends readonly string[]>(words: Words, description: string) {
  return describe(z.enum(words, `takes one of ${words.join(", ")}`), description);
}

export function list(description: string) {
  return describe(z.optional(z.array(z.string())), description);
}
