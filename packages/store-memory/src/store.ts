import type { CollectorPause, GarbageCollectorStore, Lease, WakeUps } from '@platform/garbage-collector';
import type { Clock } from '@platform/kernel';
import type {
  DefinitionSource,
  Resource,
  ResourceReader,
  ResourceWriter,
  Transaction,
  Transactions,
} from '@platform/resources';
import { create } from './create.ts';
import { definitionFactsOn, definitionsOf } from './definitions.ts';
import { deletionOn } from './deletion.ts';
import { garbageCollectorStoreOf } from './garbage-collector.ts';
import { MemoryLease } from './lease.ts';
import { Mutex } from './mutex.ts';
import { organizationFactsOn } from './organizations.ts';
import { readerOf } from './reader.ts';
import { replace } from './replace.ts';
import { changeFinalizers, replaceStatus } from './subresources.ts';
import { Table } from './table.ts';
import { MemoryWakeUps } from './wake-ups.ts';

/** The ports of the resource area on maps, with a few doors behind the API's back for tests. */
export interface MemoryStore {
  readonly reader: ResourceReader;
  readonly writer: ResourceWriter;
  readonly transactions: Transactions;
  readonly definitions: DefinitionSource;
  readonly garbageCollector: GarbageCollectorStore;
  readonly collectorLease: Lease;
  readonly collectorPause: CollectorPause;
  readonly collectorWakeUps: WakeUps;
  /** Every committed row, in no particular order. */
  rows(): readonly Resource[];
  /** Removes a row as somebody with access to the database could; throws when it has children. */
  removeRow(uid: string): Promise<void>;
  /** Links a typed resource (a project, a team) to an Organization. */
  linkTypedChild(organizationUid: string): void;
  /** Empties the store. */
  reset(): Promise<void>;
}

/**
 * A store for unit tests and the model of the model-based test. A transaction works on a fork of the committed table,
 * which replaces it at the end; writes run one after another, reads never wait.
 *
 * Not guaranteed: that a write outside a transaction ends while one is open. Waiting for it inside would wait for ever.
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): MemoryStore {
  const mutex = new Mutex();
  const typedChildren = new Set<string>();
  let committed = new Table();
  const current = () => committed;

  const wakeUps = new MemoryWakeUps();
  const lease = new MemoryLease(clock, () => wakeUps.tell({ reason: 'lease' }));

  const commit = <T>(work: (draft: Table, now: string) => Promise<T>, by: 'collector' | 'client') =>
    mutex.run(async () => {
      const draft = committed.fork();
      const result = await work(draft, new Date(clock.now()).toISOString());
      const before = committed;
      committed = draft;
      if (by === 'client') wakeUps.tellOf(before, draft);
      return result;
    });
  const run = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    commit((draft, now) => work(transactionOn(draft, now, (uid) => typedChildren.has(uid))), 'client');

  return {
    garbageCollector: garbageCollectorStoreOf(current, (work) => commit(work, 'collector'), lease),
    collectorLease: lease,
    collectorPause: lease,
    collectorWakeUps: wakeUps,
    reader: readerOf(current),
    writer: {
      create: (command) => run(({ writer }) => writer.create(command)),
      replace: (command) => run(({ writer }) => writer.replace(command)),
      replaceStatus: (command) => run(({ writer }) => writer.replaceStatus(command)),
      changeFinalizers: (command) => run(({ writer }) => writer.changeFinalizers(command)),
    },
    transactions: { run },
    definitions: definitionsOf(current),
    rows: () => committed.rows(),
    removeRow: (uid) => run(({ deletion }) => deletion.remove(uid)),
    linkTypedChild: (organizationUid) => void typedChildren.add(organizationUid),
    reset: () =>
      mutex.run(async () => {
        committed = new Table();
        typedChildren.clear();
        lease.reset();
      }),
  };
}

function transactionOn(
  table: Table,
  now: string,
  typedChildren: (organizationUid: string) => boolean,
): Transaction {
  return {
    async lockRow(ref, definition) {
      table.requireCurrent(definition);
      return table.find(ref);
    },
    writer: {
      create: async (command) => create(table, command, now),
      replace: async (command) => replace(table, command),
      replaceStatus: async (command) => replaceStatus(table, command),
      changeFinalizers: async (command) => changeFinalizers(table, command),
    },
    deletion: deletionOn(table, now, typedChildren),
    definitions: definitionFactsOn(table),
    organizations: organizationFactsOn(table),
  };
}
