import type { TxtLookup } from '@platform/kernel';
import type { KindContext } from '../kinds/kind.ts';
import type { Deployment, Environment, Extension, ServiceAccount } from '../model/records.ts';
import type { ChildStore, DeploymentDirectory, ProjectStore, TeamStore } from '../ports/stores.ts';
import type { ProjectTransactions } from '../ports/transactions.ts';

/** The dependencies of the use cases. Each use case takes the part that it needs. */
export interface ProjectPorts extends Omit<KindContext, 'project' | 'callerEmail' | 'actor'> {
  /** `default_organization.name`. */
  readonly defaultOrganization: string;
  /** `server.project_url_template`; `{project}` stands for the name. */
  readonly projectUrlTemplate: string;
  /** `projects.name_quarantine_days`. */
  readonly nameQuarantineDays: number;
  readonly lookupTxt: TxtLookup;
  readonly projects: ProjectStore;
  readonly teams: TeamStore;
  readonly environments: ChildStore<Environment>;
  readonly serviceAccounts: ChildStore<ServiceAccount>;
  readonly deployments: ChildStore<Deployment> & DeploymentDirectory;
  readonly extensions: ChildStore<Extension>;
  readonly transactions: ProjectTransactions;
}
