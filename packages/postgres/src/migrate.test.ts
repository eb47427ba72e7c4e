import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { recordingLogger, testDatabase, waitingForLocks, whileHeld } from '@platform/development/testing';
import { migrate, openDatabase, pendingMigrations, readMigrations } from './index.ts';
import { findMigrations, type Migration } from './migrate.ts';

const database = testDatabase();

const migration = (number: number, text: string): Migration => ({
  name: `000${number}_test.sql`,
  text,
  checksum: `checksum of ${text}`,
});
const first = migration(1, 'create table a (n int); insert into a values (1); select pg_sleep(0.05)');
const second = migration(2, 'insert into a values (2); insert into a values (3)');

const applied = async () => {
  const rows = await database.sql`select name from platform_migrations order by name`;
  return rows.map((row) => row['name']);
};

beforeEach(() => database.sql`drop table if exists a, platform_migrations`);

describe('migrate', () => {
  it('applies every file once, in order, however many replicas start at once', async () => {
    const replicas = [1, 2, 3, 4].map(() => migrate({ url: database.url }, [first, second]));
    const names = (await Promise.all(replicas)).flat();
    expect(names.sort()).toEqual([first.name, second.name]);
    expect(await database.sql`select n from a order by n`).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('applies what is new, and nothing the second time', async () => {
    await migrate({ url: database.url }, [first]);
    expect(await migrate({ url: database.url }, [first, second])).toEqual([second.name]);
    expect(await migrate({ url: database.url }, [first, second])).toEqual([]);
  });

  it('leaves nothing behind of a file that fails, and keeps those before it', async () => {
    const bad = migration(2, 'create table b (n int); insert into nowhere values (1)');
    await expect(migrate({ url: database.url }, [first, bad])).rejects.toThrow('"nowhere" does not exist');
    expect(await applied()).toEqual([first.name]);
    expect(await database.sql`select to_regclass('b') as b`).toEqual([{ b: null }]);
  });

  it('logs the warnings of a file, which an operator has to read, and not its notices', async () => {
    const warned: unknown[] = [];
    const ignore = () => {};
    const warn = (_message: string, fields?: object) => void warned.push(fields);
    const logger = { error: ignore, warn, info: ignore, debug: ignore };
    const warns = migration(
      1,
      "do $$ begin raise warning 'address % is shared', 7; raise notice 'n'; end $$",
    );
    await migrate({ url: database.url, logger }, [warns]);
    expect(warned).toEqual([{ notice: 'address 7 is shared' }]);
  });

  it('refuses a file that was changed after it was applied', async () => {
    await migrate({ url: database.url }, [first]);
    const changed = { ...first, checksum: 'another' };
    await expect(migrate({ url: database.url }, [changed, second])).rejects.toThrow(
      `drizzle/${first.name} was changed after it was applied`,
    );
  });

  it('leaves a database alone that is ahead of it', async () => {
    await migrate({ url: database.url }, [first, second]);
    expect(await migrate({ url: database.url }, [first])).toEqual([]);
  });

  it('refuses a database that is not in UTF-8, where documents would be lost', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_ascii`;
    await database.sql`create database ${database.sql(name)} encoding 'SQL_ASCII' locale 'C' template template0`;
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    await expect(migrate({ url: url.href }, [first])).rejects.toThrow('must be encoded in UTF8');
    await database.sql`drop database ${database.sql(name)}`;
  });

  it('refuses a database that reads a null in an array as a text', async () => {
    const name = database.sql(new URL(database.url).pathname.slice(1));
    await database.sql`alter database ${name} set array_nulls = off`;
    await expect(migrate({ url: database.url }, [first])).rejects.toThrow('array_nulls is off');
    await database.sql`alter database ${name} reset array_nulls`;
  });

  it('calls a database that is not there unavailable', async () => {
    const url = new URL(database.url);
    url.port = '1';
    await expect(migrate({ url: url.href }, [first])).rejects.toMatchObject({ code: 'unavailable' });
  });
});

/** Pauses that a test has time for. */
const brief = { pauseMs: 20, limitMs: 30_000 };
/** As behind a pooler in transaction mode: the session has the settings of its role, and nothing of the service's. */
const pooled = () => `${database.url}?pooler=transaction`;

describe('concurrent migrations', () => {
  const alter = migration(2, 'alter table a add column m int');

  it('does not make readers wait for a transaction that migrate waits for, as pg_dump is one', async () => {
    await migrate({ url: database.url }, [first]);
    const held = ['lock table a in access share mode'];
    const migrating = await whileHeld(database, held, async () => {
      const done = migrate({ url: database.url }, [first, alter], brief);
      await waitingForLocks(database, 1);
      // Behind a statement that waits for ACCESS EXCLUSIVE this would wait until the transaction ends, which is after it.
      await database.sql`select n from a`;
      return { done };
    });
    expect(await migrating.done).toEqual([alter.name]);
  });

  it('gives up with `unavailable` when a lock is held for too long', async () => {
    await migrate({ url: database.url }, [first]);
    const attempt = whileHeld(database, ['lock table a in access share mode'], () =>
      migrate({ url: database.url }, [first, alter], { pauseMs: 1, limitMs: 1 }),
    );
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('stops waiting for a lock when the process is to stop, and applies nothing more', async () => {
    await migrate({ url: database.url }, [first]);
    const stopping = new AbortController();
    const logger = { ...recordingLogger(), info: () => stopping.abort(new Error('told to stop')) };
    const attempt = whileHeld(database, ['lock table a in access share mode'], () =>
      migrate({ url: database.url, logger, stopping: stopping.signal }, [first, alter], {
        pauseMs: 3_600_000,
        limitMs: 3_600_000,
      }),
    );
    await expect(attempt).rejects.toThrow('told to stop');
    expect(await applied()).toEqual([first.name]);
  });

  it('is not ended by the timeouts of the role, which are those of serving sessions', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.sql.unsafe(`alter database ${name} set statement_timeout = '1s'`);
    await database.sql.unsafe(`alter database ${name} set lock_timeout = '500ms'`);
    const slow = migration(1, 'create table a (n int); select pg_sleep(1.2)');
    try {
      const replicas = [1, 2].map(() => migrate({ url: pooled() }, [slow, second], brief));
      expect((await Promise.all(replicas)).flat().sort()).toEqual([slow.name, second.name]);
    } finally {
      await database.sql.unsafe(`alter database ${name} reset all`);
    }
  });
});

describe('migrations of concurrent indexes', () => {
  const marker = '-- migrate: create indexes concurrently\n';
  const indexes = migration(
    2,
    `${marker}create index concurrently a_n on a (n);\ncreate unique index concurrently a_u on a (n, n);`,
  );
  const valid = () => database.sql`
    select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'a'::regclass order by 1`;
  const both = [
    { name: 'a_n', valid: true },
    { name: 'a_u', valid: true },
  ];

  it('are created once, however many replicas start at once', async () => {
    const replicas = [1, 2, 3].map(() => migrate({ url: database.url }, [first, indexes], brief));
    expect((await Promise.all(replicas)).flat().sort()).toEqual([first.name, indexes.name]);
    expect(await valid()).toEqual(both);
  });

  it('do not block writers that come while older transactions are waited for', async () => {
    await migrate({ url: database.url }, [first]);
    const held = ['insert into a values (7)'];
    const migrating = await whileHeld(database, held, async () => {
      const done = migrate({ url: database.url }, [first, indexes], brief);
      await waitingForLocks(database, 1);
      await database.sql`insert into a values (8)`;
      return { done };
    });
    expect(await migrating.done).toEqual([indexes.name]);
    expect(await valid()).toEqual(both);
  });

  it('start again after a crash: an unusable index is dropped, a complete one kept', async () => {
    await migrate({ url: database.url }, [first]);
    await database.sql`insert into a values (1)`;
    await database.sql`create index a_n on a (n)`;
    await expect(database.sql`create unique index concurrently a_u on a (n, n)`).rejects.toThrow('unique');
    expect(await valid()).toContainEqual({ name: 'a_u', valid: false });
    await database.sql`truncate a`;
    expect(await migrate({ url: database.url }, [first, indexes], brief)).toEqual([indexes.name]);
    expect(await valid()).toEqual(both);
  });

  it('are created in a transaction where the statement timeout of a pooled role ends them otherwise', async () => {
    await migrate({ url: database.url }, [first]);
    await database.sql`
      create function slowly(n int) returns int language plpgsql immutable as $$ begin perform pg_sleep(1.2); return n; end $$`;
    const name = new URL(database.url).pathname.slice(1);
    await database.sql.unsafe(`alter database ${name} set statement_timeout = '1s'`);
    const slow = migration(2, `${marker}create index concurrently a_n on a (slowly(n));`);
    try {
      expect(await migrate({ url: pooled() }, [first, slow], brief)).toEqual([slow.name]);
      expect(await valid()).toEqual([{ name: 'a_n', valid: true }]);
    } finally {
      await database.sql.unsafe(`alter database ${name} reset all`);
      await database.sql`drop table a`;
      await database.sql`drop function slowly`;
    }
  });

  it('may hold nothing else', async () => {
    const other = migration(2, `${marker}create index concurrently a_n on a (n); drop table a;`);
    await migrate({ url: database.url }, [first]);
    await expect(migrate({ url: database.url }, [first, other], brief)).rejects.toThrow(
      'may hold nothing but',
    );
  });
});

describe('migrations in slices', () => {
  const slices = migration(
    2,
    `-- migrate: in slices
    with slice as (select n from a where n > coalesce($1::int, 0) and not done order by n limit 2 for no key update),
    changed as (update a set done = true from slice where a.n = slice.n)
    select n::text from slice order by n desc limit 1`,
  );
  const table = migration(
    1,
    'create table a (n int primary key, done boolean not null default false); insert into a select generate_series(1, 5)',
  );
  const open = async () => (await database.sql`select n from a where not done order by n`).map(({ n }) => n);

  it('change every row once, however many replicas start at once', async () => {
    const replicas = [1, 2, 3].map(() => migrate({ url: database.url }, [table, slices], brief));
    expect((await Promise.all(replicas)).flat().sort()).toEqual([table.name, slices.name]);
    expect(await open()).toEqual([]);
  });

  it('commit each slice, so that rows of earlier ones are not locked while a later one waits', async () => {
    await migrate({ url: database.url }, [table]);
    const migrating = await whileHeld(database, ['update a set done = done where n = 3'], async () => {
      const done = migrate({ url: database.url }, [table, slices], brief);
      await waitingForLocks(database, 1);
      expect(await open()).toEqual([3, 4, 5]);
      await database.sql`update a set done = done where n = 1`;
      return { done };
    });
    expect(await migrating.done).toEqual([slices.name]);
    expect(await open()).toEqual([]);
  });

  it('go on after a crash with the rows that are left', async () => {
    await migrate({ url: database.url }, [table]);
    await database.sql`update a set done = true where n < 4`;
    expect(await migrate({ url: database.url }, [table, slices], brief)).toEqual([slices.name]);
    expect(await open()).toEqual([]);
  });
});

describe('pendingMigrations', () => {
  it('names what the database lacks', async () => {
    const sql = openDatabase({ url: database.url });
    expect(await pendingMigrations(sql, [first, second])).toEqual([first.name, second.name]);
    await migrate({ url: database.url }, [first]);
    expect(await pendingMigrations(sql, [first, second])).toEqual([second.name]);
    await migrate({ url: database.url }, [first, second]);
    expect(await pendingMigrations(sql, [first])).toEqual([]);
    await sql.close();
  });
});

describe('readMigrations', () => {
  it('finds the files of drizzle/ in order', async () => {
    const names = (await readMigrations()).map((each) => each.name);
    expect(names[0]).toBe('0001_resources.sql');
    expect(names).toEqual([...names].sort());
  });
});

describe('findMigrations', () => {
  it('finds the migrations of a deployed application, above the package in its node_modules', () => {
    const app = mkdtempSync(`${tmpdir()}/platform-app-`);
    const deep = `${app}/node_modules/.pnpm/x/node_modules/@platform/store-postgres/dist/`;
    mkdirSync(deep, { recursive: true });
    // A directory of that name which holds something else is passed by.
    mkdirSync(`${app}/node_modules/drizzle`);
    mkdirSync(`${app}/drizzle`);
    writeFileSync(`${app}/drizzle/0001_resources.sql`, '');
    expect(findMigrations(pathToFileURL(deep)).href).toBe(pathToFileURL(`${app}/drizzle/`).href);
    rmSync(app, { recursive: true });
  });

  it('says what it missed where there are none', () => {
    expect(() => findMigrations(new URL('file:///'))).toThrow('no drizzle/0001_resources.sql');
  });
});
