import { Problem, type ProblemCode, requireNoVersion } from '@platform/kernel';
import {
  type CollectionTarget,
  type ConditionalRequest,
  changeFinalizers,
  createResource,
  deleteResource,
  type ItemTarget,
  nilUid,
  parseUid,
  patchResource,
  replaceResource,
  replaceStatus,
} from '@platform/resources';
import { z } from 'zod';
import type { Answer } from '../../endpoint/answer.ts';
import { jsonBody } from '../../endpoint/body.ts';
import { ref } from '../../endpoint/documentation.ts';
import { parseQuery } from '../../endpoint/query.ts';
import { changeReason, etagDocs, idempotencyKey, ifMatch, ifNoneMatch } from '../../endpoint/shared-docs.ts';
import { conditional, patchSharedSlot, type ResourceCall } from './call.ts';
import { addressing, managerQuery, type ResourceOperation } from './operation.ts';

const writing: readonly ProblemCode[] = [
  ...addressing,
  'schema_violation',
  'owner_reference_invalid',
  'owner_reference_cycle',
  'owner_graph_too_large',
  'finalizer_reserved',
  'definition_terminating',
  'definition_conflict',
  'storage_version_required',
  'contention',
];

/** The refusals of requests with an idempotency key. */
export const repeating: readonly ProblemCode[] = ['request_in_progress', 'idempotency_key_reused'];

/** `POST` to a collection. `Location` is the path of the new resource (RFC 9110, section 15.3.2). */
export const create: ResourceOperation<CollectionTarget> = {
  form: 'collection',
  method: 'POST',
  verb: 'create',
  comparesGuard: true,
  reads: 'body',
  summary: (kind) => `Create ${kind}`,
  requestHeaders: [ifMatch, changeReason, idempotencyKey],
  responses: (shown) => ({
    201: { description: 'Created.', ...shown, headers: { ...etagDocs, Location: 'Where the resource is.' } },
  }),
  problems: [
    ...writing,
    ...repeating,
    'finalizer_not_owned',
    'precondition_failed',
    'already_exists',
    'definition_immutable',
    'parent_terminating',
    'discriminator_exhausted',
  ],
  async run(call, target) {
    const { ports, caller, requestId, path } = call;
    const origin = call.origin();
    requireNoVersion(call.precondition());
    const request = { caller, requestId, origin, target, body: await call.body() };
    const created = await createResource(ports, request);
    const answer = call.answers.item(created, target, 201);
    return { ...answer, headers: { ...answer.headers, Location: `${path}/${created.name}` } };
  },
};

/** `PUT` of an item, under optimistic concurrency. */
export const replace: ResourceOperation<ItemTarget> = {
  form: 'item',
  method: 'PUT',
  verb: 'update',
  comparesGuard: true,
  reads: 'body',
  summary: (kind) => `Replace ${kind}`,
  description:
    'Replaces `spec`, `labels`, `annotations`, `finalizers` and `ownerReferences`, when `metadata.revision` is the stored one.',
  query: managerQuery,
  requestHeaders: [ifMatch, ifNoneMatch, changeReason],
  responses: (shown) => ({ 200: { description: 'As it is stored now.', ...shown, headers: etagDocs } }),
  problems: [
    ...writing,
    'finalizer_not_owned',
    'precondition_failed',
    'revision_required',
    'revision_conflict',
    'definition_immutable',
    'definition_in_use',
    'version_in_use',
    'definition_missing',
  ],
  async run(call, target) {
    const { fieldManager = null } = parseQuery(managerQuery, call.rawQuery);
    const shared = { ...conditional(call, target), fieldManager };
    if (call.translation !== undefined) return await replaceTranslated(call, target, shared);
    return call.answers.item(
      await replaceResource(call.ports, { ...shared, body: await call.body() }),
      target,
    );
  },
};

async function replaceTranslated(
  call: ResourceCall,
  target: ItemTarget,
  shared: ConditionalRequest & { readonly fieldManager: string | null },
): Promise<Answer> {
  const body = await call.patch();
  if (body.format !== 'translated') throw new Error('the body of a PUT is translated');
  const request = {
    ...shared,
    limitBytes: call.bodyLimitBytes,
    patch: body.read,
    setsManagers: true,
    operation: 'update',
  } as const;
  return call.answers.item(await patchResource(call.ports, request), target);
}

