import type { Aria } from "../../../model/element.ts";
import { roleFromAtspi } from "../../../model/role.ts";
import { isSecretLabel, isSecretPurpose } from "../../../model/secrets.ts";
import { isMasked, keyWord, maskPart, maskSecrets } from "../../../model/secrets-in-text.ts";
import { ConnectionLost, DeadlinePassed, ErrorReply } from "../dbus/bus.ts";
import { ignore } from "../ignore.ts";
import {
  holdsField,
  isDateField,
  isIconOfView,
  isWritable,
  keepOneParent,
  type RawNode,
  roleNameOf,
  walkNodes,
} from "./nodes.ts";
import {
  type CoordinateType,
  controllerFor,
  isInterface,
  labelledBy,
  type NamedAction,
  nullPath,
  type Peer,
  screenCoordinates,
  windowCoordinates,
} from "./peer.ts";
import type { Quirks } from "./quirks.ts";
import { isHolderRole, objectMark } from "./values.ts";
import { hasState } from "./vocabulary.ts";

/** Longer text is read in ranges, on demand. */
const maxTextLength = 2000;
/** Enough to recognise a secret that starts before the end of the read part. */
const lookahead = 200;
/** Of a text around objects, of which each is one character of it. */
const maxHolderLength = 20_000;
/** A private key that ends in the visible part of a terminal may have started this much earlier. */
const lookbehind = 10_000;

const documents = new Set(["document web", "document frame", "document text", "document email"]);
const numeric = new Set([
  "slider",
  "scroll bar",
  "spin button",
  "progress bar",
  "level bar",
  "dial",
  "rating",
  "color chooser",
]);
/** Roles named by their content: requesting a label for each would be wasted. */
const unlabelled = new Set([
  "panel",
  "filler",
  "scroll pane",
  "viewport",
  "separator",
  "split pane",
  "section",
  "menu bar",
]);

/**
 * Whether a field is secret by its own properties. The text of a password field is never requested; that of a field
 * only named like one is kept here, to remove it from all other texts, and goes no further.
 */
export function isSecret(node: RawNode): boolean {
  if (roleNameOf(node) === "password text") return true;
  if (!isWritable(node)) return false;
  const { attributes, label } = node.details;
  if (attributes?.get("text-input-type") === "password") return true;
  // Firefox 153 and Chromium 156 do not expose `autocomplete`; only Chromium exposes the field's name in the form.
  if (isSecretPurpose(attributes?.get("autocomplete") ?? "")) return true;
  return isSecretLabel(
    node.name,
    node.description,
    label ?? "",
    platformIdOf(node),
    attributes?.get("placeholder-text") ?? "",
    attributes?.get("html-input-name") ?? "",
  );
}

/** The id the program gave to a control, or "". */
export function platformIdOf({ details }: RawNode): string {
  return details.id ?? details.attributes?.get("id") ?? "";
}

/**
 * Requests the details that cost a call per visible node. Positions and actions first; then text, once it is known not
 * to be secret.
 */
export async function readDetails(
  peer: Peer,
  quirks: Quirks,
  nodes: readonly RawNode[],
  byPath: ReadonlyMap<string, RawNode>,
  isAsked: (node: RawNode) => boolean = () => true,
): Promise<void> {
  const known = keepOneParent(nodes);
  const icons = known.flatMap(({ children }) => children.filter((child) => isIconOfView(quirks, child)));
  const all = icons.length === 0 ? known : new Set([...known, ...icons]);
  await Promise.all(Array.from(all, (node) => isAsked(node) && readOutline(peer, quirks, node, byPath)));
}

async function readOutline(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  byPath: ReadonlyMap<string, RawNode>,
): Promise<void> {
  const { details, interfaces, path } = node;
  const role = roleNameOf(node);
  const has = (name: string): boolean => isInterface(interfaces, name);
  const isHolder = quirks.hasBareTexts && isHolderRole(roleFromAtspi(role));
  const words = Promise.all([
    details.attributes === undefined &&
      needsAttributes(node, quirks) &&
      keep(peer.getAttributes(path), (attributes) => (details.attributes = attributes)),
    details.id === undefined && quirks.hasAccessibleIds && hasState(node.states, "focusable") && readId(peer, node),
    details.labelPaths === undefined && needsLabel(node) && readLabel(peer, node, byPath),
    details.meaning === undefined &&
      hasMeaning(node, quirks) &&
      keep(peer.getAttributes(path), (attributes) => (details.meaning = attributes)),
    details.controls === undefined &&
      quirks.hasAttributes &&
      hasState(node.states, "expandable") &&
      readControlled(peer, node, byPath),
  ]);
  await Promise.all([
    details.extents === undefined &&
      has("Component") &&
      keep(peer.getExtents(path, coordinatesOf(quirks)), (extents) => (details.extents = extents)),
    details.actions === undefined &&
      has("Action") &&
      !(quirks.labelsActIdly && role === "label") &&
      keep(readActionTexts(peer, quirks, node), (actions) => (details.actions = actions)),
    has("Value") && (numeric.has(role) || quirks.roleOfClass.has(node.name)) && readNumber(peer, node),
    role === "combo box" && quirks.namesCombosByChoice && has("Selection") && readChoice(peer, node, byPath),
    role === "link" &&
      node.name === "" &&
      has("Hyperlink") &&
      !has("Component") &&
      keep(readLink(peer, coordinatesOf(quirks), node), () => undefined),
    documents.has(role) && keep(peer.getDocumentAddress(path), (url) => (details.url = url)),
    (has("Text") || has("EditableText")) && (isHolder || mayShowText(node)) && readText(peer, node, words, isHolder),
    words,
  ]);
}

