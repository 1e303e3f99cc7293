import { nearest } from "../../find/nearest.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import type { Tool } from "../../tools/define.ts";
import { toolEntries } from "../../tools/index.ts";
import type { Offered } from "./offered.ts";
import { turnTools } from "./turn-tools.ts";

/** The tools that a server offers: those of every day, all of them, or those that are named. */
export async function chooseTools(query = "daily"): Promise<Result<readonly Offered[]>> {
  const all = await Promise.all(
    toolEntries.map(async ({ name, acts, load }) => ({ name: toMcpName(name), acts, tool: await load() })),
  );
  if (query === "all") return succeed([...all.map((one) => ({ ...one, isBrief: false })), ...turnTools]);
  const isDaily = ({ tool }: { readonly tool: Tool }): boolean => tool.daily !== undefined;
  if (query === "daily") return succeed(all.filter(isDaily).map((one) => ({ ...one, isBrief: true })));
  const wanted = query.split(",").map((name) => toMcpName(name.trim()));
  const known = [...all, ...turnTools].map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) return fail(describeUnknown(unknown, known));
  const named = [...all.map((one) => ({ ...one, isBrief: one.tool.daily !== undefined })), ...turnTools];
  return succeed(named.filter(({ name }) => wanted.includes(name)));
}

export function toMcpName(name: string): string {
  return name.replaceAll("-", "_");
}

function describeUnknown(name: string, names: readonly string[]): Failure {
  return {
    code: "USAGE",
    message: `no tool is called "${name}"`,
    nearest: nearest(name, names),
    suggestion: "--tools daily, all, or names separated by commas",
    done: nothingDone,
  };
}
