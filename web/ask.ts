import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Methods } from "../src/inspector/messages.ts";
import type { Failure, Result } from "../src/model/failure.ts";
import type { LinkState } from "./rpc.ts";
import { rpc } from "./state.ts";

export interface Asked<Value> {
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  readonly isWaiting: boolean;
}

const nothing = { value: undefined, failure: undefined, isWaiting: true } as const;

/**
 * Calls a method and returns its latest answer. Calls again when the parameters or `version` change, and after a reconnect. The
 * answer stays until the next one for the same parameters; an answer for earlier parameters is dropped. Undefined parameters
 * make no call.
 */
export function useAnswer<Name extends keyof Methods & string>(
  method: Name,
  params: Parameters<Methods[Name]>[0] | undefined,
  version: unknown = 0,
): Asked<ReturnType<Methods[Name]>> {
  type Value = ReturnType<Methods[Name]>;
  const key = JSON.stringify(params);
  const [asked, setAsked] = useState<Asked<Value> & { readonly key: string | undefined }>({ ...nothing, key });
  // A layout effect runs before the paint, so the call does not wait for a frame.
  useLayoutEffect(() => {
    if (params === undefined) return undefined;
    const current = new AbortController();
    let hasFailed = false;
    const take = (result: Result<Value>): void => {
      if (current.signal.aborted) return;
      hasFailed = !result.ok;
      if (result.ok) setAsked({ value: result.value, failure: undefined, isWaiting: false, key });
      else setAsked({ value: undefined, failure: result.failure, isWaiting: false, key });
    };
    const ask = (): void => void rpc.call(method, params, current.signal).then(take);
    // Retries a failed call when the daemon is back.
    const retry = (link: LinkState): void => {
      if (hasFailed && link.state === "open" && link.host.state === "open") ask();
    };
    const releases = [rpc.onOpen(ask), rpc.link.subscribe(retry)];
    return () => {
      current.abort();
      for (const release of releases) release();
    };
  }, [method, key, version]);
  return asked.key === key ? asked : nothing;
}

/** The value; while it is undefined, the last one under the same key. What a person edits stays while an answer is awaited. */
export function useLast<Value>(value: Value | undefined, key: string | undefined): Value | undefined {
  const last = useRef({ key, value });
  if (value !== undefined || last.current.key !== key) last.current = { key, value };
  return last.current.value;
}

/** The value, updated once it has not changed for `forMs`. */
export function useSettled<T>(value: T, forMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), forMs);
    return () => clearTimeout(timer);
  }, [value, forMs]);
  return settled;
}

/** Whether `afterMs` have passed since the component was first shown. */
export function useLater(afterMs: number): boolean {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isTime;
}
