import { testDatabase } from '@platform/development/testing';
import { migrate, openStore } from '@platform/store-postgres';
import { TestApi } from './api.ts';
import { given, register, resource, v1 } from './kinds.ts';

const api = new TestApi({
  store: () => ({ ...openStore({ url: database.url, poolMax: 4 }), removeRow: async () => undefined }),
});
// Before the database's own hooks: it is dropped last, and then no connection may be left.
afterAll(() => api.stop());
const database = testDatabase({ migrate: (url) => migrate({ url }) });
const farms = `${v1}/farms`;

beforeAll(async () => {
  await api.start();
  await register(api, 'Farm');
});

let seen = 0;

/** The contexts of the writes that were logged since the last call. */
async function logged(): Promise<readonly string[]> {
  const rows = await database.sql<{ written: string }[]>`
    select written::text as written from changes order by seq`;
  const fresh = rows.slice(seen).map(({ written }) => written);
  seen = rows.length;
  return fresh;
}

it('a dry run, a refused batch and a patch without a change leave no entry and no key', async () => {
  await given(api, 'Farm', ['kept'], { spec: { n: 1 } });
  await logged();
  const path = `/api/v1/resources/${farms}`;
  await api.post(`${farms}?dryRun=true`, resource('Farm', 'dry')).set('Idempotency-Key', 'k').expect(201);
  await api.delete(`${farms}/kept?dryRun=true`).expect(200);
  const operations = [
    { method: 'POST', path, body: resource('Farm', 'one') },
    { method: 'POST', path, body: resource('Farm', 'kept') },
  ];
  await api.send('POST', '/api/v1/batch').set('Idempotency-Key', 'k').send({ operations }).expect(409);
  const patch = (body: string) =>
    api.send('PATCH', `${path}/kept`).type('application/merge-patch+json').send(body).expect(200);
  await patch('{"spec":{"n":1.0}}');
  expect(await logged()).toEqual([]);
  const [row] = await database.sql`select count(*)::int as kept from answered_requests`;
  expect(row).toEqual({ kept: 0 });
  await patch('{"spec":{"n":2}}');
  expect(await logged()).toEqual([expect.stringContaining('patch')]);
});
