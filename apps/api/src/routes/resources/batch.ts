import { AccessRulesCache } from '@platform/access';
import { monotonicClock, Problem, requireNoVersion } from '@platform/kernel';
import {
  answerOnce,
  DefinitionCatalog,
  dryRun,
  type Identity,
  inTransaction,
  type KeptAnswer,
  type ResourcePorts,
  requireAnyBinding,
  type Work,
  withAccess,
  withConfirmedAccess,
} from '@platform/resources';
import { type Answer, keptAnswer } from '../../endpoint/answer.ts';
import type { Body } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { changeReason, idempotencyKey } from '../../endpoint/shared-docs.ts';
import { readJsonText } from '../../http/read-body.ts';
import { type BatchContext, type BatchOperation, operationCall, readBatch } from './batch-body.ts';
import { identityOfPrincipal, type ResourceCall } from './call.ts';
import { dispatch } from './dispatch.ts';
import { auditFrom, type ResourceDeps, recordingRefusal } from './index.ts';
import { dryRunQuery } from './operation.ts';
import { patch } from './patches.ts';
import { dryRunHeader, isDryRun } from './run-write.ts';
import { search } from './search.ts';
import { create, putFinalizers, putStatus, remove, replace } from './writes.ts';

/** Bytes of a batch. */
const maxBytes = 8 * 1024 * 1024;

interface Batch {
  readonly text: string;
  readonly operations: readonly BatchOperation[];
}

/** Milliseconds after which a batch begins no further operation, because others wait for its locks. */
const maxMs = 20_000;

/** Characters of the answer, at most. Attack: a thousand small patches of one resource of a megabyte, each answered by all of it. */
const maxAnswer = 64 * 1024 * 1024;

const body: Body<Batch> = {
  mediaTypes: ['application/json'],
  schema: ref('Batch'),
  examples: {
    organizations: {
      summary: 'An organization and its description',
      value: {
        operations: [
          {
            method: 'POST',
            path: '/api/v1/resources/platform.dev/v1alpha1/organizations',
            body: {
              apiVersion: 'platform.dev/v1alpha1',
              kind: 'Organization',
              metadata: { name: 'umbrella' },
              spec: { displayName: 'Umbrella' },
            },
          },
          {
            method: 'PATCH',
            path: '/api/v1/resources/platform.dev/v1alpha1/organizations/umbrella',
            headers: { 'Content-Type': 'application/merge-patch+json', 'If-Match': '"1"' },
            body: { spec: { description: 'Keeps things dry' } },
          },
        ],
      },
    },
  },
  async read(request) {
    const text = await readJsonText(request, maxBytes);
    return { text, operations: readBatch(text) };
  },
};

/** `POST /api/v1/batch`: writes of resources in one transaction. */
export const batch = endpoint({
  access: 'authenticated',
  method: 'POST',
  path: '/api/v1/batch',
  id: 'runBatch',
  tag: 'Resources',
  summary: 'Run several writes in one transaction',
  description:
    'All or none, in their order; later operations see earlier ones. The answer to a refusal is that of the operation, with its index as `operation`.',
  documentedQuery: dryRunQuery,
  requestHeaders: [changeReason, idempotencyKey],
  unknownQuery: 'refuse',
  body,
  responses: { 200: { description: 'The answer to each operation.', schema: ref('BatchResults') } },
  problems: [
    ...new Set(
      [create, replace, patch, remove, putStatus, putFinalizers].flatMap(({ problems }) => problems),
    ),
  ],
  async handle(deps: ResourceDeps, input, call) {
    const { bodyLimitBytes } = deps;
    const identity = identityOfPrincipal(input.principal, deps.readingControllers);
    const { text, operations } = await recordingRefusal(deps, call, async () => {
      await withAccess(deps.access, identity, async (one) => requireAnyBinding(one));
      const batch = await input.body();
      // Only an operation can have a version.
      requireNoVersion(call.precondition);
      return batch;
    });
    const { origin } = call;
    const inside = ([ports, transaction]: Parameters<Work<Answer>>): BatchRun => ({
      identity,
      // Definitions, roles and bindings that the batch writes must not get into the caches that other requests share.
      catalog: new DefinitionCatalog(transaction.catalog),
      access: new AccessRulesCache(transaction.access),
      context: { ports, requestId: call.id, origin, bodyLimitBytes },
      endsAt: monotonicClock.now() + maxMs,
    });
    const run: Work<Answer> = (...bound) => runAll(operations, inside(bound));
    return await recordingRefusal(deps, call, async () => {
      // Without an operation, nothing confirms that the access is current.
      if (operations.length === 0) {
        await withConfirmedAccess(deps.access, identity, async (one) => requireAnyBinding(one));
      }
      const key = call.idempotencyKey;
      const authorizeRepeat = ({ body }: KeptAnswer, ...bound: Parameters<Work<Answer>>) =>
        authorizeAll(operations, inside(bound), { body, transaction: bound[1] });
      const work: Work<KeptAnswer> = async (...bound) => keptAnswer(await run(...bound));
      const runOnce = async (ports: ResourcePorts) =>
        key === null
          ? await inTransaction(ports, run)
          : await answerOnce(ports, { path: call.path, key, body: text }, { work, authorizeRepeat });
      if (!isDryRun(call)) return await runOnce(deps.ports);
      call.setHeaders(dryRunHeader);
      return await dryRun({ ...deps.ports, audit: auditFrom(deps, call) }, runOnce);
    });
  },
});

