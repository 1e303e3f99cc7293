import * as z from "zod/mini";
import type { Reply } from "../../assistant/assistant.ts";
import type { DataOf, Forms } from "../../show/output.ts";

export const replyOutput = () =>
  z.strictObject({
    text: z.string(),
    /** What was understood, as data. */
    understood: z.optional(z.looseObject({ of: z.string() })),
    effect: z.optional(z.string()),
    choices: z.optional(z.array(z.number())),
    code: z.optional(z.string()),
  });

export const replyForms: Forms<Reply, DataOf<typeof replyOutput>> = {
  data: ({ text, understood, effect, choices, failure }) => ({
    text,
    ...(understood === undefined ? {} : { understood: { ...understood } }),
    ...(effect === undefined ? {} : { effect }),
    ...(choices === undefined ? {} : { choices: [...choices] }),
    ...(failure === undefined ? {} : { code: failure.code }),
  }),
  text: ({ text }) => text,
  csv: ({ text }) => text,
  exitCode: ({ effect, failure, choices, understood }) => {
    if (failure?.code === "REFUSED") return 3;
    if (failure !== undefined || choices !== undefined || understood === undefined) return 1;
    return effect === undefined || effect === "confirmed" ? 0 : 4;
  },
};
