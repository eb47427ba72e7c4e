import { invalid } from '@platform/kernel';
import { isIssuerUrl, type SpecPolicy } from '@platform/oauth-proxy';
import { type ClaimPatterns, readClaimPatterns } from '@platform/tokens';
import { z } from 'zod';
import { labelName } from '../model/fields.ts';
import { requireValidMembers } from '../rules/require-valid-members.ts';
import type { ChildKind } from './kind.ts';

/** The claims are validated separately. */
const body = z.strictObject({ name: labelName, issuer_url: z.string().max(2048), claims: z.unknown() });

/** A body that was read: the name, and whose tokens the account trusts. */
interface ServiceAccountFields {
  readonly name: string;
  readonly trust: { readonly issuerUrl: string; readonly claims: ClaimPatterns };
}

/**
 * Attack: the accounts of one project name so many issuers that their keys evict those of all other projects from the cache. A tenth of the
 * entries of the cache, and a fifth of its size, is the most that one project gets.
 */
export const maxIssuers = 100;

/** The address that an exchange names an account by. */
function serviceAccountEmail(project: string, name: string): string {
  return `${project}+${name}@sa.platform.local`;
}

/** Service accounts: an external issuer and the claims its tokens must carry. */
export const serviceAccountKind: ChildKind<'serviceAccounts', ServiceAccountFields> = {
  collection: 'serviceAccounts',
  plural: 'service-accounts',
  kindName: 'ServiceAccount',
  noun: 'service_account',
  actions: { read: 'children.read', create: 'children.write' },
  body: () => body,
  read: (sent, { specPolicy }) => read(sent, specPolicy),
  create({ name, trust }, { project, identifiers }) {
    const email = serviceAccountEmail(project.name, name);
    return {
      draft: { uid: identifiers.uid(), projectUid: project.uid, name, email, ...trust },
      shownOnce: {},
    };
  },
  readBack: ['email'],
  replacement: {
    read: (sent, name, { specPolicy }) => read({ name, ...sent }, specPolicy),
    apply: ({ trust }) => trust,
  },
  async admit(account, stored, transaction) {
    if (account.issuerUrl === stored?.issuerUrl) return;
    const others = await transaction.countOtherIssuers(account);
    if (others === null || others < maxIssuers) return;
    const message = `the service accounts of a project may have ${maxIssuers} different issuers, and the others have as many`;
    throw invalid([{ path: '/issuer_url', message }]);
  },
  render: ({ uid, name, email, issuerUrl, claims, revision, createdAt }, { project }) => ({
    uid,
    name,
    project: project.name,
    email,
    issuer_url: issuerUrl,
    claims: { ...claims },
    revision,
    created_at: createdAt,
  }),
};

function read(sent: unknown, policy: SpecPolicy): ServiceAccountFields {
  const fields = requireValidMembers(body, sent, ({ issuer_url: issuerUrl, claims }) => [
    ...readClaimPatterns(claims, 2, '/claims').faults,
    ...(typeof issuerUrl === 'string' && !isIssuerUrl(issuerUrl, policy)
      ? [{ path: '/issuer_url', message: 'Invalid issuer_url URL' }]
      : []),
  ]);
  const { patterns } = readClaimPatterns(fields.claims, 2, '/claims');
  return { name: fields.name, trust: { issuerUrl: fields.issuer_url, claims: patterns } };
}
