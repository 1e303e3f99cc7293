import { recognise } from "../../src/map/recognise.ts";
import type { MapStore } from "../../src/map/store/port.ts";
import type { Element } from "../../src/model/element.ts";
import type { Window } from "../../src/model/window.ts";

// A window without slow imports: for processes that live only for a moment.

const size = 40;

/** Takes in a window with forty buttons in two bars; returns their marks, in order. */
export function takeInSmall(store: MapStore, app: number, window: number): number[] {
  const title = `Window ${window}`;
  const own: Window = {
    ...{
      id: app * 10 + window,
      app: `App ${app}`,
      aliases: [`app-${app}`],
      pid: 1000 + app,
      title,
      class: `App-${app}`,
    },
    ...{ isFocused: false, state: [], monitor: "screen", zOrder: 0, bounds: { x: 0, y: 0, width: 800, height: 600 } },
  };
  const life = `:${app}/${window}`;
  const bars = ["first", "second"].map((bar, at) => {
    const buttons = Array.from({ length: size / 2 }, (_, index) =>
      makeControl("button", `Button ${bar} ${index}`, `${life}/${bar}/${index}`, index * 30, []),
    );
    return makeControl("toolbar", bar, `${life}/${bar}`, at * 40, buttons);
  });
  const root = makeControl("window", title, life, 0, bars);
  const all = [own, { ...own, id: 0, title: "Another" }];
  const snapshot = {
    takenAtMs: 0,
    windows: [{ window: own, appKey: `app-${app}`, root, notes: [] }],
    all,
    includeHidden: false,
  };
  const wanted = bars.flatMap(({ children }) => children.map(({ handle }) => handle));
  const marks = recognise(store, snapshot, new Set(wanted));
  return wanted.map((id) => marks.get(id) ?? 0);
}

function makeControl(
  role: Element["role"],
  name: string,
  handle: string,
  x: number,
  children: readonly Element[],
): Element {
  const bounds = { x, y: 10, width: 28, height: 28 };
  return {
    ...{
      role,
      name,
      ownName: name,
      handle,
      source: "a11y",
      life: "bar",
      bounds,
      children,
      platformRole: "",
      value: "",
      description: "",
    },
    ...{ states: new Set(), clickPoint: { x: x + 3, y: 13 }, actions: [], platformActions: [], invocations: {} },
    ...{ shortcut: "", platformId: "", alikeIndex: 0, alikeCount: 1, url: "" },
  };
}
