import { Problem, type ProblemCode } from '@platform/kernel';
import {
  applyResource,
  applyStatus,
  type ItemTarget,
  type Patch,
  patchResource,
  patchStatus,
  readPatch,
  requireMayStillRead,
} from '@platform/resources';
import { z } from 'zod';
import type { Answer } from '../../endpoint/answer.ts';
import { type BodyDocs, type Examples, ref } from '../../endpoint/documentation.ts';
import { parseQuery } from '../../endpoint/query.ts';
import { changeReason, etagDocs, ifMatch, ifNoneMatch } from '../../endpoint/shared-docs.ts';
import { conditional, type PatchBody, patchSharedSlot, patchTypes, type ResourceCall } from './call.ts';
import { answeredResource, managerQuery, type ResourceOperation } from './operation.ts';
import { create, replace, slotQuery, statusProblems } from './writes.ts';

const patchProblems: readonly ProblemCode[] = ['malformed_patch', 'patch_failed', 'revision_conflict'];

const patchBody = (examples: Examples): BodyDocs => ({
  mediaTypes: Object.values(patchTypes),
  schema: ref('Patch'),
  examples,
});

const itemExamples: Examples = {
  merge: {
    summary: 'Set an annotation, remove a label',
    value: {
      metadata: { annotations: { 'example.dev/owner': 'ann' }, labels: { 'example.dev/tier': null } },
    },
    mediaType: patchTypes.merge,
  },
  json: {
    summary: 'Set a label',
    value: [{ op: 'add', path: '/metadata/labels/app', value: 'shop' }],
    mediaType: patchTypes.json,
  },
};

const statusExamples: Examples = {
  merge: {
    summary: 'Set a member of the slot',
    value: { status: { ready: true } },
    mediaType: patchTypes.merge,
  },
  json: {
    summary: 'Write the whole slot',
    value: [{ op: 'add', path: '/status', value: { ready: false } }],
    mediaType: patchTypes.json,
  },
};

const applyQuery = managerQuery.extend({
  force: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: 'Server-side apply only: take over fields of other managers.' }),
});

/** `PATCH` of an item: as a replacement of the latest revision with what the patch makes of it. */
export const patch: ResourceOperation<ItemTarget> = {
  form: 'item',
  method: 'PATCH',
  verb: 'patch',
  comparesGuard: true,
  reads: 'patch',
  summary: (kind) => `Patch ${kind}`,
  description:
    'Changes `spec`, `labels`, `annotations`, `finalizers` and `ownerReferences` of the latest revision, or of `metadata.revision` when the patch has it. A server-side apply creates a resource that does not exist.',
  query: applyQuery,
  requestHeaders: [ifMatch, ifNoneMatch, changeReason],
  body: patchBody(itemExamples),
  responses: (shown) => ({
    200: { description: 'As it is stored now.', ...shown, headers: etagDocs },
    201: { description: 'Created by a server-side apply.', ...shown, headers: etagDocs },
  }),
  problems: [
    ...new Set([
      ...[...replace.problems, ...create.problems].filter((code) => code !== 'revision_required'),
      ...patchProblems,
      'apply_conflict' as const,
    ]),
  ],
  async authorizeRepeat(caller, body, transaction) {
    await requireMayStillRead(transaction, caller, [answeredResource(JSON.parse(body))]);
  },
  async run(call, target) {
    const body = await call.patch();
    const { fieldManager, force } = managerOf(call, body.format === 'apply');
    const shared = { ...conditional(call, target), limitBytes: call.bodyLimitBytes };
    if (body.format !== 'apply') {
      const setsManagers = body.format === 'translated';
      const request = { ...shared, fieldManager, setsManagers, patch: () => patchIn(body) };
      return call.answers.item(await patchResource(call.ports, request), target);
    }
    const { document: configuration, appliedBefore, complete } = body;
    const request = {
      ...shared,
      configuration,
      appliedBefore,
      complete,
      fieldManager: fieldManager ?? '',
      force,
    };
    const { resource, created } = await applyResource(call.ports, request);
    return created
      ? createdAnswer(call, call.answers.item(resource, target, 201))
      : call.answers.item(resource, target);
  },
};

function patchIn(body: Exclude<PatchBody, { readonly format: 'apply' }>): Patch {
  return body.format === 'translated' ? body.read() : readPatch(body.format, body.document);
}

function createdAnswer({ path }: ResourceCall, answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, Location: path } };
}

/** `PATCH .../status`: of one slot, the caller's own unless an operator names another. */
export const patchStatusSlot: ResourceOperation<ItemTarget> = {
  form: 'status',
  method: 'PATCH',
  verb: 'patch',
  comparesGuard: true,
  reads: 'patch',
  summary: (kind) => `Patch a status slot of ${kind}`,
  description:
    'Applies to `{"status": <the slot>}`, with `{}` while the slot is absent. Removing `status` clears the slot. A server-side apply replaces the slot. Open to controllers.',
  query: applyQuery.extend(slotQuery.shape),
  requestHeaders: [ifMatch, ifNoneMatch, changeReason],
  body: patchBody(statusExamples),
  responses: (shown) => ({ 200: { description: 'As it is stored now.', ...shown, headers: etagDocs } }),
  problems: [...statusProblems, 'malformed_patch', 'patch_failed'],
  async run(call, target) {
    const body = await call.patch();
    managerOf(call, body.format === 'apply');
    const slots = call.query().getAll('slot');
    const request = { ...conditional(call, target), slots };
    if (call.translation !== undefined)
      return call.answers.item(await patchSharedSlot(call, request), target);
    const written =
      body.format === 'apply'
        ? applyStatus(call.ports, { ...request, configuration: body.document })
        : patchStatus(call.ports, { ...request, patch: patchIn(body) });
    return call.answers.item(await written, target);
  },
};

/** The parameters of a server-side apply. It must name its manager, and only it has something to force. */
function managerOf(
  { rawQuery }: ResourceCall,
  isApply: boolean,
): { readonly fieldManager: string | null; readonly force: boolean } {
  const { fieldManager = null, force } = parseQuery(applyQuery, rawQuery);
  if (isApply && fieldManager === null) {
    throw new Problem('invalid_query', 'Query parameter fieldManager is required for a server-side apply.');
  }
  if (!isApply && force !== undefined) {
    throw new Problem('invalid_query', 'Query parameter force is for server-side applies only.');
  }
  return { fieldManager, force: force === 'true' };
}
