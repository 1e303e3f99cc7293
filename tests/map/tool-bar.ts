import { type Desktop, read } from "../../src/desktop/index.ts";
import type { MapStore } from "../../src/map/store/port.ts";
import { flatten } from "../../src/model/element.ts";
import type { Result } from "../../src/model/failure.ts";
import { succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { button } from "./desk.ts";

/** An editor with a bar of buttons. Every call is a new run of the same application. */
export function openBar(...names: readonly string[]): FakeDesktop {
  const children = names.map((name) => button(name));
  return new FakeDesktop({ applications: [{ name: "Editor", windows: [{ title: "notes", children }] }] });
}

export async function tryReadMarks(
  bar: FakeDesktop,
  marks: Desktop["marks"] & MapStore,
): Promise<Result<Record<string, number>>> {
  const view = await read({ platform: bar.open(), marks }, { includeHidden: false, timeoutMs: 1000 });
  if (!view.ok) return view;
  const elements = view.value.windows.flatMap((window) => flatten(window.elements));
  return succeed(Object.fromEntries(elements.map(({ name, mark }) => [name, mark])));
}

/** The marks of the buttons, by name. */
export async function readMarks(bar: FakeDesktop, marks: MapStore): Promise<Record<string, number>> {
  const read = await tryReadMarks(bar, marks);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value;
}
