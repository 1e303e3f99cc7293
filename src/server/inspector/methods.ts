import type { Method } from "./panel.ts";
import { activityMethods } from "./panels/activity.ts";
import { elementMethods } from "./panels/element.ts";
import { mapMethods } from "./panels/map.ts";
import { screenMethods } from "./panels/screen.ts";
import { treeMethods } from "./panels/tree.ts";

/** The one list of what the page may ask for. */
const methods: readonly Method[] = [
  ...screenMethods,
  ...treeMethods,
  ...elementMethods,
  ...mapMethods,
  ...activityMethods,
];

const byName: ReadonlyMap<string, Method> = new Map(methods.map((one) => [one.name, one]));

export function findMethod(name: string): Method | undefined {
  return byName.get(name);
}
