import { useEffect, useState } from "preact/hooks";
import type { Store } from "./observable.ts";

export { Store } from "./observable.ts";

/** The current value; the component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    // It may have changed between the first render and this effect.
    setValue(() => store.value);
    return store.subscribe((next) => setValue(() => next));
  }, [store]);
  return value;
}
