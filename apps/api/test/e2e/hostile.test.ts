import { problemCodes } from '@platform/kernel';
import fc from 'fast-check';
import { Run } from './address.ts';
import { timeoutMs } from './budget.ts';
import { type Attack, attacks, type Prey, uidOfItem } from './hostile.ts';
import { violations } from './invariants.ts';
import { RaceTrack } from './race-track.ts';
import { useService } from './service.ts';
import { exchange, type RawReply } from './socket.ts';

const service = useService();
const seed = Number(process.env['E2E_SEED'] ?? 20261121);
/** Words of our own house: of the stack, the database, the libraries. */
const secrets = /node_modules|\.ts:\d|\.js:\d|postgres|select .+ from|sqlstate|drizzle|zod|ajv/i;

/** The faults of an answer to an attack; empty when it has none. */
function faultsOf({ status, headers, body }: RawReply, isHead: boolean): readonly string[] {
  const faults: string[] = [];
  if (status < 200 || status >= 500) faults.push(`status ${status}`);
  if (!headers.has('x-request-id')) faults.push('no X-Request-Id');
  if (headers.get('x-content-type-options') !== 'nosniff') faults.push('no nosniff');
  if (status < 400) return faults;
  if (headers.get('content-type') !== 'application/problem+json')
    faults.push(`type ${headers.get('content-type')}`);
  if (isHead) return faults;
  try {
    const problem = JSON.parse(body);
    if (problem.status !== status || !Object.hasOwn(problemCodes, problem.code))
      faults.push('another problem');
    if (problem.requestId !== headers.get('x-request-id')) faults.push('another request id');
  } catch {
    faults.push('not JSON');
  }
  if (secrets.test(body)) faults.push('tells too much');
  return faults;
}

async function attack(
  origin: string,
  { whole, unfinished, body, ...one }: Attack,
  uid: string,
): Promise<readonly number[]> {
  const head = one.head.replaceAll(uidOfItem, uid);
  const replies = await exchange(Number(new URL(origin).port), [head, body], { hangUp: unfinished });
  const faults = replies.flatMap((reply) => faultsOf(reply, head.startsWith('HEAD ')));
  if (whole && replies.length !== 1) faults.push(`${replies.length} answers`);
  if (faults.length > 0) {
    const sent = `${head}(${body.length} bytes) ${body.toString('utf8', 0, 500)}`;
    throw new Error(`${faults.join(', ')}\nfor\n${sent}\nanswered by\n${JSON.stringify(replies)}`);
  }
  return replies.map((reply) => reply.status);
}

describe('a flood of hostile requests', () => {
  it(
    'brings about no 5xx, every refusal is a problem, and the service goes on',
    async () => {
      const track = new RaceTrack(service);
      const run = await track.kinds(new Run('h'), ['Alpha']);
      const operator = `Bearer ${service.tokens.operator}`;
      const all = Object.values(service.tokens).map((token) => `Bearer ${token}`);
      const prey: Prey = {
        collection: run.collection('Alpha', 'v1'),
        item: `${run.collection('Alpha', 'v1')}/x`,
        bearers: [
          ...Array(12).fill(operator),
          ...all,
          'Bearer x',
          'Bearer',
          'Basic eDp5',
          'Bearer a.b.c',
          '\u00ff',
        ],
      };
      const seen = new Map<number, number>();
      const wave = fc.noBias(fc.array(attacks(prey), { minLength: 6, maxLength: 6 }));
      await fc.assert(
        fc.asyncProperty(wave, async (sent) => {
          // Attacks may delete it, so it is made again.
          await track.create(run, 'Alpha', ['x']);
          const { body } = await track.get(run, 'Alpha', ['x']);
          const statuses = await Promise.all(
            sent.map((one, index) => attack(service.origins[index % 2] as string, one, body.metadata.uid)),
          );
          for (const status of statuses.flat()) seen.set(status, (seen.get(status) ?? 0) + 1);
        }),
        { numRuns: 300, seed },
      );
      // It got past the door: otherwise it would prove nothing.
      expect([...seen.keys()]).toEqual(
        expect.arrayContaining([200, 201, 202, 400, 401, 403, 404, 405, 409, 413, 415, 431]),
      );
      await track.given(run, 'Alpha', ['afterwards']);
      expect(await violations(service.sql)).toEqual([]);
      expect(service.output.split('\n').filter((line) => line.includes('"level":"error"'))).toEqual([]);
    },
    timeoutMs,
  );
});
