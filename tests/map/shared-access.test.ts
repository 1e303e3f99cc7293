import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SharedStore } from "../../src/map/store/shared/store.ts";
import { matrix } from "../tier.ts";
import { SharedDesk, startShared } from "./shared-desk.ts";
import { secret, type TestServer } from "./shared-server.ts";
import { openBar, readMarks } from "./tool-bar.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startShared();
  for (const role of ["anna", "boris", "clara"]) server.addRole(role);
  server.addRole("team", "NOLOGIN");
  server.psql("admin", "GRANT team TO anna, clara");
});
afterAll(() => server.close());

const desks: SharedDesk[] = [];
afterEach(() => {
  for (const desk of desks.splice(0)) desk.remove();
});

function makeDesk(url: string): SharedDesk {
  const desk = new SharedDesk(url);
  desks.push(desk);
  return desk;
}

const tables = ["maps", "clients", "places", "targets", "evidence", "windows", "names", "aliases", "gone"];

describe("people who share a server", () => {
  test("see and write nothing of each other, not even with PostgreSQL's own client", async () => {
    const [anna, boris] = [makeDesk(server.url("anna")), makeDesk(server.url("boris"))];
    const marks = await anna.read(openBar("Private", "Diary"));
    await boris.visit((store) => expect([...store.listNames()]).toEqual([]));
    for (const table of tables.filter((one) => one !== "maps" && one !== "clients")) {
      expect([table, server.psql("boris", `SELECT count(*) FROM deskmap.${table}`)]).toEqual([
        table,
        { ok: true, text: "0" },
      ]);
    }
    const map = server.psql("admin", "SELECT map FROM deskmap.maps WHERE owner = 'anna'").text;
    expect(server.psql("boris", "SELECT owner FROM deskmap.maps").text).toBe("boris");
    expect(server.psql("boris", `UPDATE deskmap.targets SET name = 'x' WHERE map = ${map} RETURNING 1`).text).toBe("");
    expect(server.psql("boris", `DELETE FROM deskmap.targets WHERE map = ${map} RETURNING 1`).text).toBe("");
    const insert = `INSERT INTO deskmap.names (map, app, name, revision) VALUES (${map}, 'x', 'x', 1)`;
    expect(server.psql("boris", insert).text).toContain("row-level security");
    expect(server.psql("boris", "INSERT INTO deskmap.maps (owner) VALUES ('team')").text).toContain(
      "row-level security",
    );
    const steal = "UPDATE deskmap.maps SET owner = 'anna2'";
    expect(server.psql("boris", steal).text).toContain("row-level security");
    // A user-defined function under a name that the policy uses.
    const trick = `CREATE SCHEMA AUTHORIZATION boris`;
    server.psql("admin", `${trick}`);
    const lie = `CREATE FUNCTION boris.array_agg(integer) RETURNS integer[] LANGUAGE sql AS 'SELECT ARRAY[${map}]';
      SET search_path = boris, pg_catalog; SELECT count(*) FROM deskmap.targets`;
    expect(server.psql("boris", lie).text).toBe("0");
    const taken = `SELECT targets FROM deskmap.changes(${map}, 0)`;
    expect(server.psql("boris", taken).text).toBe("");
    expect((await anna.visit((store) => store.findRef(marks.Diary ?? 0)?.name)).value).toBe("Diary");
  });

  test("share the map of a team that they belong to, and of no other", async () => {
    const [anna, clara] = [makeDesk(server.url("anna", "?map=team")), makeDesk(server.url("clara", "?map=team"))];
    const marks = await anna.read(openBar("Ours"));
    expect(await clara.read(openBar("Ours"))).toEqual(marks);
    const stranger = await makeDesk(server.url("boris", "?map=team")).tryOpen();
    expect(stranger).toMatchObject({
      ok: false,
      failure: { code: "UNAVAILABLE", suggestion: expect.stringContaining('GRANT "team" TO "boris"') },
    });
  });
});

