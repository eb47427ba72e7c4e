import type { ProblemCode } from '@platform/kernel';
import { type ItemTarget, patchResource, patchStatus, readPatch } from '@platform/resources';
import type { BodyDocs } from '../../endpoint/documentation.ts';
import { ref } from '../../endpoint/documentation.ts';
import { changeReason, etagDocs, ifMatch } from '../../endpoint/shared-docs.ts';
import { conditional, itemAnswer, patchTypes } from './call.ts';
import type { ResourceOperation } from './operation.ts';
import { replace, slotQuery, statusProblems } from './writes.ts';

const patchProblems: readonly ProblemCode[] = ['malformed_patch', 'patch_failed', 'revision_conflict'];

const body: BodyDocs = { mediaTypes: Object.values(patchTypes), schema: ref('Patch'), examples: {} };

/** `PATCH` of an item: as a replacement of the latest revision with what the patch makes of it. */
export const patch: ResourceOperation<ItemTarget> = {
  form: 'item',
  method: 'PATCH',
  reads: 'patch',
  summary: (kind) => `Patch ${kind}`,
  description:
    'Changes `spec`, `annotations`, `finalizers` and `ownerReferences` of the latest revision, or of `metadata.revision` when the patch has it.',
  requestHeaders: [ifMatch, changeReason],
  body,
  responses: (shown) => ({ 200: { description: 'As it is stored now.', ...shown, headers: etagDocs } }),
  problems: [...replace.problems.filter((code) => code !== 'revision_required'), ...patchProblems],
  async run(call, target) {
    const { format, document } = await call.patch();
    const request = {
      ...conditional(call, target),
      patch: () => readPatch(format, document),
      limitBytes: call.bodyLimitBytes,
    };
    return itemAnswer(await patchResource(call.ports, request), target);
  },
};

/** `PATCH .../status`: of one slot, the caller's own unless an operator names another. */
export const patchStatusSlot: ResourceOperation<ItemTarget> = {
  form: 'status',
  method: 'PATCH',
  reads: 'patch',
  summary: (kind) => `Patch a status slot of ${kind}`,
  description:
    'Applies to `{"status": <the slot>}`, with `{}` while the slot is absent. Removing `status` clears the slot. Open to controllers.',
  query: slotQuery,
  requestHeaders: [ifMatch, changeReason],
  body,
  responses: (shown) => ({ 200: { description: 'As it is stored now.', ...shown, headers: etagDocs } }),
  problems: [...statusProblems, 'malformed_patch', 'patch_failed'],
  async run(call, target) {
    const { format, document } = await call.patch();
    const slots = call.query().getAll('slot');
    const request = { ...conditional(call, target), patch: readPatch(format, document), slots };
    return itemAnswer(await patchStatus(call.ports, request), target);
  },
};
