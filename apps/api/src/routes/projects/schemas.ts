import { extensionSpecSchema } from '@platform/oauth-proxy';
import {
  createProjectBody,
  createTeamBody,
  deploymentBody,
  environmentBody,
  extensionBody,
  replaceProjectBody,
  replaceTeamBody,
  rotateCredentialBody,
  serviceAccountBody,
} from '@platform/projects';
import { claimPatternsSchema } from '@platform/tokens';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { fromZod } from '../../endpoint/from-zod.ts';
import {
  list,
  object,
  orNull,
  text,
  timestamp,
  url,
  uuid,
  withExample,
} from '../../endpoint/schema-fields.ts';

const extensionSpec = fromZod(extensionSpecSchema({ insecureOrigins: [] }));
const { client_secret_encrypted: _secret, ...shownSpecFields } = extensionSpec['properties'] as Record<
  string,
  Schema
>;
const claims = fromZod(claimPatternsSchema, {
  '': { properties: { aud: { type: 'string' } }, required: ['aud'], minProperties: 2, maxProperties: 32 },
});

const issuer = 'https://platform.example/oidc/shop/sign-in';
const revision = withExample({ type: 'integer', minimum: 1 }, 1);
const child = (name: string) => ({
  uid: uuid,
  name: withExample(text, name),
  project: withExample(text, 'shop'),
});
const organization = {
  organization: withExample(text, 'acme'),
  organization_resource_uid: withExample(uuid, '01a1fc66-f0a1-7c3e-9b57-5a0d2f6c8e11'),
};
const members = list(
  object({
    email: withExample(text, 'ann@example.dev'),
    role: { type: 'string', enum: ['owner', 'member'] },
  }),
);

const check = object(
  {
    name: withExample(text, 'discovery'),
    result: withExample({ type: 'string', enum: ['ok', 'warning', 'failed', 'note'] }, 'failed'),
    detail: withExample(text, 'The provider did not answer.'),
    remedy: withExample(text, 'Check issuer_url.'),
  },
  { optional: ['remedy'] },
);

function pageOf(name: string): Schema {
  return object(
    {
      items: list(ref(name)),
      continue: {
        ...withExample(text, 'bXktYXBw'),
        description: 'Opaque; `?continue=` of the next page. Absent on the last.',
      },
    },
    { optional: ['continue'] },
  );
}

/** The body of a PUT: the members of answers may be sent back, and nothing is needed that the path or the kind says already. */
function replacementOf(
  shown: Readonly<Record<string, Schema>>,
  written: Readonly<Record<string, Schema>> = {},
  needed: readonly string[] = [],
): Schema {
  const properties = { ...shown, ...written };
  const optional = Object.keys(properties).filter((name) => !needed.includes(name));
  return object(properties, { optional, additionalProperties: false });
}

const environment = { ...child('staging'), revision, created_at: timestamp };
const serviceAccount = {
  ...child('ci'),
  email: withExample(text, 'shop+ci@sa.platform.local'),
  issuer_url: withExample(url, 'https://token.actions.githubusercontent.com'),
  claims: withExample(
    { type: 'object', additionalProperties: text },
    { aud: 'platform', sub: 'repo:acme/shop:ref:refs/heads/main' },
  ),
  revision,
  created_at: timestamp,
};
const deployment = {
  ...child('h0r8dezl'),
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
  revision,
  created_at: timestamp,
};
const extension = {
  ...child('sign-in'),
  type: { const: 'oauth' },
  spec: withExample(
    {
      type: 'object',
      required: ['provider_name', 'client_id', 'issuer_url'],
      properties: shownSpecFields,
    },
    { provider_name: 'Example', client_id: 'shop', issuer_url: 'https://accounts.example.dev' },
  ),
  status: object({
    client_id: withExample(text, 'shop-sign-in'),
    callback_url: withExample(url, `${issuer}/callback`),
    issuer: withExample(url, issuer),
  }),
  revision,
  created_at: timestamp,
};

/** The schema of a body is the same for every template, and at any time. */
const urlTemplate = 'https://{project}.example';
const clock = { now: () => 0 };

