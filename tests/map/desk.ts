import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Desktop, type ReadQuery, read } from "../../src/desktop/index.ts";
import { SqliteStore } from "../../src/map/store/sqlite.ts";
import { flatten } from "../../src/model/element.ts";
import type { FakeControl } from "../../src/platform/fake/control.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ControlSketch, WindowSketch } from "../../src/platform/fake/sketch.ts";
import type { FakeApplication } from "../../src/platform/fake/windows.ts";

/** A mark, and the control that it was shown for. */
export interface Sighting {
  readonly mark: number;
  readonly control: FakeControl;
}

/** A folder with its own map; `remove` deletes it. */
export function makeMapFolder() {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-map-"));
  const path = join(folder, "map.db");
  return { path, open: () => openStore(path), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function openStore(path: string): SqliteStore {
  const store = SqliteStore.open(path);
  if (!store.ok) throw new Error(store.failure.message);
  return store.value;
}

let appCount = 0;

/** One application on a fake desktop, read with a real map. Its name is unique, so that desks may share one map. */
export class Desk {
  readonly fake: FakeDesktop;
  readonly app: FakeApplication;
  private readonly desktop: Desktop;

  constructor(store: SqliteStore, ...windows: readonly WindowSketch[]) {
    appCount += 1;
    this.fake = new FakeDesktop({ applications: [{ name: `App${appCount}`, windows }] });
    const [app] = this.fake.applications;
    if (app === undefined) throw new Error("no application");
    this.app = app;
    this.desktop = { platform: this.fake.open(), marks: store };
  }

  /** Everything in one read, including hidden parts and folded containers, unless the query says otherwise. */
  async look(query: Partial<ReadQuery> = { isWhole: true, includeHidden: true }): Promise<Sighting[]> {
    const view = await read(this.desktop, { includeHidden: false, timeoutMs: 1000, ...query });
    if (!view.ok) throw new Error(view.failure.message);
    return view.value.windows.flatMap(({ elements }) =>
      flatten(elements).map(({ mark, handle }) => {
        const control = this.fake.findControl(handle);
        if (control === undefined) throw new Error(`nothing has the runtime id ${handle}`);
        return { mark, control };
      }),
    );
  }

  /** The visible, folded elements, as a user reads them. */
  lookAtScreen(): Promise<Sighting[]> {
    return this.look({});
  }

  async markOf(control: FakeControl, query?: Partial<ReadQuery>): Promise<number> {
    const sighting = (await this.look(query)).find((one) => one.control === control);
    if (sighting === undefined) throw new Error(`${control.role} "${control.name}" is not in this read`);
    return sighting.mark;
  }

  /** The first control of that name, below the window itself. */
  find(name: string): FakeControl {
    return this.findAll(name)[0] ?? failToFind(name);
  }

  findAll(name: string): FakeControl[] {
    const controls = this.app.windows.flatMap((window) => window.listControls().slice(1));
    return controls.filter((control) => control.name === name);
  }
}

function failToFind(name: string): never {
  throw new Error(`no control is named "${name}"`);
}

export function button(name: string, more: Partial<ControlSketch> = {}): ControlSketch {
  return { role: "button", name, actions: ["press"], ...more };
}

export function text(name: string): ControlSketch {
  return { role: "text", name };
}

/** A nameless row with a label and a button, as in most lists. */
export function row(label: string, more: Partial<ControlSketch> = {}): ControlSketch {
  return { role: "row", children: [text(label), button("Delete")], ...more };
}
