import { createProjectBody, createTeamBody, replaceProjectBody, replaceTeamBody } from '@platform/projects';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { fromZod } from '../../endpoint/from-zod.ts';
import {
  list,
  object,
  orNull,
  pageOf,
  revision,
  text,
  timestamp,
  url,
  uuid,
  withExample,
} from '../../endpoint/schema-fields.ts';
import { kindSchemas } from './kinds.ts';

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

/** The schema of a body is the same for every template. */
const urlTemplate = 'https://{project}.example';

/** Typed resources: what is taken, from the schemas that validate it, and what is answered. */
export const typedResourceSchemas: Readonly<Record<string, Schema>> = {
  ProjectCreate: fromZod(createProjectBody(urlTemplate)),
  ProjectReplace: fromZod(replaceProjectBody(urlTemplate)),
  TeamCreate: fromZod(createTeamBody),
  TeamReplace: fromZod(replaceTeamBody),
  ...kindSchemas,
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
