import * as z from "zod/mini";
import type { Demo, Parameter } from "../../demo/file.ts";
import type { DemoStore } from "../../demo/store.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { quoteName, quoteText } from "../../model/plain-text.ts";
import { fieldOf, replayOutput } from "./demo-tools.ts";
import type { OfferedTool } from "./own-tools.ts";

/** How --tools names a demo that is a tool of its own. */
export const demoPrefix = "demo:";
const toolPrefix = "demo_";
const maxToolName = 60;

/** Each of these demos as a tool whose input are its parameters. What was recorded is quoted: it is data. */
export function offerDemos(names: readonly string[], store: DemoStore): Result<readonly OfferedTool[]> {
  const offered: OfferedTool[] = [];
  for (const name of new Set(names)) {
    const file = store.fileOf(name);
    if (!file.ok) return file;
    const demo = store.read(name, store.folder);
    if (!demo.ok) return demo;
    const taken = new Set(offered.map((one) => one.name));
    offered.push(describeDemo(demo.value, nameTool(name, taken)));
  }
  return succeed(offered);
}

function describeDemo({ name, description, steps, parameters }: Demo, toolName: string): OfferedTool {
  const apps = [...new Set(steps.flatMap(({ app }) => app ?? []))].slice(0, 4).map((app) => quoteName(app));
  const where = apps.length === 0 ? "" : ` in ${apps.join(", ")}`;
  const said = description === undefined ? "" : ` It says of itself: ${quoteText(description, 200)}.`;
  const fields = Object.entries(parameters).map(([key, one]) => [fieldOf(key), describeField(one)]);
  return {
    name: toolName,
    acts: true,
    isBrief: false,
    demo: "replay",
    stored: name,
    tool: {
      name: toolName,
      summary: `Do recorded work again: ${quoteText(name, 80)}, ${steps.length} ${steps.length === 1 ? "step" : "steps"}${where}.`,
      description: `It stops at the first doubt.${said}`,
      examples: [],
      input: z.object(Object.fromEntries(fields)),
      output: replayOutput,
    },
  };
}

function describeField({ type, label, default: value, from }: Parameter) {
  const called = label === undefined ? "" : quoteText(label, 60);
  const words =
    type === "secret"
      ? `${called} the name of a secret that the person keeps, never its text`
      : `${called} ${type === "text" ? "" : type}`;
  const field = z.string().check(z.maxLength(100_000), z.describe(words.trim()));
  return value === undefined && from === undefined ? field : z.optional(field);
}

/** Letters and digits of ASCII: some clients refuse anything else. */
function nameTool(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, maxToolName - toolPrefix.length - 4);
  for (let number = 1; ; number += 1) {
    const own = `${toolPrefix}${plain || "work"}${number === 1 ? "" : `_${number}`}`;
    if (!taken.has(own)) return own;
  }
}
