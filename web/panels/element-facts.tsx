import type { ComponentChildren } from "preact";
import type { ElementNow } from "../../src/inspector/element.ts";
import { selectMark } from "../state.ts";

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and what they mean; what says nothing is left out. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  const told = facts.filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return (
    <dl class="facts">
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** All that is told of it now. */
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

/** What it is inside of, the window first; each that has a mark can be gone to. */
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
