import { useEffect, useState } from "preact/hooks";
import type { Store } from "./observable.ts";

export { Store } from "./observable.ts";

/** The value, and a new picture of the component whenever it is another. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    // It may have changed between the first picture and now.
    setValue(() => store.value);
    return store.subscribe((next) => setValue(() => next));
  }, [store]);
  return value;
}
