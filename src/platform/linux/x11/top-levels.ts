import { findClientPid } from "./client-pid.ts";
import type { XConnection } from "./connection.ts";
import { getAttributes, getProperty, type Property, queryChildren, readUint32s } from "./requests.ts";

type Attributes = NonNullable<Awaited<ReturnType<typeof getAttributes>>>;

/** A child of the root: a window manager's frame, or an unmanaged window. */
export interface TopLevel {
  readonly id: number;
  readonly attributes: Attributes;
}

/** All mapped children of the root, back to front. */
export async function listMapped(x: XConnection): Promise<TopLevel[]> {
  const ids = await queryChildren(x, x.root);
  const found = await Promise.all(ids.map(async (id) => ({ id, attributes: await getAttributes(x, id) })));
  return found.flatMap(({ id, attributes }) => (attributes?.isViewable === true ? [{ id, attributes }] : []));
}

export const ownerAtoms = ["WM_CLASS", "_NET_WM_PID"] as const;

/** A window's own claims about its program, and the process known to the server. */
export async function readOwnerFacts(
  x: XConnection,
  atoms: Readonly<Record<(typeof ownerAtoms)[number], number>>,
  id: number,
): Promise<{ instance: string; className: string; saidPid: number; knownPid: number | undefined }> {
  const [classes, said, knownPid] = await Promise.all([
    getProperty(x, id, atoms.WM_CLASS),
    getProperty(x, id, atoms._NET_WM_PID),
    findClientPid(x, id),
  ]);
  const [instance = "", className = ""] = (classes?.bytes.toString("utf8") ?? "").split("\0");
  return { instance, className, saidPid: numbersOf(said)[0] ?? 0, knownPid };
}

export function numbersOf(property: Property | undefined): number[] {
  return property?.format === 32 ? readUint32s(property.bytes) : [];
}
