import type { JsonText } from '@platform/resources';
import { componentOf, documentPath, listComponentOf, type OpenApiEntry } from './kinds.ts';
import { metaName, scaleName } from './meta-schemas.ts';

/** The two formats differ in where schemas are and how bodies and parameters are written. */
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

/** The names that differ between the paths of two kinds. */
interface Names {
  /** See `documentPath`. */
  readonly document: string;
  readonly component: string;
  /** The component of lists. */
  readonly list: string;
  /** The end of the ids of operations. */
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

/** Their other differences. */
type Shape = Pick<
  OpenApiEntry,
  'isNamespaced' | 'verbs' | 'hasStatus' | 'hasScale' | 'hasDeleteCollection' | 'isBuiltIn'
>;

/** The texts of the paths of a shape, cut at the names: every other part is one. A kind has a hundred of them, an installation 10,000 kinds. */
const templates = new WeakMap<Format, Map<string, readonly string[]>>();

const mark = '%';
const marked = Object.fromEntries(
  ['document', 'component', 'list', 'operation', 'group', 'version', 'kind', 'plural'].map((name) => [
    name,
    mark + name + mark,
  ]),
) as unknown as Names;

/** The paths of a kind as members of an object: kubectl finds kinds by their paths, and the features of a server by parameters of operations. */
export function pathsOf(entry: OpenApiEntry, format: Format): JsonText {
  const { group, version, kind, plural, ...others } = entry;
  const { isNamespaced, verbs, hasStatus, hasScale, hasDeleteCollection, isBuiltIn } = others;
  const known = templates.get(format) ?? new Map<string, readonly string[]>();
  templates.set(format, known);
  const shape = [isNamespaced, verbs, hasStatus, hasScale, hasDeleteCollection, isBuiltIn].join(' ');
  const template =
    known.get(shape) ??
    JSON.stringify(pathsOfShape(entry, marked, format))
      .slice(1, -1)
      .split(mark);
  known.set(shape, template);
  const names: Names = {
    group,
    version,
    kind,
    plural,
    document: documentPath(entry),
    component: componentOf(entry),
    list: listComponentOf(entry),
    operation: `${group}_${version}_${plural}`.replaceAll(/[^A-Za-z0-9]+/g, '_'),
  };
  return template.map((part, at) => (at % 2 === 0 ? part : names[part as keyof Names])).join('');
}

function pathsOfShape(shape: Shape, names: Names, format: Format): Record<string, object> {
  const { document, plural } = names;
  const base = shape.isNamespaced
    ? `/${document}/namespaces/{namespace}/${plural}`
    : `/${document}/${plural}`;
  const operations = operationsOf(shape, names, format);
  const inNamespace = shape.isNamespaced ? [format.parameter('namespace', 'path', 'string')] : [];
  const parameters = [...inNamespace, format.parameter('pretty', 'query', 'string')];
  const itemParameters = [format.parameter('name', 'path', 'string'), ...parameters];
  if (shape.verbs === 'create') return { [base]: { parameters, post: operations.create } };
  const { list, create, deletecollection, get, update, patch, remove } = operations;
  const writes = shape.verbs === 'all';
  const paths: Record<string, object> = {
    [base]: {
      parameters,
      get: list,
      ...(writes ? { post: create } : {}),
      ...(writes && shape.hasDeleteCollection ? { delete: deletecollection } : {}),
    },
    [`${base}/{name}`]: {
      parameters: itemParameters,
      get,
      ...(writes ? { put: update, patch, delete: remove } : {}),
    },
  };
  if (shape.hasStatus && writes)
    paths[`${base}/{name}/status`] = { parameters: itemParameters, get, put: update, patch };
  if (shape.hasScale && writes) {
    const type = { group: 'autoscaling', version: 'v1', kind: 'Scale', component: scaleName };
    const scale = operationsOf(shape, { ...names, ...type, operation: `${names.operation}_scale` }, format);
    const { get, update, patch } = scale;
    paths[`${base}/{name}/scale`] = { parameters: itemParameters, get, put: update, patch };
  }
  if (shape.isNamespaced) paths[`/${document}/${plural}`] = { get: list };
  return paths;
}

function operationsOf(
  shape: Shape,
  { component, list: listComponent, operation: id, group, version, kind }: Names,
  format: Format,
) {
  const query = (name: string, type: 'string' | 'integer' | 'boolean' = 'string') =>
    format.parameter(name, 'query', type);
  const object = format.ref(component);
  const list = format.ref(listComponent);
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
    operationId: `${action}_${id}`,
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
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
      shape.isBuiltIn ? builtInPatches : customPatches,
    ),
    remove: operation('delete', deletion, options, status),
  };
}
