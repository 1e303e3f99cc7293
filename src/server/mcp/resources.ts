import {
  type CompleteRequest,
  type CompleteResult,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { isAnswer } from "../../host/port.ts";
import { cleanLine, shorten } from "../../model/plain-text.ts";
import { enclose } from "../../show/envelope.ts";
import { showFailure } from "../../show/failure.ts";
import type { ListData, WindowData } from "../../show/list.ts";
import type { ClientCalls } from "./client-calls.ts";

export const screenUri = "deskmap://screen";
const windowPrefix = "deskmap://window/";
const mimeType = "text/plain";
const maxTitle = 80;

export const templates: readonly ResourceTemplateType[] = [
  {
    name: "window",
    uriTemplate: `${windowPrefix}{id}`,
    description: "One window as text: every control with its mark. The id is that of the window list.",
    mimeType,
  },
];

export function uriOfWindow(id: number): string {
  return `${windowPrefix}${id}`;
}

async function listWindows(calls: ClientCalls, client: string): Promise<readonly WindowData[]> {
  const { data } = await calls.call(client, { tool: "list", input: {}, formats: ["data"] });
  return isAnswer<ListData>(data) && "windows" in data ? data.windows : [];
}

/** Resource names are ours; words of applications appear in the title only, on one line. */
export async function listResources(calls: ClientCalls, client: string): Promise<Resource[]> {
  const windows = await listWindows(calls, client);
  return [
    { uri: screenUri, name: "screen", description: "The windows, front to back; one has the focus.", mimeType },
    ...windows.map(({ id, app, title }) => ({
      uri: uriOfWindow(id),
      name: `window-${id}`,
      title: shorten(cleanLine(`${app}: ${title}`), maxTitle),
      description: "One window as text: every control with its mark.",
      mimeType,
    })),
  ];
}

export async function readResource(calls: ClientCalls, client: string, uri: string): Promise<ReadResourceResult> {
  const request = findRequest(uri);
  if (request === undefined) throw new ResourceNotFoundError(uri);
  const { failure, outputs } = await calls.call(client, { ...request, formats: ["text"] });
  if (failure?.code === "NOT_FOUND") throw new ResourceNotFoundError(uri);
  const text = failure === undefined ? (outputs.text ?? "") : showFailure(failure);
  return { contents: [{ uri, mimeType, text: enclose(text) }] };
}

function findRequest(uri: string): { readonly tool: string; readonly input: Record<string, unknown> } | undefined {
  if (uri === screenUri) return { tool: "list", input: {} };
  const id = uri.startsWith(windowPrefix) ? uri.slice(windowPrefix.length) : "";
  return /^\d{1,15}$/.test(id) ? { tool: "read", input: { windowId: Number(id) } } : undefined;
}

/** The protocol's own limit. */
const maxCompletions = 100;

/** Completes the names of applications that are open, and the ids of their windows. */
export async function complete(
  calls: ClientCalls,
  client: string,
  { params }: CompleteRequest,
): Promise<CompleteResult> {
  const { ref, argument } = params;
  const isPromptApp = ref.type === "ref/prompt" && argument.name === "app";
  const isWindowId =
    ref.type === "ref/resource" &&
    argument.name === "id" &&
    templates.some(({ uriTemplate }) => uriTemplate === ref.uri);
  if (!isPromptApp && !isWindowId) return { completion: { values: [] } };
  const windows = await listWindows(calls, client);
  const all = [...new Set(windows.map(({ id, app }) => (isWindowId ? String(id) : app)))];
  const begun = argument.value.toLowerCase();
  const fitting = all.filter((value) => value.toLowerCase().startsWith(begun));
  const values = fitting.slice(0, maxCompletions);
  return { completion: { values, total: fitting.length, hasMore: fitting.length > values.length } };
}