describe("mistakes in an address are reported, without the password", () => {
  const cases: readonly [string, () => string, string][] = [
    ["no address", () => `postgres//anna:${secret}`, "not the URL"],
    ["another system", () => `mysql://anna:${encodeURIComponent(secret)}@localhost/x`, "not the URL"],
    ["an option that nobody knows", () => server.url("anna", "?sslmod=disable"), "sslmod"],
    ["a way that would fall back to plain text", () => server.url("anna", "?sslmode=prefer"), "sslmode"],
    [
      "a certificate that is not there",
      () => server.url("anna", "?sslmode=verify-full&sslrootcert=/nowhere.pem"),
      "/nowhere.pem",
    ],
    ["a password that is wrong", () => server.url("anna").replace("p%40ss", "pass"), "user or password"],
    ["a user that nobody knows", () => server.url("nobody"), "user or password"],
    ["a database that is not there", () => server.url("anna", "", "nothing"), 'CREATE DATABASE "nothing"'],
    ["a server that is not there", () => "postgres://anna:p%40ss%20word%2F1@127.0.0.1:1/postgres", "cannot be reached"],
    [
      "a server without the encryption that was asked for",
      () => server.url("anna", "?sslmode=require"),
      "cannot be reached",
    ],
  ];
  for (const [name, url, words] of cases) {
    test(name, async () => {
      const opened = await makeDesk(url()).tryOpen();
      const said = JSON.stringify(opened);
      expect(opened.ok).toBe(false);
      expect(said).toContain(JSON.stringify(words).slice(1, -1));
      for (const hidden of [secret, encodeURIComponent(secret), "p%40ss", "pass%20word"])
        expect(said).not.toContain(hidden);
    });
  }

  test("so is a password file that is ignored because others can read it, with the fix", async () => {
    const desk = makeDesk(server.url("anna").replace(/:[^:@]*@/, "@"));
    const file = join(dirname(desk.path), "passwords");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `*:*:*:*:${secret.replaceAll(":", "\\:")}\n`, { mode: 0o644 });
    const env = { ...desk.env, PGPASSFILE: file };
    const refused = await SharedStore.join(env);
    expect(refused).toMatchObject({ ok: false, failure: { suggestion: `chmod 600 '${file}'` } });
    expect(JSON.stringify(refused)).toContain(`${file} is not used, since others may read it`);
    expect(JSON.stringify(refused)).not.toContain(secret);
    chmodSync(file, 0o600);
    const joined = await SharedStore.join(env);
    expect(joined.ok).toBe(true);
    if (joined.ok) joined.value.close();
  });

  test("and no file is named after it", async () => {
    const desk = makeDesk(server.url("anna"));
    await desk.read(openBar("Save"));
    expect(
      readdirSync(dirname(desk.path)).filter((name) => !/^shared-[0-9a-z]+\.db(-wal|-shm|\.lock)?$/.test(name)),
    ).toEqual([]);
    const bytes = await Bun.file(desk.path).text();
    for (const hidden of [secret, encodeURIComponent(secret), "127.0.0.1"]) expect(bytes).not.toContain(hidden);
    expect(makeDesk(server.url("anna").replace("p%40ss", "other")).path.split("/").at(-1)).toBe(
      desk.path.split("/").at(-1) ?? "",
    );
  });
});

