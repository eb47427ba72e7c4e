import { jsonBody } from '../../endpoint/body.ts';
import { type EndpointDocs, ref, type Schema } from '../../endpoint/documentation.ts';
import { examplesOf } from '../examples.ts';
import { type DocumentedKind, kindEndpoints } from '../kinds.ts';
import * as verbs from '../verbs.ts';

const root = '/api/v1/resources/{group}/{version}/{plural}';
const shared = { tag: 'Resources', credential: 'caller', kind: 'a resource' } as const;
const names = ['', '/{name1}', '/{name1}/{name2}', '/{name1}/{name2}/{name3}'] as const;
const ancestors = ['', ' below one ancestor', ' below two ancestors', ' below three ancestors'] as const;
const resource = ref('Resource');

/** The built-in kinds, which have paths of their own in the document. */
export const builtInKinds: readonly DocumentedKind[] = [
  builtIn('organizations', 'Organization'),
  builtIn('resourcedefinitions', 'ResourceDefinition'),
];

/**
 * The generic resource API. How many names a path has depends on the depth of its kind, so a path of n names is an item of one kind
 * and a collection of another; the document shows the paths of up to three names.
 */
export function resourceEndpoints(): readonly EndpointDocs[] {
  return [
    ...builtInKinds.flatMap(kindEndpoints),
    pendingDeletion,
    ...[0, 1, 2, 3].flatMap(collectionOf),
    ...[1, 2, 3].flatMap(itemOf),
    ...byUid(),
  ];
}

/** The collection below so many ancestors. Where it may be an item as well, that one's GET stands for both. */
function collectionOf(count: number): readonly EndpointDocs[] {
  const of = { ...shared, path: `${root}${names[count] ?? ''}` };
  const suffix = `${count}`.replace('0', '');
  const created = verbs.create({
    ...of,
    kind: `a resource${ancestors[count] ?? ''}`,
    id: `createResource${suffix}`,
    body: jsonBody(ref('ResourceCreate'), examplesOf(`createResource${suffix}`)),
    schema: resource,
  });
  if (count > 0) return [created];
  return [
    verbs.list({ ...of, kind: 'resources', id: 'listResources', schema: ref('ResourceList') }),
    created,
  ];
}

/** The item that so many names lead to. */
function itemOf(count: number): readonly EndpointDocs[] {
  const suffix = `${count}`;
  const path = `${root}${names[count] ?? ''}`;
  const of = { ...shared, kind: `a resource${ancestors[count - 1] ?? ''}`, schema: resource };
  return [
    itemOrCollection(count, path),
    verbs.replace({
      ...of,
      id: `replaceResource${suffix}`,
      path,
      body: jsonBody(ref('ResourceReplace'), examplesOf(`replaceResource${suffix}`)),
    }),
    verbs.remove({ ...of, id: `deleteResource${suffix}`, path }),
    verbs.putStatus({ ...of, id: `putStatus${suffix}`, path: `${path}/status` }),
    verbs.putFinalizers({ ...of, id: `putFinalizers${suffix}`, path: `${path}/finalizers` }),
    verbs.getBlockers({ ...of, id: `getDeletionBlockers${suffix}`, path: `${path}/deletion-blockers` }),
  ];
}

function itemOrCollection(count: number, path: string): EndpointDocs {
  const item = ancestors[count - 1] ?? '';
  const collection = ancestors[count] ?? '';
  const both: Schema = { oneOf: [resource, ref('ResourceList')] };
  const endpoint = verbs.get({ ...shared, id: `getResource${count}`, path, schema: both });
  return {
    ...endpoint,
    summary: `Read a resource${item}, or list a collection${collection}`,
    description: 'Which of the two it is, the depth of the kind decides.',
    parameters: verbs.page,
  };
}

function byUid(): readonly EndpointDocs[] {
  const item = `${root}/uid:{uuid}`;
  const of = { ...shared, kind: 'a resource by its uid', schema: resource };
  return [
    verbs.get({ ...of, id: 'getResourceByUid', path: item }),
    verbs.replace({
      ...of,
      id: 'replaceResourceByUid',
      path: item,
      body: jsonBody(ref('ResourceReplace'), examplesOf('replaceResourceByUid')),
    }),
    verbs.remove({ ...of, id: 'deleteResourceByUid', path: item }),
    verbs.putStatus({ ...of, id: 'putStatusByUid', path: `${item}/status` }),
    verbs.putFinalizers({ ...of, id: 'putFinalizersByUid', path: `${item}/finalizers` }),
    verbs.getBlockers({ ...of, id: 'getDeletionBlockersByUid', path: `${item}/deletion-blockers` }),
  ];
}

const pendingDeletion: EndpointDocs = {
  method: 'GET',
  path: '/api/v1/resources/pending-deletion',
  id: 'listPendingDeletion',
  tag: shared.tag,
  credential: shared.credential,
  summary: 'List what waits for its deletion',
  parameters: [
    {
      name: 'limit',
      in: 'query',
      description: 'How many at most.',
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      example: 50,
    },
  ],
  responses: {
    200: {
      description: 'Of all kinds, at the stored version, oldest first.',
      schema: ref('PendingDeletionList'),
    },
  },
  problems: ['invalid_query', 'malformed_path'],
};

function builtIn(plural: string, kind: string): DocumentedKind {
  return {
    group: 'platform.dev',
    version: 'v1alpha1',
    plural,
    kind,
    storage: true,
    ancestors: [],
    parameter: kind.toLowerCase(),
    spec: ref(`${kind}Spec`),
    tag: 'Built-in kinds',
  };
}
