import { type Fault, invalid } from '@platform/kernel';
import { requireAll } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import { z } from 'zod';
import { organizationName, origin, projectUrl } from '../model/fields.ts';
import type { Project } from '../model/records.ts';
import type { SentMembers } from '../model/sent.ts';
import { administers } from '../rules/access.ts';
import { trustedAddresses, type WantedAddress, wantedAddresses } from '../rules/addresses.ts';
import { organizationMissing, requireOwnOrigins } from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';

/**
 * Throws when the Organization in a body, which may have other faults, does not exist. Only callers who administer an Organization of that
 * name get to know it.
 */
export async function requireOrganization(
  { teams, defaultOrganization }: Pick<ProjectPorts, 'teams' | 'defaultOrganization'>,
  principal: Principal,
  sent: SentMembers,
): Promise<void> {
  const name = organizationName.safeParse(sent['organization'] ?? defaultOrganization).data;
  if (name === undefined || !administers(principal, name, defaultOrganization)) return;
  if (!(await teams.hasOrganization(name))) throw invalid([organizationMissing(name)]);
}

/**
 * Throws when an address in a body, which may have other faults, is the platform's own, or belongs to another project than `stored`, which is
 * null for a new one. Only callers who need no proof of a domain get to know whose address it is.
 */
export async function requireFreeAddresses(
  ports: Pick<ProjectPorts, 'projects' | 'defaultOrganization' | 'projectUrlTemplate' | 'publicUrl'>,
  principal: Principal,
  sent: SentMembers,
  stored: Project | null,
): Promise<void> {
  const url = projectUrl(ports.projectUrlTemplate).safeParse(sent['url']).data ?? '';
  const domains = z.array(z.unknown()).max(100).safeParse(sent['custom_domains']).data ?? [];
  const customDomains = domains.flatMap((domain) => origin.safeParse(domain).data ?? []);
  const wanted = wantedAddresses({ url, customDomains: [...new Set(customDomains)] });
  const organization = String(stored?.organization ?? sent['organization'] ?? ports.defaultOrganization);
  await requireAll(
    () => requireOwnOrigins(ports.publicUrl, wanted),
    () =>
      administers(principal, organization, ports.defaultOrganization) &&
      requireNotTaken(ports.projects, wanted, stored),
  );
}

async function requireNotTaken(
  projects: ProjectPorts['projects'],
  wanted: readonly WantedAddress[],
  stored: Project | null,
): Promise<void> {
  const own = stored === null ? [] : wantedAddresses(trustedAddresses(stored));
  const faults: Fault[] = [];
  for (const { path, text, address } of wanted) {
    if (own.some((one) => one.address === address)) continue;
    if (await projects.hasAddress(address))
      faults.push({ path, message: `${text} belongs to another project already` });
  }
  if (faults.length > 0) throw invalid(faults);
}
