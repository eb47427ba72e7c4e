import type { CollectorPause } from '@platform/garbage-collector';
import type { Database } from '@platform/postgres';
import { wakeChannel } from '../../listener.ts';

/** Pauses the collectors by a column of their lease, which every batch of every replica reads. */
export function createCollectorPause(database: Database): CollectorPause {
  return {
    async pause() {
      const [row] = await database.rows<readonly [string]>(pauseText);
      if (row === undefined)
        throw new Error('the migrations have not been applied: there is no lease to pause');
      return { pausedSince: row[0] };
    },
    async resume() {
      await database.rows(resumeText);
    },
    async state() {
      const [row] = await database.rows<readonly [string | null, string | null]>(stateText);
      const [pausedSince = null, leader = null] = row ?? [];
      return { pausedSince, leader };
    },
  };
}

const pauseText = `
  update leases set paused_since = coalesce(paused_since, clock_timestamp()) where name = 'collector'
  returning paused_since, pg_notify('${wakeChannel}', 'lease')::text`;

const resumeText = `
  update leases set paused_since = null where name = 'collector' and paused_since is not null
  returning pg_notify('${wakeChannel}', 'lease')::text`;

const stateText = `
  select paused_since, case when expires_at > clock_timestamp() then holder end from leases where name = 'collector'`;
