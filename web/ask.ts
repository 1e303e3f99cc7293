import { useEffect, useState } from "preact/hooks";
import type { Methods } from "../src/inspector/messages.ts";
import type { Failure, Result } from "../src/model/failure.ts";
import { rpc } from "./state.ts";

export interface Asked<Value> {
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  readonly isWaiting: boolean;
}

const nothing = { value: undefined, failure: undefined, isWaiting: true } as const;

/**
 * The answer to a question, asked again whenever its parameters or `version` are others, and after a break. An answer to an
 * earlier question is dropped; that of the same one stays until the next is there. Undefined parameters ask nothing.
 */
export function useAnswer<Name extends keyof Methods & string>(
  method: Name,
  params: Methods[Name]["params"] | undefined,
  version: unknown = 0,
): Asked<Methods[Name]["value"]> {
  type Value = Methods[Name]["value"];
  const key = JSON.stringify(params);
  const [asked, setAsked] = useState<Asked<Value> & { readonly key: string | undefined }>({ ...nothing, key });
  useEffect(() => {
    if (params === undefined) return undefined;
    let isCurrent = true;
    const take = (result: Result<Value>): void => {
      if (!isCurrent) return;
      if (result.ok) setAsked({ value: result.value, failure: undefined, isWaiting: false, key });
      else setAsked({ value: undefined, failure: result.failure, isWaiting: false, key });
    };
    const release = rpc.onOpen(() => void rpc.call(method, params).then(take));
    return () => {
      isCurrent = false;
      release();
    };
  }, [method, key, version]);
  return asked.key === key ? asked : nothing;
}
