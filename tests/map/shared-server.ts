import { chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";

const versions = "/usr/lib/postgresql";
const password = "p@ss word/1";

/** A PostgreSQL server in a temporary folder, on a free port; `close` removes everything. */
export class TestServer {
  private running: Subprocess<"ignore", "ignore", "pipe"> | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
  ) {}

  static async start(): Promise<TestServer> {
    // Not in the folder of the test run: only its owner can enter that, and the server runs as another user.
    const folder = mkdtempSync("/tmp/deskmap-postgres-");
    const server = new TestServer(folder, findPort());
    const words = join(folder, "words");
    writeFileSync(words, password);
    for (const path of [folder, words]) if (isRoot) chownSync(path, ...findUser());
    const setUp = [
      "-D",
      join(folder, "data"),
      "-U",
      "admin",
      "--auth=scram-sha-256",
      `--pwfile=${words}`,
      "-N",
      "-E",
      "UTF8",
    ];
    const made = Bun.spawnSync(asServer("initdb", ...setUp));
    if (made.exitCode !== 0) throw new Error(`initdb: ${made.stderr}`);
    await server.run();
    return server;
  }

  /** Starts the server, initially or after `stop`. */
  async run(): Promise<void> {
    const options = ["-p", String(this.port), "-h", "127.0.0.1", "-k", this.folder];
    const settings = ["fsync=off", "log_min_messages=warning", "deadlock_timeout=200"].flatMap((one) => ["-c", one]);
    const words = ["-D", join(this.folder, "data"), ...options, ...settings];
    const running = Bun.spawn(asServer("postgres", ...words), { stdio: ["ignore", "ignore", "pipe"] });
    this.running = running;
    await Promise.race([
      this.waitUntilReady(),
      running.exited.then((code) => Promise.reject(new Error(`ended: ${code}`))),
    ]);
  }

  /** Stops the server, dropping active requests. */
  async stop(): Promise<void> {
    this.running?.kill("SIGQUIT");
    await this.running?.exited;
    this.running = undefined;
  }

  /** Suspends the server, so that it does not answer until it is resumed. */
  pause(): void {
    this.running?.kill("SIGSTOP");
  }

  resume(): void {
    this.running?.kill("SIGCONT");
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  url(user: string, more = "", database = "postgres"): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}${more}`;
  }

  /** An independent check with PostgreSQL's own client. */
  psql(user: string, sql: string, database = "postgres"): { readonly ok: boolean; readonly text: string } {
    const words = [
      "-X",
      "-q",
      "-t",
      "-A",
      "-h",
      "127.0.0.1",
      "-p",
      String(this.port),
      "-U",
      user,
      "-d",
      database,
      "-c",
      sql,
    ];
    const done = Bun.spawnSync([programPath("psql"), ...words], {
      env: { PGPASSWORD: password, PATH: "/usr/bin:/bin" },
    });
    return { ok: done.exitCode === 0, text: (done.exitCode === 0 ? done.stdout : done.stderr).toString().trim() };
  }

  /** Another client that has begun to create the tables, and blocks until it is ended. */
  holdMigration(database: string): { readonly taken: Promise<void>; end(): Promise<void> } {
    const words = ["-X", "-q", "-t", "-A", "-h", "127.0.0.1", "-p", String(this.port), "-U", "admin", "-d", database];
    const client = Bun.spawn([programPath("psql"), ...words], {
      env: { PGPASSWORD: password, PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    client.stdin.write("BEGIN; SELECT pg_advisory_xact_lock(4713606); SELECT 'taken';\n");
    client.stdin.flush();
    const wait = async (): Promise<void> => {
      const reader = client.stdout.getReader();
      for (let text = ""; !text.includes("taken"); ) text += new TextDecoder().decode((await reader.read()).value);
    };
    return {
      taken: wait(),
      async end() {
        client.kill();
        await client.exited;
      },
    };
  }

  addRole(name: string, more = "LOGIN"): void {
    const made = this.psql("admin", `CREATE ROLE ${name} ${more} PASSWORD '${password}'`);
    if (!made.ok) throw new Error(made.text);
  }

  /** Enables TLS, with a certificate for "localhost" that only clients with its file can trust. */
  encrypt(): string {
    const [key, certificate] = ["server.key", "server.crt"].map((name) => join(this.folder, "data", name));
    const who = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"];
    const words = [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      key ?? "",
      "-out",
      certificate ?? "",
      ...who,
    ];
    const made = Bun.spawnSync(["openssl", ...words]);
    if (made.exitCode !== 0) throw new Error(`openssl: ${made.stderr}`);
    for (const path of [key, certificate]) if (isRoot && path !== undefined) chownSync(path, ...findUser());
    this.psql("admin", "ALTER SYSTEM SET ssl = on");
    this.psql("admin", "SELECT pg_reload_conf()");
    return certificate ?? "";
  }

  private async waitUntilReady(): Promise<void> {
    const isReady = programPath("pg_isready");
    const words = ["-h", "127.0.0.1", "-p", String(this.port), "-q"];
    while ((await Bun.spawn([isReady, ...words]).exited) !== 0) await Bun.sleep(20);
  }
}

/** The password in every address here. */
export const secret = password;

const isRoot = process.getuid?.() === 0;

function programPath(name: string): string {
  const [newest = ""] = readdirSync(versions).sort((one, other) => Number(other) - Number(one));
  return join(versions, newest, "bin", name);
}

/** The server refuses to run as root. */
function asServer(name: string, ...words: readonly string[]): string[] {
  const user = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  return [...user, programPath(name), ...words];
}

function findUser(): [number, number] {
  const ask = (flag: string): number => Number(Bun.spawnSync(["id", flag, "postgres"]).stdout.toString());
  return [ask("-u"), ask("-g")];
}

function findPort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
