import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { CallReply } from "../../host/port.ts";
import { cleanLine } from "../../model/plain-text.ts";
import { enclose } from "../../show/envelope.ts";
import { failureToData, showFailure } from "../../show/failure.ts";
import type { Offered } from "./offered.ts";

type Data = Readonly<Record<string, unknown>>;

/**
 * A reply of a tool as MCP answers: the text between the two lines that enclose what applications said, and the same as
 * data. A failure is an answer, too: its text is the next instruction.
 */
export function toToolResult(offered: Offered, reply: CallReply, isStructured: boolean): CallToolResult {
  const { failure, outputs } = reply;
  const warnings = reply.warnings.map((warning) => toText(`warning: ${cleanLine(warning)}`));
  if (failure !== undefined) {
    const content = [...warnings, toText(enclose(showFailure(failure)))];
    return { content, isError: true, ...(isStructured ? { structuredContent: failureToData(failure) } : {}) };
  }
  const { picture, data } = takePicture(reply.data ?? {});
  const words = picture === undefined ? (outputs.text ?? "") : (outputs.text ?? "").replace(unwritten, "picture");
  const content = [...warnings, ...(picture === undefined ? [] : [picture]), toText(enclose(words))];
  return {
    content,
    ...(isStructured ? { structuredContent: offered.isBrief ? shortenControls(data) : data } : {}),
    ...(isUndone(offered, reply) ? { isError: true } : {}),
  };
}

const unwritten = "(not written)";
/** Exit codes of what was not done; 4 is done, and not seen to work: the answer says so itself. */
const undone: ReadonlySet<number> = new Set([1, 2, 3]);

/** A question may be answered with no; what was to be done and was not is an error. */
function isUndone({ acts, tool }: Offered, { exitCode }: CallReply): boolean {
  return undone.has(exitCode) && (acts || tool.hints?.isReadOnly === false);
}

/** A picture goes as one: as text it would fill the memory of whoever reads it. */
function takePicture(answer: Data): { readonly picture?: ContentBlock; readonly data: Data } {
  const { data, ...rest } = answer;
  const { format } = answer;
  if (typeof data !== "string" || (format !== "png" && format !== "jpg")) return { data: answer };
  return { picture: { type: "image", data, mimeType: format === "png" ? "image/png" : "image/jpeg" }, data: rest };
}

function toText(text: string): ContentBlock {
  return { type: "text", text };
}

/** Of a control: its bounds and its own actions, which no tool of every day takes. They are half of a read. */
const rare: ReadonlySet<string> = new Set(["b", "a"]);

/** What is brief says of controls no more than the text does; an answer that loses all its places needs no space. */
function shortenControls(answer: Data): Data {
  const found = new Set<string>();
  const shorten = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(shorten);
    if (!isRecord(part)) return part;
    const entries = Object.entries(part).filter(([key]) => {
      found.add(key);
      return !rare.has(key);
    });
    return Object.fromEntries(entries.map(([key, value]) => [key, shorten(value)]));
  };
  const short = Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, shorten(value)]));
  const { space: _space, ...rest } = short;
  return found.has("b") && !found.has("p") && !found.has("place") ? rest : short;
}

function isRecord(value: unknown): value is Data {
  return typeof value === "object" && value !== null;
}
