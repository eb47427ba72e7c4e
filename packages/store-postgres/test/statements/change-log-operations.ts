import { expireChanges } from '../../src/index.ts';
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
        ...{ add: ['x/tick'], remove: [], limit: 64 },
      });
      await ticks.tick();
      await tickerLease.release('the test');
      await changeLog.head();
    },
    indexes: ['change_ticks_pkey', 'changes_xid', 'resources_pkey'],
    pages: 300,
    because: 'the ends of the indexes of each partition',
  },
  'change log: partitions and expired ticks': {
    run: ({ database }) => expireChanges(database, { retentionDays: 30, auditDays: 400 }, 1_000),
    indexes: ['change_ticks_time'],
    alternatives: ['audit_records_pkey', 'change_ticks_pkey', 'changes_pkey'],
    pages: 300,
    because: 'up to 1,000 ticks',
  },
  'change log: read': {
    run: async ({ changeLog }) => {
      const head = await changeLog.head();
      await changeLog.parse(head.text);
      await changeLog.read(head, 100);
    },
    indexes: ['change_ticks_pkey'],
    pages: 300,
    because: 'the ticks, and 100 entries with those before',
  },
  'change log: look for a resource': {
    run: async ({ changeLog }) => {
      const head = await changeLog.head();
      await changeLog.hasChanges(head, uidOf('2', 7));
      await changeLog.firstRemoved(head, [{ group: 'example.dev', kind: 'Part', name: 'p7' }]);
    },
    indexes: ['change_ticks_pkey', 'changes_history', 'changes_removed_name'],
    pages: 300,
    because: 'the entries of one resource, or of one name',
  },
};
