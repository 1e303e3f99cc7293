const start = "LANGUAGE plpgsql SET search_path = pg_catalog, deskmap, pg_temp AS";

/**
 * Applies one batch. Counts are differences and are added. Otherwise the later value wins, by the time it was seen or
 * taught; a time in the future counts as now.
 */
const takeBatch = `
CREATE FUNCTION deskmap.take_batch(p_map integer, p_revision bigint, p_client bigint, p_known bigint, p_body jsonb)
RETURNS void ${start} $$
#variable_conflict use_column
DECLARE
  v_now bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  -- All keys in the body, so that every lookup uses an index.
  v_hashes bigint[] := ARRAY(SELECT q.hash FROM jsonb_to_recordset(p_body -> 'evidence') AS q (hash bigint));
  v_marks bigint[] := ARRAY(
    SELECT i.mark FROM jsonb_to_recordset(p_body -> 'targets') AS i (mark bigint)
    UNION SELECT q.mark FROM jsonb_to_recordset(p_body -> 'evidence') AS q (mark bigint) WHERE q.mark IS NOT NULL
    UNION SELECT q.was FROM jsonb_to_recordset(p_body -> 'evidence') AS q (was bigint) WHERE q.was IS NOT NULL);
  v_places bigint[] := ARRAY(SELECT i.key FROM jsonb_to_recordset(p_body -> 'places') AS i (key bigint));
  v_apps text[] := ARRAY(
    SELECT i.app FROM jsonb_to_recordset(p_body -> 'places') AS i (app text)
    UNION SELECT i.app FROM jsonb_to_recordset(p_body -> 'names') AS i (app text)
    UNION SELECT i.app FROM jsonb_to_recordset(p_body -> 'windows') AS i (app text));
  v_live bigint[];
BEGIN
  -- The planner cannot estimate the size of the body: nested loops over a large one take seconds.
  IF jsonb_array_length(p_body -> 'evidence') + jsonb_array_length(p_body -> 'targets') > 200 THEN
    PERFORM set_config('enable_nestloop', 'off', true);
  END IF;
  IF jsonb_array_length(p_body -> 'gone') > 0 THEN
    PERFORM take_gone(p_map, p_revision, p_body, v_now);
  END IF;

  -- Marks of a forgotten application that another desktop issued before it was forgotten.
  INSERT INTO gone (map, kind, id, at, revision)
    SELECT p_map, 'm', i.mark, v_now, p_revision
    FROM jsonb_to_recordset(p_body -> 'targets') AS i (mark bigint, app text, new_at bigint)
    JOIN gone g ON g.map = p_map AND g.kind = 'a' AND g.id = hashtextextended(i.app, 0) AND g.at >= coalesce(i.new_at, 0)
    WHERE NOT EXISTS (SELECT FROM targets t WHERE t.map = p_map AND t.mark = i.mark AND t.mark = ANY (v_marks))
      AND NOT EXISTS (SELECT FROM aliases a WHERE a.map = p_map AND a.alias = i.mark AND a.alias = ANY (v_marks))
    ON CONFLICT (map, kind, id) DO UPDATE SET revision = excluded.revision;
  -- A client that sends a forgotten mark gets the deletion again.
  UPDATE gone g SET revision = p_revision WHERE g.map = p_map AND g.kind = 'm' AND g.id = ANY (v_marks);

  -- One control that two desktops marked independently: the earlier mark stays, the later becomes its alias. Only if all
  -- evidence of the later mark leads to that one mark and never led elsewhere, and its desktop has neither seen the earlier
  -- mark nor distinguishes two controls that would be merged.
  INSERT INTO aliases (map, alias, mark, client, revision)
    WITH news AS (
      SELECT i.* FROM jsonb_to_recordset(p_body -> 'targets')
        AS i (mark bigint, app text, role text, name text, platform_id text, new_at bigint)
      WHERE i.new_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM targets t WHERE t.map = p_map AND t.mark = i.mark AND t.mark = ANY (v_marks))
        AND NOT EXISTS (SELECT FROM aliases a WHERE a.map = p_map AND a.alias = i.mark AND a.alias = ANY (v_marks))
        AND NOT EXISTS (SELECT FROM gone g WHERE g.map = p_map AND g.kind = 'm' AND g.id = i.mark AND g.id = ANY (v_marks))
    ), led AS (
      SELECT q.mark AS alias, min(e.mark) AS elder
      FROM jsonb_to_recordset(p_body -> 'evidence') AS q (hash bigint, mark bigint, was bigint, is_moved integer)
      JOIN news n ON n.mark = q.mark
      JOIN evidence e ON e.map = p_map AND e.hash = q.hash AND e.hash = ANY (v_hashes) AND e.mark IS NOT NULL
      GROUP BY q.mark
      HAVING min(e.mark) = max(e.mark) AND NOT bool_or(e.is_moved OR q.is_moved = 1 OR q.was IS NOT NULL)
    )
    SELECT p_map, led.alias, led.elder, p_client, p_revision FROM led
    JOIN news n ON n.mark = led.alias
    JOIN targets t ON t.map = p_map AND t.mark = led.elder AND t.mark = ANY (ARRAY(SELECT l.elder FROM led l))
    JOIN places p ON p.map = p_map AND p.key = t.place AND p.app = ANY (v_apps)
    WHERE t.created > p_known AND t.client <> p_client
      AND (p.app, t.role, t.name, t.platform_id) = (n.app, n.role, n.name, n.platform_id)
      AND NOT EXISTS (SELECT FROM led other WHERE other.elder = led.elder AND other.alias <> led.alias)
      AND NOT EXISTS (SELECT FROM aliases a WHERE a.map = p_map AND a.mark = led.elder AND a.client = p_client);

  INSERT INTO places AS o (map, key, app, windows, path, looks, revision)
    SELECT p_map, i.key, i.app, i.windows, i.path, i.looks, p_revision FROM jsonb_to_recordset(p_body -> 'places')
      AS i (key bigint, app text, windows text, path text, looks bigint, is_row integer)
    WHERE EXISTS (SELECT FROM places p WHERE p.map = p_map AND p.key = i.key AND p.key = ANY (v_places))
      OR NOT EXISTS (SELECT FROM gone g WHERE g.map = p_map AND g.kind = 'a' AND g.id = hashtextextended(i.app, 0))
      OR EXISTS (
        SELECT FROM jsonb_to_recordset(p_body -> 'targets') AS t (mark bigint, place bigint) WHERE t.place = i.key
          AND NOT EXISTS (SELECT FROM gone g WHERE g.map = p_map AND g.kind = 'm' AND g.id = t.mark AND g.id = ANY (v_marks))
      )
    ON CONFLICT (map, key) DO UPDATE
      SET looks = o.looks + excluded.looks, windows = excluded.windows, revision = excluded.revision;
  INSERT INTO gone (map, kind, id, at, revision)
    SELECT p_map, 'p', i.key, v_now, p_revision FROM jsonb_to_recordset(p_body -> 'places') AS i (key bigint)
    WHERE NOT EXISTS (SELECT FROM places p WHERE p.map = p_map AND p.key = i.key AND p.key = ANY (v_places))
    ON CONFLICT (map, kind, id) DO UPDATE SET revision = excluded.revision;

  PERFORM take_targets(p_map, p_revision, p_client, p_body, v_now, v_marks, v_places);
  -- In two steps: the planner uses a hash lookup only for an array it already has.
  v_marks := v_marks || ARRAY(SELECT a.mark FROM aliases a WHERE a.map = p_map AND a.alias = ANY (v_marks));
  v_live := ARRAY(SELECT t.mark FROM targets t WHERE t.map = p_map AND t.mark = ANY (v_marks));

  INSERT INTO evidence AS o (map, hash, mark, at, is_moved, revision)
    SELECT p_map, q.hash, coalesce(a.mark, q.mark), least(q.at, v_now), q.is_moved = 1, p_revision
    FROM jsonb_to_recordset(p_body -> 'evidence') AS q (hash bigint, mark bigint, is_moved integer, at bigint)
    LEFT JOIN aliases a ON a.map = p_map AND a.alias = q.mark AND a.alias = ANY (v_marks)
    WHERE coalesce(a.mark, q.mark) = ANY (v_live)
    ON CONFLICT (map, hash) DO UPDATE SET
      mark = CASE WHEN excluded.at >= o.at THEN excluded.mark ELSE o.mark END,
      at = greatest(o.at, excluded.at),
      is_moved = o.is_moved OR excluded.is_moved OR (o.mark IS NOT NULL AND o.mark <> excluded.mark);
  -- Evidence that no longer leads to a mark is cleared if it led to that mark; otherwise another desktop has reassigned it.
  UPDATE evidence o SET mark = NULL, at = least(q.at, v_now)
    FROM jsonb_to_recordset(p_body -> 'evidence') AS q (hash bigint, mark bigint, was bigint, at bigint)
    LEFT JOIN aliases a ON a.map = p_map AND a.alias = q.was AND a.alias = ANY (v_marks)
    WHERE q.mark IS NULL AND o.map = p_map AND o.hash = q.hash AND o.hash = ANY (v_hashes) AND o.mark = coalesce(a.mark, q.was) AND q.at >= o.at;
  UPDATE evidence o SET revision = p_revision
    WHERE o.map = p_map AND o.hash = ANY (v_hashes) AND o.revision <> p_revision;

  INSERT INTO windows AS o (map, key, app, name, layout, looks, last_seen, revision)
    SELECT p_map, i.key, i.app, i.name, 1 + i.layout, i.looks, least(i.last_seen, v_now / 1000), p_revision
    FROM jsonb_to_recordset(p_body -> 'windows')
      AS i (key bigint, app text, name text, layout bigint, looks bigint, last_seen bigint)
    WHERE EXISTS (SELECT FROM places p WHERE p.map = p_map AND p.app = i.app AND p.app = ANY (v_apps))
    ON CONFLICT (map, key) DO UPDATE SET layout = o.layout + excluded.layout - 1, looks = o.looks + excluded.looks,
      last_seen = greatest(o.last_seen, excluded.last_seen), revision = excluded.revision;
  INSERT INTO names (map, app, name, revision)
    SELECT p_map, i.app, i.name, p_revision FROM jsonb_to_recordset(p_body -> 'names') AS i (app text, name text)
    WHERE EXISTS (SELECT FROM places p WHERE p.map = p_map AND p.app = i.app AND p.app = ANY (v_apps))
    ON CONFLICT DO NOTHING;
  PERFORM set_config('enable_nestloop', 'on', true);
END $$;`;

