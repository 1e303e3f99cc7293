import { useEffect, useState } from "preact/hooks";
import { readingMs } from "../src/inspector/activity.ts";

/** Whether the component has been shown long enough to be read. */
export function useReading(): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), readingMs);
    return () => clearTimeout(timer);
  }, []);
  return isRead;
}
