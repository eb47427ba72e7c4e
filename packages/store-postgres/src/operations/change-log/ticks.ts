import type { TickerLease, Ticks } from '@platform/change-log';
import type { Database } from '@platform/postgres';
import { restartTicks } from './restart.ts';

/** The channel on which only the ticker notifies that the log has grown. */
export const changeChannel = 'platform_changes';

/** The ticks of the log. */
export function createTicks(database: Database): Ticks {
  // The snapshot of the last look. While it is the current one, no transaction has begun or ended since.
  let seen = '';
  return {
    async tick() {
      const [row] = await database.rows<readonly [string, boolean]>(tickText, [seen]);
      const [snapshot = '', ticked = false] = row ?? [];
      seen = ticked ? '' : snapshot;
      return ticked ? 'ticked' : 'idle';
    },
    async verify() {
      const [row] = await database.rows<readonly [boolean]>(verifyText);
      if (row?.[0] === true) await restartTicks(database);
    },
  };
}

/** The lease of the ticker, a row of `leases`. */
export function createTickerLease(database: Database): TickerLease {
  return {
    async acquire(holder, seconds) {
      const [row] = await database.rows<readonly [boolean, number]>(acquireText, [holder, seconds]);
      const [held = false, freeInMs = 0] = row ?? [];
      return { held, freeInMs };
    },
    async release(holder) {
      await database.rows(releaseText, [holder]);
    },
  };
}

/**
 * One statement, so its entries and its tick are of one snapshot. Of two at once, the second waits for the row of the first, finds that it
 * has another tick and adds none. It writes and takes a transaction number only when there are new entries. `exists` would
 * never call `pg_notify`, so the calls are counted.
 */
const tickText = `
  with base as materialized (select tick, snapshot, floor from change_log where singleton),
  look as materialized (select pg_current_snapshot() as snapshot),
  fresh as materialized (
    select case when look.snapshot::text = $1::text then false else
      -- In the order of the index: it must be read from the range on, not any other index until a row is found.
      coalesce((
        select true from changes c where c.xid >= pg_snapshot_xmax(base.snapshot) and c.xid < pg_snapshot_xmax(look.snapshot)
          and pg_visible_in_snapshot(c.xid, look.snapshot) and c.seq > base.floor
        order by c.xid limit 1), (
        select true from changes c where c.xid = any(array(select pg_snapshot_xip(base.snapshot)))
          and pg_visible_in_snapshot(c.xid, look.snapshot) and not pg_visible_in_snapshot(c.xid, base.snapshot) and c.seq > base.floor
        order by c.xid limit 1), false)
    end as found
    from base cross join look
  ),
  moved as (
    update change_log l set tick = l.tick + 1, snapshot = look.snapshot, mark = (random() * 9007199254740991)::bigint
    from base, look, fresh where l.singleton and fresh.found and l.tick = base.tick
    returning l.tick, l.mark, l.snapshot, l.floor
  ),
  added as (
    insert into change_ticks (tick, time, mark, snapshot, floor)
    select tick, clock_timestamp(), mark, snapshot, floor from moved returning tick
  )
  select look.snapshot::text, (select count(pg_notify('${changeChannel}', added.tick::text)) > 0 from added) from look`;

/** Whether the ticks are of another cluster: transaction numbers began again, so the old ones mean nothing here. */
const verifyText = `
  select l.system_identifier <> c.system_identifier or pg_snapshot_xmax(l.snapshot) > pg_snapshot_xmax(pg_current_snapshot())
  from change_log l cross join pg_control_system() as c where l.singleton`;

/** A lease that ends in more than a minute is of a clock that was set back since, as in the lease of the collector. */
const acquireText = `
  with acquired as (
    update leases set token = case when holder is not distinct from $1::text then token else token + 1 end,
      holder = $1::text, expires_at = clock_timestamp() + $2::float8 * interval '1 second'
    where name = 'change-ticker' and (holder is not distinct from $1::text or holder is null
      or expires_at not between clock_timestamp() and clock_timestamp() + interval '1 minute')
    returning 0
  )
  select true, 0::bigint from acquired
  union all
  select false, greatest(0, ceil(extract(epoch from expires_at - clock_timestamp()) * 1000))::bigint
  from leases where name = 'change-ticker' and not exists (select from acquired)`;

const releaseText = `
  update leases set holder = null, expires_at = '-infinity' where name = 'change-ticker' and holder = $1::text`;
