import { type Fault, invalid } from '@platform/kernel';
import { isUpstreamUrl, type SpecPolicy } from '@platform/oauth-proxy';
import { requireValid } from '@platform/resources';
import { type ClaimPatterns, readClaimPatterns } from '@platform/tokens';
import { serviceAccountBody } from '../model/bodies.ts';
import type { ServiceAccount } from '../model/records.ts';
import { changedFields } from '../rules/unchanged.ts';
import type { ChildKind } from './kind.ts';

/** The address that an exchange names an account by. */
export function serviceAccountEmail(project: string, name: string): string {
  return `${project}+${name}@sa.platform.local`;
}

/** Service accounts: an external issuer and the claims its tokens must carry. */
export const serviceAccountKind: ChildKind<ServiceAccount> = {
  plural: 'service-accounts',
  actions: { read: 'children.read', create: 'children.write' },
  create(body, { project, identifiers, specPolicy }) {
    const { name, trust } = read(body, specPolicy);
    const email = serviceAccountEmail(project.name, name);
    return {
      draft: { uid: identifiers.uid(), projectUid: project.uid, name, email, ...trust },
      shownOnce: {},
    };
  },
  replace(body, stored, { specPolicy }) {
    const { name, trust } = read(body, specPolicy);
    const faults = changedFields({ name }, { name: stored.name });
    if (faults.length > 0) throw invalid(faults);
    return { ...stored, ...trust };
  },
  render: ({ uid, name, email, issuerUrl, claims, createdAt }, { project }) => ({
    uid,
    name,
    project: project.name,
    email,
    issuer_url: issuerUrl,
    claims: { ...claims },
    created_at: createdAt,
  }),
};

function read(
  body: unknown,
  policy: SpecPolicy,
): { name: string; trust: { issuerUrl: string; claims: ClaimPatterns } } {
  const { name, issuer_url: issuerUrl, claims } = requireValid(serviceAccountBody, body);
  const { patterns, faults: claimFaults } = readClaimPatterns(claims, 2, '/claims');
  const faults: Fault[] = [...claimFaults];
  if (!isUpstreamUrl(issuerUrl, policy, false))
    faults.push({ path: '/issuer_url', message: 'Invalid issuer_url URL' });
  if (faults.length > 0) throw invalid(faults);
  return { name, trust: { issuerUrl, claims: patterns } };
}