/**
 * Forgets marks (m) and containers (p). For the last container of an application (l), forgets everything that any desktop
 * has seen of it until then. Remaining names are sent out again, since the sender has deleted them.
 */
const takeGone = `
CREATE FUNCTION deskmap.take_gone(p_map integer, p_revision bigint, p_body jsonb, p_now bigint) RETURNS void ${start} $$
#variable_conflict use_column
DECLARE
  v_gone bigint[];
  v_places bigint[];
  v_apps text[];
  v_touched text[];
  v_at bigint;
BEGIN
  SELECT array_agg(DISTINCT p.app), max(least(g.at, p_now)) INTO v_apps, v_at
    FROM jsonb_to_recordset(p_body -> 'gone') AS g (kind text, id bigint, at bigint)
    JOIN places p ON p.map = p_map AND p.key = g.id WHERE g.kind = 'l';
  SELECT array_agg(DISTINCT p.app) INTO v_touched FROM jsonb_to_recordset(p_body -> 'gone') AS g (kind text, id bigint)
    JOIN places p ON p.map = p_map AND p.key = g.id WHERE g.kind IN ('p', 'l');
  -- Including every alias of a forgotten mark.
  SELECT array_agg(DISTINCT mark) INTO v_gone FROM (
    WITH told AS (
      SELECT coalesce(a.mark, g.id) AS mark, g.id FROM jsonb_to_recordset(p_body -> 'gone') AS g (kind text, id bigint)
      LEFT JOIN aliases a ON a.map = p_map AND a.alias = g.id WHERE g.kind = 'm'
      UNION SELECT t.mark, t.mark FROM targets t JOIN places p ON p.map = p_map AND p.key = t.place
      WHERE t.map = p_map AND p.app = ANY (v_apps) AND t.first_seen * 1000 <= v_at
    )
    SELECT mark FROM told UNION SELECT id FROM told
    UNION SELECT a.alias FROM aliases a JOIN told ON a.mark = told.mark WHERE a.map = p_map
  ) AS every;
  DELETE FROM targets WHERE map = p_map AND mark = ANY (v_gone);
  -- Evidence that led to another mark before may still do so on a desktop: it is told that it leads nowhere now.
  UPDATE evidence SET mark = NULL, revision = p_revision WHERE map = p_map AND mark = ANY (v_gone) AND is_moved;
  DELETE FROM evidence WHERE map = p_map AND mark = ANY (v_gone);
  DELETE FROM aliases WHERE map = p_map AND (mark = ANY (v_gone) OR alias = ANY (v_gone));
  SELECT array_agg(p.key) INTO v_places FROM places p
    WHERE p.map = p_map AND NOT EXISTS (SELECT FROM targets t WHERE t.map = p_map AND t.place = p.key) AND (
      p.app = ANY (v_apps) OR p.key IN (SELECT g.id FROM jsonb_to_recordset(p_body -> 'gone') AS g (id bigint))
    );
  DELETE FROM places WHERE map = p_map AND key = ANY (v_places);
  INSERT INTO gone (map, kind, id, at, revision)
    SELECT p_map, 'm', mark, p_now, p_revision FROM unnest(v_gone) AS mark
    UNION ALL SELECT p_map, 'p', key, p_now, p_revision FROM unnest(v_places) AS key
    UNION ALL SELECT p_map, 'a', hashtextextended(app, 0), v_at, p_revision FROM unnest(v_apps) AS app
    ON CONFLICT (map, kind, id) DO UPDATE SET at = excluded.at, revision = excluded.revision;
  DELETE FROM names WHERE map = p_map AND app NOT IN (SELECT p.app FROM places p WHERE p.map = p_map);
  DELETE FROM windows WHERE map = p_map AND app NOT IN (SELECT p.app FROM places p WHERE p.map = p_map);
  UPDATE names SET revision = p_revision WHERE map = p_map AND app = ANY (v_touched);
  UPDATE windows SET revision = p_revision WHERE map = p_map AND app = ANY (v_touched);
END $$;`;

