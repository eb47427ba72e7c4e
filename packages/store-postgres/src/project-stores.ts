import type { ProjectOrigins } from '@platform/login';
import type { Database } from '@platform/postgres';
import type { ProjectPorts } from '@platform/projects';
import { createDeploymentDirectory } from './operations/project-children/deployment-directory.ts';
import { createChildStore } from './operations/project-children/store.ts';
import {
  deploymentMapping,
  environmentMapping,
  extensionMapping,
  serviceAccountMapping,
} from './operations/project-children/tables.ts';
import { isProjectOrigin } from './operations/projects/addresses.ts';
import { createProjectDryRuns } from './operations/projects/dry-runs.ts';
import { createProjectStore } from './operations/projects/store.ts';
import { createProjectTransactions } from './operations/projects/transactions.ts';
import { createTeamStore } from './operations/teams/store.ts';

/** The stores of the typed resources. */
export type ProjectStores = Pick<
  ProjectPorts,
  'projects' | 'teams' | 'environments' | 'serviceAccounts' | 'deployments' | 'extensions' | 'transactions'
>;

/** Opens the stores of the typed resources on the pool. */
export function createProjectStores(database: Database): ProjectStores {
  return {
    projects: createProjectStore(database),
    teams: createTeamStore(database),
    environments: createChildStore(database, environmentMapping),
    serviceAccounts: createChildStore(database, serviceAccountMapping),
    deployments: {
      ...createChildStore(database, deploymentMapping),
      ...createDeploymentDirectory(database),
    },
    extensions: createChildStore(database, extensionMapping),
    transactions: createProjectTransactions(database),
  };
}

/** The same for dry runs: they read what is stored, and every transaction is rolled back. */
export function createProjectDryRunStores(database: Database): ProjectStores {
  return { ...createProjectStores(database), ...createProjectDryRuns(database) };
}

/** The addresses of the projects, for logins that end at one. */
export function createProjectOrigins(database: Database): Pick<ProjectOrigins, 'isProjectOrigin'> {
  return { isProjectOrigin: (origin) => isProjectOrigin(database, origin) };
}
