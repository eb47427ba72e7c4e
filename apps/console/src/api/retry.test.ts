import { RequestError, retryAfterMs } from './http.ts';
import { retryDelay, shouldRetry } from './retry.ts';

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    [undefined, 0],
    ['0', 0],
    ['7', 7_000],
    ['Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', 0],
    ['86400', 600_000],
  ])('of %s is %i', (value, expected) => {
    const headers = value === undefined ? {} : { 'Retry-After': value };
    expect(retryAfterMs(new Response('', { headers }), now)).toBe(expected);
  });
});

describe('a read that failed', () => {
  const failure = (status: number, waitMs = 0) =>
    new RequestError({ method: 'GET', path: '/x' }, status, null, null, waitMs);

  it('is repeated twice after as long as the answer has asked for', () => {
    for (const status of [0, 429, 503]) {
      expect([0, 1, 2].map((count) => shouldRetry(count, failure(status, 3_000)))).toEqual([
        true,
        true,
        false,
      ]);
    }
    expect([0, 1].map((count) => retryDelay(count, failure(503, 3_000)))).toEqual([4_000, 5_000]);
    expect([0, 1].map((count) => retryDelay(count, failure(0)))).toEqual([1_000, 2_000]);
  });

  it('is not repeated when it was refused, or when the wait is long', () => {
    for (const status of [400, 403, 404, 500]) expect(shouldRetry(0, failure(status))).toBe(false);
    expect(shouldRetry(0, failure(429, 60_000))).toBe(false);
  });
});
