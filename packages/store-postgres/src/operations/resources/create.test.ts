import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { waitingForLocks, whileHeld } from '@platform/development/testing';
import type { Statements } from '@platform/postgres';
import { outcomeOf } from '@platform/resources/conformance';
import { below, creation, given, reread } from '../../../test/rows.ts';
import { longLockTimeout, testStore } from '../../../test/store.ts';
import { createBatched } from './create.ts';
import { createMany } from './create-many.ts';

const fixture = testStore(longLockTimeout);
const { database } = fixture;
const create = (changes: Parameters<typeof creation>[0] = {}) =>
  fixture.store.writer.create(creation(changes));
const created = { outcome: 'created' };

describe('concurrent creates', () => {
  it('are committed together, by few transactions', async () => {
    const rows = await Promise.all(Array.from({ length: 20 }, () => given(fixture.store)));
    const uids = rows.map((row) => row.uid);
    const [row] = await database.sql`
      select count(distinct xmin::text)::int as transactions from resources where uid = any(${uids}::uuid[])`;
    expect(row?.['transactions']).toBeLessThan(5);
  });

  it('each go under their own parent', async () => {
    const parents = await Promise.all([given(fixture.store), given(fixture.store), given(fixture.store)]);
    const outcomes = await Promise.all(
      parents.map((parent) => create({ collection: below('Part', parent) })),
    );
    expect(outcomes).toMatchObject(parents.map(({ uid }) => ({ ...created, resource: { parentUid: uid } })));
  });

  it('are refused one by one, each for its own reason', async () => {
    const live = await given(fixture.store);
    const taken = await given(fixture.store, { collection: below('Part', live) });
    const collection = below('Part', live);
    const owner = {
      apiVersion: live.apiVersion,
      kind: 'Widget',
      name: 'other',
      uid: live.uid,
      blockOwnerDeletion: false,
    };
    const outcomes = await Promise.all([
      outcomeOf(create({ collection })),
      outcomeOf(create({ collection: below('Part', { ...live, name: 'absent' }) })),
      outcomeOf(create({ collection, name: taken.name })),
      outcomeOf(create({ collection, discriminator: taken.discriminator })),
      outcomeOf(create({ collection, ownerReferences: [owner] })),
      outcomeOf(create({ collection, definition: { uid: live.uid, version: randomUUID() } })),
      outcomeOf(create({ collection })),
    ]);
    expect(outcomes).toEqual([
      'created',
      'ancestorMissing',
      'nameTaken',
      'discriminatorTaken',
      'ownersRefused',
      'staleDefinitions',
      'created',
    ]);
  });

  it('fail alone when one of them is poisoned', async () => {
    const attempts = [create({ spec: '{"not": json' }), create(), create()];
    expect(await Promise.allSettled(attempts)).toMatchObject([
      { reason: { code: '22P02' } },
      { value: created },
      { value: created },
    ]);
  });

  it('that want one name give it to one of them', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'coveted' })));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['created', ...Array(4).fill('nameTaken')]);
  });
});

describe('a batch of creates', () => {
  it('gives back at once the one that would have to wait for a lock', async () => {
    const [locked, free] = await Promise.all([given(fixture.store), given(fixture.store)]);
    const lock = `select from resources where uid = '${locked.uid}' for update`;
    await whileHeld(database, [lock], async () => {
      const commands = [locked, free].map((parent) => creation({ collection: below('Part', parent) }));
      const attempts = await createMany(fixture.store.database, commands, 'skip');
      expect(attempts).toMatchObject([{ outcome: 'busy' }, created]);
    });
  });

  it('does not wait long for an insert of the same name to end', async () => {
    const rival = creation({ name: 'undecided' });
    const insert = `insert into resources (uid, api_version, kind, name, discriminator)
      values ('${rival.uid}', 'example.dev/v1', 'Widget', 'undecided', '${rival.discriminator}')`;
    await whileHeld(database, [insert], async () => {
      const batch = createMany(fixture.store.database, [creation({ name: 'undecided' })], 'skip');
      await expect(batch).rejects.toMatchObject({ code: 'contention' });
    });
  });
});

