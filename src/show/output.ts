import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import { escapeUnprintable } from "../model/plain-text.ts";

/** Schemas are functions: building one takes up to a millisecond, and a call needs none at run time. */
export type DataOf<Schema extends () => z.ZodMiniType> = DeepReadonly<z.infer<ReturnType<Schema>>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** How the value of a tool becomes the data that its `output` declares, and text and CSV. */
export interface Forms<Value, Data> {
  data(value: Value): Data;
  text(value: Value): string;
  csv(value: Value): string;
  /** 0 by default. */
  exitCode?(value: Value): number;
}

/** JSON with characters escaped that would act on a terminal or could not be seen. */
export function stringify(value: unknown, isPretty: boolean): string {
  return escapeUnprintable(isPretty ? JSON.stringify(value, undefined, 2) : JSON.stringify(value));
}

/** Gives a schema the name under which docs/tools.md prints it once. */
export function titled<Schema extends z.ZodMiniType>(title: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { title });
  return schema;
}

/** Names the coordinate space of all bounds and points of an answer, once (docs/concepts.md). */
export const space = () => z.literal(screenSpace);

/** x, y, width, height. */
export const box = () => z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** x, y. */
export const spot = () => z.tuple([z.number(), z.number()]);

export const bounds = () => z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const point = () => z.strictObject({ x: z.number(), y: z.number() });

/** Why an answer is less than the whole. */
export const notes = () =>
  z.array(z.strictObject({ code: z.string(), text: z.string(), areas: z.optional(z.array(bounds())) }));

export const partly = () => ({ partial: z.optional(z.literal(true)), notes: z.optional(notes()) });
