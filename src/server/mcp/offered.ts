import type { ToolDescription } from "../../tools/define.ts";

/** A tool as MCP offers it. */
export interface Offered {
  /** With underscores: dashes are allowed, and some clients still refuse them. */
  readonly name: string;
  readonly tool: ToolDescription;
  readonly acts: boolean;
  /** In few words, with the fields that are needed every day. */
  readonly isBrief: boolean;
  /** For what holds the desktop and gives it back, which is no tool of the one list. */
  readonly turn?: "begin" | "end";
}
