import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { until } from '@platform/development/testing';
import { createClient, reconcile } from 'platform-service-client';
import { TestApi } from './api.ts';
import { given, registerTree, resource, v1 } from './kinds.ts';
import { postgresStore, type StoreOpener } from './stores.ts';

let opener: StoreOpener;
const api = new TestApi({ store: (clock) => opener(clock) });
const stopping = new AbortController();
const requests: string[] = [];
const count = (message: unknown) => {
  const { method, url } = (message as { readonly request: { readonly method: string; readonly url: string } })
    .request;
  requests.push(`${method} ${url.replace('/api/v1/resources/', '').replace(/&?cursor=[^&]*/, '')}`);
};
afterAll(async () => {
  unsubscribe('http.server.request.start', count);
  stopping.abort();
  await api.stop();
});
opener = postgresStore({ ticks: true });
beforeAll(async () => {
  await api.start();
  await registerTree(api, { allowedStatusControllerIds: ['ctrl.example.dev'] });
});

it('an idle controller sends the server one request, and a change no more than the writes that it causes', async () => {
  const [group = '', version = ''] = v1.split('/');
  for (const name of ['a', 'b']) await given(api, 'Farm', [name]);
  const reader = createClient({ baseUrl: `http://127.0.0.1:${api.port}`, token: 'operator' });
  const seen: string[] = [];
  const done: string[] = [];
  subscribe('http.server.request.start', count);
  const ended = reconcile({
    reader,
    controller: 'ctrl.example.dev',
    kind: { group, version, plural: 'farms' },
    // Everything is reconciled again all the time, as it is every ten minutes otherwise.
    resyncMs: 50,
    metrics: { reconciled: ({ outcome }) => done.push(outcome) },
    async reconcile({ metadata: { name, generation } }) {
      seen.push(`${name} ${generation}`);
      return { status: { done: true } };
    },
    signal: stopping.signal,
  });
  const status = (uid: string) => `PUT ${v1}/farms/uid:${uid}/status?slot=ctrl.example.dev`;
  await until(() => requests.length >= 3 && done.length >= 2);
  expect(requests.map((request) => request.split('/uid:')[0])).toEqual([
    `GET ${v1}/farms?watch=true`,
    ...[1, 2].map(() => `PUT ${v1}/farms`),
  ]);

  requests.length = 0;
  const before = done.length;
  await until(() => done.length >= before + 40);
  expect(requests).toEqual([]);

  const made = await api.post(`${v1}/farms`, resource('Farm', 'c')).expect(201);
  await until(() => requests.length === 2);
  await until(() => seen.filter((one) => one === 'c 1').length > 5);
  expect(requests).toEqual([`POST ${v1}/farms`, status(made.body.metadata.uid)]);
  expect(new Set(done)).toEqual(new Set(['succeeded']));
  stopping.abort();
  await ended;
});
