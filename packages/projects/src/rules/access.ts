import { foldEmailCase, Problem } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import type { Project, Team } from '../model/records.ts';

/**
 * The role of a caller in a project:
 * - `manager`: everything. Admins of its Organization, its owner (or the owning team's people), its members.
 * - `service_account`: read the project, its environments and extensions, and create deployments.
 */
export type ProjectRole = 'manager' | 'service_account';

/** An action on a project or on a resource below it. */
export type ProjectAction =
  | 'project.read'
  | 'project.write'
  | 'environments.read'
  | 'extensions.read'
  | 'deployments.create'
  | 'children.read'
  | 'children.write';

const serviceAccountActions: ReadonlySet<ProjectAction> = new Set([
  'project.read',
  'environments.read',
  'extensions.read',
  'deployments.create',
]);

/** The role of the principal in the project; null when it has none. */
export function projectRole(
  principal: Principal,
  project: Project,
  defaultOrganization: string,
): ProjectRole | null {
  switch (principal.type) {
    case 'controller':
      return null;
    case 'service_account':
      // Attack: a service account of one project presented at another. Its project is part of who it is.
      return principal.project === project.name ? 'service_account' : null;
    default: {
      if (administers(principal, project.organization, defaultOrganization)) return 'manager';
      const email = foldEmailCase(principal.email);
      const owns =
        'user' in project.owner ? project.owner.user === email : project.ownerTeamMembers.includes(email);
      return owns || project.members.includes(email) ? 'manager' : null;
    }
  }
}

/** Whether the role covers the action. */
export function mayDo(role: ProjectRole | null, action: ProjectAction): boolean {
  return role === 'manager' || (role === 'service_account' && serviceAccountActions.has(action));
}

/**
 * Whether a person administers an Organization: admins the default one, and no other. Other
 * Organizations exist because an operator made them, so operators administer those.
 */
export function administers(
  principal: Principal,
  organization: string,
  defaultOrganization: string,
): boolean {
  if (principal.type !== 'user' && principal.type !== 'operator') return false;
  return organization === defaultOrganization ? principal.admin : principal.type === 'operator';
}

/** The role of a user in a team: its owners and the admins of its Organization may change it, its members may read it. */
export function teamRole(
  principal: Principal,
  team: Team,
  defaultOrganization: string,
): 'manager' | 'reader' | null {
  if (principal.type !== 'user' && principal.type !== 'operator') return null;
  if (administers(principal, team.organization, defaultOrganization)) return 'manager';
  const member = team.members.find(({ email }) => email === foldEmailCase(principal.email));
  if (member === undefined) return null;
  return member.role === 'owner' ? 'manager' : 'reader';
}

/** The same error for existing and missing projects, so that names cannot be probed. */
export function denied(): Problem {
  return new Problem('forbidden', 'You may not do this, or there is no such project or team.');
}

/** Whether the caller may distinguish a missing project or team from a forbidden one: only callers who see all of them may. */
export function seesAll(principal: Principal): boolean {
  return (principal.type === 'user' || principal.type === 'operator') && principal.admin;
}
