import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { type CallReply, isAnswer } from "../../host/port.ts";
import { cleanLine, shorten } from "../../model/plain-text.ts";
import { enclose } from "../../show/envelope.ts";
import { showFailure } from "../../show/failure.ts";
import type { ListData, WindowData } from "../../show/list.ts";
import type { Desk } from "./means.ts";

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

/** The windows that this client may look at. */
export async function listWindows(desk: Desk, client: string): Promise<readonly WindowData[]> {
  const { data } = await desk.call(client, { tool: "list", input: {}, formats: ["data"] });
  return isAnswer<ListData>(data) && "windows" in data ? data.windows : [];
}

/** Names are ours; what an application calls itself stands in the title alone, as a single line. */
export async function listResources(desk: Desk, client: string): Promise<Resource[]> {
  const windows = await listWindows(desk, client);
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

export async function readResource(desk: Desk, client: string, uri: string): Promise<ReadResourceResult> {
  const request = findRequest(uri);
  if (request === undefined) throw new ResourceNotFoundError(uri);
  const reply = await desk.call(client, { ...request, formats: ["text"] });
  if (reply.failure?.code === "NOT_FOUND") throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType, text: enclose(textOf(reply)) }] };
}

function textOf({ failure, outputs }: CallReply): string {
  return failure === undefined ? (outputs.text ?? "") : showFailure(failure);
}

function findRequest(uri: string): { readonly tool: string; readonly input: Record<string, unknown> } | undefined {
  if (uri === screenUri) return { tool: "list", input: {} };
  const id = uri.startsWith(windowPrefix) ? uri.slice(windowPrefix.length) : "";
  return /^\d{1,15}$/.test(id) ? { tool: "read", input: { windowId: Number(id) } } : undefined;
}
