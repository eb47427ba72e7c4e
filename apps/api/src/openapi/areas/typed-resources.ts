import type { ProblemCode } from '@platform/kernel';
import { type Endpoint, jsonBody, type Parameter, ref } from '../endpoint.ts';
import { examplesOf } from '../examples.ts';
import { page } from '../verbs.ts';

/** A typed resource: the same five verbs for each. */
interface Typed {
  /** Its schema; requests are `<name>Create` and `<name>Replace`, or `<name>Write` for both. */
  readonly name: string;
  readonly collection: string;
  readonly item: string;
  readonly plural: string;
  readonly tag: string;
  /** In words. */
  readonly noun: string;
  /** What its verbs may refuse, beyond what all do. */
  readonly create?: readonly ProblemCode[];
  readonly createParameters?: readonly Parameter[];
  readonly replace?: readonly ProblemCode[];
  readonly remove?: readonly ProblemCode[];
  /** Whether POST and PUT take the same body. */
  readonly oneBody: boolean;
}

const projects = '/api/v1/projects';
const project = `${projects}/{project}`;
const underOrganization: readonly ProblemCode[] = ['already_exists', 'organization_terminating'];

const reuse: Parameter = {
  name: 'reuse',
  in: 'query',
  description: 'Takes the name of a deleted project although it is still reserved.',
  schema: { type: 'boolean', default: false },
};

const typed: readonly Typed[] = [
  {
    name: 'Team',
    plural: 'Teams',
    noun: 'a team',
    tag: 'Projects and teams',
    collection: '/api/v1/teams',
    item: '/api/v1/teams/{team}',
    create: underOrganization,
    remove: ['in_use'],
    oneBody: false,
  },
  {
    name: 'Project',
    plural: 'Projects',
    noun: 'a project',
    tag: 'Projects and teams',
    collection: projects,
    item: project,
    create: [...underOrganization, 'invalid_query'],
    createParameters: [reuse],
    replace: ['already_exists', 'domain_unverified'],
    oneBody: false,
  },
  child('Environment', 'environments', 'environment', 'an environment', ['in_use']),
  child('ServiceAccount', 'service-accounts', 'service_account', 'a service account'),
  child('Deployment', 'deployments', 'deployment', 'a deployment'),
  child('Extension', 'extensions', 'extension', 'an extension'),
];

