import { at } from "./at.ts";
import type { Tool } from "./define.ts";
import { doctor } from "./doctor.ts";
import { find } from "./find.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { text } from "./text.ts";

/** The only list of tools. */
export const tools: readonly Tool[] = [list, read, find, at, text, doctor];
