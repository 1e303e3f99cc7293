import type { ShownDemo } from "../../src/inspector/demos.ts";
import type { Result } from "../../src/model/failure.ts";
import { AppText } from "../app-text.tsx";
import { attention } from "../attention.ts";
import { countOf } from "../count-of.ts";
import { PinForm } from "../panic.tsx";
import { rpc } from "../state.ts";
import { useStore } from "../store.ts";
import { Confirmed } from "./confirmed.tsx";

interface HealProps {
  readonly demo: ShownDemo;
  onHealed(result: Result<ShownDemo>, done: string): boolean;
}

/** New refs that a replay has proposed: a person takes them, or drops them. */
export function DemoHeal({ demo, onHealed }: HealProps) {
  const { hasPin } = useStore(attention);
  const { name, version, proposed, proposals } = demo;
  if (proposals.length === 0) return null;
  const heal = async (verdict: "accept" | "discard", pin?: string): Promise<void> => {
    const given = { name, version, proposed, verdict, ...(pin === undefined ? {} : { pin }) };
    const done = verdict === "accept" ? "The new refs are taken" : "The proposals are dropped";
    onHealed(await rpc.call("demos.heal", given), done);
  };
  return (
    <section class="demo" aria-labelledby="demo-heal">
      <h3 id="demo-heal">{countOf(proposals.length, "proposal")}</h3>
      {proposals.map(({ step, control, why, fields }) => (
        <table key={step} class="demo-fields">
          <caption>
            {`Step ${step}: `}
            <AppText text={control} />
            {`: ${why}`}
          </caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Recorded</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, was, now }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>
                  <AppText text={was} />
                </td>
                <td>
                  <AppText text={now} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      <div class="row">
        {hasPin ? (
          <PinForm button="Take the new refs" onPin={(pin) => heal("accept", pin)} />
        ) : (
          <Confirmed
            label="Take the new refs"
            question={`Take the new refs of ${countOf(proposals.length, "step")}? The old ones stay in the file.`}
            verb="Take them"
            keep="Leave them"
            onConfirm={() => void heal("accept")}
          />
        )}
        <button type="button" onClick={() => void heal("discard")}>
          Drop the proposals
        </button>
      </div>
    </section>
  );
}