describe('a create that has to wait', () => {
  it('for its parent holds up nobody else, and is refused when the parent was tombstoned meanwhile', async () => {
    const [terminating, other] = await Promise.all([given(fixture.store), given(fixture.store)]);
    const mark = `update resources set deletion_timestamp = now() where uid = '${terminating.uid}'`;
    const lock = `select from resources where uid = '${terminating.uid}' for update`;
    await whileHeld(database, [lock, mark], async ({ release }) => {
      const stuck = create({ collection: below('Part', terminating) });
      expect(await create({ collection: below('Part', other) })).toMatchObject(created);
      await waitingForLocks(database, 1);
      await release();
      expect(await stuck).toEqual({ outcome: 'ancestorTerminating', name: terminating.name });
    });
  });

  it('for its parent misses it when the parent is gone afterwards', async () => {
    const terminating = await given(fixture.store);
    await whileHeld(
      database,
      [`delete from resources where uid = '${terminating.uid}'`],
      async ({ release }) => {
        const stuck = create({ collection: below('Part', terminating) });
        await waitingForLocks(database, 1);
        await release();
        expect(await stuck).toEqual({ outcome: 'ancestorMissing' });
      },
    );
  });

  it('for an owner is refused when the owner was tombstoned meanwhile', async () => {
    const terminating = await given(fixture.store);
    const owner = { ...terminating, blockOwnerDeletion: false };
    const { apiVersion, kind, name, uid, blockOwnerDeletion } = owner;
    const mark = `update resources set deletion_timestamp = now() where uid = '${uid}'`;
    await whileHeld(
      database,
      [`select from resources where uid = '${uid}' for update`, mark],
      async ({ release }) => {
        const stuck = create({ ownerReferences: [{ apiVersion, kind, name, uid, blockOwnerDeletion }] });
        await waitingForLocks(database, 1);
        await release();
        expect(await stuck).toMatchObject({
          outcome: 'ownersRefused',
          faults: [{ path: '/metadata/ownerReferences/0/uid' }],
        });
      },
    );
  });

  it('for the outcome of another insert of its name lets the others of its batch go on', async () => {
    const rival = creation({ name: 'contested' });
    const insert = `insert into resources (uid, api_version, kind, name, discriminator)
      values ('${rival.uid}', 'example.dev/v1', 'Widget', 'contested', '${rival.discriminator}')`;
    await whileHeld(database, [insert], async ({ release }) => {
      const stuck = create({ name: 'contested' });
      expect(await create({ name: 'innocent' })).toMatchObject(created);
      await release();
      expect(await stuck).toEqual({ outcome: 'nameTaken' });
    });
  });

  it('for the outcome of a deletion of its name is created when that is gone', async () => {
    const old = await given(fixture.store, { name: 'recycled' });
    await whileHeld(database, [`delete from resources where uid = '${old.uid}'`], async ({ release }) => {
      const stuck = create({ name: 'recycled' });
      await waitingForLocks(database, 1);
      await release();
      expect(await stuck).toMatchObject(created);
    });
    expect(await reread(fixture.store, old)).toBeNull();
  });
});

describe('a create that met a row which is gone at the second look', () => {
  const stores = { contention: testStore({ lockTimeoutMs: 40 }), created: fixture };

  /** Runs `meanwhile` before the first look at what is in the way. */
  function interrupted(sql: Statements, meanwhile: () => Promise<void>): Statements {
    let interrupt: (() => Promise<void>) | null = meanwhile;
    return {
      ...sql,
      rows: async (text, parameters) => {
        const now = text.includes('discriminator = $4') ? interrupt : null;
        if (now !== null) interrupt = null;
        await now?.();
        return sql.rows(text, parameters);
      },
    };
  }

  it.each(['contention', 'created'] as const)(
    'waits like every other create, and ends as %s',
    async (end) => {
      const { store, database: db } = stores[end];
      const parent = await given(store);
      const collection = below('Part', parent);
      const old = await given(store, { collection });
      const lock = `select from resources where uid = '${parent.uid}' for update`;
      const opened: { release(): Promise<void> }[] = [];
      const done = new AbortController();
      let holding: Promise<void> | undefined;
      const sql = interrupted(store.database, async () => {
        await db.sql`delete from resources where uid = ${old.uid}`;
        await new Promise<void>((resolve) => {
          holding = whileHeld(db, [lock], async (held) => {
            opened.push(held);
            resolve();
            if (!done.signal.aborted) await once(done.signal, 'abort');
          });
        });
      });
      const attempt = outcomeOf(createBatched(sql)(creation({ collection, name: old.name })));
      try {
        if (end === 'created') {
          const settled = attempt.catch((error: unknown) => error);
          await waitingForLocks(db, 1);
          await opened[0]?.release();
          expect(await settled).toBe('created');
        } else {
          await expect(attempt).rejects.toMatchObject({ code: 'contention' });
        }
      } finally {
        done.abort();
        await holding;
      }
    },
  );
});
