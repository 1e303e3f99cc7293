import { useEffect, useState } from "preact/hooks";
import { rpc } from "../state.ts";

/** The pointer must rest on it: whoever crosses the screen asks for nothing. */
const restMs = 120;

/** How far a control can be relied on, and who told of it; undefined until it is known. */
export function useReliance(mark: number): string | undefined {
  const [told, setTold] = useState<{ readonly mark: number; readonly words: string } | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      const detail = await rpc.call("element.detail", { mark });
      if (isOver) return;
      if (!detail.ok) return setTold({ mark, words: detail.failure.message });
      const { confidence, source } = detail.value.memory;
      setTold({ mark, words: `confidence ${confidence.toFixed(2)}, source ${source}` });
    }, restMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [mark]);
  return told?.mark === mark ? told.words : undefined;
}
