import type { TxtLookup } from '@platform/kernel';
import type { KindContext } from '../kinds/kind.ts';
import type { ChildStores, DeploymentDirectory, ProjectStore, TeamStore } from '../ports/stores.ts';
import type { ProjectTransactions } from '../ports/transactions.ts';

/** The dependencies of the use cases. Each use case takes the part that it needs. */
export interface ProjectPorts extends ChildStores, Omit<KindContext, 'project' | 'callerEmail' | 'actor'> {
  /** `default_organization.name`. */
  readonly defaultOrganization: string;
  /** `server.project_url_template`; `{project}` stands for the name. */
  readonly projectUrlTemplate: string;
  /** `projects.name_quarantine_days`. */
  readonly nameQuarantineDays: number;
  readonly lookupTxt: TxtLookup;
  readonly projects: ProjectStore;
  readonly teams: TeamStore;
  readonly deployments: ChildStores['deployments'] & DeploymentDirectory;
  readonly transactions: ProjectTransactions;
}
