import { type Element, flatten } from "../../../model/element.ts";
import { fail, type Result, succeed } from "../../../model/failure.ts";
import { cleanLines } from "../../../model/plain-text.ts";
import { describeSecret, isSecretLabel } from "../../../model/secrets.ts";
import { maskPart, maskSecrets } from "../../../model/secrets-in-text.ts";
import type { Note, TextRead } from "../../../model/snapshot.ts";
import type { TextRequest } from "../../../sources/port.ts";
import { type Bus, unlessRefused } from "../dbus/bus.ts";
import type { Value } from "../dbus/reader.ts";
import { isSecret, readId, readLabel } from "./details.ts";
import { describeGone } from "./failures.ts";
import { isWritable, type RawNode, roleNameOf } from "./nodes.ts";
import { handleOf, readObject, withObject } from "./object.ts";
import { isInterface, nullPath, type Peer } from "./peer.ts";
import { hasState } from "./vocabulary.ts";

/** Default and maximum length of one answer. */
const answerLength = 20_000;
const maxAnswerLength = 1_000_000;
/** A page may contain more objects than can be read at once. */
const maxNodes = 5000;
/** A secret that crosses an end of the range is recognised by its context. */
const contextBefore = 10_000;
const contextAfter = 4000;
/** The placeholder of an object in its surrounding text. */
const embedded = "\ufffc";

/**
 * The text of one element. If it has a text of its own, only the range is requested; a document or page is assembled
 * from its objects, in order, one paragraph per line.
 */
export function readElementText(bus: Bus, request: TextRequest): Promise<Result<TextRead>> {
  const { element, start, timeoutMs } = request;
  return withObject(bus, element, timeoutMs, fail(describeGone()), async (peer, path) => {
    if (element.states.has("secret")) return fail(describeSecret());
    const end = Math.min(request.end ?? start + answerLength, start + maxAnswerLength);
    const prefix = handleOf(bus, peer.name, "");
    const known = new Map(flatten([element]).map((one) => [one.handle.slice(prefix.length), one]));
    const reading: Reading = { peer, end, known, left: maxNodes, isCut: false };
    // How much there is says nothing secret: it is asked together with what the element is.
    const [node, length] = await Promise.all([readNode(reading, path), unlessRefused(countText(peer, path))]);
    if (isSecret(node)) return fail(describeSecret());
    const own = await readOwnText(peer, node, length, start, end);
    if (own !== undefined) return succeed(own);
    const { text, holds } = await assemble(reading, node);
    // Content may have been left out on purpose: then its name, which may repeat it, is no substitute. An empty field
    // has no text; its name is beside it.
    const spoken = isWritable(node) ? element.value : element.value || element.name;
    const instead = reading.isCut ? writeView(element) : holds > 0 ? "" : spoken;
    // Harmless pieces may form a secret when joined.
    const whole = [...maskSecrets(text || instead)];
    const part = whole.slice(start, end);
    const notes = describeCuts(reading);
    return succeed({ text: part.join(""), start, end: start + part.length, length: whole.length, notes });
  });
}

interface Reading {
  readonly peer: Peer;
  readonly end: number;
  /** The element's masked content from the last read. */
  readonly known: ReadonlyMap<string, Element>;
  left: number;
  isCut: boolean;
}

/** A text without embedded objects, requested as a range; undefined if the text has to be assembled. */
async function readOwnText(
  peer: Peer,
  node: RawNode,
  length: Value | undefined,
  start: number,
  end: number,
): Promise<TextRead | undefined> {
  if (!isInterface(node.interfaces, "Text") || typeof length !== "number" || length <= 0) return undefined;
  if (start >= length) return { text: "", start: length, end: length, length, notes: [] };
  // Qt counts UTF-16 units, others characters: the returned range is taken as requested.
  const stop = Math.min(end, length);
  const [before, text, after] = await Promise.all([
    start === 0 ? "" : peer.getText(node.path, Math.max(0, start - contextBefore), start),
    peer.getText(node.path, start, stop),
    stop === length ? "" : peer.getText(node.path, stop, Math.min(length, stop + contextAfter)),
  ]);
  if (text.includes(embedded)) return undefined;
  return { text: maskSecrets(cleanLines(maskPart(before, text, after))), start, end: stop, length, notes: [] };
}

function countText(peer: Peer, path: string): Promise<Value> {
  return peer.getProperty(path, "Text", "CharacterCount");
}

interface Assembled {
  readonly text: string;
  /** How many objects it contains, read or not. */
  readonly holds: number;
}

