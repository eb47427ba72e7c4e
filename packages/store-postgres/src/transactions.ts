import type { Transaction, Transactions } from '@platform/resources';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { definitionChain } from './operations/definitions/chain.ts';
import { claiming } from './operations/definitions/claiming.ts';
import { countInstances } from './operations/definitions/count-instances.ts';
import { heightBelow } from './operations/definitions/height-below.ts';
import { lockCatalog } from './operations/definitions/lock-catalog.ts';
import { hasTypedChildren } from './operations/organizations/has-typed-children.ts';
import { lockBootstrap } from './operations/organizations/lock-bootstrap.ts';
import { organizationsExist } from './operations/organizations/organizations-exist.ts';
import { cascadeFrom } from './operations/resources/cascade.ts';
import { lockForDeletion } from './operations/resources/lock-for-deletion.ts';
import { removeRow } from './operations/resources/remove.ts';
import { tombstoneRow } from './operations/resources/tombstone.ts';
import { retrying } from './retry.ts';
import { writerIn } from './writer.ts';

/** Units of work on PostgreSQL, at its default isolation: what must not change is locked, not re-read. */
export function createTransactions(database: Database): Transactions {
  return { run: (work) => retrying(() => database.transaction((sql) => work(transactionOn(sql)))) };
}

function transactionOn(sql: Sql): Transaction {
  return {
    writer: writerIn(sql),
    deletion: {
      lock: (ref, epoch) => lockForDeletion(sql, ref, epoch),
      cascade: (uid) => cascadeFrom(sql, uid),
      tombstone: (uid, options) => tombstoneRow(sql, uid, options),
      remove: (uid) => removeRow(sql, uid),
      hasTypedChildren: (organizationUid) => hasTypedChildren(sql, organizationUid),
    },
    definitions: {
      lockCatalog: () => lockCatalog(sql),
      claiming: (plural, identity, exceptUid) => claiming(sql, plural, identity, exceptUid),
      chain: (identity, limit) => definitionChain(sql, identity, limit),
      heightBelow: (identity, limit) => heightBelow(sql, identity, limit),
      countInstances: (definitionUid, identity) => countInstances(sql, definitionUid, identity),
    },
    organizations: {
      lockBootstrap: () => lockBootstrap(sql),
      any: () => organizationsExist(sql, null),
      exists: (name) => organizationsExist(sql, name),
    },
  };
}
