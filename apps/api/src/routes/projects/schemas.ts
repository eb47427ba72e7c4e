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
import { list, object, orNull, text, timestamp, url, uuid } from '../../endpoint/schema-fields.ts';

const extensionSpec = fromZod(extensionSpecSchema({ insecureOrigins: [] }));
const { client_secret_encrypted: _secret, ...shownSpecFields } = extensionSpec['properties'] as Record<
  string,
  Schema
>;
const claims = fromZod(claimPatternsSchema, {
  '': { properties: { aud: { type: 'string' } }, required: ['aud'], minProperties: 2, maxProperties: 32 },
});

const revision = { type: 'integer', minimum: 1 };
const child = { uid: uuid, name: text, project: text };
const organization = { organization: text, organization_resource_uid: uuid };
const members = list(object({ email: text, role: { type: 'string', enum: ['owner', 'member'] } }));

const check = object(
  {
    name: text,
    result: { type: 'string', enum: ['ok', 'warning', 'failed', 'note'] },
    detail: text,
    remedy: text,
  },
  { optional: ['remedy'] },
);

function pageOf(name: string): Schema {
  return object(
    {
      items: list(ref(name)),
      continue: { ...text, description: 'Opaque; `?continue=` of the next page. Absent on the last.' },
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

const environment = { ...child, revision, created_at: timestamp };
const serviceAccount = {
  ...child,
  email: text,
  issuer_url: url,
  claims: { type: 'object', additionalProperties: text },
  revision,
  created_at: timestamp,
};
const deployment = {
  ...child,
  environment: text,
  expires_at: {
    ...orNull(timestamp),
    description: 'When the bootstrap credential expires; null for one of version 0.24.0.',
  },
  created_by: { ...orNull(text), description: 'Who made or rotated the credential.' },
  last_used_at: { ...orNull(timestamp), description: 'When the credential was used last, to the minute.' },
  previous_credential_expires_at: {
    ...orNull(timestamp),
    description: 'Until when the credential before the last rotation is valid.',
  },
  revision,
  created_at: timestamp,
};
const extension = {
  ...child,
  type: { const: 'oauth' },
  spec: {
    type: 'object',
    required: ['provider_name', 'client_id', 'issuer_url'],
    properties: shownSpecFields,
  },
  status: object({ client_id: text, callback_url: url, issuer: url }),
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
    name: text,
    ...organization,
    access_class: { type: 'string', enum: ['public', 'private'] },
    url,
    custom_domains: list(url),
    contested_addresses: {
      ...list(text),
      description: 'Addresses that belong to an older project, from version 0.24.0. Nothing trusts them.',
    },
    owner: { oneOf: [object({ user: text }), object({ team: text })] },
    members: list(text),
    revision,
    created_at: timestamp,
  }),
  ProjectList: pageOf('Project'),
  DomainChallenge: object({ host: text, record: text, type: { const: 'TXT' }, value: text }),
  DomainChallengeList: object({ items: list(ref('DomainChallenge')) }),
  Team: object({ uid: uuid, name: text, ...organization, members, revision, created_at: timestamp }),
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
      outcome: { enum: ['started', 'completed', 'failed'] },
      extension: orNull(text),
      step: orNull(text),
      grant: { ...orNull(text), description: 'Of a token request: what the app redeemed.' },
      reason: { ...orNull(text), description: 'Of a failed step.' },
      requestId: orNull(text),
    },
    { description: 'One step of a login through the OAuth proxy.' },
  ),
  LoginList: object({ items: list(ref('Login')), continue: text }, { optional: ['continue'] }),
  Diagnosis: object({ healthy: { type: 'boolean' }, checks: list(check) }),
  Deleted: object({ deleted: { const: true } }),
};
