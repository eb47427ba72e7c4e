import { invalid, Problem } from '@platform/kernel';
import type { OrganizationInsert } from '../ports/stores.ts';

/** Turns every outcome of an insert below an Organization but success into its refusal. */
export function insertedOrRefused<T>(
  result: OrganizationInsert<T>,
  names: { what: string; name: string; organization: string },
): T {
  switch (result.outcome) {
    case 'created':
      return result.record;
    case 'nameTaken':
      throw new Problem('already_exists', `A ${names.what} named ${names.name} exists already.`);
    case 'organizationMissing':
      throw invalid([{ path: '/organization', message: `no Organization ${names.organization} exists` }]);
    case 'organizationTerminating':
      throw new Problem(
        'organization_terminating',
        `The Organization ${names.organization} is being deleted.`,
      );
    case 'teamMissing':
      throw ownerTeamMissing();
  }
}

/** The refusal of an owner that is a team which does not exist. */
export function ownerTeamMissing(): Problem {
  return invalid([{ path: '/owner/team', message: 'no such team exists' }]);
}
