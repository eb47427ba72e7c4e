import type { LockedRow } from '@platform/garbage-collector';
import {
  deleteExpiredAnswers,
  deleteExpiredPlans,
  deleteExpiredRateLimits,
  deleteFreeNames,
  deleteLostSubscriptions,
  replaceStatusWhileLeading,
} from '../../src/index.ts';
import { pendCascade } from '../../src/operations/resources/cascade.ts';
import { testChange } from '../rows.ts';
import { fenceOf, type Operations, type Ports } from './operation.ts';
import { hotOwner, hotParent, uidOf } from './rows.ts';

/** Two hundred live Parts, as a batch. */
const batch = Array.from({ length: 200 }, (_, n) => uidOf('2', n + 1));
const firstTombstones = { after: null, until: null };
const later = { after: { since: Date.UTC(2026, 0, 3), uid: uidOf('2', 0) }, until: Date.UTC(2026, 0, 20) };

/** Runs a batch under the lease. It makes a tombstone of every live row of it, and removes those that nothing depends on. */
async function collect(ports: Ports, uids: readonly string[], lockWait: 'skip' | 'wait'): Promise<void> {
  const plan = (rows: readonly LockedRow[]) => ({
    remove: rows
      .filter((row) => row.tombstoned && row.blocker === null && !row.liveOutside)
      .map(({ identity }) => identity.uid),
    change: rows
      .filter((row) => !row.tombstoned)
      .map(({ identity }) => ({ uid: identity.uid, tombstone: true, cascadeFinalizer: 'ensure' as const })),
    cascades: [],
    results: [],
  });
  const { outcome } = await ports.garbageCollector.collectBatch(
    { uids, lockWait, fence: await fenceOf(ports) },
    plan,
  );
  if (outcome !== 'committed') throw new Error(outcome);
}

