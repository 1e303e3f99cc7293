import type { Bounds } from "../../../model/bounds.ts";
import type { Attributes, XConnection } from "./connection.ts";
import { XUnavailable } from "./transport.ts";

/** The requests under a server grab must fit into one write: more than any desktop has, and less than 100 kB. */
const maxChildren = 1500;

/** A child of the root: a window manager's frame, or an unmanaged window. */
export interface TopLevel {
  readonly id: number;
  readonly attributes: Attributes;
}

/** All mapped children of the root, back to front. */
export async function listMapped(x: XConnection): Promise<TopLevel[]> {
  const ids = await x.queryChildren(x.root);
  const found = await Promise.all(ids.map(async (id) => ({ id, attributes: await x.getAttributes(id) })));
  return found.flatMap(({ id, attributes }) => (attributes?.isViewable === true ? [{ id, attributes }] : []));
}

export interface Placed extends TopLevel {
  readonly place: Bounds & { readonly border: number };
}

/** All children of the root at one time. */
export interface Stacking {
  /** All children, back to front, including unmapped ones. */
  readonly ids: readonly number[];
  readonly mapped: readonly Placed[];
}

export async function readStacking(x: XConnection): Promise<Stacking> {
  const ids = await x.queryChildren(x.root);
  if (ids.length > maxChildren) throw new XUnavailable(`there are more than ${maxChildren} windows on this screen`);
  return { ids, mapped: await readMapped(x, ids) };
}

/** Whether nothing changed. The requests are sent before this returns. */
export async function isUnchanged(x: XConnection, { ids, mapped }: Stacking): Promise<boolean> {
  const [idsNow, mappedNow] = await Promise.all([x.queryChildren(x.root), readMapped(x, ids)]);
  return JSON.stringify([idsNow, mappedNow]) === JSON.stringify([ids, mapped]);
}

async function readMapped(x: XConnection, ids: readonly number[]): Promise<Placed[]> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const [attributes, place] = await Promise.all([x.getAttributes(id), x.getOuterGeometry(id)]);
      return { id, attributes, place };
    }),
  );
  return found.flatMap(({ id, attributes, place }) =>
    attributes?.isViewable === true && place !== undefined ? [{ id, attributes, place }] : [],
  );
}
