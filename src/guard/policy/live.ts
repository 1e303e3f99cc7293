import { statSync } from "node:fs";
import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { readGrants, readRecipients } from "../audit/ledger.ts";
import { type Client, clientOf } from "../gate.ts";
import { isNameTrusted } from "../identity.ts";
import type { Places } from "../places.ts";
import {
  type LoadedPolicy,
  listGuiseNames,
  loadPolicy,
  partFor,
  policyFor,
  policyForAny,
  readPolicyFile,
} from "./file.ts";
import { type Policy, type RecipientView, restrictToRecipient } from "./policy.ts";
import type { Written } from "./schema.ts";

export class LivePolicy {
  private current: Policy | undefined;
  private loaded: LoadedPolicy | undefined;
  private stamp: string | undefined;

  constructor(
    private env: Env,
    private readonly places: Places,
    private readonly client: Client,
    private readonly isPrivate: boolean,
    /** The origin that the answers of this call go to, if they go to a model. */
    private readonly recipient?: string,
  ) {}

  /** Judges by another connection of the client from now on, which may only read if its variables say so. */
  follow(env: Env): void {
    this.env = env;
  }

  /** Always returns the same object, brought up to date. */
  async refresh(): Promise<Result<Policy>> {
    const { policy: file, seal } = this.places;
    const stamp = [file, ...(this.isPrivate ? [] : [seal])].map(readStamp).join();
    if (this.loaded === undefined || stamp !== this.stamp) {
      const loaded = await loadPolicy(this.places, this.isPrivate);
      if (!loaded.ok) return loaded;
      this.loaded = loaded.value;
      this.stamp = stamp;
    }
    // Each time: what a person said of the client's name may have ended.
    const isKnown = isNameKnown(this.loaded.written, this.client, this.places);
    const plain = isKnown ? policyFor(this.loaded, this.client.name) : policyForAny(this.loaded);
    const policy = this.recipient === undefined ? plain : restrictToRecipient(plain, this.viewOf(this.recipient));
    const isReadOnly = policy.isReadOnly || isReadOnlyAsked(this.env);
    this.current = Object.assign(this.current ?? { ...policy }, policy, { isReadOnly, guises: policy.guises });
    return succeed(this.current);
  }

  /** An origin that nobody has allowed is sent nothing: what would be sent may be shown all the same. */
  private viewOf(origin: string): RecipientView {
    return { origin, apps: readRecipients(this.places).find((one) => one.origin === origin)?.apps };
  }
}

function readStamp(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : [stat.dev, stat.ino, stat.size, stat.mode, stat.mtimeNs, stat.ctimeNs].join(" ");
}

/** Whether the rules for a client's name apply to it alone. Where the policy names no clients, nobody need know. */
export function isNameKnown(written: Written | undefined, client: Client, places: Places): boolean {
  return listGuiseNames(written).length > 1 && isNameTrusted(client, () => readGrants(places));
}

export const readOnlyVariable = "DESKMAP_READ_ONLY";

/** Any value but a clear no counts as a yes. */
export function isReadOnlyAsked(env: Env): boolean {
  return !["", "0", "no", "false", "off"].includes((env[readOnlyVariable] ?? "").toLowerCase());
}

/** Why nothing may be done here; undefined if something may. An invalid policy is reported where it is needed. */
export async function findReadOnly(
  env: Env,
  places: Places,
  client: Client = clientOf(env),
): Promise<string | undefined> {
  if (isReadOnlyAsked(env)) return `--read-only was given, or ${readOnlyVariable} is set`;
  // A file that nobody has accepted counts too: doing nothing is no risk.
  const read = await readPolicyFile(places);
  const written = read.ok ? read.value.written : undefined;
  const names = isNameKnown(written, client, places) ? [client.name] : listGuiseNames(written);
  const isReadOnly = names.some((name) => (partFor(written, name)?.readOnly ?? written?.readOnly) === true);
  return isReadOnly ? `${places.policy} says "readOnly": true` : undefined;
}
