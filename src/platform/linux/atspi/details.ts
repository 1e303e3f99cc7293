import { isSecretLabel, isSecretPurpose } from "../../../model/secrets.ts";
import { isMasked, keyWord, maskPart, maskSecrets } from "../../../model/secrets-in-text.ts";
import { ConnectionLost, DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import { readLink } from "./links.ts";
import { holdsField, isIconOfView, isWritable, keepOneParent, type RawNode, roleNameOf, walkNodes } from "./nodes.ts";
import type { Peer } from "./peer.ts";
import {
  type CoordinateType,
  getActionName,
  getActions,
  getAttributes,
  getDocumentAttribute,
  getExtents,
  getProperty,
  getRelations,
  getSelectedChild,
  getText,
  isInterface,
  labelledBy,
  type NamedAction,
  nullPath,
  screenCoordinates,
  windowCoordinates,
} from "./protocol.ts";
import type { Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

/** Longer text is read in ranges, on demand. */
const maxTextLength = 2000;
/** A secret that begins before the end of what is read is known by so much of it. */
const lookahead = 200;
/** A private key that ends in what a terminal shows may have begun so far before. */
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
/** Roles that are named by what they hold; asking each of them for a label would be a call for nothing. */
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
 * Whether a field's text is secret by what the field says of itself. A password field's text is never asked for; that of a
 * field that is only called so is held here, to take it out of everything else, and goes no further.
 */
export function isSecret(node: RawNode): boolean {
  if (roleNameOf(node) === "password text") return true;
  if (!isWritable(node)) return false;
  const { attributes, label } = node.details;
  if (attributes?.get("text-input-type") === "password") return true;
  // Firefox 153 and Chromium 156 tell neither a field's `autocomplete`; its name in the form only Chromium.
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

/** The id that its program gave a control; "" if none. */
export function platformIdOf({ details }: RawNode): string {
  return details.id ?? details.attributes?.get("id") ?? "";
}

/**
 * Asks what each shown node costs a call for, unless it is known. Positions and actions first; then text, once it is known not
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
  const words = Promise.all([
    details.attributes === undefined &&
      needsAttributes(node, quirks) &&
      keep(getAttributes(peer, path), (attributes) => (details.attributes = attributes)),
    details.id === undefined && quirks.hasAccessibleIds && hasState(node.states, "focusable") && readId(peer, node),
    details.labelPaths === undefined && needsLabel(node) && readLabel(peer, node, byPath),
  ]);
  await Promise.all([
    details.extents === undefined &&
      has("Component") &&
      keep(getExtents(peer, path, coordinatesOf(quirks)), (extents) => (details.extents = extents)),
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
    documents.has(role) && keep(getDocumentAttribute(peer, path, "DocURL"), (url) => (details.url = maskSecrets(url))),
    (has("Text") || has("EditableText")) && mayShowText(node) && readText(peer, node, words),
    words,
  ]);
}

/**
 * GetActions gives names in the user's language, and in Firefox the key binding instead; GetName gives the name that
 * programs agree on. GTK 4's action groups ("clipboard.copy") are not translated, and long.
 */
export async function readActionTexts(peer: Peer, quirks: Quirks, node: RawNode): Promise<readonly NamedAction[]> {
  const { path } = node;
  // GTK 3's switches and expanders are toggle buttons with an action of their own.
  const isPlain =
    isInterface(node.interfaces, "Image") || !quirks.hidesSwitches || roleNameOf(node) !== "toggle button";
  const certain = isPlain ? quirks.actionOfRole[roleNameOf(node)] : undefined;
  const actions = await getActions(peer, path);
  return Promise.all(
    actions.map(async ([shown, , binding], index): Promise<NamedAction> => {
      if (quirks.hasPlainActionNames || shown.includes(".")) return [shown, "", binding];
      return [certain ?? (await getActionName(peer, path, index)), "", binding];
    }),
  );
}

export function coordinatesOf(quirks: Quirks): CoordinateType {
  return quirks.extentsFrom === "window" ? windowCoordinates : screenCoordinates;
}

/**
 * Firefox answers a range past the end with nothing, and a text may be endless: so its length is asked first. The text
 * itself waits for the words around the field, which may say that it is secret.
 */
async function readText(peer: Peer, node: RawNode, words: Promise<unknown>): Promise<void> {
  await keep(getProperty(peer, node.path, "Text", "CharacterCount"), async (count) => {
    await words;
    if (typeof count !== "number" || count < 0) return;
    if (count === 0) {
      node.details.text = "";
      return;
    }
    if (isSecret(node)) {
      node.details.secretText = await getText(peer, node.path, 0, Math.min(count, maxTextLength));
      return;
    }
    // A terminal's text is what its window shows; what happens, happens at its end.
    node.details.text = await (roleNameOf(node) === "terminal"
      ? readEnd(peer, node, count)
      : readHead(peer, node, count));
  });
}

async function readHead(peer: Peer, { path }: RawNode, count: number): Promise<string> {
  const limit = Math.max(peer.searchedLength, maxTextLength + lookahead);
  const text = maskSecrets(await getText(peer, path, 0, Math.min(count, limit)));
  const head = text.slice(0, maxTextLength);
  // What lies beyond is shown to nobody; that there is a secret in it has to be known where it may be in view.
  const isInRest = peer.searchedLength > 0 && !isMasked(head) && isMasked(text);
  return isInRest ? keyWord : head;
}

async function readEnd(peer: Peer, { path }: RawNode, count: number): Promise<string> {
  const start = Math.max(0, count - maxTextLength);
  const [before, text] = await Promise.all([
    start === 0 ? "" : getText(peer, path, Math.max(0, start - lookbehind), start),
    getText(peer, path, start, count),
  ]);
  return maskPart(before, text, "");
}

function mayShowText(node: RawNode): boolean {
  const role = roleNameOf(node);
  if (role === "password text") return false;
  // A control's name already says what it shows; a field's or a paragraph's text is more than its name.
  if (isWritable(node) || node.name === "") return true;
  return role === "text" || role === "terminal" || role === "entry" || holdsField(node);
}

function needsAttributes(node: RawNode, quirks: Quirks): boolean {
  if (!quirks.hasAttributes) return quirks.hasPlaceholders && isWritable(node);
  return hasState(node.states, "focusable") || isWritable(node) || roleNameOf(node) === "heading";
}

function needsLabel(node: RawNode): boolean {
  return (node.name === "" || isWritable(node)) && !unlabelled.has(roleNameOf(node));
}

export async function readId(peer: Peer, node: RawNode): Promise<void> {
  await keep(getProperty(peer, node.path, "Accessible", "AccessibleId"), (id) => {
    if (typeof id === "string" && id !== "") node.details.id = id;
  });
}

async function readNumber(peer: Peer, node: RawNode): Promise<void> {
  await keep(getProperty(peer, node.path, "Value", "CurrentValue"), (value) => {
    if (typeof value === "number") node.details.numericValue = value;
  });
}

async function readChoice(peer: Peer, node: RawNode, byPath: ReadonlyMap<string, RawNode>): Promise<void> {
  await keep(getSelectedChild(peer, node.path, 0), async ([, path]) => {
    // The entries of a closed list are known, though they are not shown.
    const known = [...walkNodes(node)].find((inner) => inner.path === path)?.name;
    const choice = known || (path === nullPath ? "" : await readLabelName(peer, path, byPath));
    if (choice !== "") node.details.choice = choice;
  });
}

export async function readLabel(peer: Peer, node: RawNode, byPath: ReadonlyMap<string, RawNode>): Promise<void> {
  await keep(getRelations(peer, node.path), async (relations) => {
    const targets = relations.filter(([type]) => type === labelledBy).flatMap(([, refs]) => refs);
    if (targets.length > 0) node.details.labelPaths = targets.map(([, path]) => path);
    const names = await Promise.all(targets.map(([, path]) => readLabelName(peer, path, byPath)));
    // GTK 4 lists a button's label once for the button and once for the box around it.
    const label = [...new Set(names)].filter((name) => name !== "").join(" ");
    if (label !== "") node.details.label = label;
  });
}

async function readLabelName(peer: Peer, path: string, byPath: ReadonlyMap<string, RawNode>): Promise<string> {
  const known = byPath.get(path);
  if (known !== undefined && known.name !== "") return known.name;
  let name = "";
  await keep(getProperty(peer, path, "Accessible", "Name"), (value) => {
    if (typeof value === "string") name = value;
  });
  return name;
}

/** Stores a reply. What is refused, late or lost stays unknown: the element is shown with what is known of it. */
async function keep<T>(reply: Promise<T>, store: (value: T) => unknown): Promise<void> {
  try {
    await store(await reply);
  } catch (error) {
    const isExpected =
      error instanceof ErrorReply || error instanceof DeadlinePassed || error instanceof ConnectionLost;
    if (!isExpected) throw error;
  }
}
