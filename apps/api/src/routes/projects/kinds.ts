import { deploymentKind, environmentKind, extensionKind, serviceAccountKind } from '@platform/projects';
import { childEndpoints } from './children.ts';

/** The kinds below projects: five endpoints each. */
export const kindEndpoints = [
  ...childEndpoints({
    name: 'Environment',
    noun: 'an environment',
    parameter: 'environment',
    plural: environmentKind.plural,
    collection: (ports) => ({
      kind: environmentKind,
      store: ports.environments,
      writer: (transaction) => transaction.environments,
    }),
    examples: {
      create: { environment: { summary: 'A second environment', value: { name: 'staging' } } },
      replace: { environment: { summary: 'Nothing can change', value: {} } },
    },
    deleteProblems: ['in_use'],
  }),
  ...childEndpoints({
    name: 'ServiceAccount',
    noun: 'a service account',
    parameter: 'service_account',
    plural: serviceAccountKind.plural,
    collection: (ports) => ({
      kind: serviceAccountKind,
      store: ports.serviceAccounts,
      writer: (transaction) => transaction.serviceAccounts,
    }),
    examples: {
      create: { account: { summary: 'A pipeline of GitHub Actions', value: account('main') } },
      replace: { account: { summary: 'Another branch', value: account('release') } },
    },
  }),
  ...childEndpoints({
    name: 'Deployment',
    noun: 'a deployment',
    parameter: 'deployment',
    plural: deploymentKind.plural,
    collection: (ports) => ({
      kind: deploymentKind,
      store: ports.deployments,
      writer: (transaction) => transaction.deployments,
    }),
    examples: {
      create: { deployment: { summary: 'A deployment', value: { environment: 'staging' } } },
      replace: { deployment: { summary: 'Nothing can change', value: {} } },
    },
  }),
  ...childEndpoints({
    name: 'Extension',
    noun: 'an extension',
    parameter: 'extension',
    plural: extensionKind.plural,
    collection: (ports) => ({
      kind: extensionKind,
      store: ports.extensions,
      writer: (transaction) => transaction.extensions,
    }),
    examples: {
      create: {
        oidc: { summary: 'A provider with discovery', value: extension('sign-in', {}) },
        oauth: {
          summary: 'A provider without discovery',
          value: extension('github', {
            provider_name: 'GitHub',
            issuer_url: 'https://github.com',
            authorization_endpoint: 'https://github.com/login/oauth/authorize',
            token_endpoint: 'https://github.com/login/oauth/access_token',
            scopes: ['read:user'],
          }),
        },
      },
      replace: {
        description: {
          summary: 'Another description; the stored secret is kept',
          value: {
            spec: {
              provider_name: 'Example',
              description: 'Where customers sign in',
              client_id: 'shop',
              issuer_url: 'https://accounts.example.dev',
            },
          },
        },
      },
    },
  }),
];

function account(branch: string): object {
  return {
    name: 'ci',
    issuer_url: 'https://token.actions.githubusercontent.com',
    claims: { aud: 'platform', sub: `repo:acme/shop:ref:refs/heads/${branch}` },
  };
}

function extension(name: string, more: object): object {
  return {
    name,
    type: 'oauth',
    spec: {
      provider_name: 'Example',
      client_id: 'shop',
      client_secret_encrypted: '<encrypted>',
      issuer_url: 'https://accounts.example.dev',
      scopes: ['openid', 'email'],
      ...more,
    },
  };
}
