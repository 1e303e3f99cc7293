import { FileRecords } from "../guard/audit/file-records.ts";
import { clientOf } from "../guard/gate.ts";
import { findPlaces } from "../guard/places.ts";
import { LivePolicy } from "../guard/policy/live.ts";
import { SendingGate } from "../guard/sending/gate.ts";
import type { CallerProcess } from "../model/call-context.ts";
import type { Env } from "../model/env.ts";
import type { Result } from "../model/failure.ts";
import type { SendRequest, SentPart } from "../model/sending.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";

/** Sends for one client. `readFor` has what was read for each origin: the client is not asked. */
export async function* sendHere(
  env: Env,
  caller: CallerProcess | undefined,
  request: SendRequest,
  readFor: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>,
  signal: AbortSignal,
): AsyncIterable<Result<SentPart>> {
  const places = findPlaces(env);
  const client = clientOf(env, caller);
  const gate = new SendingGate({
    records: new FileRecords(places, undefined, client),
    rules: new LivePolicy(env, places, client, isInsideSandbox(env)),
    client,
  });
  // What was read for any recipient may be in a request to another: a conversation can change its model.
  const read = new Map([...readFor.values()].flatMap((apps) => [...apps]));
  yield* gate.send(request, [...read.values()], signal);
}
