import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { testDatabase } from '@platform/testkit';
import { type Migration, migrate, openDatabase, pendingMigrations, readMigrations } from './index.ts';
import { findMigrations } from './migrate.ts';

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

  it('calls a database that is not there unavailable', async () => {
    const url = new URL(database.url);
    url.port = '1';
    await expect(migrate({ url: url.href }, [first])).rejects.toMatchObject({ code: 'unavailable' });
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
