import type { Selection } from "../../../model/clipboard.ts";
import { readProgramNames } from "../program-names.ts";
import { numbersOf, type XConnection } from "./connection.ts";

export const selectionAtoms: Readonly<Record<Selection, "CLIPBOARD" | "PRIMARY">> = {
  clipboard: "CLIPBOARD",
  primary: "PRIMARY",
};

export interface SelectionOwner {
  readonly pid: number | undefined;
  /** The classes of its windows and the names of its program, its own last. */
  readonly names: readonly string[];
}

/** Undefined if nobody owns it. A window that only owns a selection has no class; other windows of its process do. */
export async function findSelectionOwner(x: XConnection, selection: Selection): Promise<SelectionOwner | undefined> {
  const atoms = await x.internAtoms([selectionAtoms[selection]]);
  const owner = await x.getSelectionOwner(atoms[selectionAtoms[selection]]);
  if (owner === 0) return undefined;
  const pid = await x.findClientPid(owner);
  return { pid, names: [...(await listClasses(x, owner, pid)), ...(pid === undefined ? [] : readProgramNames(pid))] };
}

/** Includes windows closed to the tray: they still exist below the root. */
async function listClasses(x: XConnection, owner: number, pid: number | undefined): Promise<readonly string[]> {
  const [atoms, topLevels] = await Promise.all([
    x.internAtoms(["WM_CLASS", "_NET_CLIENT_LIST"]),
    x.queryChildren(x.root),
  ]);
  const listed = numbersOf(await x.getProperty(x.root, atoms._NET_CLIENT_LIST));
  const candidates = [...new Set([owner, ...listed, ...topLevels])];
  const isOwn = await Promise.all(
    // A process may have several clients.
    candidates.map(async (id) => {
      return x.clientOf(id) === x.clientOf(owner) || (pid !== undefined && (await x.findClientPid(id)) === pid);
    }),
  );
  const classes = await Promise.all(
    candidates.filter((_id, index) => isOwn[index]).map((id) => x.getProperty(id, atoms.WM_CLASS)),
  );
  const names = classes.flatMap((property) => (property?.bytes.toString("utf8") ?? "").split("\0"));
  return [...new Set(names.filter((name) => name !== ""))];
}
