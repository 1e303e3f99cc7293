import { effectForms, effectOutput } from "../show/effect.ts";
import { flag } from "./fields.ts";

export const dryRun = flag("only tell what would be done to what, and by which way");

/** What every tool that acts answers: what it was seen to do. */
export const actingOutput = { output: effectOutput, forms: effectForms };
