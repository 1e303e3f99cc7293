import { useEffect, useState } from "preact/hooks";
import type { ShownDemo, ShownStep } from "../../src/inspector/demos.ts";
import { rpc } from "../state.ts";

/** Moving along the steps must not ask for a picture of each. */
const pauseMs = 150;

/** What the window of a step looked like when it was recorded; its control is outlined. */
export function StepPicture({ demo, step }: { readonly demo: ShownDemo; readonly step: ShownStep }) {
  const [url, setUrl] = useState<string>();
  const [why, setWhy] = useState("");
  useEffect(() => {
    const ending = new AbortController();
    let own: string | undefined;
    const take = async (): Promise<void> => {
      const taken = await rpc.call("demos.picture", { name: demo.name, step: step.n }, ending.signal);
      if (ending.signal.aborted) return;
      const file = taken.ok ? rpc.takePicture(taken.value.picture, "image/png") : undefined;
      if (!taken.ok) setWhy(taken.failure.message);
      if (file === undefined) return;
      own = URL.createObjectURL(file);
      setUrl(own);
    };
    const timer = setTimeout(() => void take(), pauseMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
      if (own !== undefined) URL.revokeObjectURL(own);
    };
  }, []);
  if (why !== "") return <p class="hint">{why}</p>;
  return url === undefined ? null : <img class="demo-picture" src={url} alt={`Step ${step.n} when it was recorded`} />;
}
