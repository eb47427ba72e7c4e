import type { Sql, Statements } from '@platform/postgres';
import type { ProjectTransaction, ProjectTransactions } from '@platform/projects';
import { eq } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { projects } from '../../schema/projects.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { countOtherIssuers } from '../project-children/issuers.ts';
import { createChildWriters } from '../project-children/store.ts';
import { lockTeam, removeTeam, replaceTeamRow } from '../teams/write.ts';
import { lockProject, lockServiceAccount, replaceProjectRow } from './replace.ts';

/** Changes of typed resources on PostgreSQL; run again when they lost against others. */
export function createProjectTransactions(database: Statements): ProjectTransactions {
  return {
    run: (work) => database.withLockRetry((inner) => inner.transaction((sql) => work(transactionOn(sql)))),
  };
}

function transactionOn(sql: Sql): ProjectTransaction {
  return {
    lockProject: (name, mode) => lockProject(sql, name, mode),
    async lockProjectForAccount(name, mode, accountUid) {
      const project = await lockProject(sql, name, mode);
      if (project === null) return null;
      return { project, accountExists: await lockServiceAccount(sql, project.uid, accountUid) };
    },
    lockTeam: (name) => lockTeam(sql, name),
    countOtherIssuers: (account) => countOtherIssuers(sql, account),
    audit: (record) => appendAudit(sql, [record]),
    projects: {
      replace: (draft) => replaceProjectRow(sql, draft),
      // The rows below the project are deleted with it, by their foreign keys.
      async remove(uid) {
        await query(sql, (db) => db.delete(projects).where(eq(projects.uid, uid)));
      },
    },
    teams: {
      replace: (draft) => replaceTeamRow(sql, draft),
      remove: (uid) => removeTeam(sql, uid),
    },
    ...createChildWriters(sql),
  };
}
