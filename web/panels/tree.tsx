import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { countOf } from "../count-of.ts";
import { describeUnknownKeys, listFitting, parseQuery } from "../query.ts";
import { keyOf, listRows, type TreeRow } from "../rows.ts";
import {
  closedRows,
  desk,
  deskVersion,
  flashes,
  isWholeTree,
  type Selected,
  selection,
  selectMark,
  selectWindow,
  showElement,
} from "../state.ts";
import { useStore } from "../store.ts";
import { findMove, findTyped } from "../tree-keys.ts";
import { Row, rowHeight } from "./tree-row.tsx";

/** Rows rendered above and below the visible ones, so that scrolling shows no gaps. */
const overscan = 10;
const typingMs = 700;

export function TreePanel() {
  useStore(deskVersion);
  const isWhole = useStore(isWholeTree);
  const chosen = useStore(selection);
  const closed = useStore(closedRows);
  const [search, setSearch] = useState("");
  const { structure, version } = desk;
  // `desk` is mutable: its numbers say whether it has changed.
  const rows = useMemo(() => listRows(desk, closed), [structure, closed]);
  const places = useMemo(() => new Map(rows.map((row, index) => [keyOf(row), index])), [rows]);
  const query = useMemo(() => parseQuery(search), [search]);
  const found = useMemo(() => listFitting(desk, query), [query, version]);
  const chosenKey = chosen === undefined ? undefined : keyOfSelected(chosen);
  const goTo = (row: TreeRow | undefined): void => {
    if (row?.kind === "window") selectWindow(row.id);
    else if (row !== undefined) selectMark(row.id);
  };
  const at = chosen?.kind === "control" ? found.indexOf(chosen.mark) : -1;
  const step = (by: number): void => {
    const goal = at < 0 ? (by > 0 ? 0 : found.length - 1) : (at + by + found.length) % found.length;
    const mark = found[goal];
    if (mark !== undefined) selectMark(mark);
  };
  return (
    <>
      <search>
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault();
            step(1);
          }}
        >
          <input
            type="search"
            aria-label="Search the tree"
            placeholder={hint}
            size={hint.length}
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !event.shiftKey) return;
              event.preventDefault();
              step(-1);
            }}
          />
          <span class="quiet count" role="status">
            {search === ""
              ? ""
              : query.unknownKeys.length > 0 && found.length === 0
                ? describeUnknownKeys(query.unknownKeys)
                : `${at < 0 ? "" : `${at + 1} of `}${found.length} found`}
          </span>
          <button type="button" aria-label="Previous" disabled={found.length === 0} onClick={() => step(-1)}>
            ↑
          </button>
          <button type="submit" aria-label="Next" disabled={found.length === 0}>
            ↓
          </button>
          <label>
            <input
              type="checkbox"
              checked={isWhole}
              onChange={({ currentTarget }) => isWholeTree.set(currentTarget.checked)}
            />{" "}
            Show hidden controls
          </label>
          <span class="quiet">{countOf(desk.controls.size, "control")}</span>
        </form>
      </search>
      <Rows rows={rows} places={places} chosenKey={chosenKey} found={found} onGo={goTo} />
    </>
  );
}

const hint = "words, role:…, #12";

interface RowsProps {
  readonly rows: readonly TreeRow[];
  readonly places: ReadonlyMap<string, number>;
  readonly chosenKey: string | undefined;
  readonly found: readonly number[];
  onGo(row: TreeRow | undefined): void;
}

