import type { ForetoldChange } from "../model/foretold.ts";
import type { Comparison, Part } from "./compare.ts";

/** Whether what may have changed by itself is what a recording of the action saw change, to the same end. */
export function isForetold(
  doubtful: readonly Part[],
  { changed, parts }: Comparison,
  foretold: readonly ForetoldChange[] = [],
): boolean {
  const isSo = changed.filter(({ element, differences }) => {
    const own = foretold.filter(({ role, name }) => role === element.role && name === element.name);
    return differences.some(({ what, after }) =>
      own.some((one) => one.what === what && after !== "" && one.after === after),
    );
  });
  const ids = new Set(isSo.flatMap(({ element }) => parts.get(element.handle) ?? []).map(({ own }) => own));
  return doubtful.some(({ own }) => ids.has(own));
}
