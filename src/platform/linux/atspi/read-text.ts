import { flatten } from "../../../model/element.ts";
import { fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { cleanLines } from "../../../model/plain-text.ts";
import { describeSecret, isSecretLabel } from "../../../model/secrets.ts";
import type { Note, TextRead } from "../../../model/snapshot.ts";
import type { TextRequest } from "../../port.ts";
import type { Bus } from "../dbus/bus.ts";
import { DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import { isSecret, readLabel } from "./details.ts";
import { isWritable, type RawNode, roleNameOf } from "./nodes.ts";
import { Peer } from "./peer.ts";
import {
  getAttributes,
  getChildren,
  getInterfaces,
  getProperty,
  getRole,
  getStates,
  getText,
  isInterface,
  nullPath,
} from "./protocol.ts";
import { hasState } from "./vocabulary.ts";

/** One answer, unless more is asked for; and the most that can be asked for. */
const answerLength = 20_000;
const maxAnswerLength = 1_000_000;
/** A page may hold more objects than anybody reads in one go. */
const maxNodes = 5000;
/** What stands for an object in the text around it. */
const embedded = "\ufffc";

/**
 * The text of one element. Where it has a text of its own, the range is asked for and nothing else; a document or a page
 * is put together from what it holds, in order, a paragraph to a line.
 */
export async function readElementText(bus: Bus, request: TextRequest): Promise<Result<TextRead>> {
  const { element, start, timeoutMs } = request;
  const [, guid, busName, path] = /^([^:]*)(:[\d.]+)(\/.*)$/.exec(element.runtimeId) ?? [];
  if (busName === undefined || path === undefined || guid !== bus.guid) return fail(describeGone());
  if (element.states.has("secret")) return fail(describeSecret());
  const end = Math.min(request.end ?? start + answerLength, start + maxAnswerLength);
  const peer = new Peer(bus, busName, timeoutMs);
  const secretPaths = flatten([element])
    .filter(({ states }) => states.has("secret"))
    .map(({ runtimeId }) => runtimeId.slice(guid.length + busName.length));
  const reading: Reading = { peer, end, secretPaths: new Set(secretPaths), left: maxNodes, isCut: false };
  try {
    const node = await readNode(reading, path);
    if (isSecret(node)) return fail(describeSecret());
    const own = await readOwnText(peer, node, start, end);
    if (own !== undefined) return succeed(own);
    const whole = [...((await assemble(reading, node)) || element.value || element.name)];
    const part = whole.slice(start, end);
    return succeed({
      text: part.join(""),
      start,
      end: start + part.length,
      length: whole.length,
      notes: describeCuts(reading),
    });
  } catch (error) {
    if (error instanceof DeadlinePassed) return fail(describeSilence(timeoutMs));
    if (error instanceof ErrorReply) return fail(describeGone());
    throw error;
  } finally {
    peer.close();
  }
}

interface Reading {
  readonly peer: Peer;
  readonly end: number;
  readonly secretPaths: ReadonlySet<string>;
  left: number;
  isCut: boolean;
}

/** A text without objects in it, asked for as a range; undefined where the text has to be put together. */
async function readOwnText(peer: Peer, node: RawNode, start: number, end: number): Promise<TextRead | undefined> {
  if (!isInterface(node.interfaces, "Text")) return undefined;
  const length = await getProperty(peer, node.path, "Text", "CharacterCount");
  if (typeof length !== "number" || length <= 0) return undefined;
  if (start >= length) return { text: "", start: length, end: length, length, notes: [] };
  const text = await getText(peer, node.path, start, Math.min(end, length));
  if (text.includes(embedded)) return undefined;
  return { text: cleanLines(text), start, end: start + [...text].length, length, notes: [] };
}

/** Everything a node says: its own text, with what each object in it says in that object's place. */
async function assemble(reading: Reading, node: RawNode): Promise<string> {
  const { peer } = reading;
  const own = isInterface(node.interfaces, "Text") ? await readBounded(peer, node, reading.end) : "";
  const objects = own === "" || own.includes(embedded) ? await readObjects(reading, node) : [];
  if (own === "") return tidy(join(objects));
  let next = 0;
  let text = "";
  for (const [index, part] of own.split(embedded).entries()) {
    if (index > 0) {
      text = append(text, objects[next]);
      next += 1;
    }
    text += part;
  }
  for (const object of objects.slice(next)) text = append(text, object);
  return tidy(text);
}

async function readBounded(peer: Peer, node: RawNode, end: number): Promise<string> {
  const count = await getProperty(peer, node.path, "Text", "CharacterCount");
  if (typeof count !== "number" || count <= 0) return "";
  return cleanLinesKeeping(await getText(peer, node.path, 0, Math.min(count, end)));
}

/** The places of objects are still needed. */
function cleanLinesKeeping(text: string): string {
  return text.split(embedded).map(cleanLines).join(embedded);
}

interface Piece {
  readonly text: string;
  readonly isInline: boolean;
  /** A field that nothing names: the words before it may say that it is secret. */
  readonly isNamelessField: boolean;
}

async function readObjects(reading: Reading, parent: RawNode): Promise<Piece[]> {
  // A spreadsheet would make thousands of millions of objects.
  if (hasState(parent.states, "managesDescendants")) return [];
  const refs = await getChildren(reading.peer, parent.path);
  const room = Math.min(refs.length, Math.max(0, reading.left));
  if (room < refs.length) reading.isCut = true;
  reading.left -= room;
  const pieces = await Promise.all(
    refs.slice(0, room).map(async ([busName, path]): Promise<Piece | undefined> => {
      if (busName !== reading.peer.name || path === nullPath || reading.secretPaths.has(path)) return undefined;
      try {
        return await readPiece(reading, path);
      } catch (error) {
        // This one object is gone; the rest of the text is not.
        if (error instanceof ErrorReply) return undefined;
        throw error;
      }
    }),
  );
  return pieces.filter((piece) => piece !== undefined);
}

const inlineRoles = new Set(["link", "static", "label", "text", "image", "push button", "check box", "entry", "mark"]);

async function readPiece(reading: Reading, path: string): Promise<Piece | undefined> {
  const node = await readNode(reading, path);
  if (isSecret(node) || (reading.isCut && reading.left <= 0)) return undefined;
  const isField = isWritable(node);
  const text = (await assemble(reading, node)) || (isField ? "" : cleanLines(node.name));
  return {
    text,
    isInline: inlineRoles.has(roleNameOf(node)),
    isNamelessField: isField && node.name === "" && node.details.label === undefined,
  };
}

async function readNode({ peer }: Reading, path: string): Promise<RawNode> {
  const [role, states, interfaces, name, description] = await Promise.all([
    getRole(peer, path),
    getStates(peer, path),
    getInterfaces(peer, path),
    getProperty(peer, path, "Accessible", "Name"),
    getProperty(peer, path, "Accessible", "Description"),
  ]);
  const node: RawNode = {
    path,
    parentPath: "",
    indexInParent: 0,
    childCount: 0,
    interfaces,
    name: typeof name === "string" ? name : "",
    role,
    description: typeof description === "string" ? description : "",
    states,
    children: [],
    details: {},
  };
  if (isWritable(node)) {
    await readLabel(peer, node, new Map());
    node.details.attributes = await getAttributes(peer, path).catch(ignoreRefusal);
  }
  return node;
}

function ignoreRefusal(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof ErrorReply) return new Map();
  throw error;
}

const maxWordsBefore = 60;

function append(text: string, piece: Piece | undefined): string {
  if (piece === undefined || piece.text === "") return text;
  if (piece.isNamelessField && isSecretLabel(text.slice(-maxWordsBefore))) return text;
  return piece.isInline ? text + piece.text : `${text}\n${piece.text}\n`;
}

function join(pieces: readonly Piece[]): string {
  return pieces.reduce((text, piece) => append(piece.isInline && text !== "" ? `${text} ` : text, piece), "");
}

function tidy(text: string): string {
  return text
    .replace(/ {2,}/g, " ")
    .replace(/[ \t]*\n[ \t]*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

function describeCuts({ isCut }: Reading): Note[] {
  if (!isCut) return [];
  return [{ code: "TRUNCATED", text: `it holds more than ${maxNodes} objects: the rest was not read` }];
}

function describeGone() {
  return {
    code: "NOT_FOUND" as const,
    message: "the element is gone",
    suggestion: "deskmap read shows what is there now.",
    done: nothingDone,
  };
}

function describeSilence(timeoutMs: number) {
  return {
    code: "TIMEOUT" as const,
    message: `the application does not answer (waited ${timeoutMs} ms)`,
    suggestion: "try again, or allow more: --timeout-ms 20000",
    done: nothingDone,
  };
}
