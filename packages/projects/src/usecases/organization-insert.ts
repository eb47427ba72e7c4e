import { type Fault, invalid, Problem } from '@platform/kernel';
import { z } from 'zod';
import type { SentMembers } from '../model/sent.ts';
import type { AddressTaken, OrganizationInsert } from '../ports/stores.ts';
import type { WantedAddress } from '../rules/addresses.ts';
import type { ProjectPorts } from './ports.ts';

/** Turns every outcome of an insert below an Organization but success into its refusal. */
export function insertedOrRefused<T>(
  result: OrganizationInsert<T> | AddressTaken,
  names: { what: string; name: string; organization: string },
): T {
  switch (result.outcome) {
    case 'created':
      return result.record;
    case 'nameTaken':
      throw new Problem('already_exists', `A ${names.what} named ${names.name} exists already.`);
    case 'organizationMissing':
      throw invalid([organizationMissing(names.organization)]);
    case 'organizationAndTeamMissing':
      throw invalid([organizationMissing(names.organization), teamMissing]);
    case 'organizationTerminating':
      throw new Problem(
        'organization_terminating',
        `The Organization ${names.organization} is being deleted.`,
      );
    case 'addressTaken':
      throw addressTaken(result);
    case 'teamMissing':
      throw ownerTeamMissing();
  }
}

const legibleOwner = z.object({ owner: z.object({ team: z.string() }) });

/** Throws when the owner in a body, which may have other faults, is a team that does not exist. */
export async function requireOwnerTeam(
  { teams }: Pick<ProjectPorts, 'teams'>,
  sent: SentMembers,
): Promise<void> {
  const team = legibleOwner.safeParse(sent).data?.owner.team;
  if (team !== undefined && (await teams.find(team)) === null) throw ownerTeamMissing();
}

/** The refusal of an owner that is a team which does not exist. */
export function ownerTeamMissing(): Problem {
  return invalid([teamMissing]);
}

const teamMissing: Fault = { path: '/owner/team', message: 'no such team exists' };

/** The fault of an Organization that does not exist. */
export function organizationMissing(name: string): Fault {
  return { path: '/organization', message: `no Organization ${name} exists` };
}

/** The refusal of an address that another project has. */
export function addressTaken({ addresses }: AddressTaken): Problem {
  const what = addresses.length === 0 ? 'The URL or a custom domain' : addresses.join(', ');
  return new Problem('already_exists', `${what} belongs to another project already.`);
}

/**
 * Attack: a project at the platform's own origin gets what browsers send to the platform. Throws `validation_failed`, for admins as well.
 */
export function requireOwnOrigins(publicUrl: string, wanted: readonly WantedAddress[]): void {
  const { origin } = new URL(publicUrl);
  const faults = wanted
    .filter(({ text }) => new URL(text).origin === origin)
    .map(({ path }) => ({ path, message: 'must not be at the address of the platform itself' }));
  if (faults.length > 0) throw invalid(faults);
}
