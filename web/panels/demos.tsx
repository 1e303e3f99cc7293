import { useEffect, useState } from "preact/hooks";
import type { DemoChange, ListedDemo, ShownDemo } from "../../src/inspector/demos.ts";
import type { Failure, Result } from "../../src/model/failure.ts";
import { AppText } from "../app-text.tsx";
import { useAnswer, useLast } from "../ask.ts";
import { countOf } from "../count-of.ts";
import { chosenDemo, chosenStep, demosVersion } from "../demo-state.ts";
import { announce, rpc } from "../state.ts";
import { useStore } from "../store.ts";
import { DemoHeal } from "./demo-heal.tsx";
import { DemoParameters } from "./demo-parameters.tsx";
import { DemoRecord } from "./demo-record.tsx";
import { DemoReplay } from "./demo-replay.tsx";
import { DemoSteps } from "./demo-steps.tsx";
import { showTime } from "./show-time.ts";
import { Trouble } from "./trouble.tsx";

/** Recorded work: to look at, to change, to do again, to record. */
export function DemosPanel() {
  const version = useStore(demosVersion);
  const { value: listed, failure } = useAnswer("demos.list", {}, version);
  const demos = useLast(listed, "demos");
  const wanted = useStore(chosenDemo);
  const chosen = demos?.find(({ name }) => name === wanted) ?? demos?.[0];
  const reload = (): void => demosVersion.set(demosVersion.value + 1);
  return (
    <div class="map demos">
      <DemoRecord
        onSaved={(name) => {
          chosenDemo.set(name);
          chosenStep.set(1);
          reload();
        }}
      />
      {failure === undefined ? null : <Trouble failure={failure} />}
      {demos === undefined ? <p class="hint">Reading the demos…</p> : null}
      {demos?.length === 0 ? <p class="hint">There is no demo yet. Record one, or let an agent work.</p> : null}
      {demos === undefined || demos.length === 0 ? null : (
        <div class="row">
          <label class="field">
            <span>Demo</span>
            <select
              value={chosen?.name}
              onChange={({ currentTarget }) => {
                chosenDemo.set(currentTarget.value);
                chosenStep.set(1);
              }}
            >
              {demos.map((one) => (
                <option key={one.name} value={one.name}>
                  {describeListed(one)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={reload}>
            Reload
          </button>
        </div>
      )}
      {chosen === undefined ? null : <DemoView key={chosen.name} name={chosen.name} version={version} />}
    </div>
  );
}

function describeListed({ name, steps, doubts, proposals, fault }: ListedDemo): string {
  if (fault !== undefined) return `${name}: cannot be read`;
  const parts = [countOf(steps, "step"), ...(doubts === 0 ? [] : [`${doubts} doubtful`])];
  return `${name} (${[...parts, ...(proposals === 0 ? [] : [`${proposals} proposed`])].join(", ")})`;
}

function DemoView({ name, version }: { readonly name: string; readonly version: number }) {
  const { value, failure } = useAnswer("demos.show", { name }, version);
  const read = useLast(value, name);
  const [edited, setEdited] = useState<ShownDemo>();
  const [trouble, setTrouble] = useState<Failure>();
  const step = useStore(chosenStep);
  // What is read again counts.
  useEffect(() => setEdited(undefined), [value]);
  const demo = edited ?? read;
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (demo === undefined) return <p class="hint">Reading the demo…</p>;
  const take = (result: Result<ShownDemo>, done: string): boolean => {
    setTrouble(result.ok ? undefined : result.failure);
    if (result.ok) setEdited(result.value);
    announce(result.ok ? done : result.failure.message);
    return result.ok;
  };
  const change = async (wanted: DemoChange, done: string): Promise<boolean> =>
    take(await rpc.call("demos.edit", { name, version: demo.version, change: wanted }), done);
  const shown = Math.min(step, demo.steps.length);
  return (
    <>
      <section class="demo" aria-labelledby="demo-title">
        <h2 id="demo-title">
          <AppText text={demo.name} />
        </h2>
        <p class="hint">{`${countOf(demo.steps.length, "step")}, recorded ${showTime(demo.recorded)} by ${demo.by}`}</p>
        {demo.description === "" ? null : (
          <p>
            <AppText text={demo.description} />
          </p>
        )}
      </section>
      {trouble === undefined ? null : <Trouble failure={trouble} />}
      <DemoSteps demo={demo} chosen={shown} onChange={change} />
      <DemoParameters key={demo.version} parameters={demo.parameters} onChange={change} />
      <DemoHeal demo={demo} onHealed={take} />
      <DemoReplay demo={demo} from={shown} />
    </>
  );
}
