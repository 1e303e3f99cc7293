import { useEffect, useRef } from "preact/hooks";
import { panels } from "./panels.ts";

type Keys = readonly [keys: string, what: string];

const groups: readonly (readonly [where: string, keys: readonly Keys[]])[] = [
  [
    "Everywhere",
    [
      ...panels.map(({ label }, at): Keys => [`Alt+${at + 1}`, label]),
      ["Alt+P", "stop everything"],
      ["Alt+A", "allow what is asked"],
      ["Alt+R", "refuse what is asked"],
      ["?", "these keys"],
    ],
  ],
  [
    "On the picture",
    [
      ["Arrows", "from control to control"],
      ["Enter", "show its details"],
      ["+ and −", "larger, smaller"],
      ["0", "fit into the panel"],
      ["1", "actual size"],
      ["R", "a new picture"],
      ["Escape", "clear the selection"],
    ],
  ],
  [
    "In the tree",
    [
      ["↑ and ↓", "from line to line"],
      ["← and →", "close and open"],
      ["Enter", "show its details"],
      ["Home and End", "first and last line"],
      ["Letters", "the next line that starts with them"],
    ],
  ],
  [
    "In the steps of a demo",
    [
      ["↑ and ↓", "from step to step"],
      ["Alt+↑ and Alt+↓", "move the step"],
      ["Delete", "delete the step"],
    ],
  ],
  [
    "In the search of the tree",
    [
      ["Enter", "the next match"],
      ["Shift+Enter", "the previous match"],
    ],
  ],
];

/** A dialog that lists all keyboard shortcuts. */
export function KeysHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== "?" || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      dialog.current?.showModal();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-label="Keys"
        aria-haspopup="dialog"
        aria-keyshortcuts="?"
        title="Keys (?)"
        onClick={() => dialog.current?.showModal()}
      >
        ?
      </button>
      <dialog class="keys" ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        {groups.map(([where, keys]) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea");
}
