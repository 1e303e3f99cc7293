import type { ComponentChildren } from "preact";
import type { ElementNow } from "../../src/inspector/element.ts";
import { selectMark } from "../state.ts";

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values; empty values are left out. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  const shown = facts.filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The current properties of a control. */
export function Facts({ now }: { readonly now: ElementNow }) {
  const { bounds, clickPoint, states } = now;
  const isSecret = states.includes("secret");
  return (
    <section aria-labelledby="element-facts">
      <h3 id="element-facts">Properties</h3>
      <FactList
        facts={[
          ["Role", now.role],
          ["Platform role", now.platformRole],
          ["Name", now.name],
          ["Own name", now.ownName],
          ["Description", now.description],
          ["Value", isSecret ? "(secret: it is not read)" : now.value],
          ["States", states.join(", ")],
          ["Bounds", bounds && `${bounds.width} × ${bounds.height} at ${bounds.x}, ${bounds.y}`],
          ["Click point", clickPoint && `${clickPoint.x}, ${clickPoint.y}`],
          ["Patterns", now.patterns.join(", ")],
          ["Actions", now.actions.join(", ")],
          ["Platform actions", now.platformActions.join(", ")],
          ["Shortcut", now.shortcut],
          ["Platform id", now.platformId],
          ["Address", now.url],
          ["Window", `${now.window} (${now.windowId})`],
          ["Application", `${now.app} (process ${now.pid})`],
          ["Inside", <Containers key="inside" now={now} />],
          ["Notes", now.notes?.map(({ code, text }) => `${code} ${text}`).join("; ")],
        ]}
      />
    </section>
  );
}

/** The containers of a control, outermost first; those with a mark are links. */
function Containers({ now: { inside } }: { readonly now: ElementNow }) {
  if (inside.length === 0) return <>nothing</>;
  return (
    <ol class="path">
      {inside.map(({ mark, role, name }, at) => {
        const words = name === "" ? role : `${role} “${name}”`;
        return (
          <li key={`${at} ${mark}`}>
            {mark === undefined ? (
              words
            ) : (
              <button type="button" class="link-button" onClick={() => selectMark(mark)}>
                {words}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
