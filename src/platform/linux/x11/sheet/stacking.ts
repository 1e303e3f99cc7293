import type { Bounds } from "../../../../model/bounds.ts";
import { type XConnection, XUnavailable } from "../connection.ts";
import { getAttributes, getOuterGeometry, queryChildren } from "../requests.ts";
import type { TopLevel } from "../top-levels.ts";

/**
 * What is asked of each while nobody else gets at the server has to fit into what the kernel takes at once: far more than any
 * desktop has, and less than 100 KB.
 */
const maxChildren = 1500;

export interface Placed extends TopLevel {
  readonly place: Bounds & { readonly border: number };
}

/** Everything on the root at one moment. */
export interface Stacking {
  /** All children, back to front, also what is not mapped. */
  readonly ids: readonly number[];
  /** Those that are mapped. */
  readonly mapped: readonly Placed[];
}

export async function readStacking(x: XConnection): Promise<Stacking> {
  const ids = await queryChildren(x, x.root);
  if (ids.length > maxChildren) throw new XUnavailable(`there are more than ${maxChildren} windows on this screen`);
  return { ids, mapped: await readMapped(x, ids) };
}

/** Whether all of it is as it was. The questions are sent before this returns. */
export async function isUnchanged(x: XConnection, { ids, mapped }: Stacking): Promise<boolean> {
  const [idsNow, mappedNow] = await Promise.all([queryChildren(x, x.root), readMapped(x, ids)]);
  return JSON.stringify([idsNow, mappedNow]) === JSON.stringify([ids, mapped]);
}

async function readMapped(x: XConnection, ids: readonly number[]): Promise<Placed[]> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const [attributes, place] = await Promise.all([getAttributes(x, id), getOuterGeometry(x, id)]);
      return { id, attributes, place };
    }),
  );
  return found.flatMap(({ id, attributes, place }) =>
    attributes?.isViewable === true && place !== undefined ? [{ id, attributes, place }] : [],
  );
}
