import { isUncertain, request } from './http.ts';

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

it('an answer that is cut off in its body leaves it open whether a write happened', async () => {
  const body = new ReadableStream({
    pull(control) {
      control.error(new TypeError('network error'));
    },
  });
  globalThis.fetch = async () => new Response(body, { status: 200 });
  const refused = await request('/somewhere', { method: 'PUT' }).catch((error) => error);
  expect(refused).toMatchObject({ status: 0, method: 'PUT', path: '/somewhere' });
  expect(isUncertain(refused)).toBe(true);
});

it('a refusal says how long to wait before the request is repeated', async () => {
  globalThis.fetch = async () => new Response('{}', { status: 429, headers: { 'Retry-After': '12' } });
  expect(await request('/somewhere').catch((error) => error)).toMatchObject({ retryAfterMs: 12_000 });
});
