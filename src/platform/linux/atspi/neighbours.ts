import type { Bounds } from "../../../model/bounds.ts";
import type { Element } from "../../../model/element.ts";
import type { Role } from "../../../model/role.ts";
import { isSecretLabel } from "../../../model/secrets.ts";

const labelled: ReadonlySet<Role> = new Set<Role>(["input", "select", "spin", "slider", "switch", "list", "table"]);
const maxGap = 60;

/**
 * Many forms put a label beside a field without telling accessibility that they belong together (zenity's do). A person
 * sees it: the text to the left on the same line, else the text just above, names the field. Only sisters count.
 */
export function nameFromNeighbours(sisters: readonly Element[]): readonly Element[] {
  const labels = sisters.filter(({ role, name, bounds, children }) => {
    return role === "text" && name !== "" && bounds !== undefined && children.length === 0;
  });
  if (labels.length === 0) return sisters;
  return sisters.map((sister) => {
    if (sister.name !== "" || sister.bounds === undefined || !labelled.has(sister.role)) return sister;
    const name = findLabel(sister.bounds, labels);
    if (name === undefined) return sister;
    const isSecret = sister.states.has("editable") && isSecretLabel(name);
    if (!isSecret) return { ...sister, name };
    return { ...sister, name, value: "", states: new Set([...sister.states, "secret" as const]), children: [] };
  });
}

function findLabel(field: Bounds, labels: readonly Element[]): string | undefined {
  let best: string | undefined;
  let bestGap = maxGap;
  for (const { name, bounds } of labels) {
    if (bounds === undefined) continue;
    const isLevel = bounds.y < field.y + field.height && field.y < bounds.y + bounds.height;
    const isInColumn = bounds.x < field.x + field.width && field.x < bounds.x + bounds.width;
    const besideGap = field.x - (bounds.x + bounds.width);
    const aboveGap = field.y - (bounds.y + bounds.height);
    const gap = isLevel ? besideGap : isInColumn ? aboveGap : maxGap;
    if (gap >= 0 && gap < bestGap) [best, bestGap] = [name, gap];
  }
  return best;
}
