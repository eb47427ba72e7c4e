import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '@platform/development/testing';
import { migrate, openStore } from '@platform/store-postgres';
import { TestApi } from './api.ts';
import { register, resource, v1 } from './kinds.ts';

const api = new TestApi({
  store: () => ({ ...openStore({ url: database.url, poolMax: 4 }), removeRow: async () => undefined }),
});
// Before the database's own hooks: it is dropped last, and then no connection may be left.
afterAll(() => api.stop());
const database = testDatabase({ migrate: (url) => migrate({ url }) });

beforeAll(async () => {
  await api.start();
  await register(api, 'Farm');
});

const count = 1_000;
const path = `/api/v1/resources/${v1}/farms`;
const operations = Array.from({ length: count }, (_, index) => ({
  method: 'POST',
  path,
  body: resource('Farm', `f${index}`),
}));

/** Ends the connection that runs the batch, once it has written something. */
async function killBatch(): Promise<void> {
  for (;;) {
    const killed = await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null`;
    if (killed.length > 0) return;
    await sleep(5);
  }
}

it('a batch whose connection is lost on the way leaves nothing behind, and can be sent again', async () => {
  const send = () => api.send('POST', '/api/v1/batch').send({ operations });
  const [{ status, body }] = await Promise.all([send(), killBatch()]);
  expect(status).toBe(503);
  expect(['unavailable', 'outcome_unknown']).toContain(body.code);
  const [row] = await database.sql`select count(*)::int as stored from resources where kind = 'Farm'`;
  expect(row).toEqual({ stored: 0 });
  expect((await send().expect(200)).body.results).toHaveLength(count);
}, 60_000);
