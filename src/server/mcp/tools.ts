import type { Tool as McpTool, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { nearest } from "../../find/nearest.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { failureOutput } from "../../show/failure.ts";
import type { ToolDescription } from "../../tools/define.ts";
import { number, text } from "../../tools/fields.ts";
import { toolEntries } from "../../tools/index.ts";

/** A tool as MCP offers it. */
export interface OfferedTool {
  /** With underscores: dashes are allowed, but some clients refuse them. */
  readonly name: string;
  readonly tool: ToolDescription;
  readonly acts: boolean;
  /** With the short description and only the fields that are needed every day. */
  readonly isBrief: boolean;
  /** Of begin_turn and end_turn, which are not in the list of tools. */
  readonly turn?: "begin" | "end";
}

/** The tools that a server offers: those of every day, all of them, or those that are named. */
export async function chooseTools(query = "daily"): Promise<Result<readonly OfferedTool[]>> {
  const loaded = await Promise.all(
    toolEntries.map(async ({ name, acts, load }) => ({ name: toMcpName(name), acts, tool: await load() })),
  );
  const named = [...loaded.map((one) => ({ ...one, isBrief: one.tool.daily !== undefined })), ...turnTools];
  if (query === "all") return succeed(named.map((one) => ({ ...one, isBrief: false })));
  if (query === "daily") return succeed(named.filter(({ isBrief }) => isBrief));
  const wanted = query.split(",").map((name) => toMcpName(name.trim()));
  const known = named.map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return succeed(named.filter(({ name }) => wanted.includes(name)));
  const usage = describeUsage(`no tool is called "${unknown}"`, "--tools daily, all, or names separated by commas");
  return fail({ ...usage, nearest: nearest(unknown, known) });
}

export function toMcpName(name: string): string {
  return name.replaceAll("-", "_");
}

export const [defaultSeconds, defaultWaitSeconds] = [30, 5];
const [longestSeconds, longestWaitSeconds] = [300, 600];

/**
 * Only MCP has these tools; the command line has commands of its own. Every call that belongs to a turn names it: several
 * agents may share one connection, and the newer protocol has no connections.
 */
const turnTools: readonly OfferedTool[] = [
  {
    name: "begin_turn",
    acts: true,
    isBrief: false,
    turn: "begin",
    tool: {
      name: "begin_turn",
      summary: "Hold the desktop for a short workflow: nobody else acts until end_turn, or until its time is up.",
      description:
        "Answers with a turn: give it as turn to every tool that acts and to do. Everybody may read meanwhile. It ends with this " +
        "connection, too. For steps that are known beforehand, do is simpler.",
      examples: [],
      hints: { isDestructive: false },
      input: z.object({
        seconds: number(1, longestSeconds, `how long at most (${defaultSeconds})`),
        waitSeconds: number(0.1, longestWaitSeconds, `how long to wait for another client (${defaultWaitSeconds})`),
      }),
      output: () => z.strictObject({ turn: z.string(), until: z.string() }),
    },
  },
  {
    name: "end_turn",
    acts: true,
    isBrief: false,
    turn: "end",
    tool: {
      name: "end_turn",
      summary: "Give the desktop back that begin_turn holds.",
      description: "What is under way in it ends by itself.",
      examples: [],
      hints: { isDestructive: false, isIdempotent: true },
      input: z.object({ turn: text("what begin_turn answered") }),
      output: () => z.strictObject({ ended: z.string() }),
    },
  },
];

/** Includes tools that act only with some inputs, such as batches. */
export function mayAct({ acts, tool }: OfferedTool): boolean {
  return acts || tool.hints?.isReadOnly === false;
}

interface ListOptions {
  /** Whether tools that may act take a turn. */
  readonly hasTurns?: boolean;
  /** With output schemas, which cost tokens in every list. */
  readonly hasOutputs?: boolean;
}

/** A tool as MCP lists it. */
export function describeTool(
  offered: OfferedTool,
  { hasTurns = false, hasOutputs = false }: ListOptions = {},
): McpTool {
  const { name, tool, isBrief } = offered;
  return {
    name,
    description: isBrief ? (tool.daily?.says ?? tool.summary) : `${tool.summary} ${tool.description}`,
    inputSchema: { ...describeInput(offered, hasTurns), type: "object" },
    ...(hasOutputs ? { outputSchema: { ...describeOutput(offered), type: "object" } } : {}),
    annotations: annotate(offered),
  };
}

type Schema = Record<string, unknown>;

const turnField = { type: "string", description: "what begin_turn answered" };

/** What every schema would repeat, and what says no more than the field's type. */
const needless: ReadonlySet<string> = new Set(["$schema", "additionalProperties", "minLength"]);

function describeInput(offered: OfferedTool, hasTurns: boolean): Schema {
  const { tool, isBrief, turn } = offered;
  const whole: Schema = z.toJSONSchema(tool.input, { io: "input" });
  const properties = isRecord(whole.properties) ? whole.properties : {};
  const told = Object.entries(properties).filter(([field]) => !isBrief || tool.daily?.fields[field] !== undefined);
  const required = Array.isArray(whole.required) && whole.required.length > 0 ? { required: whole.required } : {};
  return {
    type: "object",
    properties: Object.fromEntries([
      ...told.map(([field, schema]) => [field, tidy(schema, isBrief ? tool.daily?.fields[field] : undefined, isBrief)]),
      ...(hasTurns && turn === undefined && mayAct(offered) ? [["turn", turnField]] : []),
    ]),
    ...required,
  };
}

/** A client may check every answer against it, failures included. */
function describeOutput({ tool }: OfferedTool): Schema {
  const { $schema: _, ...schema }: Schema = z.toJSONSchema(z.union([tool.output(), failureOutput()]), {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}

function tidy(schema: unknown, words: string | undefined, isBrief: boolean): Schema {
  if (!isRecord(schema)) return {};
  const parts = Object.entries(schema).filter(([key, value]) => {
    if (needless.has(key) || value === Number.MAX_SAFE_INTEGER) return false;
    return !(isBrief && ["description", "minimum", "maximum"].includes(key));
  });
  return { ...Object.fromEntries(parts), ...(words ? { description: words } : {}) };
}

/** Leaves out what equals the protocol's defaults. */
function annotate({ tool, acts }: OfferedTool): ToolAnnotations {
  const { isReadOnly = !acts, isDestructive = true, isIdempotent = false } = tool.hints ?? {};
  if (isReadOnly) return { readOnlyHint: true };
  return {
    ...(isDestructive ? {} : { destructiveHint: false }),
    ...(isIdempotent ? { idempotentHint: true } : {}),
  };
}

function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
