import type { Begun, Witness } from "../model/activity.ts";
import type { Bounds } from "../model/bounds.ts";
import type { Deed } from "../model/deed.ts";
import { describeQuestion } from "./approval/describe.ts";
import type { Matter } from "./rules.ts";

/** Tells who looks on what is about to be done, in the words in which a person would be asked. */
export function tellBegin(witness: Witness, n: number, matter: Matter, tool: string): Promise<void> {
  const { client, app, window, words } = describeQuestion(matter, tool);
  const { element, mark } = matter.request;
  const begun: Begun = {
    kind: "begun",
    n,
    atMs: Date.now(),
    client,
    tool,
    words,
    app,
    window,
    mark,
    role: element?.role,
    name: element?.name,
  };
  return witness.begin(begun, findPlace(matter));
}

/** Where on the screen it is done: at its control, at its point, else in its window. */
function findPlace({ deed, request, receivers }: Matter): Bounds | undefined {
  const { bounds } = ("element" in deed ? deed.element : request.element) ?? {};
  return bounds ?? findPoint(deed) ?? (request.window ?? receivers[0])?.bounds;
}

function findPoint(deed: Deed): Bounds | undefined {
  if (deed.kind === "drag") {
    const { from, to } = deed;
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    return { x, y, width: Math.abs(from.x - to.x) + 1, height: Math.abs(from.y - to.y) + 1 };
  }
  return "point" in deed ? { ...deed.point, width: 1, height: 1 } : undefined;
}
