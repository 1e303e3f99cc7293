import { act } from "../../src/desktop/index.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { kindOfRole } from "../../src/model/role.ts";
import type { FakeControl } from "../../src/platform/fake/control.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { openGuard } from "../guard/open-guard.ts";
import { Desk } from "../map/desk.ts";
import { applyEdit, type Edit } from "../map/edits.ts";
import { lookOf } from "../map/referee.ts";

/** The outcome of pressing a mark after the desktop changed. */
export interface Trial {
  readonly right: number;
  readonly refused: number;
  /** Presses that hit a control other than the marked one, described as text. */
  readonly wrong: readonly string[];
}

/**
 * Reads a desktop, changes it, and presses every mark that was shown. A mark refers to the control last shown under it. A
 * control replaced by a visibly identical one counts as the same; a row whose text was hidden when it was last shown is
 * identified by that text.
 */
export async function pressAfterEdits(
  store: SqliteStore,
  children: readonly ControlSketch[],
  edits: readonly Edit[],
): Promise<Trial> {
  const desk = new Desk(store, { title: "One", children });
  const meant = new Map<number, { readonly control: FakeControl; readonly looks: readonly string[] }>();
  const see = async (query?: Parameters<Desk["look"]>[0]): Promise<void> => {
    for (const { mark, control } of await desk.look(query)) {
      meant.set(mark, { control, looks: [lookOf(control), lookOf(control, true)] });
    }
  };
  await see();
  for (const edit of edits) {
    if (edit.kind === "read") await see(edit.query);
    else applyEdit(desk, edit);
  }
  const trial = { right: 0, refused: 0, wrong: [] as string[] };
  const guard = openGuard(desk.fake);
  const desktop = { platform: desk.fake.open(), marks: store, guard };
  const order = { kind: "click" as const, button: "left" as const, count: 1 as const };
  for (const [mark, { control, looks }] of meant) {
    const living = new Set(desk.app.windows.flatMap((window) => window.listControls()));
    const isUnchanged = living.has(control) && lookOf(control) === looks[0];
    desk.fake.pressed.splice(0);
    const aim = { by: "mark" as const, mark };
    await act(desktop, { tool: "click", aim, order, isDryRun: false, timeoutMs: 1000 });
    const [pressed] = desk.fake.pressed;
    if (pressed === undefined) trial.refused += 1;
    else if (listReached(pressed).some((one) => one === control || (!isUnchanged && looks.includes(lookOf(one)))))
      trial.right += 1;
    else trial.wrong.push(`${mark}: ${looks[0]} → ${lookOf(pressed)}`);
  }
  return trial;
}

/** A press on a text counts as a press on the control that contains it. */
function listReached(pressed: FakeControl): FakeControl[] {
  const isPassive = kindOfRole(pressed.role) !== "control";
  return [pressed, ...(isPassive && pressed.parent !== undefined ? listReached(pressed.parent) : [])];
}
