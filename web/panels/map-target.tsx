import { useState } from "preact/hooks";
import type { KnownTarget } from "../../src/inspector/map.ts";
import type { Failure } from "../../src/model/failure.ts";
import { AppText } from "../app-text.tsx";
import { useAnswer } from "../ask.ts";
import { announce, rpc, selectMark, showElement } from "../state.ts";
import { Confirmed } from "./confirmed.tsx";
import { ConfidencePlot } from "./map-plot.tsx";
import { NameForm } from "./name-form.tsx";
import { Trouble } from "./trouble.tsx";

interface TargetProps {
  readonly target: KnownTarget;
  onChanged(): void;
  onForgotten(): void;
}

/** One remembered control: its name, its confidence over time, and a way to forget it. */
export function MapTarget({ target, onChanged, onForgotten }: TargetProps) {
  const [trouble, setTrouble] = useState<Failure>();
  const { value: history, failure } = useAnswer("map.history", { mark: target.id });
  const forget = async (): Promise<void> => {
    const done = await rpc.call("map.forget", { mark: target.id });
    setTrouble(done.ok ? undefined : done.failure);
    if (!done.ok) return;
    announce(`${target.id} is forgotten`);
    onForgotten();
  };
  const label = target.label === "" ? "(no name)" : target.label;
  return (
    <section class="map-target" aria-labelledby="map-target">
      <h2 id="map-target">
        <AppText text={label} /> <span class="mark">{target.id}</span>
      </h2>
      <p class="hint">{`${target.role} in “${target.window}”, source ${target.source}`}</p>
      <NameForm
        of={{ mark: target.id }}
        taught={target.taught}
        label="Your name for it"
        verb="Rename"
        onTaught={onChanged}
      >
        <button
          type="button"
          onClick={() => {
            selectMark(target.id);
            showElement();
          }}
        >
          Show as element
        </button>
      </NameForm>
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