/** Two statements: counts always add up, but an appearance is replaced only if it is newer. */
const takeTargets = `
CREATE FUNCTION deskmap.take_targets(p_map integer, p_revision bigint, p_client bigint, p_body jsonb, p_now bigint,
  p_marks bigint[], p_places bigint[])
RETURNS void ${start} $$
#variable_conflict use_column
DECLARE
  v_targets jsonb;
  v_marks bigint[] := p_marks || ARRAY(SELECT a.mark FROM aliases a WHERE a.map = p_map AND a.alias = ANY (p_marks));
BEGIN
  -- By canonical mark: aliases may merge two targets into one.
  SELECT coalesce(jsonb_agg(every.value || jsonb_build_object('mark', every.mark, 'same', every.same, 'moved', every.moved,
      'hits', every.hits, 'misses', every.misses)), '[]') INTO v_targets
  FROM (
    SELECT DISTINCT ON (mark) i.value, coalesce(a.mark, (i.value ->> 'mark')::bigint) AS mark,
      sum((i.value ->> 'same')::bigint) OVER sisters AS same, sum((i.value ->> 'moved')::bigint) OVER sisters AS moved,
      sum((i.value ->> 'hits')::bigint) OVER sisters AS hits, sum((i.value ->> 'misses')::bigint) OVER sisters AS misses
    FROM jsonb_array_elements(p_body -> 'targets') AS i
    LEFT JOIN aliases a ON a.map = p_map AND a.alias = (i.value ->> 'mark')::bigint AND a.alias = ANY (p_marks)
    WHERE NOT EXISTS (
      SELECT FROM gone g WHERE g.map = p_map AND g.kind = 'm' AND g.id = coalesce(a.mark, (i.value ->> 'mark')::bigint)
        AND g.id = ANY (v_marks)
    )
    WINDOW sisters AS (PARTITION BY coalesce(a.mark, (i.value ->> 'mark')::bigint))
    ORDER BY mark, (i.value ->> 'row_at')::bigint DESC NULLS LAST
  ) AS every;

  INSERT INTO targets AS o (map, mark, place, role, name, platform_id, position, alike, owner, sister_before, sister_after,
      twins, has_twin, x, y, width, height, press_x, press_y, source, certainty, parent, visual_hash, feedback, layout,
      first_seen, last_seen, last_look, same, moved, hits, misses, taught, taught_at, row_at, client, created, revision)
    SELECT p_map, i.mark, i.place, i.role, i.name, i.platform_id, i.position, i.alike, i.owner, i.sister_before,
      i.sister_after, i.twins, i.has_twin, i.x, i.y, i.width, i.height, i.press_x, i.press_y, i.source, i.certainty, i.parent,
      i.visual_hash, i.feedback, i.layout, i.first_seen, least(i.last_seen, p_now / 1000), p.looks - i.missing, i.same, i.moved, i.hits,
      i.misses, CASE WHEN i.taught_at > 0 THEN i.taught END, least(coalesce(i.taught_at, 0), p_now),
      least(coalesce(i.row_at, 0), p_now), p_client, p_revision, p_revision
    FROM jsonb_to_recordset(v_targets) AS i (mark bigint, place bigint, role text, name text, platform_id text,
      position integer, alike integer, owner text, sister_before text, sister_after text, twins integer, has_twin integer,
      x integer, y integer, width integer, height integer, press_x integer, press_y integer, source integer,
      certainty double precision, parent bigint, visual_hash text, feedback text, layout integer, first_seen bigint, last_seen bigint,
      missing bigint, same bigint, moved bigint, hits bigint, misses bigint, taught text, taught_at bigint, row_at bigint)
    JOIN places p ON p.map = p_map AND p.key = i.place AND p.key = ANY (p_places)
    ON CONFLICT (map, mark) DO UPDATE SET
      same = o.same + excluded.same, moved = o.moved + excluded.moved, hits = o.hits + excluded.hits,
      misses = o.misses + excluded.misses, first_seen = least(o.first_seen, excluded.first_seen),
      last_seen = greatest(o.last_seen, excluded.last_seen),
      last_look = CASE WHEN o.place = excluded.place THEN greatest(o.last_look, excluded.last_look) ELSE o.last_look END,
      taught = CASE WHEN excluded.taught_at > 0 AND excluded.taught_at >= o.taught_at THEN excluded.taught ELSE o.taught END,
      taught_at = greatest(o.taught_at, excluded.taught_at), revision = excluded.revision;

  UPDATE targets o SET place = i.place, role = i.role, name = i.name, platform_id = i.platform_id, position = i.position,
      alike = i.alike, owner = i.owner, sister_before = i.sister_before, sister_after = i.sister_after, twins = i.twins,
      has_twin = i.has_twin, x = i.x, y = i.y, width = i.width, height = i.height, press_x = i.press_x, press_y = i.press_y,
      source = i.source, certainty = i.certainty, parent = i.parent, visual_hash = i.visual_hash, feedback = i.feedback, layout = i.layout,
      last_look = CASE WHEN o.place = i.place THEN o.last_look ELSE p.looks - i.missing END, row_at = least(i.row_at, p_now)
    FROM jsonb_to_recordset(v_targets) AS i (mark bigint, place bigint, role text, name text, platform_id text,
      position integer, alike integer, owner text, sister_before text, sister_after text, twins integer, has_twin integer,
      x integer, y integer, width integer, height integer, press_x integer, press_y integer, source integer,
      certainty double precision, parent bigint, visual_hash text, feedback text, layout integer, missing bigint, row_at bigint)
    JOIN places p ON p.map = p_map AND p.key = i.place AND p.key = ANY (p_places)
    WHERE o.map = p_map AND o.mark = i.mark AND o.mark = ANY (v_marks) AND o.created <> p_revision AND i.row_at IS NOT NULL
      AND least(i.row_at, p_now) >= o.row_at;
  -- The parent's mark may be an alias, too.
  UPDATE targets o SET parent = a.mark FROM aliases a
    WHERE o.map = p_map AND o.revision = p_revision AND a.map = p_map AND a.alias = o.parent;
END $$;`;

