import { useEffect, useState } from "preact/hooks";
import { rpc } from "../state.ts";

/** How long the pointer must rest on a control: crossing the screen must not send requests. */
const restMs = 120;

/** The confidence in a control and its source; undefined until they are loaded. */
export function useConfidence(mark: number): string | undefined {
  const [loaded, setLoaded] = useState<{ readonly mark: number; readonly words: string } | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      const detail = await rpc.call("element.detail", { mark });
      if (isOver) return;
      if (!detail.ok) return setLoaded({ mark, words: detail.failure.message });
      const { confidence, source } = detail.value.memory;
      setLoaded({ mark, words: `confidence ${confidence.toFixed(2)}, source ${source}` });
    }, restMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [mark]);
  return loaded?.mark === mark ? loaded.words : undefined;
}
