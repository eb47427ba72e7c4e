import { answerOnce, dryRun, type RequireUse, type ResolvedTarget } from '@platform/resources';
import { type Answer, empty, keptAnswer } from '../../endpoint/answer.ts';
import { parseQuery } from '../../endpoint/query.ts';
import type { ResourceCall } from './call.ts';
import { changesDefinition, withImpact } from './definition-impact.ts';
import { dryRunQuery, type ResourceOperation } from './operation.ts';

/** Runs a write for a caller that may use the target: once for each idempotency key, as a dry run, or as it is. */
export async function runWrite<T extends ResolvedTarget>(
  operation: ResourceOperation<T>,
  request: ResourceCall,
  target: T,
  requireUse?: RequireUse,
): Promise<Answer> {
  if (request.onlyAuthorize !== undefined) {
    const { body, transaction } = request.onlyAuthorize;
    await operation.authorizeRepeat?.(request.caller, body, transaction);
    return empty(204);
  }
  if (!(await asksForDryRun(operation, request)))
    return await runOnce(operation, request, target, requireUse);
  request.setHeaders(dryRunHeader);
  // A dry run keeps no answer for the key, but gets one that is kept, and refuses a bad key as the request itself does.
  const key = operation.method === 'POST' ? request.idempotencyKey() : null;
  // Before the transaction begins: a slow client must not hold a connection of the database.
  if (operation.reads !== undefined) await request[operation.reads]();
  if (key !== null) await request.bodyText();
  // A dry run that the body asks for has another body than the request itself, so the key says nothing about it.
  const answer = await dryRun(request.ports, async (ports) =>
    isDryRun(request)
      ? await runOnce(operation, { ...request, ports }, target, requireUse)
      : await operation.run({ ...request, ports }, target),
  );
  // After the transaction: the check may take seconds, and must hold no lock meanwhile.
  return request.translation === undefined && changesDefinition(operation, target)
    ? await withImpact(request, answer)
    : answer;
}

/** Whether the query or the body asks for a dry run. */
async function asksForDryRun<T extends ResolvedTarget>(
  operation: ResourceOperation<T>,
  request: ResourceCall,
): Promise<boolean> {
  return isDryRun(request) || (await operation.asksForDryRun?.(request)) === true;
}

/**
 * Runs a POST at most once for each idempotency key.
 *
 * Attack: somebody who has lost access repeats an earlier request and reads its answer, which no statement compares with a guard.
 */
async function runOnce<T extends ResolvedTarget>(
  operation: ResourceOperation<T>,
  request: ResourceCall,
  target: T,
  requireUse?: RequireUse,
): Promise<Answer> {
  const key = operation.method === 'POST' ? request.idempotencyKey() : null;
  if (key === null) return await operation.run(request, target);
  const { caller, path } = request;
  const once = { path, key, body: await request.bodyText() };
  return await answerOnce(request.ports, once, {
    work: async (ports) => keptAnswer(await operation.run({ ...request, ports }, target)),
    authorizeRepeat: async ({ body }, _ports, transaction) => {
      await requireUse?.(transaction.reader);
      await operation.authorizeRepeat?.(caller, body, transaction);
    },
  });
}

/** Whether the query asks for a dry run. Throws `invalid_query`. */
export function isDryRun({ rawQuery }: Pick<ResourceCall, 'rawQuery'>): boolean {
  return rawQuery !== '' && parseQuery(dryRunQuery, rawQuery).dryRun === 'true';
}

/** The header of every answer to a dry run, refusals too. */
export const dryRunHeader = { 'X-Dry-Run': 'true' };

/** Whether the query names a dry run. The rest of the query may be invalid. */
export function mentionsDryRun({ rawQuery }: Pick<ResourceCall, 'rawQuery'>): boolean {
  return rawQuery !== '' && new URLSearchParams(rawQuery).get('dryRun') === 'true';
}
