import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import type { Desk } from "./means.ts";
import { listWindows, templates } from "./resources.ts";

/** The protocol's own limit. */
const maxValues = 100;

/** What may follow what has been typed so far: applications that are open, and the ids of their windows. */
export async function complete(desk: Desk, client: string, { params }: CompleteRequest): Promise<CompleteResult> {
  const { ref, argument } = params;
  const isPromptApp = ref.type === "ref/prompt" && argument.name === "app";
  const isWindowId =
    ref.type === "ref/resource" &&
    argument.name === "id" &&
    templates.some(({ uriTemplate }) => uriTemplate === ref.uri);
  if (!isPromptApp && !isWindowId) return { completion: { values: [] } };
  const windows = await listWindows(desk, client);
  const all = [...new Set(windows.map(({ id, app }) => (isWindowId ? String(id) : app)))];
  const begun = argument.value.toLowerCase();
  const fitting = all.filter((value) => value.toLowerCase().startsWith(begun));
  const values = fitting.slice(0, maxValues);
  return { completion: { values, total: fitting.length, hasMore: fitting.length > values.length } };
}