const etag = { ETag: 'The uid and the revision, in quotes.' };
const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag`, or the revision in quotes, that the resource must have; several with commas, or `*`.',
  schema: { type: 'string' },
};
const changing: readonly ProblemCode[] = ['precondition_failed', 'contention'];

/** Projects, teams, and what is below projects. */
export function typedResourceEndpoints(): readonly Endpoint[] {
  return [...typed.flatMap(fiveVerbs), ...extensionEndpoints];
}

function fiveVerbs({
  name,
  plural,
  noun,
  tag,
  collection,
  item,
  oneBody,
  ...more
}: Typed): readonly Endpoint[] {
  const shared = { tag, credential: 'caller' } as const;
  const schema = ref(name);
  const body = (verb: 'Create' | 'Replace') =>
    jsonBody(ref(`${name}${oneBody ? 'Write' : verb}`), examplesOf(`${verb.toLowerCase()}${name}`));
  const above: readonly ProblemCode[] = ['not_found', 'malformed_path'];
  return [
    {
      ...shared,
      method: 'post',
      path: collection,
      id: `create${name}`,
      summary: `Create ${noun}`,
      ...(more.createParameters === undefined ? {} : { parameters: more.createParameters }),
      body: body('Create'),
      answers: { 201: { description: 'Created.', schema, headers: etag } },
      problems: [...above, ...(more.create ?? ['already_exists']), 'contention'],
    },
    {
      ...shared,
      method: 'get',
      path: collection,
      id: `list${plural}`,
      summary: `List ${noun.replace(/^an? /, '')}s`,
      parameters: page,
      answers: { 200: { description: 'A page, ordered by name.', schema: ref(`${name}List`) } },
      problems: [...above, 'invalid_query'],
    },
    {
      ...shared,
      method: 'get',
      path: item,
      id: `get${name}`,
      summary: `Read ${noun}`,
      answers: {
        200: { description: `The ${noun.replace(/^an? /, '')}.`, schema, headers: etag },
        304: { description: 'Unchanged since the `ETag` of `If-None-Match`.' },
      },
      problems: above,
    },
    {
      ...shared,
      method: 'put',
      path: item,
      id: `replace${name}`,
      summary: `Replace ${noun}`,
      parameters: [ifMatch],
      body: body('Replace'),
      answers: { 200: { description: 'As it is stored now.', schema, headers: etag } },
      problems: [...above, ...changing, ...(more.replace ?? [])],
    },
    {
      ...shared,
      method: 'delete',
      path: item,
      id: `delete${name}`,
      summary: `Delete ${noun}`,
      parameters: [ifMatch],
      answers: { 200: { description: 'Deleted.', schema: ref('Deleted') } },
      problems: [...above, ...changing, ...(more.remove ?? [])],
    },
  ];
}

function child(
  name: string,
  segment: string,
  parameter: string,
  noun: string,
  remove: readonly ProblemCode[] = [],
): Typed {
  const collection = `${project}/${segment}`;
  const item = `${collection}/{${parameter}}`;
  const tag = 'Below projects';
  return { name, plural: `${name}s`, noun, tag, collection, item, remove, oneBody: true };
}

const extension = `${project}/extensions/{extension}`;
const ofExtension = { tag: 'Below projects', credential: 'caller' } as const;
const extensionEndpoints: readonly Endpoint[] = [
  {
    tag: 'Projects and teams',
    credential: 'caller',
    method: 'get',
    path: `${project}/domain-challenges`,
    id: 'listDomainChallenges',
    summary: 'List the TXT records that prove domains',
    description:
      'A PUT of the project accepts a URL or custom domain at a host once its record is published.',
    parameters: [
      {
        name: 'host',
        in: 'query',
        description: 'The host to prove; several are possible. Those of the project when absent.',
        schema: { type: 'string' },
        example: 'shop.example.com',
      },
    ],
    answers: { 200: { description: 'One record a host.', schema: ref('DomainChallengeList') } },
    problems: ['not_found', 'malformed_path', 'invalid_query'],
  },
  {
    ...ofExtension,
    method: 'post',
    path: `${extension}/rotate-secret`,
    id: 'rotateClientSecret',
    summary: 'Give an extension a new client secret',
    description: 'The one before stays valid until the next rotation.',
    parameters: [ifMatch],
    answers: {
      200: { description: 'The extension with its new secret.', schema: ref('Extension'), headers: etag },
    },
    problems: ['not_found', 'malformed_path', ...changing],
  },
  {
    ...ofExtension,
    method: 'post',
    path: `${project}/deployments/{deployment}/rotate-credential`,
    id: 'rotateCredential',
    summary: 'Give a deployment a new bootstrap credential',
    description:
      'The old one stays valid for `overlap_seconds`, at most until its own expiry. The body may be left out.',
    parameters: [ifMatch],
    body: jsonBody(ref('CredentialRotate'), examplesOf('rotateCredential')),
    answers: {
      200: {
        description: 'The deployment with its new credential.',
        schema: ref('Deployment'),
        headers: etag,
      },
    },
    problems: ['not_found', 'malformed_path', ...changing],
  },
  {
    ...ofExtension,
    method: 'get',
    path: `${extension}/env`,
    id: 'getExtensionEnvironment',
    summary: 'Read the environment variables of an extension',
    answers: {
      200: {
        description: 'The four variables that the app gets.',
        schema: { type: 'object', additionalProperties: { type: 'string' } },
        example: {
          SIGN_IN_CLIENT_ID: 'shop-sign-in',
          SIGN_IN_CLIENT_SECRET: '<client secret>',
          SIGN_IN_ISSUER: 'https://platform.example/oidc/shop/sign-in',
          PLATFORM_ISSUER: 'https://platform.example',
        },
      },
    },
    problems: ['not_found', 'malformed_path'],
  },
  {
    ...ofExtension,
    method: 'get',
    path: `${extension}/doctor`,
    id: 'diagnoseExtension',
    summary: 'Find out what is wrong with an extension',
    answers: { 200: { description: 'Everything that could be looked at.', schema: ref('Diagnosis') } },
    problems: ['not_found', 'malformed_path'],
  },
];