/**
 * GetActions returns localised names, and in Firefox key bindings; GetName returns the stable name. GTK 4's action
 * groups ("clipboard.copy") are long and not localised.
 */
export async function readActionTexts(peer: Peer, quirks: Quirks, node: RawNode): Promise<readonly NamedAction[]> {
  const { path } = node;
  // GTK 3's switches and expanders are toggle buttons with actions of their own.
  const isPlain =
    isInterface(node.interfaces, "Image") || !quirks.hidesSwitches || roleNameOf(node) !== "toggle button";
  const certain = isPlain ? quirks.actionOfRole[roleNameOf(node)] : undefined;
  const actions = await peer.getActions(path);
  return Promise.all(
    actions.map(async ([shown, , binding], index): Promise<NamedAction> => {
      if (quirks.hasPlainActionNames || shown.includes(".")) return [shown, "", binding];
      return [certain ?? (await peer.getActionName(path, index)), "", binding];
    }),
  );
}

export function coordinatesOf(quirks: Quirks): CoordinateType {
  return quirks.extentsFrom === "window" ? windowCoordinates : screenCoordinates;
}

/**
 * Firefox returns nothing for a range past the end, and a text may be huge: so its length is requested first. The text
 * waits for the words around the field, which may mark it as secret.
 */
async function readText(peer: Peer, node: RawNode, words: Promise<unknown>, isHolder: boolean): Promise<void> {
  await keep(peer.getProperty(node.path, "Text", "CharacterCount"), async (count) => {
    await words;
    if (typeof count !== "number" || count < 0) return;
    if (count === 0) {
      node.details.text = "";
      return;
    }
    if (isSecret(node)) {
      node.details.secretText = await peer.getText(node.path, 0, Math.min(count, maxTextLength));
      return;
    }
    // A terminal's text is its visible part; new output is at its end.
    node.details.text = await (roleNameOf(node) === "terminal"
      ? readEnd(peer, node, count)
      : readHead(peer, node, count, isHolder && !isDateField(node)));
  });
}

async function readHead(peer: Peer, { path }: RawNode, count: number, isHolder: boolean): Promise<string> {
  const limit = Math.max(peer.searchedLength, (isHolder ? maxHolderLength : maxTextLength) + lookahead);
  const given = await peer.getText(path, 0, Math.min(count, limit));
  // It became shorter since its length was requested.
  const shorter = given === "" ? await peer.getProperty(path, "Text", "CharacterCount") : 0;
  const isShorter = typeof shorter === "number" && shorter > 0;
  const masked = maskSecrets(isShorter ? await peer.getText(path, 0, Math.min(shorter, limit)) : given);
  const text = isHolder ? masked.slice(0, maxHolderLength).replaceAll(/(?:\s*\ufffc){2,}/g, ` ${objectMark}`) : masked;
  const head = text.slice(0, maxTextLength);
  // The rest is not shown, but a secret in it must be known where it may be visible.
  const isInRest = peer.searchedLength > 0 && !isMasked(head) && isMasked(text);
  return isInRest ? keyWord : head;
}

async function readEnd(peer: Peer, { path }: RawNode, count: number): Promise<string> {
  const start = Math.max(0, count - maxTextLength);
  const [before, text] = await Promise.all([
    start === 0 ? "" : peer.getText(path, Math.max(0, start - lookbehind), start),
    peer.getText(path, start, count),
  ]);
  return maskPart(before, text, "");
}

function mayShowText(node: RawNode): boolean {
  const role = roleNameOf(node);
  if (role === "password text") return false;
  // A control's name already contains its text; the text of a field or paragraph does not.
  if (isWritable(node) || node.name === "") return true;
  return role === "text" || role === "terminal" || role === "entry" || holdsField(node);
}

function needsAttributes(node: RawNode, quirks: Quirks): boolean {
  if (!quirks.hasAttributes) return quirks.hasPlaceholders && isWritable(node);
  return hasState(node.states, "focusable") || isWritable(node) || roleNameOf(node) === "heading";
}

