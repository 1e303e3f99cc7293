import type { Env } from "../../../model/env.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { connectSession } from "../atspi/access.ts";
import { type Bus, ConnectionLost, ErrorReply, type Shape, shape } from "../dbus/bus.ts";
import type { Call } from "../dbus/message.ts";
import type { Value, Variant } from "../dbus/reader.ts";
import { describeMisplaced, type FilledPlace, fitsPlace } from "./binding.ts";

/** The freedesktop.org Secret Service, version 0.2: GNOME Keyring, KWallet, KeePassXC. */
const service = "org.freedesktop.secrets";
const servicePath = "/org/freedesktop/secrets";
const prefix = "org.freedesktop.Secret.";
const properties = "org.freedesktop.DBus.Properties";
/** The attribute that marks a secret as meant for Deskmap. */
const attribute = "deskmap";
/** More labels than a person would keep. */
const maxItems = 2000;

const shapes = {
  paths: shape<readonly (readonly string[])[]>("aoao"),
  session: shape<readonly [Variant, string]>("vo"),
  secret: shape<readonly [string, readonly number[], readonly number[], string]>("(oayays)"),
  variant: shape<Variant>("v"),
};

/** A secret by name; undefined if the service has none or there is no service. */
export function askSecretService(
  env: Env,
  name: string,
  place: FilledPlace,
  timeoutMs: number,
): Promise<Result<string | undefined>> {
  return withService(env, timeoutMs, (secrets) => secrets.find(name, place));
}

/** Whether the service has a secret of that name; a locked keyring is reported. */
export async function hasSecretService(
  env: Env,
  name: string,
  place: FilledPlace,
  timeoutMs: number,
): Promise<Result<boolean>> {
  const item = await withService(env, timeoutMs, (secrets) => secrets.locate(name, place));
  return item.ok ? succeed(item.value !== undefined) : item;
}

async function withService(
  env: Env,
  timeoutMs: number,
  work: (secrets: SecretService) => Promise<Result<string | undefined>>,
): Promise<Result<string | undefined>> {
  let bus: Bus;
  try {
    bus = await connectSession(env, timeoutMs);
  } catch (error) {
    if (error instanceof ConnectionLost) return succeed(undefined);
    throw error;
  }
  // A prompt shown to the person may stay open forever.
  const timer = setTimeout(() => bus.close(`no answer within ${timeoutMs} ms`), timeoutMs);
  try {
    return await work(new SecretService(bus));
  } catch (error) {
    if (error instanceof ErrorReply)
      return isMissing(error) ? succeed(undefined) : fail(describeTrouble(error.message));
    if (error instanceof ConnectionLost) return fail(describeTrouble(error.message));
    throw error;
  } finally {
    clearTimeout(timer);
    bus.close();
  }
}

class SecretService {
  constructor(private readonly bus: Bus) {}

  async find(name: string, place: FilledPlace): Promise<Result<string | undefined>> {
    const item = await this.locate(name, place);
    return item.ok && item.value !== undefined ? this.open(item.value) : item;
  }

  /** The unlocked item of that name; refused if all of that name are for other places. */
  async locate(name: string, place: FilledPlace): Promise<Result<string | undefined>> {
    const [open = [], locked = []] = await this.call(shapes.paths, {
      ...at(servicePath, "Service", "SearchItems"),
      signature: "a{ss}",
      args: [[[attribute, name]]],
    });
    const found = open.length > 0 ? open : await this.listLabelled(name);
    const fits = await Promise.all(found.map((path) => this.fits(path, place)));
    const item = found.find((_path, index) => fits[index]);
    if (item === undefined && found.length > 0) return fail(describeMisplaced(name, place));
    if (item !== undefined) {
      const isLocked = (await this.get(item, "Item", "Locked")) === true;
      return isLocked ? fail(describeLocked(name)) : succeed(item);
    }
    if (locked.length > 0 || (await this.hasLocked())) return fail(describeLocked(name));
    return succeed(undefined);
  }

  /** By its attributes `host` and `app`; without them it is for every place. */
  private async fits(item: string, place: FilledPlace): Promise<boolean> {
    const attributes = await this.get(item, "Item", "Attributes");
    const pairs = Array.isArray(attributes)
      ? attributes.flatMap((pair) => (Array.isArray(pair) ? [pair.map(String)] : []))
      : [];
    const bounds = pairs.flatMap(([key, value = ""]) =>
      key === "host" ? [value] : key === "app" ? [`app:${value}`] : [],
    );
    return bounds.every((bound) => fitsPlace(bound, place));
  }

  private async listLabelled(name: string): Promise<readonly string[]> {
    const collections = toPaths(await this.get(servicePath, "Service", "Collections"));
    const lists = await Promise.all(collections.map((path) => this.get(path, "Collection", "Items")));
    const items = lists.flatMap(toPaths).slice(0, maxItems);
    const labels = await Promise.all(items.map((path) => this.get(path, "Item", "Label")));
    return items.filter((_path, index) => labels[index] === name);
  }

  /** A locked collection may contain it: then its absence is unknown. */
  private async hasLocked(): Promise<boolean> {
    const collections = toPaths(await this.get(servicePath, "Service", "Collections"));
    const locks = await Promise.all(collections.map((path) => this.get(path, "Collection", "Locked")));
    return locks.includes(true);
  }

  /** The secret is encrypted with a session key on the bus. */
  private async open(item: string): Promise<Result<string>> {
    const { algorithm, beginAgreement } = await import("./cipher.ts");
    const agreement = beginAgreement();
    const [theirs, session] = await this.call(shapes.session, {
      ...at(servicePath, "Service", "OpenSession"),
      signature: "sv",
      args: [algorithm, { signature: "ay", value: [...agreement.publicKey] }],
    });
    const [, iv, locked] = await this.call(shapes.secret, {
      ...at(item, "Item", "GetSecret"),
      signature: "o",
      args: [session],
    });
    return succeed(await agreement.open(toBytes(theirs.value), toBytes(iv), toBytes(locked)));
  }

  private async get(path: string, interfaceName: string, name: string): Promise<Value> {
    const call = { destination: service, path, interface: properties, member: "Get" };
    return (await this.call(shapes.variant, { ...call, signature: "ss", args: [`${prefix}${interfaceName}`, name] }))
      .value;
  }

  private call<T>(expected: Shape<T>, call: Call): Promise<T> {
    return this.bus.call({ ...call, isPrivate: true }, expected);
  }
}

function at(path: string, interfaceName: string, member: string): Call {
  return { destination: service, path, interface: `${prefix}${interfaceName}`, member };
}

function toPaths(value: Value): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function toBytes(value: Value): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Array.isArray(value) ? value.map(Number) : []);
}

/** Nobody owns the name, and no service can be started for it. */
function isMissing({ code }: ErrorReply): boolean {
  return /\.(ServiceUnknown|NameHasNoOwner|Spawn\.\w+)$/.test(code);
}

function describeLocked(name: string): Failure {
  return makeFailure(
    "REFUSED",
    `the keyring that may hold ${JSON.stringify(name)} is locked`,
    "a person unlocks it: in the system's password manager (such as Seahorse), or by logging in.",
    { reason: "secret" },
  );
}

function describeTrouble(why: string): Failure {
  return makeFailure(
    "UNAVAILABLE",
    `the secret service did not return the secret: ${why}`,
    "check the system's keyring, or keep the secret in secrets.env.",
  );
}
