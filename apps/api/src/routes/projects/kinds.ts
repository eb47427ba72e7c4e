import { extensionSpecSchema } from '@platform/oauth-proxy';
import {
  deploymentKind,
  environmentKind,
  extensionKind,
  rotateCredentialBody,
  serviceAccountKind,
} from '@platform/projects';
import { claimPatternsSchema } from '@platform/tokens';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { fromZod } from '../../endpoint/from-zod.ts';
import { object, orNull, text, timestamp, url, withExample } from '../../endpoint/schema-fields.ts';
import { type ChildApi, childApi } from './children.ts';

const environment = childApi({
  kind: environmentKind,
  shown: {},
  examples: {
    name: 'staging',
    create: { environment: { summary: 'A second environment', value: { name: 'staging' } } },
    replace: { environment: { summary: 'Nothing can change', value: {} } },
  },
  deleteProblems: ['in_use'],
});

const claims = fromZod(claimPatternsSchema, {
  '': { properties: { aud: { type: 'string' } }, required: ['aud'], minProperties: 2, maxProperties: 32 },
});
const issuerUrl = withExample(url, 'https://token.actions.githubusercontent.com');
const account = (branch: string) => ({
  name: 'ci',
  issuer_url: 'https://token.actions.githubusercontent.com',
  claims: { aud: 'platform', sub: `repo:acme/shop:ref:refs/heads/${branch}` },
});

const serviceAccount = childApi({
  kind: serviceAccountKind,
  written: { '/properties/claims': claims },
  shown: {
    email: withExample(text, 'shop+ci@sa.platform.local'),
    issuer_url: issuerUrl,
    claims: withExample({ type: 'object', additionalProperties: text }, account('main').claims),
  },
  replaced: { issuer_url: issuerUrl, claims },
  examples: {
    name: 'ci',
    create: { account: { summary: 'A pipeline of GitHub Actions', value: account('main') } },
    replace: { account: { summary: 'Another branch', value: account('release') } },
  },
});

const deployment = childApi({
  kind: deploymentKind,
  shown: {
    environment: withExample(text, 'staging'),
    expires_at: {
      ...withExample(orNull(timestamp), '2026-04-01T12:00:00.000Z'),
      description: 'When the bootstrap credential expires; null for one of version 0.24.0.',
    },
    created_by: {
      ...withExample(orNull(text), 'owner@example.dev'),
      description: 'Who made or rotated the credential.',
    },
    last_used_at: {
      ...withExample(orNull(timestamp), null),
      description: 'When the credential was used last, to the minute.',
    },
    previous_credential_expires_at: {
      ...withExample(orNull(timestamp), null),
      description: 'Until when the credential before the last rotation is valid.',
    },
  },
  shownOnce: {
    bootstrap_credential: { ...text, description: 'Only in the answers to creation and rotation.' },
  },
  examples: {
    name: 'h0r8dezl',
    create: { deployment: { summary: 'A deployment', value: { environment: 'staging' } } },
    replace: { deployment: { summary: 'Nothing can change', value: {} } },
  },
  schemas: { CredentialRotate: fromZod(rotateCredentialBody({ now: () => 0 })) },
});

const extensionSpec = fromZod(extensionSpecSchema({ insecureOrigins: [] }));
const { client_secret_encrypted: _secret, ...shownSpecFields } = extensionSpec['properties'] as Record<
  string,
  Schema
>;
const issuer = 'https://platform.example/oidc/shop/sign-in';
const provider = {
  provider_name: 'Example',
  client_id: 'shop',
  issuer_url: 'https://accounts.example.dev',
};
const newExtension = (name: string, more: object) => ({
  name,
  type: 'oauth',
  spec: { ...provider, client_secret_encrypted: '<encrypted>', scopes: ['openid', 'email'], ...more },
});

const extension = childApi({
  kind: extensionKind,
  written: { '/properties/spec': ref('ExtensionSpecWrite') },
  shown: {
    type: { const: 'oauth' },
    spec: withExample(
      { type: 'object', required: ['provider_name', 'client_id', 'issuer_url'], properties: shownSpecFields },
      provider,
    ),
    status: object({
      client_id: withExample(text, 'shop-sign-in'),
      callback_url: withExample(url, `${issuer}/callback`),
      issuer: withExample(url, issuer),
    }),
  },
  shownOnce: { client_secret: { ...text, description: 'Only in the answers to creation and rotation.' } },
  replaced: { spec: ref('ExtensionSpecWrite') },
  examples: {
    name: 'sign-in',
    create: {
      oidc: { summary: 'A provider with discovery', value: newExtension('sign-in', {}) },
      oauth: {
        summary: 'A provider without discovery',
        value: newExtension('github', {
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
        value: { spec: { ...provider, description: 'Where customers sign in' } },
      },
    },
  },
  schemas: { ExtensionSpecWrite: extensionSpec },
});

const kinds: readonly ChildApi[] = [environment, serviceAccount, deployment, extension];

/** The endpoints of the kinds below projects: five each. */
export const kindEndpoints = kinds.flatMap(({ endpoints }) => endpoints);

/** The schemas that these endpoints name. */
export const kindSchemas: Readonly<Record<string, Schema>> = Object.assign(
  {},
  ...kinds.map(({ schemas }) => schemas),
);
