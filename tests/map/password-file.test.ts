import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAddress } from "../../src/map/store/shared/address.ts";

const home = mkdtempSync(join(tmpdir(), "deskmap-pgpass-"));
const file = join(home, ".pgpass");
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => rmSync(file, { force: true }));

function write(...lines: readonly string[]): void {
  writeFileSync(file, `${lines.join("\n")}\n`);
  chmodSync(file, 0o600);
}

function passwordFor(map: string, env: Readonly<Record<string, string>> = {}): string | undefined {
  const address = readAddress({ HOME: home, DESKMAP_MAP: map, ...env });
  if (!address.ok) throw new Error(address.failure.message);
  return address.value.password;
}

describe("the password of a shared map comes from the person's own file", () => {
  test("by the first line whose host, port, database and user match", () => {
    write("# map.example:5432:team:ada:no", "map.example:5433:team:ada:other", "*:*:team:ada:first", "*:*:*:*:last");
    expect(passwordFor("postgres://ada@map.example/team")).toBe("first");
    expect(passwordFor("postgres://ada@map.example:5433/team")).toBe("other");
    expect(passwordFor("postgres://bob@map.example/team")).toBe("last");
  });

  test("with colons and backslashes in any field, and none if nothing matches", () => {
    write(String.raw`map.example:5432:te\:am:a\\da:pass\:wo\\rd`, "::::", "short:line");
    expect(passwordFor("postgres://a%5Cda@map.example/te%3Aam")).toBe(String.raw`pass:wo\rd`);
    expect(passwordFor("postgres://bob@map.example/team")).toBeUndefined();
  });

  test("where a star is a literal name only behind a backslash", () => {
    write(String.raw`map.example:5432:\*:ada:star`);
    expect(passwordFor("postgres://ada@map.example/team")).toBeUndefined();
    expect(passwordFor("postgres://ada@map.example/*")).toBe("star");
  });

  test("for the usual socket by the name localhost, for another by its folder", () => {
    write("localhost:5432:team:ada:here", "/srv/sockets:5432:team:ada:there");
    expect(passwordFor("postgres:///team?host=/var/run/postgresql", { PGUSER: "ada" })).toBe("here");
    expect(passwordFor("postgres:///team?host=/srv/sockets", { PGUSER: "ada" })).toBe("there");
  });

  test("unless the address or the environment has one", () => {
    write("*:*:*:*:file");
    expect(passwordFor("postgres://ada:own@map.example/team")).toBe("own");
    expect(passwordFor("postgres://ada@map.example/team", { PGPASSWORD: "said" })).toBe("said");
  });

  test("in the file that PGPASSFILE names", () => {
    write("*:*:*:*:home");
    const other = join(home, "other");
    writeFileSync(other, "*:*:*:*:named\r\n", { mode: 0o600 });
    expect(passwordFor("postgres://ada@map.example/team", { PGPASSFILE: other })).toBe("named");
    expect(passwordFor("postgres://ada@map.example/team", { PGPASSFILE: join(home, "nowhere") })).toBeUndefined();
  });

  test("and not used if another user can read it", () => {
    write("*:*:*:*:open");
    chmodSync(file, 0o640);
    expect(passwordFor("postgres://ada@map.example/team")).toBeUndefined();
    chmodSync(file, 0o604);
    expect(passwordFor("postgres://ada@map.example/team")).toBeUndefined();
    chmodSync(file, 0o400);
    expect(passwordFor("postgres://ada@map.example/team")).toBe("open");
  });

  test("and never revealed", () => {
    write("*:*:*:*:hidden-word");
    const address = readAddress({ HOME: home, DESKMAP_MAP: "postgres://ada@map.example/team" });
    const { password: _, ...rest } = address.ok ? address.value : { password: "" };
    expect(JSON.stringify(rest)).not.toContain("hidden-word");
  });
});
