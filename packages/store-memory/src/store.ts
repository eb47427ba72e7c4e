import type { AccessSource } from '@platform/access';
import type { CollectorPause, GarbageCollectorStore, Lease, WakeUps } from '@platform/garbage-collector';
import type { Clock } from '@platform/kernel';
import {
  type DefinitionSource,
  type DeletionPlans,
  type RemovedResources,
  type Resource,
  type ResourceHistory,
  type ResourceReader,
  type ResourceWriter,
  type StoredPlan,
  systemChange,
  type Transaction,
  type Transactions,
} from '@platform/resources';
import { accessFactsOn, accessSourceOf } from './access.ts';
import { definitionsOf } from './definitions.ts';
import { deletionOn, removeLeaf } from './deletion.ts';
import { definitionFactsOn, organizationFactsOn } from './facts.ts';
import { garbageCollectorStoreOf } from './garbage-collector.ts';
import { MemoryLease } from './lease.ts';
import { readerOf } from './reader.ts';
import { Table } from './table.ts';
import { MemoryWakeUps } from './wake-ups.ts';
import { changeFinalizers, create, replace, replaceStatus } from './writer.ts';

/** The ports of the resource and garbage collector areas in memory, with methods for tests. */
export interface MemoryStore {
  readonly reader: ResourceReader;
  /** Makes the log refuse every cursor, as after the retention. */
  readonly history: ResourceHistory;
  readonly removed: RemovedResources;
  readonly writer: ResourceWriter;
  readonly transactions: Transactions;
  readonly definitions: DefinitionSource;
  readonly plans: DeletionPlans;
  readonly access: AccessSource;
  readonly garbageCollector: GarbageCollectorStore;
  readonly collectorLease: Lease;
  readonly collectorPause: CollectorPause;
  readonly collectorWakeUps: WakeUps;
  /** Every committed row, in no particular order. */
  rows(): readonly Resource[];
  /** For a RoleBinding, the uids of its scope and of everything above that. */
  scopeUids(row: Resource): readonly string[];
  /** Removes a row without the API, as SQL by hand would. Throws when it has children. */
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
 * Not guaranteed: a write outside a transaction does not end while a transaction is open, so waiting for it inside is a deadlock.
 */
export function createMemoryStore({
  clock,
  cursor = () => '',
}: {
  readonly clock: Clock;
  /** The end of the change log, where there is one. */
  readonly cursor?: () => string;
}): MemoryStore {
  const mutex = new Mutex();
  const typedChildren = new Set<string>();
  const plans = new Map<string, StoredPlan>();
  const storedPlans: DeletionPlans = {
    save: async (plan) => void plans.set(plan.hash, plan),
    find: async (hash) => plans.get(hash) ?? null,
  };
  const hasTypedChildren = (organizationUid: string) => typedChildren.has(organizationUid);
  let committed = new Table();
  const current = () => committed;

  const wakeUps = new MemoryWakeUps();
  const lease = new MemoryLease(clock, () => wakeUps.notify({ reason: 'lease' }));

  const commit = <T>(work: (draft: Table, now: string) => Promise<T>, by: 'collector' | 'client') =>
    mutex.run(async () => {
      const draft = committed.fork();
      const result = await work(draft, new Date(clock.now()).toISOString());
      const before = committed;
      committed = draft;
      if (by === 'client') wakeUps.notifyOf(before, draft);
      return result;
    });
  const run = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    commit(
      (draft, now) => work(transactionOn(draft, { now, lease, hasTypedChildren, plans: storedPlans })),
      'client',
    );

  return {
    history: {
      entries: async () => [],
      at: async () => null,
      removals: async () => [],
      recent: async () => [],
    },
    removed: nothingRemoved,
    garbageCollector: garbageCollectorStoreOf(current, (work) => commit(work, 'collector'), lease),
    collectorLease: lease,
    collectorPause: lease,
    collectorWakeUps: wakeUps,
    reader: readerOf(current, lease, cursor),
    writer: {
      create: (command) => run(({ writer }) => writer.create(command)),
      replace: (command) => run(({ writer }) => writer.replace(command)),
      replaceStatus: (command) => run(({ writer }) => writer.replaceStatus(command)),
      changeFinalizers: (command) => run(({ writer }) => writer.changeFinalizers(command)),
      removeLeaf: (command) => run(({ writer }) => writer.removeLeaf(command)),
    },
    transactions: { run },
    definitions: definitionsOf(current),
    plans: storedPlans,
    access: accessSourceOf(current),
    rows: () => committed.rows(),
    scopeUids: (row) => committed.scopeUids(row),
    removeRow: (uid) => run(({ deletion }) => deletion.remove(uid, systemChange('database', 'delete'))),
    linkTypedChild: (organizationUid) => void typedChildren.add(organizationUid),
    reset: () =>
      mutex.run(async () => {
        committed = new Table();
        typedChildren.clear();
        lease.reset();
      }),
  };
}

/** As after the retention. */
const nothingRemoved: RemovedResources = {
  find: async () => [],
  removedBy: async () => [],
  hasTombstoning: async () => false,
  restoredAs: async () => new Map(),
};

/** The context of a transaction, besides the rows. */
interface TransactionContext {
  /** RFC 3339. */
  readonly now: string;
  readonly lease: MemoryLease;
  readonly hasTypedChildren: (organizationUid: string) => boolean;
  readonly plans: Transaction['plans'];
}

function transactionOn(table: Table, context: TransactionContext): Transaction {
  const { now, lease, hasTypedChildren, plans } = context;
  return {
    async lockRow(ref, definition) {
      table.requireCurrent(definition);
      return table.find(ref);
    },
    removed: nothingRemoved,
    plans,
    requests: {
      claim: async (keyHash) => table.answerOf(keyHash, now),
      keep: async (keyHash, bodyHash, answer) => table.keepAnswer(keyHash, { bodyHash, answer, keptAt: now }),
    },
    // No cursor contains the writes of a running transaction.
    reader: readerOf(
      () => table,
      lease,
      () => '',
    ),
    catalog: definitionsOf(() => table),
    async nested(work) {
      const draft = table.fork();
      const result = await work(transactionOn(draft, context));
      table.adopt(draft);
      return result;
    },
    writer: {
      create: async (command) => create(table, command, now),
      replace: async (command) => replace(table, command),
      replaceStatus: async (command) => replaceStatus(table, command),
      changeFinalizers: async (command) => changeFinalizers(table, command),
      removeLeaf: async (command) => removeLeaf(table, command),
    },
    deletion: deletionOn(table, now, hasTypedChildren),
    definitions: definitionFactsOn(table),
    organizations: organizationFactsOn(table),
    access: accessFactsOn(table),
  };
}

/** Runs transactions one at a time, in the order of the calls. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts `work` when all earlier work has succeeded or failed. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
