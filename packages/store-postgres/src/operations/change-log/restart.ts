import type { Sql } from '@platform/postgres';

/** Starts the ticks again in another cluster: all older cursors expire. The entries keep their place in the history, below the floor. */
export async function restartTicks(sql: Sql): Promise<void> {
  await sql.rows(restartText);
}

const restartText = `
  with moved as (
    update change_log l set tick = l.tick + 1, snapshot = pg_current_snapshot(), mark = (random() * 9007199254740991)::bigint,
      floor = (select last_value from changes_seq), system_identifier = c.system_identifier
    from pg_control_system() as c
    where l.singleton and (l.system_identifier <> c.system_identifier or pg_snapshot_xmax(l.snapshot) > pg_snapshot_xmax(pg_current_snapshot()))
    returning l.tick, l.mark, l.snapshot, l.floor
  ),
  expired as (delete from change_ticks where exists (select from moved))
  insert into change_ticks (tick, time, mark, snapshot, floor)
  select tick, clock_timestamp(), mark, snapshot, floor from moved`;
