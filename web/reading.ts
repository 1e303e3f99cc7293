import { useEffect, useState } from "preact/hooks";

/** Input within this time after something appears was not meant for it. */
const readingMs = 700;

/** Whether the component has been shown long enough to be read. */
export function useReading(): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), readingMs);
    return () => clearTimeout(timer);
  }, []);
  return isRead;
}