/** `DELETE` of an item: 200 when it is removed, 202 while finalizers or dependents keep it. */
export const remove: ResourceOperation<ItemTarget> = {
  form: 'item',
  method: 'DELETE',
  verb: 'delete',
  comparesGuard: true,
  summary: (kind) => `Delete ${kind}`,
  description: 'Always cascades to children and to dependents by owner reference.',
  query: z.object({
    uid: z.string().optional().meta({ description: 'Delete only the resource with this uid.' }),
    plan: z.string().optional().meta({
      description: 'The `hash` of a deletion plan: delete only when exactly its resources are affected.',
    }),
  }),
  requestHeaders: [ifMatch, ifNoneMatch, changeReason],
  responses: () => ({
    200: { description: 'The resource was removed.', schema: ref('ResourceDeleted') },
    202: {
      description: 'Finalizers or dependents keep it; it is removed when they are gone.',
      schema: ref('ResourceMarkedForDeletion'),
    },
  }),
  problems: [
    ...addressing,
    'precondition_failed',
    'deletion_protected',
    'plan_changed',
    'uid_conflict',
    'definition_in_use',
    'organization_in_use',
    'contention',
  ],
  async run(call, target) {
    const deletion = await deleteResource(call.ports, {
      ...conditional(call, target),
      uid: uidOf(call.query().getAll('uid')),
      plan: planOf(call.query().getAll('plan')),
    });
    return call.answers.deleted(deletion, target);
  },
};

/** The plan that a deletion names, or null when it names none. */
function planOf([hash, ...more]: readonly string[]): string | null {
  if (hash === undefined) return null;
  if (!/^[\w-]{1,128}$/.test(hash) || more.length > 0)
    throw new Problem('invalid_query', 'plan must be the hash of one plan.');
  return hash;
}

/** The uid that a deletion names, or null when it names none. */
function uidOf([text, ...more]: readonly string[]): string | null {
  if (text === undefined) return null;
  // Clients send the nil UUID to name no resource, which is a uid that differs.
  const uid = text === nilUid ? nilUid : parseUid(text);
  if (uid === null || more.length > 0) throw new Problem('invalid_query', 'uid must be one UUID.');
  return uid;
}

/** `?slot=` of status writes. */
export const slotQuery = z.object({
  slot: z.string().optional().meta({
    description: 'Operators only: the slot to write instead of their own; with `status: null` it is cleared.',
  }),
});

/** The refusals of status writes. */
export const statusProblems: readonly ProblemCode[] = [...addressing, 'precondition_failed', 'contention'];

/** `PUT .../status`: one slot, the caller's own unless an operator names another. */
export const putStatus: ResourceOperation<ItemTarget> = {
  form: 'status',
  method: 'PUT',
  verb: 'update',
  comparesGuard: true,
  reads: 'body',
  summary: (kind) => `Write a status slot of ${kind}`,
  description:
    'The value is kept under `status.controllers[<writer>]`; other slots stay. Open to controllers.',
  query: slotQuery,
  requestHeaders: [ifMatch, ifNoneMatch, changeReason],
  body: jsonBody(ref('StatusWrite'), {
    status: { summary: 'Any JSON', value: { status: { phase: 'Ready', observedGeneration: 1 } } },
  }),
  responses: (shown) => ({ 200: { description: 'As it is stored now.', ...shown, headers: etagDocs } }),
  problems: statusProblems,
  async run(call, target) {
    const slots = call.query().getAll('slot');
    const shared = { ...conditional(call, target), slots };
    if (call.translation !== undefined) return call.answers.item(await patchSharedSlot(call, shared), target);
    const request = { ...shared, body: await call.body() };
    return call.answers.item(await replaceStatus(call.ports, request), target);
  },
};

/** `PUT .../finalizers`: adds some, removes others. */
export const putFinalizers: ResourceOperation<ItemTarget> = {
  form: 'finalizers',
  method: 'PUT',
  verb: 'update',
  comparesGuard: true,
  reads: 'body',
  summary: (kind) => `Add and remove finalizers of ${kind}`,
  description: 'In one transaction, without a revision. Open to controllers, for finalizers of their own.',
  requestHeaders: [ifMatch, ifNoneMatch, changeReason],
  body: jsonBody(ref('FinalizersWrite'), {
    change: {
      summary: 'One comes, one goes',
      value: { add: ['controller.example.com/backup'], remove: ['controller.example.com/setup'] },
    },
  }),
  responses: (shown) => ({ 200: { description: 'As it is stored now.', ...shown, headers: etagDocs } }),
  problems: [...addressing, 'precondition_failed', 'finalizer_reserved', 'finalizer_not_owned', 'contention'],
  async run(call, target) {
    const request = { ...conditional(call, target), body: await call.body() };
    return call.answers.item(await changeFinalizers(call.ports, request), target);
  },
};
