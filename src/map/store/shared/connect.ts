import postgres from "postgres";
import type { Failure } from "../../../model/failure.ts";
import type { SharedAddress } from "./address.ts";
import { createSchema, serverVersion } from "./server-schema.ts";
import { describeTrouble, isMissingSchema, type Trouble } from "./trouble.ts";

/** One request of a desktop: its changes, and what it asks for. */
export interface Question {
  readonly client: string;
  readonly born: string | undefined;
  /** 0 if there is nothing to send. */
  readonly batch: number;
  readonly body: string;
  readonly cursor: number;
  readonly isPull: boolean;
  /** How many numbers are wanted, and the highest known one. */
  readonly numbers: number;
  readonly highest: number;
}

/** Lists are JSON that SQLite parses: their integers exceed JavaScript's range. */
export interface Answer {
  readonly born: string;
  readonly applied: number;
  readonly numbers: readonly [first: number, last: number] | undefined;
  readonly reached: number;
  readonly head: number;
  readonly lists: Readonly<Record<List, string>>;
}

const lists = ["gone", "places", "targets", "evidence", "windows", "names", "aliases"] as const;
type List = (typeof lists)[number];

export type Asked = { readonly answer: Answer } | { readonly trouble: Trouble };

const connectTimeoutSeconds = 2;
/** For a server that stops in the middle of an answer; whether the batch was applied is known at the next request. */
const answerTimeoutMs = 15_000;
/** For creating the tables. */
const schemaTimeoutMs = 120_000;
/** Advisory lock, the same for everyone: two desktops must not create the tables at once. */
const schemaLock = 4_713_606;

const ask = `SELECT born::text, applied::text, first_number::text, last_number::text, reached::text, head::text, gone, places,
    targets, evidence, windows, names, aliases
  FROM deskmap.exchange($1::text::integer, $2::text, $3::text::uuid, $4::text::bigint, $5::text::bigint, $6::text,
    $7::text::bigint, $8::text::boolean, $9::text::bigint, $10::text::bigint)`;

/** A lazy connection. */
export class Server {
  private sql: postgres.Sql | undefined;

  constructor(private readonly address: SharedAddress) {}

  async ask(question: Question): Promise<Asked> {
    const first = await this.tryAsk(question);
    if ("answer" in first || !isMissingSchema(first.error)) return this.settle(first);
    const trouble = await this.createSchema();
    if (trouble !== undefined) return { trouble };
    return this.settle(await this.tryAsk(question));
  }

  /** Does not wait: all requests have been answered. */
  close(): void {
    const { sql } = this;
    this.sql = undefined;
    sql?.end({ timeout: 0 }).catch(() => {});
  }

  private settle(tried: { answer: Answer } | { error: unknown }): Asked {
    if ("answer" in tried) return tried;
    this.close();
    return { trouble: describeTrouble(this.address, tried.error) };
  }

  private async tryAsk(question: Question): Promise<{ answer: Answer } | { error: unknown }> {
    const { client, born, batch, body, cursor, isPull, numbers, highest } = question;
    const values = [serverVersion, this.address.owner, born ?? null, client, batch, body, cursor, isPull];
    const texts = [...values, numbers, highest].map((value) => (value === null ? null : String(value)));
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(() => deadline.reject(new Error("no answer in time")), answerTimeoutMs);
    try {
      const [row] = await Promise.race([this.open().unsafe(ask, texts, { prepare: true }), deadline.promise]);
      return { answer: readAnswer(row ?? {}) };
    } catch (error) {
      return { error };
    } finally {
      clearTimeout(timer);
    }
  }

  private async createSchema(): Promise<Trouble | undefined> {
    try {
      const version = await this.open().begin(async (sql) => {
        // The lock's holder may be suspended.
        await sql
          .unsafe(`SET LOCAL lock_timeout = ${answerTimeoutMs}; SET LOCAL statement_timeout = ${schemaTimeoutMs}`)
          .simple();
        await sql.unsafe(`SELECT pg_advisory_xact_lock(${schemaLock})`);
        const [table] = await sql.unsafe("SELECT to_regclass('deskmap.version') AS name");
        const [row] = table?.name == null ? [] : await sql.unsafe("SELECT number FROM deskmap.version");
        if (row === undefined) await sql.unsafe(createSchema).simple();
        return Number(row?.number ?? serverVersion);
      });
      return version > serverVersion ? { kind: "refused", failure: this.describeNewer(version) } : undefined;
    } catch (error) {
      this.close();
      return describeTrouble(this.address, error, "creating");
    }
  }

  private describeNewer(version: number): Failure {
    return {
      code: "UNAVAILABLE",
      message: `the shared map ${this.address.shown} was created by a newer Deskmap (version ${version})`,
      suggestion: "install that version here too.",
      done: "nothing was sent; what this desktop has learned is kept for later.",
    };
  }

  private open(): postgres.Sql {
    this.sql ??= connect(this.address);
    return this.sql;
  }
}

function connect({ host, port, database, user, password, tls }: SharedAddress): postgres.Sql {
  const place = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  return postgres({
    ...place,
    database,
    user,
    password: password ?? "",
    ssl: tls,
    max: 1,
    // A single connection without retries: the next command tries again.
    backoff: false,
    connect_timeout: connectTimeoutSeconds,
    idle_timeout: 0,
    max_lifetime: null,
    // Fetching types would be a second round trip.
    fetch_types: false,
    onnotice: () => {},
    // Each statement runs once or twice: JIT compilation took half a second.
    connection: { application_name: "deskmap", default_transaction_isolation: "read committed", jit: "off" },
  });
}

function readAnswer(row: Readonly<Record<string, unknown>>): Answer {
  const numbers: [number, number] = [Number(row.first_number), Number(row.last_number)];
  const made = lists.map((list): [List, string] => [list, row[list] == null ? "[]" : String(row[list])]);
  return {
    born: String(row.born),
    applied: Number(row.applied ?? 0),
    numbers: row.first_number == null ? undefined : numbers,
    reached: Number(row.reached),
    head: Number(row.head),
    lists: { ...noLists, ...Object.fromEntries(made) },
  };
}

const noLists: Readonly<Record<List, string>> = {
  ...{ gone: "[]", places: "[]", targets: "[]", evidence: "[]" },
  ...{ windows: "[]", names: "[]", aliases: "[]" },
};
