import { createFunctions } from "./server-functions.ts";

/** Stored in `deskmap.version`; other versions are refused. */
export const serverVersion = 1;

/**
 * The tables of a shared map. Every row belongs to one map, and every map to one role: a person or a team. Row-level
 * policies, forced for the table owner too, limit each role to its own maps and those of its teams. `revision` counts
 * the changes of a map under a lock on the map's row, so later commits have higher revisions and a reader that asks for
 * everything after its last revision misses nothing.
 */
const tables = `
  CREATE SCHEMA IF NOT EXISTS deskmap;
  CREATE TABLE deskmap.version (number integer NOT NULL);
  CREATE TABLE deskmap.maps (
    map integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL UNIQUE DEFAULT current_user,
    born uuid NOT NULL DEFAULT gen_random_uuid(),
    revision bigint NOT NULL DEFAULT 1,
    next_mark bigint NOT NULL DEFAULT 1
  );
  CREATE TABLE deskmap.clients (
    map integer NOT NULL, client bigint NOT NULL, batch bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (map, client)
  );
  CREATE TABLE deskmap.places (
    map integer NOT NULL, key bigint NOT NULL, app text NOT NULL, windows text NOT NULL, path text NOT NULL,
    looks bigint NOT NULL, revision bigint NOT NULL,
    PRIMARY KEY (map, key)
  );
  CREATE TABLE deskmap.targets (
    map integer NOT NULL, mark bigint NOT NULL, place bigint NOT NULL,
    role text NOT NULL, name text NOT NULL, platform_id text NOT NULL, position integer NOT NULL, alike integer NOT NULL,
    owner text NOT NULL, sister_before text NOT NULL, sister_after text NOT NULL,
    twins integer NOT NULL, has_twin integer NOT NULL,
    x integer, y integer, width integer, height integer, press_x integer, press_y integer,
    source integer NOT NULL, certainty double precision, parent bigint, visual_hash text, feedback text,
    layout integer NOT NULL,
    first_seen bigint NOT NULL, last_seen bigint NOT NULL, last_look bigint,
    same bigint NOT NULL, moved bigint NOT NULL, hits bigint NOT NULL, misses bigint NOT NULL,
    taught text, taught_at bigint NOT NULL,
    row_at bigint NOT NULL, client bigint NOT NULL, created bigint NOT NULL, revision bigint NOT NULL,
    PRIMARY KEY (map, mark)
  );
  CREATE TABLE deskmap.evidence (
    map integer NOT NULL, hash bigint NOT NULL, mark bigint, at bigint NOT NULL, is_moved boolean NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (map, hash)
  );
  CREATE TABLE deskmap.windows (
    map integer NOT NULL, key bigint NOT NULL, app text NOT NULL, name text NOT NULL,
    layout bigint NOT NULL, looks bigint NOT NULL, last_seen bigint NOT NULL, revision bigint NOT NULL,
    PRIMARY KEY (map, key)
  );
  CREATE TABLE deskmap.names (
    map integer NOT NULL, app text NOT NULL, name text NOT NULL, revision bigint NOT NULL,
    PRIMARY KEY (map, app, name)
  );
  CREATE TABLE deskmap.aliases (
    map integer NOT NULL, alias bigint NOT NULL, mark bigint NOT NULL, client bigint NOT NULL, revision bigint NOT NULL,
    PRIMARY KEY (map, alias)
  );
  CREATE TABLE deskmap.gone (
    map integer NOT NULL, kind text NOT NULL, id bigint NOT NULL, at bigint NOT NULL, revision bigint NOT NULL,
    PRIMARY KEY (map, kind, id)
  );
  COMMENT ON TABLE deskmap.gone IS
    'Ids of what was forgotten, never its names: marks (m), containers (p), applications by hash (a).';
  CREATE INDEX ON deskmap.places (map, revision);
  CREATE INDEX ON deskmap.places (map, app);
  CREATE INDEX ON deskmap.targets (map, revision);
  CREATE INDEX ON deskmap.targets (map, place);
  CREATE INDEX ON deskmap.evidence (map, revision);
  CREATE INDEX ON deskmap.evidence (map, mark);
  CREATE INDEX ON deskmap.aliases (map, mark);
  CREATE INDEX ON deskmap.gone (map, revision);`;

const owned = ["clients", "places", "targets", "evidence", "windows", "names", "aliases", "gone"] as const;

/** Looks up the role's oid first: pg_has_role fails on the name of a dropped role. */
const isMine = `owner = current_user
  OR EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = owner AND pg_catalog.pg_has_role(r.oid, 'USAGE'))`;

/**
 * Called once per table in a statement. Inlined in every policy, it would be planned each time, which took longer than
 * everything else. It sets its own search path: otherwise a caller could shadow a function it uses.
 */
const listOwn = `
  CREATE FUNCTION deskmap.own_maps() RETURNS integer[] LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS
    $$ BEGIN RETURN (SELECT array_agg(m.map) FROM deskmap.maps m); END $$;`;

/**
 * Right after a map is created, statistics claim it has no rows and the planner picks the wrong index; without
 * statistics it does not.
 */
function disableStatistics(table: string): string {
  return `ALTER TABLE deskmap.${table} ALTER COLUMN map SET STATISTICS 0;`;
}

function separate(table: string, condition: string): string {
  return `
  ALTER TABLE deskmap.${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE deskmap.${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY own ON deskmap.${table} USING (${condition}) WITH CHECK (${condition});
  GRANT SELECT, INSERT, UPDATE, DELETE ON deskmap.${table} TO PUBLIC;`;
}

export const createSchema = [
  tables,
  separate("maps", isMine),
  listOwn,
  ...owned.map((table) => separate(table, "map = ANY ((SELECT deskmap.own_maps())::integer[])")),
  ...owned.map(disableStatistics),
  "GRANT USAGE ON SCHEMA deskmap TO PUBLIC; GRANT SELECT ON deskmap.version TO PUBLIC;",
  createFunctions,
  `INSERT INTO deskmap.version (number) VALUES (${serverVersion});`,
].join("\n");
