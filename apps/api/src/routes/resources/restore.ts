import { invalid, type ProblemCode, requireNoVersion, schemaFaults } from '@platform/kernel';
import {
  type ItemTarget,
  parseDocument,
  renderEnvelope,
  requireMayStillRestore,
  restoreBody,
  restoreResource,
} from '@platform/resources';
import type { z } from 'zod';
import { optionalJsonBody } from '../../endpoint/body.ts';
import { ref } from '../../endpoint/documentation.ts';
import { changeReason, idempotencyKey, ifMatch } from '../../endpoint/shared-docs.ts';
import { envelopeAt, type ResourceCall } from './call.ts';
import { type AnsweredEnvelope, addressing, answeredResource, type ResourceOperation } from './operation.ts';
import { repeating } from './writes.ts';

const problems: readonly ProblemCode[] = [
  ...addressing,
  ...repeating,
  'precondition_failed',
  'not_removed',
  'restore_conflict',
  'restore_expired',
  'restore_invalid',
  'restore_too_large',
  'definition_immutable',
  'definition_terminating',
  'discriminator_exhausted',
  'contention',
];

/** `POST .../uid:{uuid}/restore`: a removed resource again, with what its deletion removed with it. */
export const restore: ResourceOperation<ItemTarget> = {
  form: 'restore',
  method: 'POST',
  verb: 'restore',
  summary: (kind) => `Restore ${kind}`,
  description:
    'Creates it and everything that its deletion removed with it from the last states, in one transaction. They get new uids; finalizers and status are left out. Open to the verb `restore` in the scope of the parent.',
  requestHeaders: [ifMatch, changeReason, idempotencyKey],
  body: optionalJsonBody(ref('RestoreRequest'), {
    everything: { summary: 'With everything that was deleted with it', value: {} },
    alone: { summary: 'Alone, under another name', value: { dependents: false, name: 'second' } },
  }),
  responses: () => ({
    201: {
      description: 'The new resources, the requested one first.',
      schema: ref('RestoredResources'),
    },
  }),
  problems,
  async authorizeRepeat(caller, body, transaction) {
    const { restored } = JSON.parse(body) as { restored: { resource: AnsweredEnvelope }[] };
    const resources = restored.map(({ resource }) => answeredResource(resource));
    await requireMayStillRestore(transaction, caller, resources);
  },
  asksForDryRun: async (call) => (await readBody(call)).dryRun,
  async run(call, target) {
    const { ports, caller, requestId } = call;
    const origin = call.origin();
    requireNoVersion(call.precondition());
    const { dependents, name = null } = await readBody(call);
    const restored = await restoreResource(ports, { caller, requestId, origin, target, dependents, name });
    const items = restored.map(({ from, resource }, index) => {
      // The others may be of other kinds, so they are at their own versions.
      const envelope = index === 0 ? envelopeAt(resource, target) : renderEnvelope(resource);
      return `{"from":"${from}","resource":${envelope}}`;
    });
    return { status: 201, body: `{"restored":[${items.join(',')}]}` };
  },
};

/** The body may be left out. */
async function readBody(call: ResourceCall): Promise<z.output<typeof restoreBody>> {
  const text = await call.bodyText();
  const parsed = restoreBody.safeParse(text === '' ? {} : parseDocument(text).value);
  if (parsed.success) return parsed.data;
  throw invalid(schemaFaults(parsed.error.issues));
}
