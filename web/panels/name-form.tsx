import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import type { Taught } from "../../src/inspector/map.ts";
import type { Point } from "../../src/model/bounds.ts";
import type { Failure } from "../../src/model/failure.ts";
import { announce, rpc } from "../state.ts";
import { Trouble } from "./trouble.tsx";

const maxName = 100;

interface NameFormProps {
  /** What to name: a control by its mark, or the place at a point. */
  readonly of: { readonly mark: number } | Point;
  readonly taught: string;
  readonly label: string;
  readonly verb: string;
  onTaught(taught: Taught): void;
  readonly children?: ComponentChildren;
}

/** Teaches Deskmap a person's name for a control or a place. */
export function NameForm({ of, taught, label, verb, onTaught, children }: NameFormProps) {
  const [name, setName] = useState(taught);
  const [trouble, setTrouble] = useState<Failure>();
  const teach = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (name.trim() === "") return;
    const done = await rpc.call("map.teach", { ...of, name: name.trim() });
    setTrouble(done.ok ? undefined : done.failure);
    if (!done.ok) return;
    announce(`${done.value.mark} is called ${name.trim()} now`);
    onTaught(done.value);
  };
  return (
    <>
      <form class="row" onSubmit={(event) => void teach(event)}>
        <label class="field">
          <span>{label}</span>
          <input
            value={name}
            maxLength={maxName}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            autocomplete="off"
          />
        </label>
        <button type="submit">{verb}</button>
        {children}
      </form>
      {trouble === undefined ? null : <Trouble failure={trouble} />}
    </>
  );
}
