import { messageOf } from "../../model/caught.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { SendRequest, SentPart } from "../../model/sending.ts";
import type { Client } from "../gate.ts";
import type { LivePolicy } from "../policy/live.ts";
import { isWithheld } from "../policy/policy.ts";
import type { Records } from "../records.ts";
import { logRefusal, refuse } from "../refusals.ts";
import { forbidWhenStopped } from "../rules.ts";
import { findKinds } from "./kinds.ts";
import { isLoopback, parseOrigin } from "./recipients.ts";

interface SendingOptions {
  readonly records: Records;
  readonly rules: Pick<LivePolicy, "refresh">;
  readonly client: Client;
}

/** An application whose content was given to a client for a recipient, by all names that it has. */
export type ReadApplication = readonly string[];

const tool = "model";

/**
 * The only way out of the machine: to origins that a person has allowed, of kinds and applications that they allowed, and
 * never anything of an application that is local only. What is sent is logged before it goes, as size and keyed digest.
 */
export class SendingGate {
  constructor(private readonly options: SendingOptions) {}

  async *send(
    request: SendRequest,
    read: readonly ReadApplication[],
    signal: AbortSignal,
  ): AsyncIterable<Result<SentPart>> {
    const permitted = await this.permit(request, read);
    if (!permitted.ok) {
      const { records, client } = this.options;
      return yield fail(logRefusal(records, { client: client.name, tool }, permitted.failure));
    }
    yield* deliver(request, signal);
  }

  private async permit({ url, body }: SendRequest, read: readonly ReadApplication[]): Promise<Result<unknown>> {
    const { records, rules, client } = this.options;
    const stopped = forbidWhenStopped({ records });
    if (stopped !== undefined) return fail(stopped);
    const policy = await rules.refresh();
    if (!policy.ok) return policy;
    const origin = parseOrigin(url);
    if (!origin.ok) return origin;
    const known = records.update((ledger) => ({ ledger, result: ledger.recipients }));
    if (!known.ok) return known;
    const recipient = known.value.find((one) => one.origin === origin.value);
    if (recipient === undefined) return fail(describeUnallowed(origin.value));
    const kinds = findKinds(body);
    const refused = [...(kinds ?? [])].find((kind) => !recipient.kinds.includes(kind));
    if (kinds === undefined || refused !== undefined) {
      const message = `nobody has allowed ${refused ?? "what is no JSON"} to go to ${origin.value}`;
      return fail(refuse("recipient", message, `a person runs deskmap recipients allow ${origin.value} --kinds …`));
    }
    const view = { localOnly: policy.value.localOnly, recipient: { origin: origin.value, apps: recipient.apps } };
    if (read.some((names) => isWithheld(view, names))) {
      const message = "something was read here of an application that may not be sent any more";
      return fail(refuse("local-only", message, "end this conversation; a new one reads without that application."));
    }
    const { hash } = records.describeText(body);
    const sent = { kinds: [...kinds], bytes: Buffer.byteLength(body), hash };
    const apps = [...new Set(read.map(([app = ""]) => app))];
    return records.write({ what: "send", client: client.name, tool, apps, recipient: origin.value, sent });
  }
}

async function* deliver({ url, headers, body }: SendRequest, signal: AbortSignal): AsyncIterable<Result<SentPart>> {
  keepFromProxies();
  try {
    const init = { method: "POST", headers: { ...headers }, body, signal, redirect: "manual" as const };
    const response = await fetch(url, init);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return yield fail(describeRedirect(url));
    }
    yield succeed({ of: "head", status: response.status, headers: Object.fromEntries(response.headers) });
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const text = decoder.decode(bytes, { stream: true });
      if (text !== "") yield succeed({ of: "text", text });
    }
  } catch (error) {
    if (!signal.aborted) yield fail(describeUnreached(url, error));
  }
}

/** Bun sends requests to loopback addresses through HTTP_PROXY, too: they would leave the machine. */
export function keepFromProxies(): void {
  const own = ["127.0.0.1", "localhost", "[::1]", "::1"];
  const listed = (process.env.NO_PROXY ?? process.env.no_proxy ?? "").split(",").filter((one) => one !== "");
  const all = [...new Set([...listed, ...own])].join(",");
  process.env.NO_PROXY = all;
  process.env.no_proxy = all;
}

function describeUnallowed(origin: string): Failure {
  const where = isLoopback(origin) ? `${origin} (a program on this machine)` : origin;
  const message = `nobody has allowed the text of windows to be sent to ${where}`;
  return refuse("recipient", message, `a person allows it once, in a terminal: deskmap recipients allow ${origin}`);
}

function describeRedirect(url: string): Failure {
  const message = `${new URL(url).origin} wants the request to be sent somewhere else, which nobody has allowed`;
  return makeFailure("REFUSED", message, "DESKMAP_AI_ENDPOINT takes the new address.", { reason: "recipient" });
}

function describeUnreached(url: string, error: unknown): Failure {
  const message = `${new URL(url).origin} does not answer: ${messageOf(error)}`;
  return makeFailure("UNAVAILABLE", message, "see whether it runs and the network is there; then ask again.");
}
