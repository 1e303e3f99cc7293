import { FileRecords } from "../guard/audit/file-records.ts";
import { clientOf } from "../guard/gate.ts";
import { ListeningPermit } from "../guard/permit-listening.ts";
import { findPlaces } from "../guard/places.ts";
import { LivePolicy } from "../guard/policy/live.ts";
import { composeSteps } from "../listen/compose.ts";
import { Inputs } from "../listen/inputs.ts";
import { isModifier } from "../listen/keys.ts";
import type { Seen } from "../listen/moment.ts";
import { isTyping } from "../listen/texts.ts";
import type { CallerProcess } from "../model/call-context.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import type { TakenPicture } from "../model/demo.ts";
import type { Env } from "../model/env.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { PersonInput } from "../model/person-input.ts";
import { cleanText } from "../model/plain-text.ts";
import type { LivePlatform } from "../platform/port.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";
import { FollowedDesktop } from "./followed-desktop.ts";
import type { Listened, ListenRequest } from "./port.ts";
import type { Runtime } from "./runtime.ts";
import { openSession } from "./session.ts";
import { PersonCamera } from "./step-camera.ts";
import { encodeShotAside } from "./step-picture.ts";

const checkMs = 100;
const maxName = 60;
/** The longest pause between two keys of one who types on. */
const typingMs = 600;

export interface Place {
  readonly runtime: Runtime;
  /** The client's process, if it is not this one. */
  readonly caller?: CallerProcess | undefined;
}

/** The runtimes in which somebody listens: one at a time. */
const busy = new WeakSet<Runtime["overlay"]>();

/**
 * Observes a person's input and yields what it did, step by step. When the signal aborts, what has been observed is still
 * yielded; after a stop it is not.
 */
export async function* listenHere(
  env: Env,
  { runtime, caller }: Place,
  request: ListenRequest,
  signal: AbortSignal,
  indication = describeListening(request.name),
): AsyncGenerator<Result<Listened>> {
  const { overlay } = runtime;
  if (busy.has(overlay)) return yield fail(describeBusy());
  busy.add(overlay);
  const session = openSession(env, defaultTimeoutMs, runtime, { caller });
  const closers: (() => void)[] = [() => busy.delete(overlay), () => session.close()];
  try {
    const places = findPlaces(env);
    const client = clientOf(env, caller);
    const rules = new LivePolicy(env, places, client, isInsideSandbox(env));
    const typedIn = request.isTyped === true ? (caller ?? "own") : undefined;
    const options = {
      env,
      places,
      records: new FileRecords(places, undefined, client),
      rules,
      client,
      timeoutMs: defaultTimeoutMs,
    };
    const permit = await new ListeningPermit({ ...options, typedIn }).begin();
    if (!permit.ok) return yield permit;
    let steps = 0;
    closers.push(() => permit.value.end(steps));
    const live = await runtime.openPlatform();
    if (!live.ok) return yield live;
    const indicated = await overlay.indicate(indication);
    if (!indicated.ok) return yield indicated;
    closers.push(indicated.value);

    const inputs = new Inputs();
    let trouble: Failure | undefined;
    const stop = (failure: Failure): void => {
      trouble ??= failure;
      inputs.end();
    };
    const eyes = await FollowedDesktop.open(session, live.value, rules, stop);
    if (!eyes.ok) return yield eyes;
    closers.push(() => eyes.value.close());
    const camera = request.hasPictures === true ? new PersonCamera(eyes.value.view) : undefined;
    const listening = await listenTo(live.value, inputs, eyes.value, camera, stop);
    if (!listening.ok) return yield listening;
    closers.push(listening.value);
    const finish = (): void => {
      listening.value();
      inputs.end();
    };
    signal.addEventListener("abort", finish, { once: true });
    closers.push(() => signal.removeEventListener("abort", finish));
    const timer = setInterval(() => {
      const ended = permit.value.findEnd();
      if (ended !== undefined) stop(ended);
    }, checkMs);
    closers.push(() => clearInterval(timer));
    if (signal.aborted) finish();

    yield succeed({ of: "begun" });
    let pictured: Seen | undefined;
    for await (const { step, seen } of composeSteps(inputs, eyes.value)) {
      const picture = step.gap === undefined && seen !== pictured ? await develop(seen) : undefined;
      pictured = seen;
      trouble ??= permit.value.findEnd();
      if (trouble !== undefined) break;
      steps += 1;
      yield succeed({ of: "step", step: { n: steps, by: "person", client: client.name, ...step }, picture });
    }
    trouble ??= permit.value.findEnd();
    if (trouble !== undefined) yield fail(trouble);
  } finally {
    for (const close of closers.toReversed()) close();
  }
}

/** Each input is taken together with what is known at that moment, before anything else happens here. */
function listenTo(
  live: LivePlatform,
  inputs: Inputs,
  eyes: FollowedDesktop,
  camera: PersonCamera | undefined,
  stop: (failure: Failure) => void,
): Promise<Result<() => void>> {
  const take = (input: PersonInput): void => {
    // What only changes other keys is told with those; Super opens a menu if it is pressed alone.
    const isIdle = input.kind === "key-release" || (input.kind === "key" && isModifier(input.key));
    if (isIdle && !input.key.startsWith("Super_")) return;
    live.mirror.expectTyping(input.kind === "key" && isTyping(input) ? typingMs : 0);
    const window = "point" in input ? eyes.findWindowAt(input.point) : undefined;
    const moment = eyes.keep();
    const later = window?.then(() => eyes.keep());
    inputs.add({ input, moment, window, later, shot: camera?.take(input, moment, window) });
  };
  return live.listenToPerson(take, (why) =>
    stop(makeFailure("UNAVAILABLE", why, "check that the X server still runs.")),
  );
}

/** The picture of an input, if there is one. */
async function develop({ shot: taking }: Seen): Promise<TakenPicture | undefined> {
  const shot = await taking;
  return shot && encodeShotAside(shot);
}

function describeListening(name: string | undefined): string {
  const what = name === undefined ? "" : ` "${cleanText(name, maxName)}"`;
  return `● Deskmap records${what} · Esc Esc ends it`;
}

export function describeRing(minutes: number): string {
  return `● Deskmap keeps your last ${minutes === 1 ? "minute" : `${minutes} minutes`} in memory · Esc Esc ends it`;
}

function describeBusy(): Failure {
  const message = "somebody already listens to this desktop";
  const suggestion = "end that first: deskmap record stop, deskmap record ring off, or deskmap stop.";
  return makeFailure("UNAVAILABLE", message, suggestion);
}
