import type { ProjectOrigins } from '@platform/login';
import { type Database, type Statements, statementsIn } from '@platform/postgres';
import type { ChildStores, ProjectPorts } from '@platform/projects';
import type { AnsweredRequests } from '@platform/resources';
import { answeredRequestsIn } from './operations/answered-requests/store.ts';
import { createDeploymentDirectory } from './operations/project-children/deployment-directory.ts';
import { createChildStores } from './operations/project-children/store.ts';
import { isProjectOrigin } from './operations/projects/addresses.ts';
import { createProjectDryRuns } from './operations/projects/dry-runs.ts';
import { createProjectStore } from './operations/projects/store.ts';
import { createProjectTransactions } from './operations/projects/transactions.ts';
import { createTeamStore } from './operations/teams/store.ts';

/** The stores of the typed resources. */
export type ProjectStores = Pick<ProjectPorts, keyof ChildStores | 'projects' | 'teams' | 'transactions'>;

/** Opens the stores of the typed resources, on the pool or in a transaction. */
export function createProjectStores(database: Statements): ProjectStores {
  const children = createChildStores(database);
  return {
    projects: createProjectStore(database),
    teams: createTeamStore(database),
    ...children,
    deployments: { ...children.deployments, ...createDeploymentDirectory(database) },
    transactions: createProjectTransactions(database),
  };
}

/** The stores of dry runs: they read what is stored, and every transaction is rolled back. Unless `audited` is false, each leaves an audit record. */
export function createProjectDryRunStores(database: Database, audited = true): ProjectStores {
  return { ...createProjectStores(database), ...createProjectDryRuns(database, audited) };
}

/** Runs work with stores that are bound to one transaction, and with the kept answers of requests. It may run again after a lost race. */
export type InProjectTransaction = <T>(
  work: (stores: ProjectStores, requests: AnsweredRequests) => Promise<T>,
) => Promise<T>;

/** Transactions in which the answer of a request is kept together with what the request writes. */
export function createInProjectTransaction(database: Database): InProjectTransaction {
  return (work) =>
    database.withLockRetry((inner) =>
      inner.transaction((sql) => work(createProjectStores(statementsIn(sql)), answeredRequestsIn(sql))),
    );
}

/** As {@link createInProjectTransaction}, for dry runs, whose answers are not kept. The key is not locked meanwhile, so a dry run holds up no request. */
export function createInProjectDryRun(database: Database): InProjectTransaction {
  const stores = createProjectDryRunStores(database);
  const requests: AnsweredRequests = {
    claim: (keyHash) => database.transaction((sql) => answeredRequestsIn(sql).claim(keyHash)),
    keep: async () => undefined,
  };
  return (work) => work(stores, requests);
}

/** The addresses of the projects, for logins that end at one. */
export function createProjectOrigins(database: Database): Pick<ProjectOrigins, 'isProjectOrigin'> {
  return { isProjectOrigin: (origin) => isProjectOrigin(database, origin) };
}
