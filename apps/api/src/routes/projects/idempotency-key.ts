import { Problem, type ProblemCode } from '@platform/kernel';
import { answerIn } from '@platform/resources';
import { keptAnswer } from '../../endpoint/answer.ts';
import type { Endpoint, Input } from '../../endpoint/descriptor.ts';
import { idempotencyKey } from '../../endpoint/shared-docs.ts';
import { repeating } from '../resources/writes.ts';
import type { TypedDeps } from './item.ts';

/** Refusals that say that the caller may not do this, or not any more. `not_found` is only told to callers who may ask. */
const denials: readonly ProblemCode[] = ['unauthenticated', 'forbidden'];

/**
 * A POST that may be sent again with its `Idempotency-Key`: its answer is kept with its writes, sealed, because it may show a credential
 * that no other answer shows.
 */
export function withIdempotencyKey<Deps extends TypedDeps>(one: Endpoint<Deps>): Endpoint<Deps> {
  if (one.method !== 'POST') return one;
  return {
    ...one,
    parameters: [...(one.parameters ?? []), idempotencyKey],
    problems: [...(one.problems ?? []), ...repeating],
    async handle(deps, input, call) {
      const key = call.idempotencyKey;
      const { repeats, ports } = deps;
      if (key === null) return await one.handle(deps, input, call);
      const read = once(input.body);
      const text = await read().then(JSON.stringify, () => null);
      // The fault of a body is reported after the refusals that come before it.
      if (text === null) return await one.handle(deps, { ...input, body: read }, call);
      const request = { path: call.path, key, body: text ?? '' };
      const handle = (bound: Deps) => one.handle(bound, { ...input, body: read }, call);
      let repeated = true;
      const kept = await repeats.inTransaction((bound, requests) => {
        repeated = true;
        return answerIn({ requests, sealer: ports.sealer }, request, {
          sealed: true,
          async work() {
            repeated = false;
            return keptAnswer(await handle({ ...deps, ports: bound }));
          },
        });
      });
      if (repeated) await requireAllowed(() => handle({ ...deps, ports: repeats.askingPorts }));
      return kept;
    },
  };
}

/**
 * Throws unless the caller may still send the request. Other refusals, such as that the resource exists already or is gone, say nothing
 * against the kept answer.
 *
 * Attack: somebody who has lost a project sends an earlier request again to read its answer.
 */
async function requireAllowed(ask: () => unknown): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Problem) || denials.includes(error.code)) throw error;
  }
}

/** The body can be read from the connection only once. */
function once(read: Input['body']): Input['body'] {
  let reading: Promise<unknown> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}
