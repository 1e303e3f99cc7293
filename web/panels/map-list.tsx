import type { TargetedKeyboardEvent, TargetedMouseEvent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { KnownTarget } from "../../src/inspector/map.ts";
import { AppText } from "../app-text.tsx";
import { countOf } from "../count-of.ts";
import { showTime } from "./show-time.ts";

interface ListProps {
  readonly targets: readonly KnownTarget[];
  readonly leftOut: number;
  readonly chosen: number | undefined;
  onChoose(mark: number): void;
}

const rowHeight = 52;
const overscan = 6;

/** The remembered controls of an application. Only the visible rows are rendered; arrow keys move along them. */
export function MapList({ targets, leftOut, chosen, onChoose }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: rowHeight * 8 });
  const measure = (): void => {
    if (box.current !== null) setView({ top: box.current.scrollTop, height: box.current.clientHeight });
  };
  useLayoutEffect(measure, []);
  useEffect(() => {
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const at = targets.findIndex(({ id }) => id === chosen);
  const go = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: targets.length - 1,
    };
    const goal = goals[event.key];
    if (goal === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const place = Math.max(0, Math.min(targets.length - 1, goal));
    const target = targets[place];
    if (target === undefined || box.current === null) return;
    const [top, bottom] = [place * rowHeight, (place + 1) * rowHeight];
    if (top < box.current.scrollTop) box.current.scrollTop = top;
    else if (bottom > box.current.scrollTop + view.height) box.current.scrollTop = bottom - view.height;
    measure();
    onChoose(target.id);
  };
  const choose = ({ target }: TargetedMouseEvent<HTMLDivElement>): void => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-mark]") : null;
    if (row !== null) onChoose(Number(row.dataset.mark));
    box.current?.focus();
  };
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const shown = targets.slice(first, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  const isShown = at >= first && at < first + shown.length;
  if (targets.length === 0) return <p class="hint">No remembered control matches.</p>;
  return (
    <>
      <div
        class="map-list"
        role="listbox"
        aria-label="Remembered controls"
        tabIndex={0}
        ref={box}
        aria-activedescendant={isShown ? `target-${chosen}` : undefined}
        onKeyDown={go}
        onClick={choose}
        onScroll={measure}
      >
        <div class="map-rows" role="presentation" style={{ height: `${targets.length * rowHeight}px` }}>
          {shown.map((target, row) => (
            <div
              key={target.id}
              id={`target-${target.id}`}
              class="map-row"
              role="option"
              aria-selected={target.id === chosen}
              aria-posinset={first + row + 1}
              aria-setsize={targets.length}
              style={{ top: `${(first + row) * rowHeight}px` }}
              tabIndex={-1}
              data-mark={target.id}
            >
              <span class="map-label">
                <AppText text={target.label === "" ? "(no name)" : target.label} />
                {target.taught === "" ? null : <span class="tag">taught</span>}
              </span>
              <span class="map-more">
                {`${target.id} ${target.role}, ${target.confidence.toFixed(2)} sure, ${countOf(target.hits, "hit")}, ${target.misses === 1 ? "1 miss" : `${target.misses} misses`}, seen ${showTime(target.lastSeen)}`}
              </span>
            </div>
          ))}
        </div>
      </div>
      <p class="hint">
        {countOf(targets.length, "control")}
        {leftOut === 0 ? "" : `; ${leftOut} more: search to see them`}
      </p>
    </>
  );
}
