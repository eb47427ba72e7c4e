import { waitingForLocks, whileHeld } from '@platform/development/testing';
import { below, byUid, creation, given, reread } from '../test/rows.ts';
import { longLockTimeout, testStore } from '../test/store.ts';
import { createProjectStores } from './index.ts';

const fixture = testStore({ ...longLockTimeout, poolMax: 6 });
const { database } = fixture;

describe('while many wait for a hot parent', () => {
  it('reads, and writes elsewhere, go on; and all that waited is done in the end', async () => {
    const { store } = fixture;
    const [hot, other] = [await given(store), await given(store)];
    const createBelow = (parent: typeof hot) =>
      store.writer.create(creation({ collection: below('Part', parent) }));
    const lock = () =>
      store.transactions.run(async ({ deletion }) => {
        await deletion.lock(byUid(hot), null);
      });
    await whileHeld(
      database,
      [`select from resources where uid = '${hot.uid}' for update`],
      async ({ release }) => {
        const waiting = [
          ...Array.from({ length: 20 }, () => createBelow(hot)),
          ...Array.from({ length: 20 }, lock),
        ];
        await waitingForLocks(database, 3);
        expect(await reread(store, other)).toEqual(other);
        expect(await Promise.all(Array.from({ length: 20 }, () => createBelow(other)))).toEqual(
          Array.from({ length: 20 }, () => expect.objectContaining({ outcome: 'created' })),
        );
        await release();
        await Promise.all(waiting);
      },
    );
    const [row] =
      await database.sql`select count(*)::int as parts from resources where parent_uid = ${hot.uid}`;
    expect(row?.['parts']).toBe(20);
  }, 20_000);

  it('they go on while many wait for a hot team', async () => {
    const { store } = fixture;
    const stores = createProjectStores(store.database);
    const other = await given(store);
    const [organization] = await database.sql<{ uid: string }[]>`
      insert into resources (uid, api_version, kind, name, discriminator)
      values (gen_random_uuid(), 'platform.dev/v1alpha1', 'Organization', 'default', 'default0') returning uid`;
    const [team] = await database.sql<{ uid: string }[]>`
      insert into teams (uid, name, organization_resource_uid)
      values (gen_random_uuid(), 'hot', ${organization?.uid ?? ''}) returning uid`;
    const uid = team?.uid ?? '';
    const members = [{ email: 'me@example.dev', role: 'owner' as const }];
    const replace = () =>
      stores.transactions.run(async (transaction) => {
        await transaction.lockTeam('hot');
        return transaction.teams.replace({ uid, name: 'hot', organization: 'default', members });
      });
    await whileHeld(database, [`select from teams where uid = '${uid}' for update`], async ({ release }) => {
      const waiting = Array.from({ length: 20 }, replace);
      await waitingForLocks(database, 3);
      expect(await reread(store, other)).toEqual(other);
      await release();
      expect((await Promise.all(waiting)).map((record) => record.members)).toEqual(
        Array.from({ length: 20 }, () => members),
      );
    });
  }, 20_000);
});
