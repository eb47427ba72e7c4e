import type { ReplaceTeamBody } from '../model/bodies.ts';
import type { Team } from '../model/records.ts';
import type { Rendered } from './kind.ts';

/** The fields of a team that a POST and a PUT set. */
export type TeamFields = Omit<
  Team,
  'uid' | 'name' | 'organization' | 'organizationUid' | 'revision' | 'createdAt'
>;

/** The fields of a team in a body. A missing one gets its default. */
export function teamFields({ members }: ReplaceTeamBody): TeamFields {
  return { members };
}

/** The fields in a form in which equal teams have equal JSON: the order of the members does not matter. */
export function comparableFields({ members, ...fields }: TeamFields): object {
  const byAddress = members
    .map(({ email, role }) => [email, role] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...fields, members: byAddress };
}

/** A team as answers show it. */
export function renderTeam(team: Team): Rendered {
  return {
    uid: team.uid,
    name: team.name,
    organization: team.organization,
    organization_resource_uid: team.organizationUid,
    members: team.members,
    revision: team.revision,
    created_at: team.createdAt,
  };
}
