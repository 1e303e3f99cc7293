import { useState } from "preact/hooks";
import { AppText } from "../app-text.tsx";
import { chosenDemo, chosenStep, demosVersion, type Picking, picking } from "../demo-state.ts";
import { announce, desk, deskVersion, requestedPanel, rpc, selection } from "../state.ts";
import { useStore } from "../store.ts";

/** While a step of a demo gets another control: the control that is selected, in whichever panel, can be taken. */
export function PickStep() {
  const wanted = useStore(picking);
  return wanted === undefined ? null : <Picker key={`${wanted.name} ${wanted.step}`} wanted={wanted} />;
}

function Picker({ wanted }: { readonly wanted: Picking }) {
  const { name, version, step, words } = wanted;
  const selected = useStore(selection);
  useStore(deskVersion);
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const mark = selected?.kind === "control" ? selected.mark : undefined;
  const control = mark === undefined ? undefined : desk.controls.get(mark);
  const leave = (): void => {
    picking.set(undefined);
    requestedPanel.set({ id: "demos" });
  };
  const take = async (): Promise<void> => {
    if (mark === undefined || isBusy) return;
    setBusy(true);
    const done = await rpc.call("demos.edit", { name, version, change: { kind: "repick", step, mark } });
    setBusy(false);
    setFailure(done.ok ? "" : done.failure.message);
    if (!done.ok) return;
    announce(`Step ${step} has another control now`);
    chosenDemo.set(name);
    chosenStep.set(step);
    demosVersion.set(demosVersion.value + 1);
    leave();
  };
  return (
    <section class="asked elsewhere" aria-label="Point at another control">
      <p>
        {`Choose the control for step ${step} in the picture or in the tree: `}
        <AppText text={words} />
      </p>
      <p role="status">
        {mark === undefined ? "Nothing is selected yet." : "Selected: "}
        {mark === undefined ? null : (
          <AppText text={control === undefined ? `mark ${mark}` : `${control.role} ${control.name}, mark ${mark}`} />
        )}
      </p>
      <div class="answers">
        <button type="button" disabled={mark === undefined || isBusy} onClick={() => void take()}>
          Take it
        </button>
        <button type="button" onClick={leave}>
          Cancel
        </button>
      </div>
      {failure === "" ? null : <p role="alert">{failure}</p>}
    </section>
  );
}