/** The changes after a revision as JSON, in parts if there are many, all from one transaction snapshot. */
const changes = `
CREATE FUNCTION deskmap.changes(p_map integer, p_cursor bigint)
RETURNS TABLE (reached bigint, head bigint, gone text, places text, targets text, evidence text, windows text, names text,
  aliases text)
STABLE ${start} $$
#variable_conflict use_column
BEGIN
  SELECT m.revision INTO head FROM maps m WHERE m.map = p_map;
  reached := least(head,
    (SELECT t.revision FROM targets t WHERE t.map = p_map AND t.revision > p_cursor ORDER BY t.revision OFFSET 10000 LIMIT 1),
    (SELECT e.revision FROM evidence e WHERE e.map = p_map AND e.revision > p_cursor ORDER BY e.revision OFFSET 40000 LIMIT 1));
  IF reached <= p_cursor THEN RETURN NEXT; RETURN; END IF;
  -- A client that joins has nothing to delete.
  gone := (SELECT json_agg(json_build_array(g.kind, g.id)) FROM gone g
    WHERE g.map = p_map AND g.revision > p_cursor AND g.revision <= reached AND g.kind <> 'a' AND p_cursor > 0);
  targets := (SELECT json_agg(json_build_array(t.mark, t.place, t.role, t.name, t.platform_id, t.position, t.alike, t.owner,
      t.sister_before, t.sister_after, t.twins, t.has_twin, t.x, t.y, t.width, t.height, t.press_x, t.press_y, t.source,
      t.certainty, t.parent, t.visual_hash, t.feedback, t.layout, t.first_seen, t.last_seen, t.last_look, t.same, t.moved, t.hits,
      t.misses, t.taught))
    FROM targets t WHERE t.map = p_map AND t.revision > p_cursor AND t.revision <= reached);
  places := (SELECT json_agg(json_build_array(p.key, p.app, p.windows, p.path, p.looks)) FROM places p
    WHERE p.map = p_map AND (p.revision > p_cursor AND p.revision <= reached OR p.key IN (
      SELECT t.place FROM targets t WHERE t.map = p_map AND t.revision > p_cursor AND t.revision <= reached)));
  evidence := (SELECT json_agg(json_build_array(e.hash, e.mark)) FROM evidence e
    WHERE e.map = p_map AND e.revision > p_cursor AND e.revision <= reached AND (e.mark IS NOT NULL OR p_cursor > 0));
  windows := (SELECT json_agg(json_build_array(w.key, w.app, w.name, w.layout, w.looks, w.last_seen)) FROM windows w
    WHERE w.map = p_map AND w.revision > p_cursor AND w.revision <= reached);
  names := (SELECT json_agg(json_build_array(n.app, n.name)) FROM names n
    WHERE n.map = p_map AND n.revision > p_cursor AND n.revision <= reached);
  aliases := (SELECT json_agg(json_build_array(a.alias, a.mark)) FROM aliases a
    WHERE a.map = p_map AND a.revision > p_cursor AND a.revision <= reached);
  RETURN NEXT;
END $$;`;