/** What people are told of it by ARIA alone: the kind of a landmark, and what is loading. */
function hasMeaning(node: RawNode, quirks: Quirks): boolean {
  const isMeant = roleNameOf(node) === "landmark" || hasState(node.states, "busy");
  return isMeant && quirks.hasAttributes && !needsAttributes(node, quirks);
}

export function ariaOf({ details }: RawNode): Aria | undefined {
  const role = (details.meaning ?? details.attributes)?.get("xml-roles");
  const id = details.meaning?.get("id");
  const { controls = [] } = details;
  if (role === undefined && id === undefined && controls.length === 0) return undefined;
  return {
    ...(role === undefined ? {} : { role }),
    ...(id === undefined ? {} : { id }),
    ...(controls.length === 0 ? {} : { controls }),
  };
}

async function readControlled(peer: Peer, node: RawNode, byPath: ReadonlyMap<string, RawNode>): Promise<void> {
  await keep(peer.getRelations(node.path), async (relations) => {
    const targets = relations.filter(([type]) => type === controllerFor).flatMap(([, refs]) => refs);
    const ids = await Promise.all(targets.map(([, path]) => readDomId(peer, path, byPath)));
    node.details.controls = ids.filter((id) => id !== "");
  });
}

async function readDomId(peer: Peer, path: string, byPath: ReadonlyMap<string, RawNode>): Promise<string> {
  const known = byPath.get(path)?.details;
  let attributes = known?.attributes ?? known?.meaning;
  if (attributes === undefined) await keep(peer.getAttributes(path), (read) => (attributes = read));
  return attributes?.get("id") ?? "";
}

function needsLabel(node: RawNode): boolean {
  return (node.name === "" || isWritable(node)) && !unlabelled.has(roleNameOf(node));
}

export async function readId(peer: Peer, node: RawNode): Promise<void> {
  await keep(peer.getProperty(node.path, "Accessible", "AccessibleId"), (id) => {
    if (typeof id === "string" && id !== "") node.details.id = id;
  });
}

async function readNumber(peer: Peer, node: RawNode): Promise<void> {
  await keep(peer.getProperty(node.path, "Value", "CurrentValue"), (value) => {
    if (typeof value === "number") node.details.numericValue = value;
  });
}

async function readChoice(peer: Peer, node: RawNode, byPath: ReadonlyMap<string, RawNode>): Promise<void> {
  await keep(peer.getSelectedChild(node.path, 0), async ([, path]) => {
    // The entries of a closed list are known although they are not shown.
    const known = [...walkNodes(node)].find((inner) => inner.path === path)?.name;
    const choice = known || (path === nullPath ? "" : await readLabelName(peer, path, byPath));
    if (choice !== "") node.details.choice = choice;
  });
}

export async function readLabel(peer: Peer, node: RawNode, byPath: ReadonlyMap<string, RawNode>): Promise<void> {
  await keep(peer.getRelations(node.path), async (relations) => {
    const targets = relations.filter(([type]) => type === labelledBy).flatMap(([, refs]) => refs);
    if (targets.length > 0) node.details.labelPaths = targets.map(([, path]) => path);
    const names = await Promise.all(targets.map(([, path]) => readLabelName(peer, path, byPath)));
    // GTK 4 lists a button's label twice: for the button and for the box around it.
    const label = [...new Set(names)].filter((name) => name !== "").join(" ");
    if (label !== "") node.details.label = label;
  });
}

async function readLabelName(peer: Peer, path: string, byPath: ReadonlyMap<string, RawNode>): Promise<string> {
  const known = byPath.get(path);
  if (known !== undefined && known.name !== "") return known.name;
  let name = "";
  await keep(peer.getProperty(path, "Accessible", "Name"), (value) => {
    if (typeof value === "string") name = value;
  });
  return name;
}

/** Stores a reply. Refused, late or lost replies stay unknown: the element is shown with what is known. */
function keep<T>(reply: Promise<T>, store: (value: T) => unknown): Promise<unknown> {
  return reply.then(store).catch(ignore(ErrorReply, DeadlinePassed, ConnectionLost));
}

const maxLinkLength = 1000;

/** A link inside a text (GTK 3) has neither name nor position: they are those of its text range. */
async function readLink(peer: Peer, coordinates: CoordinateType, node: RawNode): Promise<void> {
  const [start, end] = await Promise.all([
    peer.getProperty(node.path, "Hyperlink", "StartIndex"),
    peer.getProperty(node.path, "Hyperlink", "EndIndex"),
  ]);
  if (typeof start !== "number" || typeof end !== "number" || start < 0 || end <= start) return;
  const last = Math.min(end, start + maxLinkLength);
  const [text, extents] = await Promise.all([
    peer.getText(node.parentPath, start, last),
    peer.getRangeExtents(node.parentPath, start, last, coordinates),
  ]);
  node.details.text = maskSecrets(text);
  node.details.extents = extents;
}
