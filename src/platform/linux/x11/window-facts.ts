import type { Bounds, Size } from "../../../model/bounds.ts";
import { maskSecrets } from "../../../model/secrets-in-text.ts";
import { numbersOf, type Property, type XConnection } from "./connection.ts";
import { isManagerAlive, placeWindow } from "./windows.ts";

const atomNames = [
  "_NET_SUPPORTING_WM_CHECK",
  "_NET_SUPPORTED",
  "_NET_CURRENT_DESKTOP",
  "_NET_CLIENT_LIST",
  "_NET_ACTIVE_WINDOW",
  "_NET_RESTACK_WINDOW",
  "_NET_MOVERESIZE_WINDOW",
  "_NET_WM_NAME",
  "_NET_WM_DESKTOP",
  "_NET_WM_STATE",
  "_NET_WM_STATE_MODAL",
  "_NET_WM_STATE_HIDDEN",
  "_NET_WM_STATE_FULLSCREEN",
  "_NET_WM_STATE_MAXIMIZED_VERT",
  "_NET_WM_STATE_MAXIMIZED_HORZ",
  "_NET_WM_ALLOWED_ACTIONS",
  "_NET_WM_ACTION_MINIMIZE",
  "_NET_WM_ACTION_MAXIMIZE_HORZ",
  "_NET_WM_ACTION_MAXIMIZE_VERT",
  "_NET_WM_ACTION_FULLSCREEN",
  "_NET_WM_ACTION_MOVE",
  "_NET_WM_ACTION_RESIZE",
  "_NET_WM_ACTION_CLOSE",
  "WM_CHANGE_STATE",
  "WM_NORMAL_HINTS",
  "WM_TRANSIENT_FOR",
  "WM_PROTOCOLS",
  "WM_DELETE_WINDOW",
  "WM_NAME",
] as const;
export type Atoms = Readonly<Record<(typeof atomNames)[number], number>>;

/** A window's size hints for its content (ICCCM 4.1.2.3). */
export interface SizeHints {
  readonly least: Size | undefined;
  readonly most: Size | undefined;
  /** Resize increments from `base`: a terminal's character cells. */
  readonly step: Size | undefined;
  readonly base: Size | undefined;
}

/** What must be known about a window and its manager before a request. */
export interface WindowFacts {
  readonly atoms: Atoms;
  /** The window manager's name; undefined if none runs. */
  readonly manager: string | undefined;
  readonly isSupported: (atom: number) => boolean;
  /** As the window manager reports; true if it does not. */
  readonly isAllowed: (action: number) => boolean;
  readonly hasState: (atom: number) => boolean;
  readonly takesClose: boolean;
  readonly hints: SizeHints;
  /** The title of a modal dialog that blocks this window. */
  readonly dialog: string | undefined;
  /** Its workspace, if that is not the current one. */
  readonly otherDesktop: number | undefined;
  readonly content: Bounds;
  /** With its frame, without its shadow, as in the window list. */
  readonly bounds: Bounds;
}

const everyDesktop = 0xffffffff;

export async function readWindowFacts(x: XConnection, window: number): Promise<WindowFacts | undefined> {
  const atoms = await x.internAtoms(atomNames);
  const read = (id: number, atom: number): Promise<Property | undefined> => x.getProperty(id, atom);
  const [check, supported, current, clients, content, bounds, actions, states, hints, protocols, desktop] =
    await Promise.all([
      read(x.root, atoms._NET_SUPPORTING_WM_CHECK),
      read(x.root, atoms._NET_SUPPORTED),
      read(x.root, atoms._NET_CURRENT_DESKTOP),
      read(x.root, atoms._NET_CLIENT_LIST),
      x.getScreenGeometry(window),
      placeWindow(x, window),
      read(window, atoms._NET_WM_ALLOWED_ACTIONS),
      read(window, atoms._NET_WM_STATE),
      read(window, atoms.WM_NORMAL_HINTS),
      read(window, atoms.WM_PROTOCOLS),
      read(window, atoms._NET_WM_DESKTOP),
    ]);
  if (content === undefined || bounds === undefined) return undefined;
  const [manager, dialog] = await Promise.all([
    readManager(x, atoms, check),
    findModal(x, atoms, window, numbersOf(clients)),
  ]);
  const [allowed, present, known] = [numbersOf(actions), numbersOf(states), numbersOf(supported)];
  const [own, shown] = [numbersOf(desktop)[0], numbersOf(current)[0]];
  const isElsewhere = own !== undefined && shown !== undefined && own !== everyDesktop && own !== shown;
  return {
    atoms,
    manager,
    isSupported: (atom) => known.includes(atom),
    isAllowed: (action) => allowed.length === 0 || allowed.includes(action),
    hasState: (atom) => present.includes(atom),
    takesClose: numbersOf(protocols).includes(atoms.WM_DELETE_WINDOW),
    hints: parseSizeHints(numbersOf(hints)),
    dialog,
    otherDesktop: isElsewhere ? own : undefined,
    content,
    bounds,
  };
}

async function readManager(x: XConnection, atoms: Atoms, check: Property | undefined): Promise<string | undefined> {
  if (check === undefined || !(await isManagerAlive(x, atoms._NET_SUPPORTING_WM_CHECK, check))) return undefined;
  const name = await x.getProperty(numbersOf(check)[0] ?? 0, atoms._NET_WM_NAME);
  return name?.bytes.toString("utf8") ?? "";
}

async function findModal(
  x: XConnection,
  atoms: Atoms,
  window: number,
  clients: readonly number[],
): Promise<string | undefined> {
  const others = clients.filter((client) => client !== window);
  const found = await Promise.all(
    others.map(async (client) => {
      const [master, states, netName, name] = await Promise.all([
        x.getProperty(client, atoms.WM_TRANSIENT_FOR),
        x.getProperty(client, atoms._NET_WM_STATE),
        x.getProperty(client, atoms._NET_WM_NAME),
        x.getProperty(client, atoms.WM_NAME),
      ]);
      const isModal = numbersOf(states).includes(atoms._NET_WM_STATE_MODAL) && numbersOf(master)[0] === window;
      return isModal ? maskSecrets(netName?.bytes.toString("utf8") ?? name?.bytes.toString("latin1") ?? "") : undefined;
    }),
  );
  return found.find((title) => title !== undefined);
}

const hintFlag = { least: 1 << 4, most: 1 << 5, step: 1 << 6, base: 1 << 8 };

export function parseSizeHints(numbers: readonly number[]): SizeHints {
  const [flags = 0] = numbers;
  const take = (flag: number, at: number): Size | undefined => {
    const [width = 0, height = 0] = numbers.slice(at, at + 2);
    return (flags & flag) !== 0 && numbers.length > at + 1 ? { width, height } : undefined;
  };
  return {
    least: take(hintFlag.least, 5),
    most: take(hintFlag.most, 7),
    step: take(hintFlag.step, 9),
    base: take(hintFlag.base, 15),
  };
}
