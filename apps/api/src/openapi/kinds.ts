import { jsonBody } from '../endpoint/body.ts';
import { type EndpointDocs, type Example, ref, type Schema } from '../endpoint/documentation.ts';
import { getDeletionPlan } from '../routes/resources/deletion-plan.ts';
import { explain } from '../routes/resources/explain.ts';
import { history, historyRevision } from '../routes/resources/history.ts';
import { bodyOf, listOf, resourceOf } from '../routes/resources/kind-schemas.ts';
import { documentedAt } from '../routes/resources/operation.ts';
import { patch, patchStatusSlot } from '../routes/resources/patches.ts';
import { get, getBlockers, list } from '../routes/resources/reads.ts';
import { create, putFinalizers, putStatus, remove, replace } from '../routes/resources/writes.ts';
import { listExample, resourceExample } from './answer-examples.ts';
import { examplesOf } from './examples.ts';

/** A kind as the document shows it: at one version, with collections below its ancestors. */
export interface DocumentedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly version: string;
  /** Whether writes may use the version; others are read only. */
  readonly storage: boolean;
  /** Names of the path parameters of its ancestors, root-most first. */
  readonly ancestors: readonly string[];
  /** The name of its own path parameter. */
  readonly parameter: string;
  /** The schema of `spec`, as writes must match it. */
  readonly spec: Schema;
  readonly tag: string;
  /** The controllers that may write a status slot. */
  readonly statusIds: readonly string[];
}

/** The tag of kinds that are registered at run time. */
export const registeredTag = 'Registered kinds';

/** The endpoints of one kind at one version, by name. */
export function kindEndpoints(kind: DocumentedKind): readonly EndpointDocs[] {
  const apiVersion = `${kind.group}/${kind.version}`;
  const names = kind.ancestors.map((ancestor) => `/{${ancestor}}`).join('');
  const collection = `/api/v1/resources/${apiVersion}/${kind.plural}${names}`;
  const item = `${collection}/{${kind.parameter}}`;
  const component = ref(componentOf(kind));
  const id = (verb: string) => operationId(verb, kind);
  const spec = specExample(kind, examplesOf(id('create')));
  const of = {
    tag: kind.tag,
    kind: kind.kind,
  } as const;
  const answered = { schema: component, example: resourceExample(apiVersion, kind.kind, spec ?? {}) };
  const reads: readonly EndpointDocs[] = [
    documentedAt(list, {
      ...of,
      id: id('list'),
      path: collection,
      schema: listOf(kind.kind, apiVersion, component),
      example: listExample(apiVersion, kind.kind, spec ?? {}),
    }),
    documentedAt(get, { ...of, id: id('get'), path: item, ...answered }),
    documentedAt(remove, { ...of, id: id('delete'), path: item }),
    documentedAt(putStatus, { ...of, id: id('status'), path: `${item}/status`, ...answered }),
    documentedAt(patchStatusSlot, {
      ...of,
      id: id('patch_status'),
      path: `${item}/status`,
      ...answered,
    }),
    documentedAt(putFinalizers, { ...of, id: id('finalizers'), path: `${item}/finalizers`, ...answered }),
    documentedAt(getBlockers, { ...of, id: id('blockers'), path: `${item}/deletion-blockers` }),
    documentedAt(getDeletionPlan, { ...of, id: id('plan'), path: `${item}/deletion-plan` }),
    documentedAt(history, { ...of, id: id('history'), path: `${item}/history` }),
    documentedAt(historyRevision, {
      ...of,
      id: id('history_revision'),
      path: `${item}/history/{revision}`,
      ...answered,
    }),
    documentedAt(explain, { ...of, id: id('explain'), path: `${item}/explain` }),
  ];
  if (!kind.storage) return reads;
  const body = (verb: 'create' | 'replace') =>
    jsonBody(bodyOf(verb, kind.kind, apiVersion, ref(specComponent(kind))), {
      ...examplesOf(id(verb)),
      ...authorsExample(verb, kind, spec),
    });
  return [
    ...reads,
    documentedAt(create, { ...of, id: id('create'), path: collection, body: body('create'), ...answered }),
    documentedAt(replace, { ...of, id: id('replace'), path: item, body: body('replace'), ...answered }),
    documentedAt(patch, { ...of, id: id('patch'), path: item, ...answered }),
  ];
}

/** A name that generators can use as it is: letters, digits and underscores. A hyphen is two, so that no two kinds share one. */
export function operationId(
  verb: string,
  { group, version, plural }: Pick<DocumentedKind, 'group' | 'version' | 'plural'>,
): string {
  return `${verb}_${group}_${version}_${plural}`.replaceAll('-', '__').replaceAll('.', '_');
}

/**
 * Characters of an example of the author that every operation of the kind shows, at most. Attack: hundreds of kinds with an example of some
 * kilobytes, of which the document has a dozen copies each. A longer example stands in the schema alone.
 */
const longestExample = 2_000;

/** A `spec` to show: the one of a request, or the first of the `examples` that the author of the kind gave. */
function specExample(
  { spec }: DocumentedKind,
  requests: Readonly<Record<string, Example>>,
): object | undefined {
  const [request] = Object.values(requests);
  if (request !== undefined) return (request.value as { readonly spec: object }).spec;
  const first = Array.isArray(spec['examples']) ? spec['examples'][0] : undefined;
  const isSpec = typeof first === 'object' && first !== null && !Array.isArray(first);
  return isSpec && JSON.stringify(first).length <= longestExample ? first : undefined;
}

function authorsExample(
  verb: 'create' | 'replace',
  { tag, group, version, kind }: DocumentedKind,
  spec: object | undefined,
): Readonly<Record<string, Example>> {
  if (tag !== registeredTag || spec === undefined) return {};
  const metadata = { name: 'my-app', ...(verb === 'replace' ? { revision: 1 } : {}) };
  const value = { apiVersion: `${group}/${version}`, kind, metadata, spec };
  return { author: { summary: 'The example of its schema', value } };
}

/** The schemas of one kind, for `components`. */
export function kindSchemas(kind: DocumentedKind): Readonly<Record<string, Schema>> {
  const name = componentOf(kind);
  const shown = {
    ...ref(specComponent(kind)),
    description: 'As it was written. Resources that are older than the schema may differ from it.',
  };
  return {
    [name]: resourceOf(kind.kind, `${kind.group}/${kind.version}`, shown, kind.statusIds),
    [specComponent(kind)]: kind.spec,
  };
}

/** The name of the schema of `spec`, in `components`. */
export function specComponent(kind: Pick<DocumentedKind, 'group' | 'version' | 'kind'>): string {
  return `${componentOf(kind)}.Spec`;
}

function componentOf({ group, version, kind }: Pick<DocumentedKind, 'group' | 'version' | 'kind'>): string {
  return `${group}.${version}.${kind}`;
}
