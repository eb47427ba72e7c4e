import type { OAuthExtensionSpec, StoredClientSecret } from '@platform/oauth-proxy';
import type { Deployment, Environment, Extension, ServiceAccount } from '@platform/projects';
import type { ClaimPatterns } from '@platform/tokens';
import type { ChildTable } from './child-table.ts';

/** Environments: nothing beside what every kind has. */
export const environmentTable: ChildTable<Environment> = {
  table: 'environments',
  columns: [],
  write: () => [],
  read: (child) => child,
};

/** Service accounts. */
export const serviceAccountTable: ChildTable<ServiceAccount> = {
  table: 'service_accounts',
  columns: [
    { name: 'email', type: 'text' },
    { name: 'issuer_url', type: 'text' },
    { name: 'claims', type: 'json' },
  ],
  write: ({ email, issuerUrl, claims }) => [email, issuerUrl, JSON.stringify(claims)],
  read: (child, [email, issuerUrl, claims]) => ({
    ...child,
    email: String(email),
    issuerUrl: String(issuerUrl),
    claims: readClaims(String(claims)),
  }),
};

/** Deployments. */
export const deploymentTable: ChildTable<Deployment> = {
  table: 'deployments',
  columns: [
    { name: 'environment', type: 'text' },
    { name: 'credential_hash', type: 'text' },
  ],
  write: ({ environment, credentialHash }) => [environment, credentialHash],
  read: (child, [environment, credentialHash]) => ({
    ...child,
    environment: String(environment),
    credentialHash: String(credentialHash),
  }),
};

/** Extensions. */
export const extensionTable: ChildTable<Extension> = {
  table: 'extensions',
  columns: [
    { name: 'spec', type: 'json' },
    { name: 'sealed_upstream_secret', type: 'text' },
    { name: 'client_secrets', type: 'json' },
  ],
  write: ({ spec, sealedUpstreamSecret, clientSecrets }) => [
    JSON.stringify(spec),
    sealedUpstreamSecret,
    JSON.stringify(clientSecrets),
  ],
  read: (child, [spec, sealedUpstreamSecret, clientSecrets]) => ({
    ...child,
    spec: JSON.parse(String(spec)) as OAuthExtensionSpec,
    sealedUpstreamSecret: String(sealedUpstreamSecret),
    clientSecrets: JSON.parse(String(clientSecrets)) as readonly StoredClientSecret[],
  }),
};

/** Stored claim patterns, without a prototype, so that no claim name can meet an inherited member. */
export function readClaims(text: string): ClaimPatterns {
  return Object.assign(Object.create(null), JSON.parse(text)) as ClaimPatterns;
}
