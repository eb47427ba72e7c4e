import { Problem } from '@platform/kernel';
import type { Principal, ServiceAccountPrincipal } from '@platform/tokens';
import type { Project } from '../model/records.ts';
import type { ProjectOfAccount } from '../ports/stores.ts';
import type { ProjectTransaction } from '../ports/transactions.ts';
import { denied, mayDo, type ProjectAction, projectRole, seesAll } from '../rules/access.ts';
import type { ProjectPorts } from './ports.ts';

/**
 * The project, if the principal may perform the action. Throws the same `forbidden` for an existing and a missing project; only
 * admins get `not_found`. For reads: {@link lockProject} authorizes changes.
 */
export async function requireProject(
  { projects, defaultOrganization }: Pick<ProjectPorts, 'projects' | 'defaultOrganization'>,
  principal: Principal,
  name: string,
  action: ProjectAction,
): Promise<Project> {
  const found =
    principal.type === 'service_account'
      ? existing(principal, name, await projects.findForAccount(name, principal.uid))
      : await projects.find(name);
  return allowed(found, principal, action, defaultOrganization);
}

/** The same on the locked row: `update` for a change of the project, `share` for a change below it that depends on no sibling. */
export async function lockProject(
  transaction: Pick<ProjectTransaction, 'lockProject' | 'lockProjectForAccount'>,
  { defaultOrganization }: Pick<ProjectPorts, 'defaultOrganization'>,
  { principal, project: name }: { readonly principal: Principal; readonly project: string },
  action: ProjectAction,
  mode: 'update' | 'share' = action === 'project.write' ? 'update' : 'share',
): Promise<Project> {
  const found =
    principal.type === 'service_account'
      ? existing(principal, name, await transaction.lockProjectForAccount(name, mode, principal.uid))
      : await transaction.lockProject(name, mode);
  return allowed(found, principal, action, defaultOrganization);
}

/**
 * Attack: an access token outlives its service account, or its project whose name another project then gets. The token is valid only
 * while the account with its uid exists in its project; other projects reject it like any caller without access.
 */
function existing(
  principal: ServiceAccountPrincipal,
  name: string,
  found: ProjectOfAccount | null,
): Project | null {
  if (principal.project === name && found?.accountExists !== true) {
    throw new Problem('unauthenticated', 'The service account of this token no longer exists.');
  }
  return found?.project ?? null;
}

function allowed(
  project: Project | null,
  principal: Principal,
  action: ProjectAction,
  defaultOrganization: string,
): Project {
  if (project === null) throw seesAll(principal) ? missing('project') : denied();
  if (!mayDo(projectRole(principal, project, defaultOrganization), action)) throw denied();
  return project;
}

/** The 404 of a typed resource; `noun` is the one of its kind. */
export function missing(noun: string): Problem {
  return new Problem('not_found', `There is no such ${noun.replace('_', ' ')}.`);
}
