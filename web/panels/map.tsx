import { useState } from "preact/hooks";
import type { KnownApp } from "../../src/inspector/map.ts";
import { useAnswer, useLast, useSettled } from "../ask.ts";
import { announce, desk, rpc } from "../state.ts";
import { Confirmed } from "./confirmed.tsx";
import { MapList } from "./map-list.tsx";
import { MapTarget } from "./map-target.tsx";
import { Trouble } from "./trouble.tsx";

const searchMs = 150;

/** The remembered controls, by application. */
export function MapPanel() {
  const [version, setVersion] = useState(0);
  const { value: apps, failure } = useAnswer("map.apps", {}, version);
  const [chosen, setChosen] = useState<string>();
  const [words, setWords] = useState("");
  const sought = useSettled(words, searchMs);
  const app = apps?.find((one) => one.app === chosen) ?? chooseFirst(apps);
  const params = app === undefined ? undefined : { app: app.app, words: sought };
  const known = useLast(useAnswer("map.targets", params, version).value, app?.app);
  const [mark, setMark] = useState<number>();
  const target = known?.targets.find(({ id }) => id === mark);
  const reload = (): void => setVersion((before) => before + 1);
  const forget = async (): Promise<void> => {
    if (app === undefined) return;
    const done = await rpc.call("map.forget", { app: app.app });
    announce(done.ok ? `Forgotten: ${done.value.forgotten} controls of ${app.app}` : done.failure.message);
    setMark(undefined);
    reload();
  };
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (apps === undefined) return <p class="hint">Reading the map…</p>;
  if (app === undefined)
    return <p class="hint">Nothing is remembered yet. Every window that Deskmap reads is remembered.</p>;
  return (
    <div class="map">
      <div class="row">
        <label class="field">
          <span>Application</span>
          <select
            value={app.app}
            onChange={({ currentTarget }) => {
              setChosen(currentTarget.value);
              setMark(undefined);
            }}
          >
            {apps.map((one) => (
              <option key={one.app} value={one.app}>
                {one.app} ({one.count})
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Search</span>
          <input
            type="search"
            value={words}
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
            autocomplete="off"
          />
        </label>
        <button type="button" onClick={reload}>
          Reload
        </button>
      </div>
      {known === undefined ? null : (
        <MapList key={app.app} targets={known.targets} leftOut={known.leftOut} chosen={mark} onChoose={setMark} />
      )}
      {target === undefined ? null : (
        <MapTarget
          key={target.id}
          target={target}
          onChanged={reload}
          onForgotten={() => {
            setMark(undefined);
            reload();
          }}
        />
      )}
      <Confirmed
        label={`Forget everything about ${app.app}`}
        question={`Forget all ${app.count} controls of ${app.app}? Their marks are never given out again.`}
        onConfirm={() => void forget()}
      />
    </div>
  );
}

/** The application of the focused window if it is in the map, else the first one. */
function chooseFirst(apps: readonly KnownApp[] | undefined): KnownApp | undefined {
  const front = desk.windows.get(desk.focusedWindow ?? 0)?.app.toLowerCase();
  return apps?.find(({ app, names }) => app.toLowerCase() === front || names.includes(front ?? "")) ?? apps?.[0];
}
