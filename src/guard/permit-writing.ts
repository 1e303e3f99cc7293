import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Client } from "./gate.ts";
import type { LivePolicy } from "./policy/live.ts";
import { decide, type Policy } from "./policy/policy.ts";
import type { Records } from "./records.ts";
import { logRefusal, refuse } from "./refusals.ts";
import { countAction, forbidWhenStopped } from "./rules.ts";

interface WritingOptions {
  readonly records: Records;
  readonly rules: Pick<LivePolicy, "refresh">;
  readonly client: Client;
}

export interface Writing {
  end(effect: "written" | "failed"): void;
}

/** A tool that writes a file for a client acts: not if the client may only read; it is counted, and logged before. */
export async function beginWriting(options: WritingOptions, tool: string, path: string): Promise<Result<Writing>> {
  const { records, rules, client } = options;
  const policy = await rules.refresh();
  if (!policy.ok) return policy;
  const about = { client: client.name, tool };
  const forbidden = forbidWriting(options, policy.value, tool);
  if (forbidden !== undefined) return fail(logRefusal(records, about, forbidden));
  const counted = count(options, policy.value);
  if (!counted.ok) return counted;
  if (counted.value !== undefined) return fail(logRefusal(records, about, counted.value));
  const begun = records.write({ what: "begin", ...about, way: "file", words: path });
  if (!begun.ok) return begun;
  // Nobody is left to report a failure to.
  return succeed({ end: (effect) => void records.write({ what: "end", ...about, begin: begun.value, effect }) });
}

function forbidWriting({ records, client }: WritingOptions, policy: Policy, tool: string): Failure | undefined {
  const stopped = forbidWhenStopped({ records });
  if (stopped !== undefined) return stopped;
  if (policy.isReadOnly) {
    const message = "writing a file is an action, and this desktop may only be read";
    return refuse("read-only", message, "without --output, the answer has the picture itself.");
  }
  if (decide(policy, { client: client.name, tool, apps: [], dangers: [] }) === "allow") return undefined;
  return refuse("rule", "the policy does not let this client write a file", "deskmap policy show lists its rules.");
}

function count({ records, client }: WritingOptions, policy: Policy): Result<Failure | undefined> {
  if (policy.actionsPerMinute === 0) return succeed(undefined);
  const action = { client, app: "" };
  return records.update((ledger) => countAction(ledger, policy, action, Date.now(), []));
}