/** Renders only the visible rows and the active one. */
function Rows({ rows, places, chosenKey, found, onGo }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const typed = useRef({ text: "", atMs: 0 });
  const matches = useMemo(() => new Set(found), [found]);
  const chosenAt = chosenKey === undefined ? undefined : places.get(chosenKey);
  const lastAt = useRef(0);
  if (chosenAt !== undefined) lastAt.current = chosenAt;
  // If the selected row is gone, navigation continues from its place.
  const activeAt = Math.max(0, Math.min(chosenAt ?? lastAt.current, rows.length - 1));
  const hadFocus = box.current?.contains(document.activeElement) === true;

  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const measure = (): void => setView({ top: current.scrollTop, height: current.clientHeight });
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(current);
    return () => watcher.disconnect();
    // There is no box while there are no rows.
  }, [rows.length === 0]);

  // Reveals a control that is selected elsewhere; it gets the focus only if the tree already had it.
  useEffect(() => {
    if (chosenKey !== undefined) openAncestors(chosenKey);
  }, [chosenKey]);
  // Only a new selection scrolls the tree, not a new place of the selected row.
  useLayoutEffect(() => {
    const { current } = box;
    const place = chosenKey === undefined ? undefined : places.get(chosenKey);
    if (current === null || place === undefined) return;
    const top = place * rowHeight;
    const isSeen = top >= current.scrollTop && top + rowHeight <= current.scrollTop + current.clientHeight;
    const isNear = Math.abs(top - current.scrollTop - current.clientHeight / 2) <= current.clientHeight / 2 + rowHeight;
    if (!isSeen && current.contains(document.activeElement) && isNear) {
      current.scrollTop = top < current.scrollTop ? top : top + rowHeight - current.clientHeight;
    } else if (!isSeen) current.scrollTop = top - (current.clientHeight - rowHeight) / 2;
    if (current.contains(document.activeElement)) {
      document.getElementById(`row-${chosenKey}`)?.focus({ preventScroll: true });
    }
  }, [chosenKey, places.has(chosenKey ?? "")]);

  // The focused row may be gone with its control; keyboard users must not be sent back to the top of the page.
  useLayoutEffect(() => {
    const row = rows[activeAt];
    if (!hadFocus || row === undefined || document.activeElement !== document.body) return;
    document.getElementById(`row-${keyOf(row)}`)?.focus({ preventScroll: true });
  });

  /** Arrow keys only select; Enter and a click also show the element. */
  const open = (row: TreeRow | undefined): void => {
    onGo(row);
    if (row?.kind === "control") showElement();
  };
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      return open(rows[activeAt]);
    }
    const move = findMove(event.key, rows, activeAt, Math.max(1, Math.floor(view.height / rowHeight) - 1));
    if (move !== undefined) {
      event.preventDefault();
      if (move.open !== undefined) setClosed(move.open, false);
      if (move.close !== undefined) setClosed(move.close, true);
      if (move.to !== undefined) onGo(rows[move.to]);
      return;
    }
    if (event.key.length !== 1 || event.key === " ") return;
    const now = performance.now();
    const before = now - typed.current.atMs < typingMs ? typed.current.text : "";
    typed.current = { text: before + event.key.toLowerCase(), atMs: now };
    const goal = findTyped(desk, rows, activeAt, typed.current.text);
    if (goal !== undefined) onGo(rows[goal]);
  };

  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const end = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  const indices = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  if (activeAt < first) indices.unshift(activeAt);
  else if (activeAt >= end && activeAt < rows.length) indices.push(activeAt);
  if (rows.length === 0) return <p class="hint">{desk.version === 0 ? "Reading windows…" : "No window is open."}</p>;
  return (
    <div
      class="tree"
      role="tree"
      aria-label="Windows and their controls"
      ref={box}
      onScroll={({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
      onKeyDown={press}
    >
      <div class="tree-height" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        {indices.map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          const about = row.kind === "window" ? desk.windows.get(row.id) : desk.controls.get(row.id);
          return (
            <Row
              key={keyOf(row)}
              row={row}
              index={index}
              isActive={index === activeAt}
              isChosen={keyOf(row) === chosenKey}
              isMatch={row.kind === "control" && matches.has(row.id)}
              isFlashing={about !== undefined && flashes.isFlashing(about.changedAt)}
              onChoose={(place) => open(rows[place])}
              onToggle={(place) => toggle(rows[place])}
            />
          );
        })}
      </div>
    </div>
  );
}

function keyOfSelected(chosen: Selected): string {
  return chosen.kind === "window" ? `w${chosen.window}` : `c${chosen.mark}`;
}

function setClosed(key: string, isClosed: boolean): void {
  const next = new Set(closedRows.value);
  if (isClosed) next.add(key);
  else next.delete(key);
  closedRows.set(next);
}

function toggle(row: TreeRow | undefined): void {
  if (row?.isOpen !== undefined) setClosed(keyOf(row), row.isOpen);
}

/** Opens the ancestors of a control, so that its row is shown. */
function openAncestors(key: string): void {
  const mark = key.startsWith("c") ? Number(key.slice(1)) : undefined;
  const control = mark === undefined ? undefined : desk.controls.get(mark);
  if (control === undefined) return;
  const keys = [`w${control.window}`, ...desk.listAncestors(control.mark).map(({ mark: one }) => `c${one}`)];
  const closed = closedRows.value;
  if (!keys.some((one) => closed.has(one))) return;
  closedRows.set(new Set([...closed].filter((one) => !keys.includes(one))));
}