/** The operations of the collector. */
export const collectorOperations: Operations = {
  'collector: subscriptions': {
    run: async (ports) => {
      const { subscriptions } = ports;
      await subscriptions.list(1_001);
      const started = {
        cursor: 'x',
        generation: 1,
        reported: 'Active',
        attempts: 0,
        nextAttemptAt: 0,
      } as const;
      const state = { ...started, failingSince: null, failure: null, paused: null };
      const fence = await fenceOf(ports);
      await subscriptions.save(uidOf('1', 3), state, fence);
      const ref = { by: 'uid', uid: uidOf('2', 7), group: 'example.dev', kind: 'Part' } as const;
      const status = { change: testChange, definition: null, ref, slot: 'platform', value: '{}' };
      await replaceStatusWhileLeading(ports.database, status, fence);
      await subscriptions.createdAt(uidOf('1', 3));
      await deleteLostSubscriptions(ports.database, 1_000);
    },
    indexes: ['changes_history', 'resources_name_key', 'resources_pkey', 'subscription_deliveries_pkey'],
    alternatives: ['change_ticks_time', 'change_ticks_pkey', 'changes_xid'],
    pages: 200,
    because: 'no subscription, one state, and one status',
  },
  'collector: page of tombstones': {
    run: async ({ garbageCollector }) => {
      await garbageCollector.tombstones(firstTombstones, 1_000);
      await garbageCollector.tombstones(later, 1_000);
    },
    indexes: ['resources_tombstones'],
    pages: 5_000,
    because: '1,000 rows, a row a page, and what vacuum has not removed yet',
  },
  'collector: revisions': {
    run: ({ garbageCollector }) => garbageCollector.revisions(batch),
    indexes: ['resources_pkey'],
    pages: 1_600,
    because: 'four a row, 200 rows',
  },
  'collector: dependents of a page': {
    run: ({ garbageCollector }) => garbageCollector.traverseDependents([uidOf('1', 8), uidOf('1', 9)], 1_000),
    indexes: ['resources_name_key', 'resources_owners'],
    pages: 10_000,
    because: 'every dependent of two rows, live or not, and theirs',
    filtered: 50,
    filteredTombstones: 10_000,
  },
  'collector: dependents of a wide owner': {
    run: ({ garbageCollector }) =>
      garbageCollector.traverseDependents([uidOf('1', hotParent), uidOf('1', hotOwner)], 1_000),
    indexes: ['resources_name_key', 'resources_owners'],
    pages: 20_000,
    because: 'dependents until 1,000 live ones are found',
    filtered: 50,
    filteredTombstones: 30_000,
  },
  'collector: dependents of a pending cascade': {
    run: async (ports) => {
      const { garbageCollector, database } = ports;
      const fence = await fenceOf(ports);
      for (const owner of [uidOf('1', 9), uidOf('1', hotParent)]) {
        await pendCascade(database, owner, testChange);
        const pending = await garbageCollector.pendingDependents(1_000);
        const uids = (pending?.dependents ?? []).slice(0, 200);
        await garbageCollector.markDependentsDeleted({ owner, uids, fence });
      }
      await database.rows('delete from pending_cascades');
      await pendCascade(database, uidOf('2', 7), testChange);
      await garbageCollector.pendingDependents(1_000);
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey'],
    pages: 15_000,
    because:
      '30 for each row that is marked as deleted, 200 rows, as in a batch; up to 1,000 dependents are found, behind those marked as deleted already',
    filtered: 1_000,
    filteredTombstones: 150_000,
  },
  'collector: deleted ancestors': {
    run: ({ garbageCollector }) => garbageCollector.findDeletedAncestors(batch, 1_000),
    indexes: ['resources_pkey'],
    pages: 4_000,
    because: 'eight a row, 200 rows',
  },
  'collector: batch': {
    run: async (ports) => {
      await collect(ports, batch, 'skip');
      await collect(ports, batch, 'skip');
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 15_000,
    because: '30 for each row that is marked as deleted, 200 rows, with their entries of the change log',
    filtered: 50,
    filteredTombstones: 1_000,
  },
  'collector: batch of owners': {
    run: async (ports) => {
      const owners = [...Array.from({ length: 100 }, (_, n) => uidOf('1', n)), uidOf('7', 1)];
      await collect(ports, owners, 'wait');
      await collect(ports, owners, 'wait');
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 25_000,
    because: '30 for each row that is marked as deleted, 100 rows; their tombstoned dependents',
    filtered: 50,
    filteredTombstones: 60_000,
  },
  'collector: backlog': {
    run: ({ garbageCollector }) => garbageCollector.backlog(null),
    indexes: ['resources_tombstones'],
    pages: 120_000,
    because: '100,000 tombstones are counted at most, with the page each is on where vacuum has not been',
    filtered: 50,
  },
  'collector: lease and pause': {
    run: async (ports) => {
      const fence = await fenceOf(ports);
      await ports.collectorPause.pause();
      await ports.collectorPause.state();
      await ports.collectorPause.resume();
      await ports.lease.release(fence);
    },
    indexes: [],
    pages: 20,
    because: 'one row',
  },
  'collector: cleanup tasks': {
    run: async ({ database, oauthStates, oauthCodes, loginCodes, devices, sessions }) => {
      const now = Date.now();
      await deleteExpiredAnswers(database, 1_000);
      await deleteExpiredRateLimits(database, now, 1_000);
      await deleteFreeNames(database, new Date(now).toISOString(), 1_000);
      await deleteExpiredPlans(database, 1_000);
      await oauthStates.deleteExpired(now, 1_000);
      await oauthCodes.deleteExpired(now, 1_000);
      await loginCodes.deleteExpired(now, 1_000);
      await devices.deleteExpired(now + 3_600_000, 1_000);
      await sessions.deleteExpired(now, 500);
      // Sessions of long ago are few, so that revocations are deleted as well.
      await sessions.deleteExpired(now - 9_800_000, 1_000);
    },
    indexes: [
      'deletion_plans_expiry',
      'deletion_plans_pkey',
      'answered_requests_expiry',
      'answered_requests_pkey',
      'device_authorizations_expiry',
      'device_authorizations_pkey',
      'login_once_expiry',
      'login_once_pkey',
      'oauth_codes_expiry',
      'oauth_codes_pkey',
      'oauth_states_expiry',
      'oauth_states_pkey',
      'rate_limits_expiry',
      'rate_limits_pkey',
      'reserved_project_names_deletion',
      'reserved_project_names_pkey',
      'session_revocations_expiry',
      'session_revocations_pkey',
      'sessions_expiry',
      'sessions_pkey',
    ],
    pages: 10_000,
    because: 'five a row that is deleted, 1,000 rows',
  },
};
