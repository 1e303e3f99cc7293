import type { Tool } from "./define.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";

/** The only list of tools. */
export const tools: readonly Tool[] = [list, read];
