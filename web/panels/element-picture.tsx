import { useEffect, useState } from "preact/hooks";
import type { Bounds } from "../../src/model/bounds.ts";
import { rpc } from "../state.ts";

const maxSide = 640;
const leastScale = 0.1;

interface PictureProps {
  readonly mark: number;
  readonly bounds: Bounds | undefined;
  readonly version: string;
}

/** The control cut out of its window; what must not be seen is painted over before it comes here. */
export function ElementPicture({ mark, bounds, version }: PictureProps) {
  const [url, setUrl] = useState<string>();
  const [why, setWhy] = useState("");
  const scale = Math.max(leastScale, Math.min(1, maxSide / Math.max(1, bounds?.width ?? 0, bounds?.height ?? 0)));
  useEffect(() => {
    let isCurrent = true;
    let made: string | undefined;
    void rpc.call("element.picture", { mark, scale }).then((result) => {
      if (!isCurrent) return;
      if (!result.ok) return setWhy(result.failure.message);
      const file = rpc.takePicture(result.value.picture, "image/png");
      if (file === undefined) return;
      made = URL.createObjectURL(file);
      setUrl(made);
      setWhy("");
    });
    return () => {
      isCurrent = false;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [mark, scale, version]);
  if (why !== "") return <p class="hint">No picture: {why}</p>;
  return (
    <div class="element-picture">{url === undefined ? null : <img src={url} alt="The control as it looks now" />}</div>
  );
}
