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
import type { Patience } from './patience.ts';

/** The stores of the typed resources. */
export type ProjectStores = Pick<
  ProjectPorts,
  'projects' | 'teams' | 'environments' | 'serviceAccounts' | 'deployments' | 'extensions'
>;

/** Opens the stores of the typed resources on the pool; their writes wait for locks among those of all areas ({@link Patience}). */
export function createProjectStores(database: Database, patiently: Patience): ProjectStores {
  return {
    projects: createProjectStore(database, patiently),
    teams: createTeamStore(database, patiently),
    environments: createChildStore(database, environmentTable, patiently),
    serviceAccounts: createChildStore(database, serviceAccountTable, patiently),
    deployments: {
      ...createChildStore(database, deploymentTable, patiently),
      ...createDeploymentDirectory(database),
    },
    extensions: {
      ...createChildStore(database, extensionTable, patiently),
      ...createClientSecretStore(database, patiently),
    },
  };
}

/** The addresses of the projects, for logins that end at one. */
export function createProjectOrigins(database: Database): ProjectOrigins {
  return { isProjectOrigin: (origin) => isProjectOrigin(database, origin) };
}
