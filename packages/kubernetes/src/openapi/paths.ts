import { componentOf, documentPath, type OpenApiKind } from './kinds.ts';
import { metaName } from './meta-schemas.ts';

/** The two formats differ in where schemas stand and how bodies and parameters are written. */
export interface Format {
  ref(component: string): object;
  parameter(name: string, place: 'query' | 'path', type: 'string' | 'integer' | 'boolean'): object;
  /** The members of an operation that say what is sent and answered. */
  messages(sent: object | null, answered: object, sentTypes: readonly string[]): object;
}

const json = ['application/json'];
const customPatches = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];
const builtInPatches = [...customPatches, 'application/strategic-merge-patch+json'];

/** The paths of a kind, with the operations that clients look for: kubectl finds kinds by path, and what a server can do by parameters. */
export function pathsOf(kind: OpenApiKind, format: Format): Record<string, object> {
  const base = kind.isNamespaced
    ? `/${documentPath(kind)}/namespaces/{namespace}/${kind.plural}`
    : `/${documentPath(kind)}/${kind.plural}`;
  const operations = operationsOf(kind, format);
  const inNamespace = kind.isNamespaced ? [format.parameter('namespace', 'path', 'string')] : [];
  const parameters = [...inNamespace, format.parameter('pretty', 'query', 'string')];
  const itemParameters = [format.parameter('name', 'path', 'string'), ...parameters];
  if (kind.verbs === 'create') return { [base]: { parameters, post: operations.create } };
  const { list, create, deletecollection, get, update, patch, remove } = operations;
  const writes = kind.verbs === 'all';
  const paths: Record<string, object> = {
    [base]: {
      parameters,
      get: list,
      ...(writes ? { post: create, delete: deletecollection } : {}),
    },
    [`${base}/{name}`]: {
      parameters: itemParameters,
      get,
      ...(writes ? { put: update, patch, delete: remove } : {}),
    },
  };
  if (kind.hasStatus && writes)
    paths[`${base}/{name}/status`] = { parameters: itemParameters, get, put: update, patch };
  if (kind.isNamespaced) paths[`/${documentPath(kind)}/${kind.plural}`] = { get: list };
  return paths;
}

function operationsOf(kind: OpenApiKind, format: Format) {
  const query = (name: string, type: 'string' | 'integer' | 'boolean' = 'string') =>
    format.parameter(name, 'query', type);
  const object = format.ref(componentOf(kind));
  const list = format.ref(`${componentOf(kind)}List`);
  const status = format.ref(metaName('Status'));
  const write = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => query(name));
  const selection = [
    ...['labelSelector', 'fieldSelector', 'continue', 'resourceVersion', 'resourceVersionMatch'].map((name) =>
      query(name),
    ),
    query('limit', 'integer'),
    query('timeoutSeconds', 'integer'),
  ];
  const watch = ['watch', 'allowWatchBookmarks', 'sendInitialEvents'].map((name) => query(name, 'boolean'));
  const deletion = [query('dryRun'), query('propagationPolicy'), query('gracePeriodSeconds', 'integer')];
  const operation = (
    action: string,
    parameters: readonly object[],
    sent: object | null,
    answered: object,
    sentTypes = json,
  ) => ({
    operationId: `${action}_${kind.group}_${kind.version}_${kind.plural}`.replaceAll(/[^A-Za-z0-9]+/g, '_'),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind },
    parameters,
    ...format.messages(sent, answered, sentTypes),
  });
  const options = format.ref(metaName('DeleteOptions'));
  return {
    list: operation('list', [...selection, ...watch], null, list),
    create: operation('post', write, object, object),
    deletecollection: operation('deletecollection', [...selection, ...deletion], options, status),
    get: operation('get', [query('resourceVersion')], null, object),
    update: operation('put', write, object, object),
    patch: operation(
      'patch',
      [...write, query('force', 'boolean')],
      { type: 'object' },
      object,
      kind.isBuiltIn ? builtInPatches : customPatches,
    ),
    remove: operation('delete', deletion, options, status),
  };
}
