import { type Sql, type Statements, statementsIn } from '@platform/postgres';
import type { DeletionSteps, Transaction, Transactions } from '@platform/resources';
import { nested } from './nested.ts';
import { accessFactsIn } from './operations/access/facts.ts';
import { answeredRequestsIn } from './operations/answered-requests/store.ts';
import { createRemoved } from './operations/change-log/index.ts';
import { createDefinitionSource, definitionChain } from './operations/definitions/chain.ts';
import {
  claiming,
  countInstances,
  heightBelow,
  lockCatalog,
  lockDefinition,
  parentOfInstances,
} from './operations/definitions/definition-facts.ts';
import { createDeletionPlans } from './operations/deletion-plans/store.ts';
import {
  hasTypedChildren,
  lockBootstrap,
  organizationsExist,
} from './operations/organizations/organization-facts.ts';
import { cascadeFrom, findDependents, pendCascade, type UidArray } from './operations/resources/cascade.ts';
import { lockGraph } from './operations/resources/deletion-graph.ts';
import { lockForDeletion } from './operations/resources/lock-for-deletion.ts';
import { lockRow } from './operations/resources/lock-row.ts';
import { protectedFrom } from './operations/resources/protected-from.ts';
import { removeRow } from './operations/resources/remove.ts';
import { tombstoneRow } from './operations/resources/tombstone.ts';
import { createReader } from './reader.ts';
import { writerIn } from './writer.ts';

/**
 * Dependents that a DELETE marks as deleted itself: less than a second of work. With more, it leaves them to the collector, and readers derive their
 * tombstones.
 */
const mostDependentsMarked = 5_000;

/** Units of work on PostgreSQL, at its default isolation: what must not change is locked, not re-read. */
export function createTransactions(database: Statements, mostMarked = mostDependentsMarked): Transactions {
  // A deletion updates up to that many dependents of the resource.
  return {
    run: (work, options) =>
      database.withLockRetry((inner) =>
        inner.transaction((sql) => work(transactionOn(sql, mostMarked)), { long: true, ...options }),
      ),
  };
}

function transactionOn(sql: Sql, mostMarked: number): Transaction {
  // The live dependents of the rows that were locked to be deleted. Nobody else can add one while the row is locked; this transaction can.
  const dependents = new Map<string, UidArray | null>();
  const guarded = new Set<string>();
  return {
    lockRow: (ref, definition) => lockRow(sql, ref, definition),
    // Made on demand: most transactions read nothing.
    get reader() {
      return createReader(statementsIn(sql));
    },
    catalog: createDefinitionSource(sql),
    nested: (work) => nested(sql, () => work(transactionOn(sql, mostMarked))),
    requests: answeredRequestsIn(sql),
    removed: createRemoved(sql),
    plans: createDeletionPlans(sql),
    writer: writerIn({
      rows: (text, parameters) => {
        dependents.clear();
        return sql.rows(text, parameters);
      },
    }),
    deletion: deletionOn(sql, { dependents, guarded, mostMarked }),
    definitions: {
      lockCatalog: () => lockCatalog(sql),
      lockDefinition: (uid) => lockDefinition(sql, uid),
      claiming: (plural, identity, exceptUid) => claiming(sql, plural, identity, exceptUid),
      chain: (identity, limit) => definitionChain(sql, identity, limit),
      heightBelow: (identity, limit) => heightBelow(sql, identity, limit),
      countInstances: (definitionUid, identity, limit) => countInstances(sql, definitionUid, identity, limit),
      parentOfInstances: (identity) => parentOfInstances(sql, identity),
    },
    organizations: {
      lockBootstrap: () => lockBootstrap(sql),
      any: () => organizationsExist(sql, null),
      exists: (name) => organizationsExist(sql, name),
    },
    access: accessFactsIn(sql),
  };
}

interface Deletions {
  /** Null: too many to mark. */
  readonly dependents: Map<string, UidArray | null>;
  readonly guarded: Set<string>;
  readonly mostMarked: number;
}

function deletionOn(sql: Sql, { dependents, guarded, mostMarked }: Deletions): DeletionSteps {
  return {
    async lock(ref, definition) {
      const outcome = await lockForDeletion(sql, ref, definition, mostMarked);
      if (!('locked' in outcome)) return outcome;
      dependents.set(outcome.locked.resource.uid, outcome.dependents);
      if (outcome.guarded) guarded.add(outcome.locked.resource.uid);
      return outcome.locked;
    },
    // Usually nothing is protected, and the statement that locked the row has seen that.
    protectedFrom: async (uid, limit) => (guarded.has(uid) ? protectedFrom(sql, uid, limit) : []),
    lockGraph: (uid, limit) => lockGraph(sql, uid, limit),
    async cascade(uid, change) {
      const known = dependents.get(uid);
      const live = known === undefined ? await findDependents(sql, uid, mostMarked) : known;
      if (live !== null) return await cascadeFrom(sql, { uid, dependents: live }, change);
      await pendCascade(sql, uid, change);
      return [];
    },
    tombstone: (uid, options) => tombstoneRow(sql, uid, options),
    remove: (uid, change) => removeRow(sql, uid, change),
    hasTypedChildren: (organizationUid) => hasTypedChildren(sql, organizationUid),
  };
}
