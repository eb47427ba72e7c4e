import { expireChanges } from '../../src/index.ts';
import { pendCascade } from '../../src/operations/resources/cascade.ts';
import { testChange } from '../rows.ts';
import type { Operations } from './operation.ts';
import { uidOf } from './rows.ts';

/** The change log: the entries themselves are written by triggers, as part of the writes. */
export const changeLogOperations: Operations = {
  'change log: tick': {
    run: async ({ ticks, tickerLease, writer, changeLog }) => {
      await tickerLease.acquire('the test', 60);
      await ticks.verify();
      await writer.changeFinalizers({
        change: testChange,
        definition: null,
        ref: { by: 'uid', uid: uidOf('2', 7), group: 'example.dev', kind: 'Part' },
        add: ['x/tick'],
        remove: [],
        limit: 64,
      });
      await ticks.tick();
      await tickerLease.release('the test');
      await changeLog.head();
    },
    indexes: ['changes_xid', 'resources_pkey'],
    alternatives: ['change_ticks_pkey'],
    pages: 300,
    because: 'the ends of the indexes of each partition',
  },
  'change log: partitions and expired ticks': {
    run: ({ database }) => expireChanges(database, { retentionDays: 30, auditDays: 400 }, 1_000),
    indexes: ['change_ticks_time'],
    alternatives: ['audit_records_pkey', 'change_ticks_pkey', 'changes_pkey', 'changes_xid'],
    pages: 300,
    because: 'up to 1,000 ticks, and the ends of the indexes of each partition',
  },
  'change log: read': {
    run: async ({ changeLog, reader, database }) => {
      const head = await changeLog.head();
      await changeLog.parse(head.text);
      await changeLog.read(head, 100);
      await pendCascade(database, uidOf('2', 7), testChange);
      const ref = { by: 'uid', uid: uidOf('2', 7), group: 'example.dev', kind: 'Part' } as const;
      await changeLog.parse((await reader.get(ref, null)).cursor);
      await database.rows('delete from pending_cascades');
    },
    indexes: ['change_ticks_pkey', 'changes_history', 'changes_pkey', 'changes_xid', 'resources_pkey'],
    alternatives: ['changes_audit_kind'],
    pages: 300,
    because: 'the ticks, and 100 entries with those before',
  },
  'change log: history of a resource': {
    run: async ({ history }) => {
      for (const scopes of [null, [uidOf('1', 8)]]) {
        await history.entries(uidOf('2', 7), { limit: 500, before: null, scopes });
        await history.at(uidOf('2', 7), 1, scopes);
      }
    },
    indexes: ['changes_history'],
    alternatives: ['change_ticks_time', 'change_ticks_pkey', 'changes_xid', 'resources_pkey'],
    pages: 10_000,
    because: '500 entries with those before, and their ticks',
  },
  'change log: newest entries': {
    run: async ({ history }) => {
      const page = { limit: 500, among: 10_000 };
      await history.recent({ ancestors: null, without: 'Lease' }, page);
      await history.recent({ ancestors: [['acme'], []], without: 'Lease' }, page);
    },
    indexes: ['changes_pkey'],
    alternatives: ['change_ticks_time', 'change_ticks_pkey', 'changes_history', 'changes_xid'],
    pages: 30_000,
    because: '10,000 entries, and the ticks of 500',
  },
  'change log: removals of a collection': {
    run: async ({ history }) => {
      const parts = { group: 'example.dev', kind: 'Part' };
      await history.removals(
        { ...parts, parentUid: uidOf('1', 8), scopes: null },
        { limit: 1_000, before: null },
      );
      for (const scopes of [null, [uidOf('1', 8)]])
        await history.removals({ ...parts, parentUid: null, scopes }, { limit: 1_000, before: null });
    },
    // Scopes of a caller that exist.
    indexes: ['changes_removed', 'resources_pkey'],
    alternatives: [
      'change_ticks_time',
      'change_ticks_pkey',
      'changes_history',
      'changes_cascade',
      'changes_removed_name',
    ],
    pages: 20_000,
    because: '1,000 entries and their ticks',
  },
  'change log: removals of a deletion': {
    run: ({ removed }) => removed.removedBy(uidOf('9', 1), 1_000),
    indexes: ['changes_cascade'],
    alternatives: ['changes_removed', 'changes_removed_name'],
    pages: 1_000,
    because: '1,000 removals',
  },
  'change log: last states, and the resources restored from them': {
    run: async ({ removed }) => {
      await removed.find([uidOf('2', 7), uidOf('2', 8)]);
      await removed.restoredAs([uidOf('2', 7), uidOf('2', 8)]);
      await removed.hasTombstoning(uidOf('2', 7));
    },
    indexes: ['changes_history', 'changes_restored', 'resources_pkey'],
    alternatives: ['changes_cascade', 'changes_removed', 'changes_removed_name'],
    pages: 300,
    because: 'the entries of two resources',
  },
  'change log: look for a resource': {
    run: async ({ changeLog }) => {
      const head = await changeLog.head();
      await changeLog.hasChanges(head, uidOf('2', 7));
      await changeLog.firstRemoved(head, [{ group: 'example.dev', kind: 'Part', name: 'p7' }]);
    },
    indexes: ['change_ticks_pkey', 'changes_history'],
    alternatives: ['changes_audit_kind', 'changes_removed_name', 'changes_removed', 'changes_cascade'],
    pages: 300,
    because: 'the entries of one resource, or of one name',
  },
};
