import * as z from "zod/mini";
import type { Reply } from "../../assistant/reply.ts";
import type { DataOf, Forms } from "../../show/output.ts";
import { showUsage } from "./stream.ts";

export const replyOutput = () =>
  z.strictObject({
    text: z.string(),
    /** What was understood, as data. */
    understood: z.optional(z.looseObject({ of: z.string() })),
    effect: z.optional(z.string()),
    choices: z.optional(z.array(z.number())),
    code: z.optional(z.string()),
    /** If a model answered: what it did, and what that cost. */
    model: z.optional(
      z.strictObject({
        name: z.string(),
        inputTokens: z.number(),
        outputTokens: z.number(),
        cost: z.optional(z.number()),
        isCached: z.boolean(),
        calls: z.array(
          z.strictObject({ tool: z.string(), effect: z.optional(z.string()), code: z.optional(z.string()) }),
        ),
      }),
    ),
  });

export const replyForms: Forms<Reply, DataOf<typeof replyOutput>> = {
  data: ({ text, understood, effect, choices, failure, model }) => ({
    text,
    ...(understood === undefined ? {} : { understood: { ...understood } }),
    ...(effect === undefined ? {} : { effect }),
    ...(choices === undefined ? {} : { choices: [...choices] }),
    ...(failure === undefined ? {} : { code: failure.code }),
    ...(model === undefined ? {} : { model: modelToData(model) }),
  }),
  text: ({ text, model }) => (model === undefined ? text : `${text}\n\n${showUsage(model)}`),
  csv: ({ text }) => text,
  exitCode: exitCodeOfReply,
};

function modelToData({ name, usage, calls, isCached }: NonNullable<Reply["model"]>) {
  return {
    name,
    ...usage,
    isCached,
    calls: calls.map(({ tool, effect, failure }) => ({
      tool,
      ...(effect === undefined ? {} : { effect }),
      ...(failure === undefined ? {} : { code: failure.code }),
    })),
  };
}

export function exitCodeOfReply({ effect, failure, choices, understood, model }: Reply): number {
  if (failure?.code === "REFUSED") return 3;
  const isAnswered = understood !== undefined || model !== undefined;
  if (failure !== undefined || choices !== undefined || !isAnswered) return 1;
  return effect === undefined || effect === "confirmed" ? 0 : 4;
}
