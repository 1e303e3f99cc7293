import { AppText } from "../app-text.tsx";
import type { DeskControl, DeskWindow } from "../desk-model.ts";
import type { TreeRow } from "../rows.ts";
import { keyOf } from "../rows.ts";
import { desk } from "../state.ts";

export const rowHeight = 24;

interface RowProps {
  readonly row: TreeRow;
  readonly index: number;
  /** Whether it is the tab stop, and whether it is selected. */
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly isMatch: boolean;
  readonly isFlashing: boolean;
  onChoose(index: number): void;
  onToggle(index: number): void;
}

/** One row of the tree, positioned within its full height. */
export function Row({ row, index, isActive, isChosen, isMatch, isFlashing, onChoose, onToggle }: RowProps) {
  const about = row.kind === "window" ? desk.windows.get(row.id) : desk.controls.get(row.id);
  if (about === undefined) return null;
  // Two class names for one animation, so that it restarts when the row changes again.
  const flash = isFlashing ? `flash-${about.changedAt % 2}` : "";
  const classes = ["tree-row", row.kind, isMatch ? "match" : "", flash].filter((one) => one !== "");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys.
    <div
      id={`row-${keyOf(row)}`}
      class={classes.join(" ")}
      role="treeitem"
      aria-level={row.level}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-selected={isChosen}
      {...(row.isOpen === undefined ? {} : { "aria-expanded": row.isOpen })}
      tabIndex={isActive ? 0 : -1}
      style={{ top: `${index * rowHeight}px`, paddingInlineStart: `min(${(row.level - 1) * 14 + 4}px, 35%)` }}
      onClick={() => onChoose(index)}
      onDblClick={() => onToggle(index)}
    >
      <span
        class="twisty"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onToggle(index);
        }}
      >
        {row.isOpen === undefined ? "" : row.isOpen ? "▾" : "▸"}
      </span>
      {"mark" in about ? <ControlLine control={about} /> : <WindowLine window={about} />}
    </div>
  );
}

function ControlLine({ control }: { readonly control: DeskControl }) {
  const { mark, role, name, taught, value, states } = control;
  return (
    <>
      <span class="role">{role}</span>
      {name === "" ? null : (
        <span class="name">
          <AppText text={name} />
        </span>
      )}
      {taught === "" ? null : (
        <span class="taught">
          “<AppText text={taught} />”
        </span>
      )}
      {value === "" ? null : (
        <span class="value quiet">
          = <AppText text={value.slice(0, 120)} />
        </span>
      )}
      {states.length === 0 ? null : <span class="states">{states.join(" ")}</span>}
      <span class="mark">{mark}</span>
    </>
  );
}

function WindowLine({ window }: { readonly window: DeskWindow }) {
  const { app, title, states, notes } = window;
  return (
    <>
      <span class="role">window</span>
      <span class="name">
        <AppText text={app} /> — <AppText text={title} />
      </span>
      {states.length === 0 ? null : <span class="states">{states.join(" ")}</span>}
      {notes.size === 0 ? null : <span class="note">{[...notes.values()].join("; ")}</span>}
    </>
  );
}
