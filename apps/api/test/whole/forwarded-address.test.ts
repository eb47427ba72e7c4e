import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

// The tests come from 127.0.0.1.
const perMinute = 3;
const limits = { oauth_requests_per_minute: perMinute };

/** Refused requests with one header each; returns whether each was refused for their number. */
async function limited(api: WholeApi, forwarded: readonly string[]): Promise<readonly boolean[]> {
  const answers: boolean[] = [];
  for (const value of forwarded) {
    const { status } = await request(api.publicUrl)
      .post('/api/v1/auth/token')
      .set('X-Forwarded-For', value)
      .send({});
    answers.push(status === 429);
  }
  return answers;
}

const numbered = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index));

// Attack: a caller sends another X-Forwarded-For with each request, to have no limit.
describe.each([
  ['no address', []],
  ['another address', ['192.0.2.7/32', '10.0.0.0/8']],
])('where trusted_proxies has %s', (_name, trusted_proxies) => {
  const api = new WholeApi(() => ({ limits, server: { trusted_proxies } }));

  it('X-Forwarded-For decides about no limit', async () => {
    const answers = await limited(
      api,
      numbered(perMinute + 1, (index) => `203.0.113.${index}`),
    );
    expect(answers).toEqual([false, false, false, true]);
  });
});

describe('where trusted_proxies has the load balancer', () => {
  const api = new WholeApi(() => ({ limits, server: { trusted_proxies: ['127.0.0.1/32', '10.0.0.0/8'] } }));

  it('the last address that no trusted proxy has is the caller, whatever stands before it', async () => {
    const answers = await limited(
      api,
      numbered(perMinute + 1, (index) => `198.51.100.${index}, 203.0.113.9, 10.0.0.1`),
    );
    expect(answers).toEqual([false, false, false, true]);
    expect(await limited(api, ['203.0.113.10'])).toEqual([false]);
  });

  it('something else than an address is refused or counted, and never a fault of the service', async () => {
    for (const value of [
      '__proto__',
      'unknown',
      '1.2.3.4:80',
      ',',
      '::ffff:203.0.113.11',
      'x'.repeat(4_000),
    ]) {
      const { status } = await request(api.publicUrl)
        .post('/api/v1/auth/token')
        .set('X-Forwarded-For', value)
        .send({});
      expect(status).toBeLessThan(500);
    }
  });
});