/** The node's text with the text of each embedded object in its place. */
async function assemble(reading: Reading, node: RawNode): Promise<Assembled> {
  const { peer } = reading;
  const own = isInterface(node.interfaces, "Text") ? await readBounded(peer, node, reading.end) : "";
  const pieces = own === "" || own.includes(embedded) ? await readObjects(reading, node) : [];
  const holds = pieces.length;
  if (own === "") return { text: tidy(join(pieces)), holds };
  // Chromium lists texts among the objects, although its own text contains them.
  const objects = pieces.filter((piece) => piece?.isPlainText !== true);
  const [first = "", ...parts] = own.split(embedded);
  let text = first;
  parts.forEach((part, index) => {
    text = append(text, objects[index]) + part;
  });
  return { text: tidy(text), holds };
}

async function readBounded(peer: Peer, node: RawNode, end: number): Promise<string> {
  const count = await countText(peer, node.path);
  if (typeof count !== "number" || count <= 0) return "";
  return cleanLinesKeeping(maskSecrets(await peer.getText(node.path, 0, Math.min(count, end + contextAfter))));
}

/** Keeps the placeholders of objects. */
function cleanLinesKeeping(text: string): string {
  return text.split(embedded).map(cleanLines).join(embedded);
}

interface Piece {
  readonly text: string;
  readonly isInline: boolean;
  readonly isPlainText: boolean;
  /** A field without a name: preceding words may mark it as secret. */
  readonly isNamelessField: boolean;
}

/** The text of each object, in order; empty for secret or missing ones, so that the others keep their places. */
async function readObjects(reading: Reading, parent: RawNode): Promise<(Piece | undefined)[]> {
  const { peer, known } = reading;
  // A spreadsheet would create billions of objects.
  if (hasState(parent.states, "managesDescendants") && (await countChildren(peer, parent)) > maxNodes) {
    reading.isCut = true;
    return [];
  }
  const refs = await peer.getChildren(parent.path);
  const room = Math.min(refs.length, Math.max(0, reading.left));
  if (room < refs.length) reading.isCut = true;
  reading.left -= room;
  return Promise.all(
    refs.slice(0, room).map(async ([busName, path]): Promise<Piece | undefined> => {
      const isHidden = known.get(path)?.states.has("secret") === true;
      if (busName !== peer.name || path === nullPath || isHidden) return undefined;
      return unlessRefused(readPiece(reading, path));
    }),
  );
}

async function countChildren(peer: Peer, node: RawNode): Promise<number> {
  const count = await peer.getProperty(node.path, "Accessible", "ChildCount");
  return typeof count === "number" ? count : 0;
}

const inlineRoles = new Set(["link", "static", "label", "text", "image", "push button", "check box", "entry", "mark"]);

async function readPiece(reading: Reading, path: string): Promise<Piece | undefined> {
  const node = await readNode(reading, path);
  if (isSecret(node) || (reading.isCut && reading.left <= 0)) return undefined;
  const isField = isWritable(node);
  const isNameless = isField && node.name === "" && node.details.label === undefined;
  // The words before a field may be in another cell: only a full read shows whether it is secret.
  if (isNameless && !reading.known.has(path)) return undefined;
  const { text, holds } = await assemble(reading, node);
  return {
    text: text || (isField || holds > 0 ? "" : nameForText(reading, node)),
    isInline: inlineRoles.has(roleNameOf(node)),
    isPlainText: roleNameOf(node) === "static",
    isNamelessField: isNameless,
  };
}

/** Roles that display their name; for others, such as check boxes, it is the adjacent text. */
const namedRoles = new Set(["label", "link", "push button", "toggle button", "list item", "page tab", "table cell"]);
/** Roles whose names never contain typed text. */
const safelyNamedRoles = new Set(["image", "icon", "menu", "menu item", "check menu item", "radio menu item"]);

/** Browsers also build names from field texts: such a name is used only as read, with secrets masked. */
function nameForText({ known }: Reading, node: RawNode): string {
  const role = roleNameOf(node);
  if (safelyNamedRoles.has(role)) return cleanLines(node.name);
  return namedRoles.has(role) ? (known.get(node.path)?.name ?? "") : "";
}

async function readNode({ peer }: Reading, path: string): Promise<RawNode> {
  const node = await readObject(peer, path);
  if (isWritable(node)) {
    const attributes = unlessRefused(peer.getAttributes(path));
    await Promise.all([readLabel(peer, node, new Map()), readId(peer, node), attributes]);
    node.details.attributes = (await attributes) ?? new Map();
  }
  return node;
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

/** The visible cells of a sheet that have content, with their addresses. */
function writeView(element: Element): string {
  const cells = flatten(element.children).filter(({ value, states }) => value !== "" && !states.has("secret"));
  return cells.map(({ name, value }) => (name === "" ? value : `${name}\t${value}`)).join("\n");
}

function describeCuts({ isCut }: Reading): Note[] {
  if (!isCut) return [];
  return [{ code: "TRUNCATED", text: `it holds more than ${maxNodes} objects: not all of them were read` }];
}