/** The context of the operations of a batch. */
interface BatchRun {
  readonly identity: Identity;
  readonly catalog: DefinitionCatalog;
  readonly access: AccessRulesCache;
  readonly context: Omit<BatchContext, 'caller'>;
  /** By the monotonic clock. */
  readonly endsAt: number;
}

async function runAll(
  operations: readonly BatchOperation[],
  { identity, catalog, access, context, endsAt }: BatchRun,
): Promise<Answer> {
  const results: string[] = [];
  let room = maxAnswer;
  for (const [index, operation] of operations.entries()) {
    if (monotonicClock.now() > endsAt) throw tooSlow(index, operations.length);
    if (room < 0) throw tooLong(index, operations.length);
    try {
      const { status, body: text } = await withAccess(access, identity, (caller) =>
        dispatch(catalog, operationCall({ ...context, caller }, operation)),
      );
      results.push(`{"status":${status},"body":${typeof text === 'string' ? text : 'null'}}`);
      room -= typeof text === 'string' ? text.length : 0;
    } catch (error) {
      throw error instanceof Problem ? refusalOf(index, error) : error;
    }
  }
  return { status: 200, body: `{"results":[${results.join(',')}]}` };
}

/** Throws the refusal of the first operation that the caller may not send any more: the kept answer shows what all of them wrote. */
async function authorizeAll(
  operations: readonly BatchOperation[],
  { identity, catalog, access, context }: BatchRun,
  { body, transaction }: NonNullable<ResourceCall['onlyAuthorize']>,
): Promise<void> {
  if (identity.type === 'operator') return;
  const { results } = JSON.parse(body) as { readonly results: readonly { readonly body: unknown }[] };
  for (const [index, operation] of operations.entries()) {
    try {
      await withAccess(access, identity, (caller) =>
        dispatch(catalog, {
          ...operationCall({ ...context, caller }, operation),
          onlyAuthorize: { body: JSON.stringify(results[index]?.body), transaction },
        }),
      );
    } catch (error) {
      // Everything else is not about access: the kind may be gone by now, for example.
      if (!(error instanceof Problem)) throw error;
      if (error.status === 403) throw refusalOf(index, error);
    }
  }
}

function refusalOf(index: number, cause: Problem): Problem {
  const { code, message, errors, members, allow, retryAfterSeconds } = cause;
  return new Problem(code, message, {
    members: { ...members, operation: index },
    cause,
    ...(errors === undefined ? {} : { errors }),
    ...(allow === undefined ? {} : { allow }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function tooLong(done: number, count: number): Problem {
  return new Problem(
    'payload_too_large',
    `The answers to ${done} of ${count} operations have more than ${maxAnswer} characters, and nothing was changed; send fewer in one batch.`,
    { members: { operation: done } },
  );
}

function tooSlow(done: number, count: number): Problem {
  return new Problem(
    'unavailable',
    `Only ${done} of ${count} operations were done within ${maxMs / 1_000} seconds, and nothing was changed; send fewer in one batch.`,
    { members: { operation: done } },
  );
}

/** The endpoints of the generic API that are not below its prefix. */
export const batchEndpoints = [batch, search];
