import { cleanText } from "../../../model/plain-text.ts";
import { kindOfRole, type Role, roleFromAtspi } from "../../../model/role.ts";
import { holdsField, isBareField, isDateField, type RawNode, roleNameOf } from "./nodes.ts";
import { isInterface } from "./peer.ts";
import { isRealExtents, isShown, type Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

/** A reason why an element differs from its AT-SPI role; the first match decides. */
type Refinement = (facts: Facts) => Role | undefined;

interface Facts {
  readonly node: RawNode;
  readonly role: Role;
  readonly quirks: Quirks;
  readonly isTop: boolean;
  readonly parentRole: Role | undefined;
  readonly siblings: readonly RawNode[];
  readonly canBeChosen: boolean;
  has(interfaceName: string): boolean;
}

const refinements: readonly Refinement[] = [
  ({ node, role, quirks }) => {
    const meant = quirks.roleOfClass.get(node.name);
    // A class name may also be a real label; it counts if the role leaves room for it.
    const isVague = kindOfRole(role) === "container" || role === "button" || role === "checkbox";
    return isVague ? meant : undefined;
  },
  ({ node, role, quirks, canBeChosen }) => {
    if (kindOfRole(role) !== "container" || !canBeChosen) return undefined;
    const known = node.children.find(({ name }) => quirks.roleAround.has(name));
    return known && quirks.roleAround.get(known.name);
  },
  // The field that gets the keys of an xterm.js terminal, as in VS Code and JupyterLab: what is typed there is run.
  ({ node }) =>
    /(^|\s)xterm-helper-textarea(\s|$)/.test(node.details.attributes?.get("class") ?? "") ? "terminal" : undefined,
  ({ node }) => (isBareField(node) || isDateField(node) ? "input" : undefined),
  ({ node, role, parentRole, quirks, has }) => {
    if (!quirks.partsAreLabels || role !== "text") return undefined;
    if (has("TableCell")) return "cell";
    const [, , width = 0, height = 1] = node.details.extents ?? [];
    if (width > 0 && height === 0) return "header";
    if (has("Selection")) return "treeitem";
    return parentRole === "list" ? "option" : undefined;
  },
  // Swing's check menu items.
  ({ role, parentRole }) =>
    (role === "checkbox" || role === "radio") && parentRole === "menu" ? "menuitem" : undefined,
  ({ role, isTop, quirks }) => (role === "window" && !isTop && quirks.hasInnerFrames ? "group" : undefined),
  ({ node, role, quirks, has }) => {
    const isPlain = !has("Image") && !has("Value") && !hasState(node.states, "expandable");
    const isSwitch = quirks.hidesSwitches && isPlain;
    return role === "toggle" && isSwitch ? "switch" : undefined;
  },
  ({ role, quirks, siblings }) => {
    const hasSibling = (roles: readonly string[], isSeen: boolean): boolean =>
      siblings.some((one) => roles.includes(roleNameOf(one)) && isShown(quirks, one.states) === isSeen);
    // Beside a field it only opens the list of that field.
    const isFace = quirks.hidesCombos && hasSibling(["combo box"], false) && !hasSibling(["text", "entry"], true);
    return role === "toggle" && isFace ? "select" : undefined;
  },
  ({ role, quirks, has }) => (role === "button" && quirks.hidesLinks && has("Hyperlink") ? "link" : undefined),
  // GTK 3's colour chooser uses this role; parts with a value are sliders.
  ({ role, has }) => (role === "color" && has("Value") ? "slider" : undefined),
  // A picture that cannot be pressed: GTK 3 gives every image this role.
  ({ node, role, canBeChosen }) => {
    const canBePressed = canBeChosen || (node.details.actions?.length ?? 0) > 0;
    return role === "icon" && !canBePressed ? "image" : undefined;
  },
  ({ node, role, canBeChosen }) => {
    const isRead = roleNameOf(node) === "text" && !hasState(node.states, "editable") && !canBeChosen;
    return role === "input" && isRead ? "text" : undefined;
  },
  // The tab of a single page, which GTK 3 does not draw.
  ({ node, role }) => {
    const { extents } = node.details;
    const isDrawn = node.name !== "" || extents === undefined || isRealExtents(extents);
    return role === "tab" && !isDrawn ? "group" : undefined;
  },
  ({ role, canBeChosen }) => (role === "option" && !canBeChosen ? "item" : undefined),
  // A page's boxes are sections; one with its own text and no name is read as text.
  ({ node, role }) => {
    const isNamed = node.name !== "" && !holdsField(node);
    return role === "group" && !isNamed && cleanText(node.details.text ?? "", 10) !== "" ? "text" : undefined;
  },
];

/** Where one AT-SPI role covers several kinds, states and content decide. */
export function refineRole(node: RawNode, quirks: Quirks, isTop: boolean, parent?: RawNode): Role {
  const role = roleFromAtspi(roleNameOf(node));
  const facts: Facts = {
    node,
    role,
    quirks,
    isTop,
    parentRole: parent && roleFromAtspi(roleNameOf(parent)),
    siblings: parent?.children ?? [],
    canBeChosen: hasState(node.states, "selectable") || hasState(node.states, "focusable"),
    has: (name) => isInterface(node.interfaces, name),
  };
  for (const refine of refinements) {
    const refined = refine(facts);
    if (refined !== undefined) return refined;
  }
  return role;
}
