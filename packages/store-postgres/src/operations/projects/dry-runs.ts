import type { AuditRecord } from '@platform/access';
import type { Database, Statements, Transactional } from '@platform/postgres';
import type { ProjectPorts } from '@platform/projects';
import { appendAudit } from '../audit/audit-store.ts';
import { createTeamStore } from '../teams/store.ts';
import { createProjectStore } from './store.ts';
import { createProjectTransactions } from './transactions.ts';

/** The ports that write typed resources. */
export type ProjectWrites = Pick<ProjectPorts, 'projects' | 'teams' | 'transactions'>;

/**
 * Ports whose transactions take the locks and make the checks of the real ones, and are rolled back. The audit record, which is lost
 * with the transaction, is stored afterwards if `audited`, and says that it was a dry run.
 */
export function createProjectDryRuns(database: Database, audited: boolean): ProjectWrites {
  const inner = rollingBack(database);
  const [projects, teams] = [createProjectStore(inner), createTeamStore(inner)];
  const transactions = createProjectTransactions(inner);
  const tried = async (record: AuditRecord) =>
    audited && (await appendAudit(database, [{ ...record, details: { ...record.details, dryRun: true } }]));
  return {
    projects: {
      ...projects,
      async insert(draft, production, reservedSince, audit) {
        const result = await projects.insert(draft, production, reservedSince, audit);
        if (result.outcome === 'created') await tried(audit);
        return result;
      },
    },
    teams: {
      ...teams,
      async insert(draft, audit) {
        const result = await teams.insert(draft, audit);
        if (result.outcome === 'created') await tried(audit);
        return result;
      },
    },
    transactions: {
      async run(work) {
        let last: AuditRecord | undefined;
        const value = await transactions.run((transaction) => {
          // The work may run again after a lost race.
          last = undefined;
          const audit = async (record: AuditRecord) => {
            last = record;
            await transaction.audit(record);
          };
          return work({ ...transaction, audit });
        });
        if (last !== undefined) await tried(last);
        return value;
      },
    },
  };
}

function rollingBack(database: Statements): Statements {
  return {
    rows: database.rows.bind(database),
    transaction: transactionIn(database),
    withLockRetry: (work) =>
      database.withLockRetry((inner) =>
        work({ rows: inner.rows.bind(inner), transaction: transactionIn(inner) }),
      ),
    batcher: database.batcher.bind(database),
  };
}

function transactionIn(database: Transactional): Transactional['transaction'] {
  return async <T>(...[work, options]: Parameters<typeof database.transaction<T>>): Promise<T> => {
    try {
      return await database.transaction(async (sql) => {
        throw new RolledBack(await work(sql));
      }, options);
    } catch (error) {
      if (error instanceof RolledBack) return error.value as T;
      throw error;
    }
  };
}

/** Thrown to roll a transaction back. */
class RolledBack extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super('rolled back on purpose');
    this.value = value;
  }
}
