import { useEffect, useState } from "preact/hooks";

/** What was pressed before something could be read was not meant for it. */
const readingMs = 700;

/** Whether what is shown has been there long enough to be read. */
export function useReading(): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), readingMs);
    return () => clearTimeout(timer);
  }, []);
  return isRead;
}
