import type { Tool as McpTool, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { failureOutput } from "../../show/failure.ts";
import type { Offered } from "./offered.ts";

type Schema = Record<string, unknown>;

interface Extent {
  /** What may act takes the turn that it belongs to. */
  readonly hasTurns?: boolean;
  /** With the schemas of answers: they cost tokens in every list. */
  readonly hasOutputs?: boolean;
}

/** A tool as MCP lists it. */
export function describeTool(offered: Offered, { hasTurns = false, hasOutputs = false }: Extent = {}): McpTool {
  const { name, tool, isBrief } = offered;
  return {
    name,
    description: isBrief ? (tool.daily?.says ?? tool.summary) : `${tool.summary} ${tool.description}`,
    inputSchema: { ...describeInput(offered, hasTurns), type: "object" },
    ...(hasOutputs ? { outputSchema: { ...describeOutput(offered), type: "object" } } : {}),
    annotations: annotate(offered),
  };
}

const turnField = { type: "string", description: "what begin_turn answered" };

/** A batch may, whatever it is. */
function mayAct({ acts, tool }: Offered): boolean {
  return acts || tool.hints?.isReadOnly === false;
}

/** What every schema that is made here would repeat, and what says no more than the field's type. */
const needless: ReadonlySet<string> = new Set(["$schema", "additionalProperties", "minLength"]);

function describeInput(offered: Offered, hasTurns: boolean): Schema {
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

/** A client may check every answer against it, also one that says what failed. */
function describeOutput({ tool }: Offered): Schema {
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
  const description = words === undefined || words === "" ? {} : { description: words };
  return { ...Object.fromEntries(parts), ...description };
}

/** Only what is not as the protocol takes it to be when nothing is said. */
function annotate({ tool, acts }: Offered): ToolAnnotations {
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
