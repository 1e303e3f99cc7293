import { useEffect, useRef, useState } from "preact/hooks";
import type { Bounds } from "../../src/model/bounds.ts";
import { rpc } from "../state.ts";

const maxSide = 640;
const leastScale = 0.1;
/** A capture makes the application draw and be read again, so moving quickly from control to control must not take one of each. */
const pauseMs = 400;
const gone = "";

interface PictureProps {
  readonly mark: number;
  readonly bounds: Bounds | undefined;
  readonly version: string;
}

/** A picture of the control, cut out of its window. Secrets are covered before it reaches the page. */
export function ElementPicture({ mark, bounds, version }: PictureProps) {
  const [url, setUrl] = useState<string>();
  const [why, setWhy] = useState("");
  const scale = Math.max(leastScale, Math.min(1, maxSide / Math.max(1, bounds?.width ?? 0, bounds?.height ?? 0)));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const shown = useRef<string | undefined>(undefined);
  const aborter = useRef(new AbortController());
  const take = async (): Promise<void> => {
    timer.current = undefined;
    const result = await rpc.call("element.picture", { mark, scale }, aborter.current.signal);
    if (shown.current === gone) return;
    setWhy(result.ok ? "" : result.failure.message);
    const file = result.ok ? rpc.takePicture(result.value.picture, "image/png") : undefined;
    if (file === undefined) return;
    release(shown.current);
    shown.current = URL.createObjectURL(file);
    setUrl(shown.current);
  };
  useEffect(() => {
    timer.current ??= setTimeout(() => void take(), pauseMs);
  }, [version]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      aborter.current.abort();
      release(shown.current);
      shown.current = gone;
    },
    [],
  );
  if (why !== "") return <p class="hint">No picture: {why}</p>;
  return (
    <div class="element-picture" style={{ minHeight: `min(${Math.round((bounds?.height ?? 0) * scale)}px, 16rem)` }}>
      {url === undefined ? null : <img src={url} alt="The control as it looks now" />}
    </div>
  );
}

function release(url: string | undefined): void {
  if (url !== undefined && url !== gone) URL.revokeObjectURL(url);
}