describe("tables of another version", () => {
  test("that are missing, and cannot be created, are reported with what an administrator runs", async () => {
    server.psql("admin", "CREATE DATABASE bare");
    const refused = await makeDesk(server.url("anna", "", "bare")).tryOpen();
    const suggestion = expect.stringContaining('GRANT CREATE ON DATABASE "bare" TO "anna"');
    expect(refused).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE", suggestion } });
    server.psql("admin", 'GRANT CREATE ON DATABASE "bare" TO "anna"');
    const made = await Promise.all([1, 2, 3].map(() => makeDesk(server.url("anna", "", "bare")).read(openBar("Save"))));
    expect(made).toHaveLength(3);
    // The role that created the tables sees no more than others.
    await makeDesk(server.url("boris", "", "bare")).read(openBar("Mine"));
    expect(server.psql("anna", "SELECT DISTINCT name FROM deskmap.targets WHERE role = 'button'", "bare").text).toBe(
      "Save",
    );
  });

  test("that are newer are left alone, and learned data waits", async () => {
    const desk = makeDesk(server.url("clara"));
    const { Save } = await desk.read(openBar("Save"));
    server.psql("admin", "UPDATE deskmap.version SET number = 999");
    const refused = await desk.tryOpen();
    server.psql("admin", "UPDATE deskmap.version SET number = 1");
    expect(refused).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining("newer Deskmap (version 999)") },
    });
    expect((await desk.read(openBar("Save"))).Save).toBe(Save ?? 0);
  });

  test("of a recreated database do not silently replace what this desktop knows", async () => {
    const desk = makeDesk(server.url("clara"));
    await desk.read(openBar("Save"));
    server.psql("admin", "UPDATE deskmap.maps SET born = gen_random_uuid() WHERE owner = 'clara'");
    expect(await desk.tryOpen()).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining("not the one this desktop has joined") },
    });
  });
});

test("a TLS server is used only if its certificate is valid, unless the address allows less", async () => {
  const certificate = server.encrypt();
  const open = async (host: string, more: string): Promise<string> => {
    const opened = await makeDesk(server.url("anna", more).replace("127.0.0.1", host)).tryOpen();
    if (!opened.ok) return opened.failure.message;
    const lines = "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'deskmap'";
    const { text } = server.psql("admin", `SELECT bool_and(ssl) ${lines}`);
    opened.value.close();
    return text;
  };
  // The server may still be reading its settings.
  while ((await open("localhost", "?sslmode=require")) !== "t") await Bun.sleep(20);
  expect(await open("localhost", "?sslmode=verify-full")).toContain("cannot be trusted");
  expect(await open("localhost", `?sslmode=verify-full&sslrootcert=${certificate}`)).toBe("t");
  expect(await open("127.0.0.1", `?sslmode=verify-full&sslrootcert=${certificate}`)).toContain("cannot be trusted");
});

test("a machine that was cloned with its map continues with its own numbers", async () => {
  const [first, copy] = [makeDesk(server.url("boris")), makeDesk(server.url("boris"))];
  const before = await first.read(openBar("Save"));
  await copy.meet();
  for (const end of ["", "-wal", "-shm"]) {
    const [from, to] = [first.path + end, copy.path + end];
    if (await Bun.file(from).exists()) copyFileSync(from, to);
  }
  const [mine, theirs] = await Promise.all([
    first.visit((store) => readMarks(openBar("Save", "Mine"), store)),
    copy.visit((store) => readMarks(openBar("Save", "Theirs"), store)),
  ]);
  expect([mine.value.Save, theirs.value.Save]).toEqual([before.Save, before.Save]);
  expect(mine.value.Mine).not.toBe(theirs.value.Theirs);
  for (const desk of [first, copy, first]) await desk.meet();
  for (const desk of [first, copy]) {
    const { value } = await desk.visit((store) =>
      [mine.value.Mine, theirs.value.Theirs].map((mark) => store.findRef(mark ?? 0)?.name),
    );
    expect(value).toEqual(["Mine", "Theirs"]);
  }
});

matrix.test("a client does not wait forever for another that hangs while it creates the tables", async () => {
  const database = "standstill";
  server.psql("admin", `CREATE DATABASE ${database}`);
  const held = server.holdMigration(database);
  try {
    await held.taken;
    const desk = makeDesk(server.url("admin", "", database));
    // Not PostgreSQL's own statement timeout, which would take two minutes and have another error code.
    expect(await desk.tryOpen()).toMatchObject({ ok: false, failure: { message: expect.stringContaining("55P03") } });
  } finally {
    await held.end();
  }
  const after = makeDesk(server.url("admin", "", database));
  expect(await after.read(openBar("Save"))).toHaveProperty("Save");
});
