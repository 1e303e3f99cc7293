import type { MapStore } from "./store/port.ts";

/** A map without what it knows of some applications, which otherwise serves all that the given one does. */
export function hideApplications(store: MapStore, isHidden: (names: readonly string[]) => boolean): MapStore {
  const isShown = (app: string): boolean => !isHidden([app, ...(store.listNames().get(app) ?? [])]);
  const isShownMark = (mark: number): boolean => isShown(store.findRef(mark)?.app ?? "");
  const shown: Pick<MapStore, "findRef" | "findNames" | "findMembers" | "findTaught" | "listTargets" | "listNames"> = {
    findRef: (mark) => (isShownMark(mark) ? store.findRef(mark) : undefined),
    findNames: (marks) => store.findNames(marks.filter(isShownMark)),
    findMembers: (places) => store.findMembers(places.filter(({ app }) => isShown(app))),
    findTaught: (apps) => store.findTaught(apps.filter(isShown)),
    listTargets: (query) => store.listTargets(query).filter(({ ref }) => isShown(ref.app)),
    listNames: () => new Map([...store.listNames()].filter(([app]) => isShown(app))),
  };
  return new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(shown, name);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
