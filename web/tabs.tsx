import type { TargetedKeyboardEvent } from "preact";
import { useRef } from "preact/hooks";
import { panels as allPanels, type Panel } from "./panels.ts";

interface TabsProps {
  readonly label: string;
  readonly panels: readonly Panel[];
  readonly shown: string;
  onShow(id: string): void;
}

/** A row of tabs and the panel of the selected one. Arrow keys move along the row. */
export function Tabs({ label, panels, shown, onShow }: TabsProps) {
  const row = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    panels.findIndex(({ id }) => id === shown),
  );
  const current = panels[at];
  const go = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const goals: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % panels.length,
      ArrowLeft: (at - 1 + panels.length) % panels.length,
      Home: 0,
      End: panels.length - 1,
    };
    const goal = panels[goals[event.key] ?? -1];
    if (goal === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onShow(goal.id);
    row.current?.querySelector<HTMLElement>(`#tab-${goal.id}`)?.focus();
  };
  if (current === undefined) return null;
  return (
    <section class="dock" aria-label={label}>
      <div class="tabs" role="tablist" aria-label={label} ref={row} onKeyDown={go}>
        {panels.map(({ id, label: name }) => (
          <button
            type="button"
            key={id}
            id={`tab-${id}`}
            role="tab"
            aria-selected={id === current.id}
            aria-controls={`panel-${id}`}
            aria-keyshortcuts={keysOf(id)}
            title={`${name} (${keysOf(id)})`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => onShow(id)}
          >
            {name}
          </button>
        ))}
      </div>
      {panels.map(({ id, Content }) => (
        <div
          class="panel"
          key={id}
          id={`panel-${id}`}
          role="tabpanel"
          aria-labelledby={`tab-${id}`}
          hidden={id !== current.id}
        >
          {id === current.id ? <Content /> : null}
        </div>
      ))}
    </section>
  );
}

function keysOf(id: string): string {
  return `Alt+${allPanels.findIndex((one) => one.id === id) + 1}`;
}
