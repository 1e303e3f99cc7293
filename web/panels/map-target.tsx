import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import type { KnownTarget } from "../../src/inspector/map.ts";
import type { Failure } from "../../src/model/failure.ts";
import { useAnswer } from "../ask.ts";
import { Said } from "../said.tsx";
import { announcement, rpc, selectMark, showElement } from "../state.ts";
import { Confirmed } from "./confirmed.tsx";
import { ConfidencePlot } from "./map-plot.tsx";
import { Trouble } from "./trouble.tsx";

interface TargetProps {
  readonly target: KnownTarget;
  onChanged(): void;
  onForgotten(): void;
}

const maxName = 100;

/** One remembered control: what it is called, how far it was relied on over time, and taking it away. */
export function MapTarget({ target, onChanged, onForgotten }: TargetProps) {
  const [name, setName] = useState(target.taught);
  const [trouble, setTrouble] = useState<Failure>();
  const { value: history, failure } = useAnswer("map.history", { mark: target.id });
  const rename = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (name.trim() === "") return;
    const done = await rpc.call("map.rename", { mark: target.id, name: name.trim() });
    setTrouble(done.ok ? undefined : done.failure);
    if (!done.ok) return;
    announcement.set(`It is called ${name.trim()} now`);
    onChanged();
  };
  const forget = async (): Promise<void> => {
    const done = await rpc.call("map.forget", { mark: target.id });
    setTrouble(done.ok ? undefined : done.failure);
    if (!done.ok) return;
    announcement.set(`${target.id} is forgotten`);
    onForgotten();
  };
  const label = target.label === "" ? "(no name)" : target.label;
  return (
    <section class="map-target" aria-labelledby="map-target">
      <h2 id="map-target">
        <Said text={label} /> <span class="mark">{target.id}</span>
      </h2>
      <p class="hint">{`${target.role} in “${target.window}”, told by ${target.source}`}</p>
      <form class="row" onSubmit={(event) => void rename(event)}>
        <label class="field">
          <span>Your name for it</span>
          <input
            value={name}
            maxLength={maxName}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            autocomplete="off"
          />
        </label>
        <button type="submit">Rename</button>
        <button
          type="button"
          onClick={() => {
            selectMark(target.id);
            showElement();
          }}
        >
          Show as element
        </button>
      </form>
      {trouble === undefined ? null : <Trouble failure={trouble} />}
      {failure === undefined ? null : <Trouble failure={failure} />}
      {history === undefined ? null : <ConfidencePlot history={history} />}
      <Confirmed
        label={`Forget ${label}`}
        question={`Forget mark ${target.id}, ${label}? Its name and its history are gone for good.`}
        onConfirm={() => void forget()}
      />
    </section>
  );
}
