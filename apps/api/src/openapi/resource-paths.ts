import { platformGroup } from '@platform/resources';
import { jsonBody } from '../endpoint/body.ts';
import { type EndpointDocs, type Example, ref } from '../endpoint/documentation.ts';
import { getDeletionPlan } from '../routes/resources/deletion-plan.ts';
import { discovery } from '../routes/resources/discovery.ts';
import { explain } from '../routes/resources/explain.ts';
import { history, historyRevision } from '../routes/resources/history.ts';
import { documentedAt, type Place } from '../routes/resources/operation.ts';
import { patch, patchStatusSlot } from '../routes/resources/patches.ts';
import { get, getBlockers, list, pendingDeletion } from '../routes/resources/reads.ts';
import { restore } from '../routes/resources/restore.ts';
import { create, putFinalizers, putStatus, remove, replace } from '../routes/resources/writes.ts';
import { type DocumentedKind, kindEndpoints } from './kinds.ts';

const root = '/api/v1/resources/{group}/{version}/{plural}';
const shared = { tag: 'Resources', kind: 'a resource', schema: ref('Resource') } as const;
const names = ['', '/{name1}', '/{name1}/{name2}', '/{name1}/{name2}/{name3}'] as const;
const ancestors = ['', ' below one ancestor', ' below two ancestors', ' below three ancestors'] as const;
/** Kinds with as many ancestors, for the examples. */
const kinds = ['Tractor', 'Barn', 'Stall', 'Box'] as const;

/** The built-in kinds, which have paths of their own in the document. */
export const builtInKinds: readonly DocumentedKind[] = [
  builtIn('organizations', 'Organization'),
  builtIn('resourcedefinitions', 'ResourceDefinition'),
  builtIn('roles', 'Role'),
  builtIn('rolebindings', 'RoleBinding'),
  builtIn('subscriptions', 'Subscription'),
];

/**
 * The generic resource API. How many names a path has depends on the depth of its kind, so a path of n names is an item of one kind
 * and a collection of another; the document shows the paths of up to three names.
 */
export function resourceEndpoints(): readonly EndpointDocs[] {
  return [
    ...builtInKinds.flatMap(kindEndpoints),
    documentedAt(discovery, discovery),
    documentedAt(pendingDeletion, pendingDeletion),
    documentedAt(list, {
      ...shared,
      kind: 'resources',
      id: 'listResources',
      path: root,
      schema: ref('ResourceList'),
    }),
    ...[0, 1, 2, 3].map(createBelow),
    ...[1, 2, 3].flatMap(itemOf),
    ...operationsAt(
      { ...shared, kind: 'a resource by its uid', id: 'ByUid', path: `${root}/uid:{uuid}` },
      kinds[0],
    ),
    documentedAt(restore, {
      ...shared,
      kind: 'a removed resource',
      id: 'restoreResource',
      path: `${root}/uid:{uuid}/restore`,
    }),
  ];
}

/** POST to the collection below so many ancestors. Where it may be an item as well, that one's GET stands for both. */
function createBelow(count: number): EndpointDocs {
  const value = { ...exampleOf(kinds[count]), metadata: exampleMetadata, spec: { wheels: 4 } };
  const summary = exampleSummaries[count] ?? '';
  return documentedAt(create, {
    ...shared,
    path: `${root}${names[count] ?? ''}`,
    kind: `a resource${ancestors[count] ?? ''}`,
    id: count === 0 ? 'createResource' : `createResource${count}`,
    body: jsonBody(ref('ResourceCreate'), { resource: { summary, value } }),
  });
}

/** The item with this many names; its GET is also that of a collection of another kind. */
function itemOf(count: number): readonly EndpointDocs[] {
  const item = ancestors[count - 1] ?? '';
  const place = {
    ...shared,
    kind: `a resource${item}`,
    id: `${count}`,
    path: `${root}${names[count] ?? ''}`,
  };
  const [read, ...others] = operationsAt(place, kinds[count - 1]);
  const both: EndpointDocs = {
    ...documentedAt(
      { ...get, ...(list.query === undefined ? {} : { query: list.query }) },
      {
        ...place,
        id: `getResource${count}`,
        schema: { anyOf: [ref('Resource'), ref('ResourceList')] },
      },
    ),
    summary: `Read a resource${item}, or list a collection${ancestors[count] ?? ''}`,
    description: 'The depth of the kind decides which of the two it is.',
  };
  return read === undefined ? [] : [both, ...others];
}

/** The operations of an item and its subresources; `id` ends their ids. */
function operationsAt({ id, path, ...place }: Place, kind: string | undefined): readonly EndpointDocs[] {
  const change: Example = {
    summary: 'Another spec',
    value: { ...exampleOf(kind), metadata: { name: 'red', revision: 1 }, spec: { wheels: 6 } },
  };
  const body = jsonBody(ref('ResourceReplace'), { resource: change });
  return [
    documentedAt(get, { ...place, id: `getResource${id}`, path }),
    documentedAt(replace, { ...place, id: `replaceResource${id}`, path, body }),
    documentedAt(patch, { ...place, id: `patchResource${id}`, path }),
    documentedAt(remove, { ...place, id: `deleteResource${id}`, path }),
    documentedAt(putStatus, { ...place, id: `putStatus${id}`, path: `${path}/status` }),
    documentedAt(patchStatusSlot, { ...place, id: `patchStatus${id}`, path: `${path}/status` }),
    documentedAt(putFinalizers, { ...place, id: `putFinalizers${id}`, path: `${path}/finalizers` }),
    documentedAt(getBlockers, {
      ...place,
      id: `getDeletionBlockers${id}`,
      path: `${path}/deletion-blockers`,
    }),
    documentedAt(getDeletionPlan, {
      ...place,
      id: `getDeletionPlan${id}`,
      path: `${path}/deletion-plan`,
    }),
    documentedAt(history, { ...place, id: `readHistory${id}`, path: `${path}/history` }),
    documentedAt(historyRevision, {
      ...place,
      id: `readRevision${id}`,
      path: `${path}/history/{revision}`,
    }),
    documentedAt(explain, { ...place, id: `explainResource${id}`, path: `${path}/explain` }),
  ];
}

const exampleMetadata = { name: 'red', annotations: { 'example.dev/owner': 'ann' } };
const exampleSummaries = [
  'A resource of a root-scoped kind',
  'A resource below another',
  'A resource two levels below',
  'A resource three levels below',
] as const;

function exampleOf(kind: string | undefined): object {
  return { apiVersion: 'farm.example.dev/v1', kind };
}

function builtIn(plural: string, kind: string): DocumentedKind {
  return {
    group: platformGroup,
    version: 'v1alpha1',
    plural,
    kind,
    storage: true,
    ancestors: [],
    parameter: kind.toLowerCase(),
    spec: ref(`${kind}Spec`),
    tag: 'Built-in kinds',
    statusIds: [],
  };
}
