import { Problem, secretHash } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import { defaultUrl } from '../kinds/project.ts';
import type { Project } from '../model/records.ts';
import { administers } from '../rules/access.ts';
import { unprovenAddresses, type WantedAddress, wantedAddresses } from '../rules/addresses.ts';
import type { ProjectPorts } from './ports.ts';
import { requireProject } from './require-project.ts';

/** The TXT record that proves control of a domain. */
export interface DomainChallenge {
  readonly host: string;
  readonly record: string;
  readonly type: 'TXT';
  readonly value: string;
}

/** The most hosts of one request: as many as a project may have domains. */
const maxHosts = 100;

const dnsName = /^(?=.{1,230}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** The challenges of the given hosts, or of the project's own hosts if none are given. For managers of the project. */
export async function domainChallenges(
  ports: ProjectPorts,
  request: { readonly principal: Principal; readonly project: string; readonly hosts: readonly string[] },
): Promise<{ readonly items: readonly DomainChallenge[] }> {
  const project = await requireProject(ports, request.principal, request.project, 'project.write');
  const asked = request.hosts.map((host) => host.toLowerCase().replace(/\.$/, ''));
  if (asked.length > maxHosts || asked.some((host) => !dnsName.test(host))) {
    throw new Problem(
      'invalid_query',
      `host must be the name of a domain, such as shop.example.com; at most ${maxHosts} of them.`,
    );
  }
  const own = wantedAddresses(project)
    .map(({ host }) => host)
    .filter((host) => dnsName.test(host));
  const hosts = asked.length > 0 ? asked : own;
  return { items: [...new Set(hosts)].map((host) => challengeOf(ports, project, host)) };
}

/** The value depends on the installation, the uid of the project and the host: it proves nothing for a later project of the same name. */
function challengeOf({ publicUrl }: ProjectPorts, { uid }: Project, host: string): DomainChallenge {
  const digest = secretHash(`${publicUrl}\n${uid}\n${host}`);
  return { host, record: `_platform-challenge.${host}`, type: 'TXT', value: `platform-challenge=${digest}` };
}

/**
 * The hosts of the request that are proven by a TXT record, of those that need a proof. Queries DNS, so it must not be called while a
 * row is locked.
 */
export async function proveAddresses(
  ports: ProjectPorts,
  principal: Principal,
  project: Project,
  wanted: readonly WantedAddress[],
): Promise<ReadonlySet<string>> {
  const unproven = needingProof(ports, principal, project, wanted);
  const hosts = [...new Set(unproven.map(({ host }) => host))].filter((host) => dnsName.test(host));
  const proven = await Promise.all(
    hosts.map(async (host) => {
      const { record, value } = challengeOf(ports, project, host);
      return (await ports.lookupTxt(record))?.includes(value) === true ? [host] : [];
    }),
  );
  return new Set(proven.flat());
}

/** Throws `domain_unverified` with the records to publish, unless each address is the project's own or its host is proven. */
export function requireProven(
  ports: ProjectPorts,
  principal: Principal,
  project: Project,
  wanted: readonly WantedAddress[],
  proven: ReadonlySet<string>,
): void {
  const left = needingProof(ports, principal, project, wanted).filter(({ host }) => !proven.has(host));
  if (left.length === 0) return;
  const challenges = left
    .filter(({ host }) => dnsName.test(host))
    .map(({ host }) => challengeOf(ports, project, host));
  throw new Problem(
    'domain_unverified',
    'Publish the TXT record of each challenge and try again, or ask an admin to set the address.',
    {
      errors: left.map(({ path, text, host }) => ({
        path,
        message: dnsName.test(host)
          ? `${text} needs the TXT record of its challenge at _platform-challenge.${host}`
          : `${text} can be set by an admin only: its host has no name in the DNS`,
      })),
      members: { challenges },
    },
  );
}

function needingProof(
  ports: ProjectPorts,
  principal: Principal,
  project: Project,
  wanted: readonly WantedAddress[],
): readonly WantedAddress[] {
  if (administers(principal, project.organization, ports.defaultOrganization)) return [];
  return unprovenAddresses(wanted, project, defaultUrl(ports, project.name));
}