/**
 * The whole exchange in one call: applies a batch (once, however often it is sent), leases numbers exclusively, and
 * returns the changes of others. Read-only calls take no lock.
 */
const exchange = `
CREATE FUNCTION deskmap.exchange(p_version integer, p_owner text, p_born uuid, p_client bigint, p_batch bigint, p_body text,
  p_cursor bigint, p_is_pull boolean, p_numbers bigint, p_highest bigint)
RETURNS TABLE (born uuid, applied bigint, first_number bigint, last_number bigint, reached bigint, head bigint, gone text,
  places text, targets text, evidence text, windows text, names text, aliases text)
${start} $$
#variable_conflict use_column
DECLARE
  v_map maps%ROWTYPE;
  v_version integer := (SELECT number FROM version);
BEGIN
  IF v_version <> p_version THEN
    RAISE EXCEPTION 'version %', v_version USING ERRCODE = 'DM001';
  END IF;
  SELECT * INTO v_map FROM maps m WHERE m.owner = p_owner;
  IF NOT FOUND THEN
    INSERT INTO maps (owner) VALUES (p_owner) ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT v_map FROM maps m WHERE m.owner = p_owner;
  END IF;
  IF v_map.born <> p_born OR v_map.revision < p_cursor THEN
    RAISE EXCEPTION 'another map' USING ERRCODE = 'DM002';
  END IF;
  IF p_batch > 0 OR p_numbers > 0 THEN
    SELECT * INTO v_map FROM maps m WHERE m.map = v_map.map FOR UPDATE;
    INSERT INTO clients (map, client) VALUES (v_map.map, p_client) ON CONFLICT DO NOTHING;
    IF p_batch > (SELECT c.batch FROM clients c WHERE c.map = v_map.map AND c.client = p_client) THEN
      v_map.revision := v_map.revision + 1;
      PERFORM take_batch(v_map.map, v_map.revision, p_client, p_cursor, p_body::jsonb);
      UPDATE clients c SET batch = p_batch WHERE c.map = v_map.map AND c.client = p_client;
    END IF;
    IF p_numbers > 0 THEN
      first_number := greatest(v_map.next_mark, p_highest + 1);
      last_number := first_number + p_numbers - 1;
      v_map.next_mark := last_number + 1;
    END IF;
    UPDATE maps m SET revision = v_map.revision, next_mark = v_map.next_mark WHERE m.map = v_map.map;
  END IF;
  born := v_map.born;
  -- In one statement with the changes: each statement has its own snapshot.
  SELECT (SELECT c.batch FROM clients c WHERE c.map = v_map.map AND c.client = p_client), n.*
    INTO applied, reached, head, gone, places, targets, evidence, windows, names, aliases
    FROM changes(v_map.map, CASE WHEN p_is_pull THEN p_cursor ELSE 9223372036854775807 END) AS n;
  RETURN NEXT;
END $$;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA deskmap TO PUBLIC;`;

export const createFunctions = [takeGone, takeTargets, takeBatch, changes, exchange].join("\n");
