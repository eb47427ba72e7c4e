import { createHash } from 'node:crypto';
import { Problem, type Sealer } from '@platform/kernel';
import { canonicalPath } from '../model/path.ts';
import { keptAnswerContext } from '../model/sealed-spec.ts';
import type { AnsweredRequests, KeptAnswer } from '../ports/answered-requests.ts';
import type { ResourcePorts } from './request.ts';
import { inTransaction, type Work } from './unit-of-work.ts';

/** An `Idempotency-Key` and its sender. */
export interface IdempotencyKey {
  /**
   * The account of the sender, by uid.
   *
   * Attack: an account of the same name that was created later sends the request of the earlier one again, to read its answer.
   */
  readonly account: string;
  readonly value: string;
}

/** A request that may be sent more than once. */
export interface RepeatableRequest {
  readonly path: string;
  /** The key; it belongs to its sender and the path. */
  readonly key: IdempotencyKey;
  /** The body as it was sent. */
  readonly body: string;
}

/** The work on a request, in the transaction that keeps its answer. */
export interface Answering {
  /** Answers the request; its answer is kept. */
  readonly work: () => Promise<KeptAnswer>;
  /**
   * Throws unless the caller may have the kept answer; for what was not checked before, since access may have been lost.
   *
   * Attack: somebody who has lost access sends an earlier request again to read its answer.
   */
  readonly authorizeRepeat?: (answer: KeptAnswer) => Promise<void>;
  /** Whether the answer is kept sealed although it shows no Secret. */
  readonly sealed?: boolean;
}

/** As {@link answerIn}, for the use cases of resources, in a transaction of its own. */
export async function answerOnce(
  ports: ResourcePorts,
  request: RepeatableRequest,
  {
    work,
    authorizeRepeat,
  }: {
    readonly work: Work<KeptAnswer>;
    readonly authorizeRepeat?: (answer: KeptAnswer, ...bound: Parameters<Work<KeptAnswer>>) => Promise<void>;
  },
): Promise<KeptAnswer> {
  return await inTransaction(ports, async (bound, transaction) =>
    answerIn({ requests: transaction.requests, sealer: ports.sealer }, request, {
      work: () => work(bound, transaction),
      authorizeRepeat: async (answer) => await authorizeRepeat?.(answer, bound, transaction),
    }),
  );
}

/**
 * Answers a request once: its answer is kept in the transaction of its writes, and a repeated request gets the same one, whatever
 * happened to the resources since. Refusals are not kept. Throws `request_in_progress` while the first request runs, and
 * `idempotency_key_reused` for another body.
 */
export async function answerIn(
  { requests, sealer }: { readonly requests: AnsweredRequests; readonly sealer: Sealer },
  { path, key, body }: RepeatableRequest,
  { work, authorizeRepeat, sealed = false }: Answering,
): Promise<KeptAnswer> {
  const keyHash = sha256(JSON.stringify([key.account, canonicalPath(path), key.value]));
  // Attack: a reader of the database guesses a password in a body. The key, which is not stored, is hashed with it.
  const bodyHash = sha256(JSON.stringify([key.value, body]));
  const known = await requests.claim(keyHash);
  switch (known.state) {
    case 'running':
      throw new Problem('request_in_progress', 'A request with this Idempotency-Key is still running.', {
        retryAfterSeconds: 1,
      });
    case 'answered':
      if (known.bodyHash === bodyHash) {
        const answer = openAnswer({ sealer }, keyHash, known.answer);
        await authorizeRepeat?.(answer);
        return answer;
      }
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was sent with another body; use a new key for each new request.',
      );
    case 'new': {
      const answer = await work();
      const shows = sealed || answer.body.includes('"kind":"Secret"');
      await requests.keep(keyHash, bodyHash, shows ? sealAnswer({ sealer }, keyHash, answer) : answer);
      return answer;
    }
  }
}

/** An answer that may show a secret is kept sealed; others are kept as they are, so that they cost nothing. */
function sealAnswer(
  { sealer }: Pick<ResourcePorts, 'sealer'>,
  keyHash: string,
  answer: KeptAnswer,
): KeptAnswer {
  return { ...answer, body: sealer.seal(answer.body, keptAnswerContext(keyHash)) };
}

function openAnswer(
  { sealer }: Pick<ResourcePorts, 'sealer'>,
  keyHash: string,
  answer: KeptAnswer,
): KeptAnswer {
  if (answer.body === '' || answer.body.startsWith('{')) return answer;
  const body = sealer.unseal(answer.body, keptAnswerContext(keyHash));
  if (body === null)
    throw new Error('no configured encryption key opens the answer that was kept for a repeated request');
  return { ...answer, body };
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url');
}
