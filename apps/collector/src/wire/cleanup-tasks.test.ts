import { randomBytes } from 'node:crypto';
import type { Config } from '@platform/config';
import { testDatabase } from '@platform/development/testing';
import {
  createAuthorizationCodeStore,
  createUsedStates,
  migrate,
  openStore,
  type Store,
} from '@platform/store-postgres';
import { cleanupTasksOn } from './cleanup-tasks.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const minute = 60_000;
let store: Store;

async function clean() {
  const config = {
    changes: { retention_days: 30 },
    audit: { retention_days: 400 },
    projects: { name_quarantine_days: 30 },
  } as Pick<Config, 'changes' | 'audit' | 'projects'>;
  for (const { name, run } of cleanupTasksOn(store, config))
    if (['oauth_flows', 'logins'].includes(name)) await run(1_000);
}

// Accident: the clock of an API is half an hour behind that of the database.
describe('the clean-up of logins, with the clock of an API that is behind', () => {
  beforeAll(() => {
    store = openStore({ url: database.url, poolMax: 2 });
  });

  afterAll(() => store.close());

  const clock = () => Date.now() - 30 * minute;
  const hash = () => randomBytes(32).toString('hex');

  it('leaves codes that are valid there', async () => {
    const codes = createAuthorizationCodeStore(store.database, 'login');
    const key = { hash: hash(), owner: null };
    await codes.save({ ...key, sealed: 'sealed', expiresAt: clock() + 5 * minute });
    await clean();
    expect(await codes.consume(key, clock())).toBe('sealed');
  });

  // Attack: the callback of a login is opened again, once its state is forgotten.
  it('leaves used states that would be valid there', async () => {
    const states = createUsedStates(store.database);
    const [state, expiresAt] = [hash(), clock() + 10 * minute];
    expect(await states.markUsed(state, expiresAt)).not.toBeNull();
    await clean();
    expect(await states.markUsed(state, expiresAt)).toBeNull();
  });

  it('deletes what has expired on every machine', async () => {
    const codes = createAuthorizationCodeStore(store.database, 'login');
    const key = { hash: hash(), owner: null };
    await codes.save({ ...key, sealed: 'sealed', expiresAt: Date.now() - 61 * minute });
    await clean();
    expect(await codes.consume(key, Date.now() - 90 * minute)).toBeNull();
  });
});
