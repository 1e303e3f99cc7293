import { type Failure, makeFailure } from "../../model/failure.ts";
import type { Step } from "../file.ts";
import { fillText, type Values } from "../parameters.ts";
import { diffTrees, readTree } from "../tree.ts";
import type { Asking } from "./asking.ts";
import type { Aimed } from "./target.ts";

const maxShown = 40;

/** Waits until a part of the tree is as expected; what is different otherwise. */
export async function checkTree(
  asking: Asking,
  { tree = [], app, ref }: Step,
  { aim }: Aimed,
  values: Values,
): Promise<Failure | undefined> {
  const wanted = tree.map((line) => fillText(line, values));
  const windowId = typeof aim.windowId === "number" ? aim.windowId : undefined;
  const mark = typeof aim.id === "number" ? aim.id : undefined;
  const part = windowId === undefined ? { app: app ?? ref?.app, mark } : { windowId, mark };
  const look = async () => {
    const read = await readTree(asking, part);
    if (!read.ok) return { isThere: false, value: read.failure };
    const different = diffTrees(wanted, read.value);
    if (different.length === 0) return { isThere: true, value: undefined };
    const message = `the tree is not as expected: ${different.length} ${different.length === 1 ? "line is" : "lines are"} different`;
    const nearest = different.slice(0, maxShown);
    return { isThere: false, value: makeFailure("FAILED", message, "look at the window first;", { nearest }) };
  };
  return (await asking.lookUntil(part.app, look)).value;
}
