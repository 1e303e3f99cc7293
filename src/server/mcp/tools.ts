import type { Tool as McpTool, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { nearest } from "../../find/nearest.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { failureOutput } from "../../show/failure.ts";
import type { ToolDescription } from "../../tools/define.ts";
import { toolEntries } from "../../tools/index.ts";
import { openDemoStore } from "../demo-store.ts";
import { demoTools } from "./demo-tools.ts";
import { isStateTool, listCalled, type OfferedTool, ownTools } from "./own-tools.ts";
import { demoPrefix, offerDemos } from "./stored-demos.ts";

/** What may be named beside single tools; docs/agents.md lists them. */
const toolSets = ["daily", "learn", "show", "turns", "demo", "all"] as const;
type ToolSet = (typeof toolSets)[number];

const learning = /^(get_screen_|teach|record_action_result$|(click|type_in)_element$)/;
const belongsTo: Readonly<Record<ToolSet, (tool: OfferedTool) => boolean>> = {
  daily: ({ tool, name }) => tool.daily !== undefined && !isStateTool(name),
  learn: ({ name }) => learning.test(name),
  show: ({ name }) => ["overlay", "annotate"].includes(name),
  turns: ({ turn }) => turn !== undefined,
  demo: ({ demo }) => demo !== undefined,
  all: ({ name }) => !isStateTool(name),
};
const isSet = (name: string): name is ToolSet => toolSets.some((set) => set === name);

/** The tools that a server offers: sets and single tools, separated by commas. */
export async function chooseTools(
  query = "daily",
  store = openDemoStore(process.env),
): Promise<Result<readonly OfferedTool[]>> {
  const loaded = await Promise.all(
    toolEntries.map(async ({ name, acts, load }) => ({ name: toMcpName(name), acts, tool: await load() })),
  );
  const given = query.split(",").map((name) => name.trim());
  const demos = given.filter((name) => name.startsWith(demoPrefix)).map((name) => name.slice(demoPrefix.length));
  const offered = offerDemos(demos, store);
  if (!offered.ok) return offered;
  const wanted = given.filter((name) => !name.startsWith(demoPrefix)).map(toMcpName);
  const isBrief = ({ tool }: { readonly tool: ToolDescription }): boolean =>
    tool.daily !== undefined && !wanted.includes("all");
  const named: readonly OfferedTool[] = [...loaded, ...ownTools, ...demoTools].map((one) => ({
    ...one,
    isBrief: isBrief(one),
  }));
  const known = [...toolSets, ...named.map(({ name }) => name)];
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) {
    const isWanted = (one: OfferedTool): boolean =>
      wanted.some((name) => name === one.name || (isSet(name) && belongsTo[name](one)));
    return succeed([...limitBatch(named.filter(isWanted), wanted), ...offered.value]);
  }
  const usage = describeUsage(
    `no tool is called "${unknown}"`,
    `--tools takes names of tools and of sets (${toolSets.join(", ")}) and demo:NAME, separated by commas`,
  );
  return fail({ ...usage, nearest: nearest(unknown, known) });
}

/** A batch reaches every tool where a set offers it, else only those beside it: --tools read,do is no way to click. */
function limitBatch(chosen: readonly OfferedTool[], wanted: readonly string[]): readonly OfferedTool[] {
  const isInSet = (one: OfferedTool): boolean => wanted.some((name) => isSet(name) && belongsTo[name](one));
  const reach = chosen.flatMap(listCalled).filter((name) => name !== batch);
  return chosen.map((one) => (one.tool.name !== batch || isInSet(one) ? one : { ...one, reach }));
}

const batch = "do";

export function toMcpName(name: string): string {
  return name.replaceAll("-", "_");
}

/** Includes tools that act only with some inputs, such as batches. */
export function mayAct({ acts, tool }: OfferedTool): boolean {
  return acts || tool.hints?.isReadOnly === false;
}

interface ListOptions {
  readonly hasTurns?: boolean;
  /** With output schemas, which cost tokens in every list. */
  readonly hasOutputs?: boolean;
}

export function describeTool(
  offered: OfferedTool,
  { hasTurns = false, hasOutputs = false }: ListOptions = {},
): McpTool {
  const { name, tool } = offered;
  const annotations = annotate(offered);
  return {
    name,
    description: tool.daily?.says ?? `${tool.summary} ${tool.description}`,
    inputSchema: { ...describeInput(offered, hasTurns), type: "object" },
    ...(hasOutputs ? { outputSchema: { ...describeOutput(offered), type: "object" } } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}

type Schema = Record<string, unknown>;

/** begin_turn describes it. */
const turnField = { type: "string" };

/** What every schema would repeat, and what says no more than the field's type. */
const needless: ReadonlySet<string> = new Set(["$schema", "additionalProperties", "minLength"]);

/** Fields of most tools, in a few words: described in full, they would be half of the list of all tools. */
const common: Readonly<Record<string, string>> = {
  app: "part of its name",
  window: "part of its title",
  windowId: "",
  id: "mark",
  at: "X,Y on the screen",
  from: "control by words",
  within: "mark of a container",
  nth: "of equals: 1, -1 last",
  role: "roles, by commas",
  roles: "roles, by commas",
  words: "control by words",
  on: "control by words",
  vision: "read pictures, too",
  visibleOnly: "not what is hidden (true)",
  all: "hidden and structural parts, too",
  bbox: "x,y,width,height",
  dryRun: "",
  button: "",
};

/** Accepted, and not listed where another field says the same. */
const sameAs: Readonly<Record<string, string>> = {
  x: "at",
  y: "at",
  on: "words",
  fromX: "fromAt",
  fromY: "fromAt",
  fromOn: "from",
  id: "fromId",
  toX: "toAt",
  toY: "toAt",
  to: "toOn",
  // Not the same, but a window that its class or process tells apart has an id, too.
  class: "windowId",
  pid: "windowId",
  // Only saves time.
  verify: "dryRun",
};

/** --from-role and --to-role are as --role is, which is described beside them. */
function describeCommon(field: string): string | undefined {
  const own = field.replace(/^(?:from|to)(?=[A-Z])/, "").toLowerCase();
  return common[field] ?? (own in common ? "" : undefined);
}

function describeInput(offered: OfferedTool, hasTurns: boolean): Schema {
  const { tool, isBrief, turn, stored } = offered;
  const whole: Schema = z.toJSONSchema(tool.input, { io: "input" });
  const properties = isRecord(whole.properties) ? whole.properties : {};
  const isTold = (field: string): boolean => tool.daily?.fields[field] !== undefined;
  // What a person's field is called means nothing else there.
  const isOld = (field: string): boolean => stored === undefined && (sameAs[field] ?? "") in properties;
  const describeShort = (field: string): string | undefined =>
    stored === undefined ? (tool.daily?.fields[field] ?? describeCommon(field)) : undefined;
  const told = Object.entries(properties).filter(([field]) => isTold(field) || (!isBrief && !isOld(field)));
  const required = Array.isArray(whole.required) && whole.required.length > 0 ? { required: whole.required } : {};
  return {
    type: "object",
    properties: Object.fromEntries([
      ...told.map(([field, schema]) => [field, tidy(schema, describeShort(field))]),
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

/** `words` replace the field's own description and limits; without them, a call that is out of bounds says so. */
function tidy(schema: unknown, words: string | undefined): Schema {
  if (!isRecord(schema)) return {};
  const parts = Object.entries(schema).filter(([key, value]) => {
    if (needless.has(key) || value === Number.MAX_SAFE_INTEGER) return false;
    return words === undefined || !["description", "minimum", "maximum"].includes(key);
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
