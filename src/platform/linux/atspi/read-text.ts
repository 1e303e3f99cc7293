import { type Element, flatten } from "../../../model/element.ts";
import { fail, type Result, succeed } from "../../../model/failure.ts";
import { cleanLines } from "../../../model/plain-text.ts";
import { describeSecret, isSecretLabel } from "../../../model/secrets.ts";
import { maskPart, maskSecrets } from "../../../model/secrets-in-text.ts";
import type { Note, TextRead } from "../../../model/snapshot.ts";
import type { TextRequest } from "../../port.ts";
import type { Bus } from "../dbus/bus.ts";
import { DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import { isSecret, readId, readLabel } from "./details.ts";
import { describeGone, describeSilence } from "./failures.ts";
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
/** A secret that lies across an end of the range is known by what stands before and after it. */
const contextBefore = 10_000;
const contextAfter = 4000;
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
  const known = new Map(flatten([element]).map((one) => [one.runtimeId.slice(guid.length + busName.length), one]));
  const reading: Reading = { peer, end, known, left: maxNodes, isCut: false };
  try {
    const node = await readNode(reading, path);
    if (isSecret(node)) return fail(describeSecret());
    const own = await readOwnText(peer, node, start, end);
    if (own !== undefined) return succeed(own);
    const { text, holds } = await assemble(reading, node);
    // What it holds may have been left out on purpose: then its name, which may repeat it, is no substitute.
    // A field that is empty holds nothing; its name is beside it.
    const spoken = isWritable(node) ? element.value : element.value || element.name;
    const instead = reading.isCut ? writeView(element) : holds > 0 ? "" : spoken;
    // What was harmless in pieces may be a number when it stands together.
    const whole = [...maskSecrets(text || instead)];
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
  /** What was read of the element just now, without its secrets. */
  readonly known: ReadonlyMap<string, Element>;
  left: number;
  isCut: boolean;
}

/** A text without objects in it, asked for as a range; undefined where the text has to be put together. */
async function readOwnText(peer: Peer, node: RawNode, start: number, end: number): Promise<TextRead | undefined> {
  if (!isInterface(node.interfaces, "Text")) return undefined;
  const length = await getProperty(peer, node.path, "Text", "CharacterCount");
  if (typeof length !== "number" || length <= 0) return undefined;
  if (start >= length) return { text: "", start: length, end: length, length, notes: [] };
  // Qt counts UTF-16 units and the others characters: the range that was asked for is what was got.
  const stop = Math.min(end, length);
  const [before, text, after] = await Promise.all([
    start === 0 ? "" : getText(peer, node.path, Math.max(0, start - contextBefore), start),
    getText(peer, node.path, start, stop),
    stop === length ? "" : getText(peer, node.path, stop, Math.min(length, stop + contextAfter)),
  ]);
  if (text.includes(embedded)) return undefined;
  return { text: maskSecrets(cleanLines(maskPart(before, text, after))), start, end: stop, length, notes: [] };
}

interface Assembled {
  readonly text: string;
  /** How many objects it holds, read or not. */
  readonly holds: number;
}

/** Everything a node says: its own text, with what each object in it says in that object's place. */
async function assemble(reading: Reading, node: RawNode): Promise<Assembled> {
  const { peer } = reading;
  const own = isInterface(node.interfaces, "Text") ? await readBounded(peer, node, reading.end) : "";
  const pieces = own === "" || own.includes(embedded) ? await readObjects(reading, node) : [];
  const holds = pieces.length;
  if (own === "") return { text: tidy(join(pieces)), holds };
  // Chromium lists the texts among the objects, though they are in its own text already.
  const objects = pieces.filter((piece) => piece?.isPlainText !== true);
  const [first = "", ...parts] = own.split(embedded);
  let text = first;
  parts.forEach((part, index) => {
    text = append(text, objects[index]) + part;
  });
  return { text: tidy(text), holds };
}

async function readBounded(peer: Peer, node: RawNode, end: number): Promise<string> {
  const count = await getProperty(peer, node.path, "Text", "CharacterCount");
  if (typeof count !== "number" || count <= 0) return "";
  return cleanLinesKeeping(maskSecrets(await getText(peer, node.path, 0, Math.min(count, end + contextAfter))));
}

/** The places of objects are still needed. */
function cleanLinesKeeping(text: string): string {
  return text.split(embedded).map(cleanLines).join(embedded);
}

interface Piece {
  readonly text: string;
  readonly isInline: boolean;
  readonly isPlainText: boolean;
  /** A field that nothing names: the words before it may say that it is secret. */
  readonly isNamelessField: boolean;
}

/** What each object says, in order; nothing stands for one that is secret or gone, so that the others keep their places. */
async function readObjects(reading: Reading, parent: RawNode): Promise<(Piece | undefined)[]> {
  const { peer, known } = reading;
  // A spreadsheet would make thousands of millions of objects.
  if (hasState(parent.states, "managesDescendants") && (await countChildren(peer, parent)) > maxNodes) {
    reading.isCut = true;
    return [];
  }
  const refs = await getChildren(peer, parent.path);
  const room = Math.min(refs.length, Math.max(0, reading.left));
  if (room < refs.length) reading.isCut = true;
  reading.left -= room;
  return Promise.all(
    refs.slice(0, room).map(async ([busName, path]): Promise<Piece | undefined> => {
      const isHidden = known.get(path)?.states.has("secret") === true;
      if (busName !== peer.name || path === nullPath || isHidden) return undefined;
      try {
        return await readPiece(reading, path);
      } catch (error) {
        // This one object is gone; the rest of the text is not.
        if (error instanceof ErrorReply) return undefined;
        throw error;
      }
    }),
  );
}

async function countChildren(peer: Peer, node: RawNode): Promise<number> {
  const count = await getProperty(peer, node.path, "Accessible", "ChildCount");
  return typeof count === "number" ? count : 0;
}

const inlineRoles = new Set(["link", "static", "label", "text", "image", "push button", "check box", "entry", "mark"]);

async function readPiece(reading: Reading, path: string): Promise<Piece | undefined> {
  const node = await readNode(reading, path);
  if (isSecret(node) || (reading.isCut && reading.left <= 0)) return undefined;
  const isField = isWritable(node);
  const isNameless = isField && node.name === "" && node.details.label === undefined;
  // The words before a field may stand in another cell: only a read of the whole tells whether it is secret.
  if (isNameless && !reading.known.has(path)) return undefined;
  const { text, holds } = await assemble(reading, node);
  return {
    text: text || (isField || holds > 0 ? "" : nameForText(reading, node)),
    isInline: inlineRoles.has(roleNameOf(node)),
    isPlainText: roleNameOf(node) === "static",
    isNamelessField: isNameless,
  };
}

/** These show their name; that of others, such as a check box, is the text beside it. */
const namedRoles = new Set(["label", "link", "push button", "toggle button", "list item", "page tab", "table cell"]);
/** And the names of these are never made of what somebody has typed. */
const safelyNamedRoles = new Set(["image", "icon", "menu", "menu item", "check menu item", "radio menu item"]);

/** Browsers make names of the texts of fields too: such a name will do only as it was read, cleaned of secrets. */
function nameForText({ known }: Reading, node: RawNode): string {
  const role = roleNameOf(node);
  if (safelyNamedRoles.has(role)) return cleanLines(node.name);
  return namedRoles.has(role) ? (known.get(node.path)?.name ?? "") : "";
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
    await Promise.all([readLabel(peer, node, new Map()), readId(peer, node)]);
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

function join(pieces: readonly (Piece | undefined)[]): string {
  return pieces.reduce<string>(
    (text, piece) => append(piece?.isInline === true && text !== "" ? `${text} ` : text, piece),
    "",
  );
}

function tidy(text: string): string {
  return text
    .replace(/ {2,}/g, " ")
    .replace(/[ \t]*\n[ \t]*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

/** Of a sheet what is in view: each cell that holds something, with its address. */
function writeView(element: Element): string {
  const cells = flatten(element.children).filter(({ value, states }) => value !== "" && !states.has("secret"));
  return cells.map(({ name, value }) => (name === "" ? value : `${name}\t${value}`)).join("\n");
}

function describeCuts({ isCut }: Reading): Note[] {
  if (!isCut) return [];
  return [{ code: "TRUNCATED", text: `it holds more than ${maxNodes} objects: not all of them were read` }];
}
