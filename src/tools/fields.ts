import * as z from "zod/mini";

// The kinds of fields of a tool's input. zod/mini, since it loads faster (docs/decisions.md).

export function flag(description: string) {
  return z.optional(z.boolean()).register(z.globalRegistry, { description });
}

export function text(description: string) {
  return z.optional(z.string().check(z.minLength(1, "must not be empty"))).register(z.globalRegistry, { description });
}

/** Names separated by commas; the tool itself refuses unknown ones. */
export function names(description: string) {
  return z.optional(z.string()).register(z.globalRegistry, { description });
}

export function oneOf<const Words extends readonly string[]>(words: Words, description: string) {
  const message = `takes one of ${words.join(", ")}`;
  return z.optional(z.enum(words, message)).register(z.globalRegistry, { description });
}

export function wholeNumber(least: number, description: string, most = Number.MAX_SAFE_INTEGER) {
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  const message = `takes a whole number, ${isOpen ? `${least} or more` : `${least} to ${most}`}`;
  return z
    .optional(z.int(message).check(z.minimum(least, message), z.maximum(most, message)))
    .register(z.globalRegistry, { description });
}

export function number(least: number, most: number, description: string) {
  const message = `takes a number, ${least} to ${most}`;
  return z
    .optional(z.number(message).check(z.minimum(least, message), z.maximum(most, message)))
    .register(z.globalRegistry, { description });
}

export function requiredWords(description: string) {
  return z.string().check(z.minLength(1, "must not be empty")).register(z.globalRegistry, { description });
}

export function requiredNumber(least: number, most: number, description: string) {
  const message = `takes a whole number from ${least} to ${most}`;
  return z
    .int(message)
    .check(z.minimum(least, message), z.maximum(most, message))
    .register(z.globalRegistry, { description });
}

export function requiredOneOf<const Words extends readonly string[]>(words: Words, description: string) {
  return z.enum(words, `takes one of ${words.join(", ")}`).register(z.globalRegistry, { description });
}

export function list(description: string) {
  return z.optional(z.array(z.string())).register(z.globalRegistry, { description });
}

/** Any text, also an empty one. */
export function anyText(description: string) {
  return z.optional(z.string()).register(z.globalRegistry, { description });
}
