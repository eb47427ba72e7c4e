import type { Project } from '../model/records.ts';
import { addressOf } from '../model/urls.ts';

/** The addresses of a project, as they are written. */
export interface ProjectAddresses {
  readonly url: string;
  readonly customDomains: readonly string[];
}

/** A requested address and its field in the body. */
export interface WantedAddress {
  readonly path: '/url' | '/custom_domains';
  readonly text: string;
  /** {@link addressOf} it: what belongs to one project. */
  readonly address: string;
  readonly host: string;
}

/** Every address that is wanted. */
export function wantedAddresses({ url, customDomains }: ProjectAddresses): readonly WantedAddress[] {
  const wanted = (path: WantedAddress['path']) => (text: string) => ({
    path,
    text,
    address: addressOf(text),
    host: new URL(text).hostname,
  });
  return [...(url === '' ? [] : [wanted('/url')(url)]), ...customDomains.map(wanted('/custom_domains'))];
}

/**
 * The addresses that an owner or member may set only with a proof: all but those that the project has already, and those at or below the
 * URL that the template gives to its name.
 */
export function unprovenAddresses(
  wanted: readonly WantedAddress[],
  project: Project,
  templateUrl: string,
): readonly WantedAddress[] {
  const own = addressOf(templateUrl);
  const present = new Set(wantedAddresses(trustedAddresses(project)).map(({ address }) => address));
  return wanted.filter(
    ({ address }) => address !== own && !address.startsWith(`${own}/`) && !present.has(address),
  );
}

/** The addresses of a project without those that belong to another one; the URL is then empty. Logins are sent to these alone. */
export function trustedAddresses({ url, customDomains, contested }: Project): ProjectAddresses {
  // The URL of a project of 0.24.0 may have another spelling than the canonical one, and so has its contested address.
  const taken = new Set(contested.map(addressOf));
  const trusted = (text: string) => !taken.has(addressOf(text));
  return { url: trusted(url) ? url : '', customDomains: customDomains.filter(trusted) };
}
