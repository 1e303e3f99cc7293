import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { CallReply } from "../../client/host.ts";
import { cleanLine } from "../../model/plain-text.ts";
import { enclose } from "../../show/envelope.ts";
import { failureToJson, showFailure } from "../../show/failure.ts";
import type { Offered } from "./offered.ts";

type Json = Record<string, unknown>;

/**
 * A reply of a tool as MCP answers: the text between the two lines that enclose what applications said, and the same as
 * data. A failure is an answer, too: its text is the next instruction.
 */
export function toToolResult(offered: Offered, reply: CallReply, isStructured: boolean): CallToolResult {
  const { failure, outputs } = reply;
  const warnings = reply.warnings.map((warning) => toText(`warning: ${cleanLine(warning)}`));
  if (failure !== undefined) {
    const content = [...warnings, toText(enclose(showFailure(failure)))];
    return { content, isError: true, ...(isStructured ? { structuredContent: parse(failureToJson(failure)) } : {}) };
  }
  const { picture, json } = takePicture(parse(outputs.json ?? "{}", offered.isBrief));
  const words = picture === undefined ? (outputs.text ?? "") : (outputs.text ?? "").replace(unwritten, "picture");
  const content = [...warnings, ...(picture === undefined ? [] : [picture]), toText(enclose(words))];
  return {
    content,
    ...(isStructured ? { structuredContent: json } : {}),
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
function takePicture(json: Json): { readonly picture?: ContentBlock; readonly json: Json } {
  const { data, ...rest } = json;
  const { format } = json;
  if (typeof data !== "string" || (format !== "png" && format !== "jpg")) return { json };
  return { picture: { type: "image", data, mimeType: format === "png" ? "image/png" : "image/jpeg" }, json: rest };
}

function toText(text: string): ContentBlock {
  return { type: "text", text };
}

/** Of a control: its bounds and its own actions, which no tool of every day takes. They are half of a read. */
const rare: ReadonlySet<string> = new Set(["b", "a"]);

/** Structured content is an object: a list stands in one. What is brief says of controls no more than the text does. */
function parse(text: string, isBrief = false): Json {
  const value: unknown = JSON.parse(text, (key, part: unknown) => (isBrief && rare.has(key) ? undefined : part));
  return isRecord(value) ? value : { items: value };
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
