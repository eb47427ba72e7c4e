import type { ProblemCode } from '@platform/kernel';
import {
  type Blocker,
  type CollectionTarget,
  cascadeFinalizer,
  explainBlockers,
  type ItemTarget,
  listLimit,
  listPendingDeletion,
  listResources,
  parseLimit,
  parseSelectors,
  pendingDeletionLimit,
  platformApiVersion,
  readItem,
  renderEnvelope,
  renderPage,
  selectableFields,
  type View,
} from '@platform/resources';
import { z } from 'zod';
import type { Answer } from '../../endpoint/answer.ts';
import { ref } from '../../endpoint/documentation.ts';
import { flagOf, refuseParameters } from '../../endpoint/query.ts';
import { etagDocs, limitField, notModified, pageQuery, viewField } from '../../endpoint/shared-docs.ts';
import { viewOf, watchFields, watchHeaders } from '../watch/parameters.ts';
import type { ResourceCall } from './call.ts';
import { listRemovedResources } from './history.ts';
import { addressing, type ResourceOperation } from './operation.ts';

const watching: readonly ProblemCode[] = ['contention', 'cursor_expired', 'rate_limited'];

/**
 * Whether a read may become a stream. Everything but `false` counts.
 *
 * Attack: a value that only one of two readers of the query takes for true starts a stream with the permission to list.
 */
function asksForStream(call: ResourceCall): boolean {
  return call
    .query()
    .getAll('watch')
    .some((value) => value !== 'false');
}

/** `GET` of an item. */
export const get: ResourceOperation<ItemTarget> = {
  form: 'item',
  method: 'GET',
  verb: (call) => (asksForStream(call) ? 'watch' : 'get'),
  comparesGuard: true,
  summary: (kind) => `Read ${kind}`,
  query: z.object(watchFields),
  requestHeaders: watchHeaders,
  responses: (shown) => ({
    200: {
      description: 'The resource, or a stream of its changes.',
      ...shown,
      headers: { ...etagDocs, 'X-Cursor': 'A watch from here on shows what changes after this answer.' },
      stream: ref('WatchEvent'),
    },
    304: notModified,
  }),
  problems: [...addressing, ...watching],
  async run(call, target) {
    if (call.rawQuery === '') return await answerItem(call, target, 'full');
    const stream = await call.watch(target);
    if (stream !== null) return stream;
    refuseParameters(call.query(), ['labelSelector', 'fieldSelector'], 'needs a list, or watch=true');
    return await answerItem(call, target, viewOf(call.query()));
  },
};

async function answerItem(call: ResourceCall, target: ItemTarget, view: View): Promise<Answer> {
  const { ports, caller, requestId } = call;
  const { resource, cursor } = await readItem(ports, { caller, requestId, target, view });
  const answer = call.answers.item(resource, target, 200, view);
  return { ...answer, headers: { ...answer.headers, 'X-Cursor': cursor } };
}

/** `GET` of a collection: one page, ordered by name. */
export const list: ResourceOperation<CollectionTarget> = {
  form: 'collection',
  method: 'GET',
  verb: (call) => (asksForStream(call) ? 'watch' : 'list'),
  // The statement of removed resources compares no guard, but the one before it that reads their parent does.
  comparesGuard: (call, { ref }) => !call.query().has('removed') || ref.ancestors.length > 0,
  summary: (kind) => `List ${kind}`,
  description:
    'With `-` in place of the name of an ancestor, a list across parents. A page may have fewer items than its limit and a `continue`.',
  query: pageQuery.extend({
    ...watchFields,
    removed: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Resources that were removed, newest first, instead of those that exist.' }),
  }),
  requestHeaders: watchHeaders,
  responses: (shown) => ({
    200: {
      description: 'A page, ordered by the names of the ancestors, then by name; or a stream of changes.',
      ...shown,
      stream: ref('WatchEvent'),
    },
  }),
  problems: [...addressing, ...watching],
  async run(call, target) {
    const { ports, caller, requestId } = call;
    const stream = await call.watch(target);
    if (stream !== null) return stream;
    const { collection, version } = target;
    const parameters = call.query();
    const view = viewOf(parameters);
    if (flagOf(parameters, 'removed')) return await listRemovedResources(call, target, view);
    const limit = parseLimit(parameters.getAll('limit'), listLimit);
    const selectors = parseSelectors(
      { labels: parameters.getAll('labelSelector'), fields: parameters.getAll('fieldSelector') },
      selectableFields(collection, version),
    );
    const tokens = parameters.getAll('continue');
    const page = await listResources(ports, {
      caller,
      requestId,
      target,
      limit,
      continue: tokens,
      selectors,
      view,
    });
    return call.answers.page(page, target, view);
  },
};

/** `GET .../deletion-blockers`: the dependents that keep a resource from being removed. */
export const getBlockers: ResourceOperation<ItemTarget> = {
  form: 'deletionBlockers',
  method: 'GET',
  verb: 'get',
  comparesGuard: true,
  summary: (kind) => `Explain what keeps ${kind} from being deleted`,
  responses: () => ({
    200: { description: 'The blockers, from one snapshot.', schema: ref('DeletionBlockers') },
  }),
  problems: [...addressing, 'contention'],
  async run({ ports, caller, requestId }, target) {
    const { resource, blockers, truncated } = await explainBlockers(ports, { caller, requestId, target });
    const text = JSON.stringify({
      resourceUid: resource.uid,
      cascadeFinalizerPresent: resource.finalizers.includes(cascadeFinalizer),
      blockers: blockers.map(blockerItem),
      ...(truncated ? { truncated } : {}),
    });
    return { status: 200, body: text };
  },
};

function blockerItem({ relationship, resource }: Blocker): object {
  const { apiVersion, kind, name, uid, deletionTimestamp, finalizers } = resource;
  // An owner-reference dependent is a blocker only when its reference blocks.
  const blocking = relationship === 'ownerReference' ? { blockOwnerDeletion: true } : {};
  return { relationship, apiVersion, kind, name, uid, ...blocking, deletionTimestamp, finalizers };
}

/** `GET pending-deletion`: terminating resources of all kinds at their stored `apiVersion`, oldest deletion first. */
export const pendingDeletion = {
  path: '/api/v1/resources/pending-deletion',
  id: 'listPendingDeletion',
  tag: 'Resources',
  kind: '',
  method: 'GET',
  summary: () => 'List resources that are being deleted',
  query: pageQuery.extend({ limit: limitField(100, 50), view: viewField }),
  responses: () => ({
    200: {
      description: 'Of all kinds, at the stored version, oldest first.',
      schema: ref('PendingDeletionList'),
    },
  }),
  problems: ['invalid_query', 'malformed_path'],
  async run({ ports, caller, requestId, query }: ResourceCall): Promise<Answer> {
    const parameters = query();
    const limit = parseLimit(parameters.getAll('limit'), pendingDeletionLimit);
    const view = viewOf(parameters);
    const tokens = parameters.getAll('continue');
    const { items, next } = await listPendingDeletion(ports, { caller, requestId, limit, continue: tokens });
    const envelopes = items.map((row) => renderEnvelope(row, row.apiVersion, view));
    return { status: 200, body: renderPage(envelopes, platformApiVersion, 'PendingDeletionList', { next }) };
  },
} as const;