/** Typed resources: what is taken, from the schemas that validate it, and what is answered. */
export const typedResourceSchemas: Readonly<Record<string, Schema>> = {
  ProjectCreate: fromZod(createProjectBody(urlTemplate)),
  ProjectReplace: fromZod(replaceProjectBody(urlTemplate)),
  TeamCreate: fromZod(createTeamBody),
  TeamReplace: fromZod(replaceTeamBody),
  EnvironmentWrite: fromZod(environmentBody),
  EnvironmentReplace: replacementOf(environment),
  ServiceAccountWrite: fromZod(serviceAccountBody, { '/properties/claims': claims }),
  ServiceAccountReplace: replacementOf(serviceAccount, { claims }, ['issuer_url', 'claims']),
  DeploymentWrite: fromZod(deploymentBody(clock)),
  DeploymentReplace: replacementOf(deployment),
  CredentialRotate: fromZod(rotateCredentialBody(clock)),
  ExtensionWrite: fromZod(extensionBody, { '/properties/spec': ref('ExtensionSpecWrite') }),
  ExtensionReplace: replacementOf(extension, { spec: ref('ExtensionSpecWrite') }, ['spec']),
  ExtensionSpecWrite: extensionSpec,
  Project: object({
    uid: uuid,
    name: withExample(text, 'shop'),
    ...organization,
    access_class: withExample({ type: 'string', enum: ['public', 'private'] }, 'private'),
    url: withExample(url, 'https://shop.example.dev'),
    custom_domains: list(withExample(url, 'https://www.shop.example')),
    contested_addresses: {
      ...list(text),
      description: 'Addresses that belong to an older project, from version 0.24.0. Nothing trusts them.',
    },
    owner: withExample({ oneOf: [object({ user: text }), object({ team: text })] }, { team: 'makers' }),
    members: list(withExample(text, 'carol@example.dev')),
    revision,
    created_at: timestamp,
  }),
  ProjectList: pageOf('Project'),
  DomainChallenge: object({
    host: withExample(text, 'www.shop.example'),
    record: withExample(text, '_platform-challenge.www.shop.example'),
    type: { const: 'TXT' },
    value: withExample(
      text,
      'platform-challenge=3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b',
    ),
  }),
  DomainChallengeList: object({ items: list(ref('DomainChallenge')) }),
  Team: object({
    uid: uuid,
    name: withExample(text, 'makers'),
    ...organization,
    members,
    revision,
    created_at: timestamp,
  }),
  TeamList: pageOf('Team'),
  Environment: object(environment),
  EnvironmentList: pageOf('Environment'),
  ServiceAccount: object(serviceAccount),
  ServiceAccountList: pageOf('ServiceAccount'),
  Deployment: object(
    {
      ...deployment,
      bootstrap_credential: { ...text, description: 'Only in the answers to creation and rotation.' },
    },
    { optional: ['bootstrap_credential'] },
  ),
  DeploymentList: pageOf('Deployment'),
  Extension: object(
    {
      ...extension,
      client_secret: { ...text, description: 'Only in the answers to creation and rotation.' },
    },
    { optional: ['client_secret'] },
  ),
  ExtensionList: pageOf('Extension'),
  Login: object(
    {
      id: uuid,
      time: timestamp,
      outcome: withExample({ enum: ['started', 'completed', 'failed'] }, 'failed'),
      extension: withExample(orNull(text), 'sign-in'),
      step: withExample(orNull(text), 'callback'),
      grant: {
        ...withExample(orNull(text), null),
        description: 'Of a token request: what the app redeemed.',
      },
      reason: { ...withExample(orNull(text), 'access_denied'), description: 'Of a failed step.' },
      requestId: withExample(orNull(text), '5f0c8a52-6d2a-4d57-8a0e-3f1c9b7e2d10'),
    },
    { description: 'One step of a login through the OAuth proxy.' },
  ),
  LoginList: object(
    { items: list(ref('Login')), continue: withExample(text, 'bXktYXBw') },
    { optional: ['continue'] },
  ),
  Diagnosis: object({ healthy: withExample({ type: 'boolean' }, false), checks: list(check) }),
  Deleted: object({ deleted: { const: true } }),
};
