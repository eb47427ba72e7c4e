import type { ProjectOrigins } from '@platform/login';
import type { ProjectPorts } from '@platform/projects';
import type { Database } from './database.ts';
import { createDeploymentDirectory } from './operations/project-children/deployment-directory.ts';
import { createClientSecretStore } from './operations/project-children/replace-client-secrets.ts';
import { createChildStore } from './operations/project-children/store.ts';
import {
  deploymentTable,
  environmentTable,
  extensionTable,
  serviceAccountTable,
} from './operations/project-children/tables.ts';
import { isProjectOrigin } from './operations/projects/is-project-origin.ts';
import { createProjectStore } from './operations/projects/store.ts';
import { createTeamStore } from './operations/teams/store.ts';

/** The stores of the typed resources. */
export type ProjectStores = Pick<
  ProjectPorts,
  'projects' | 'teams' | 'environments' | 'serviceAccounts' | 'deployments' | 'extensions'
>;

/** Opens the stores of the typed resources on the pool. */
export function createProjectStores(database: Database): ProjectStores {
  return {
    projects: createProjectStore(database),
    teams: createTeamStore(database),
    environments: createChildStore(database, environmentTable),
    serviceAccounts: createChildStore(database, serviceAccountTable),
    deployments: { ...createChildStore(database, deploymentTable), ...createDeploymentDirectory(database) },
    extensions: { ...createChildStore(database, extensionTable), ...createClientSecretStore(database) },
  };
}

/** The addresses of the projects, for logins that end at one. */
export function createProjectOrigins(database: Database): ProjectOrigins {
  return { isProjectOrigin: (origin) => isProjectOrigin(database, origin) };
}
