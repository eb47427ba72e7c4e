import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { testServer } from './test-server.ts';
import { timeoutFactor } from './timeouts.ts';

/** A database of its own for one test file. Usable from `beforeAll` on. */
export interface TestDatabase {
  readonly url: string;
  /** A client for arranging and looking; closed by `testDatabase`. */
  readonly sql: Sql;
}

/** The initial content of the database. */
export interface TestDatabaseOptions {
  /**
   * Brings an empty database to the state to be copied, e.g. `(url) => migrate({ url })`. Runs once in a
   * jest run for each `template`. Without it the database is empty.
   */
  readonly migrate?: (url: string) => Promise<unknown>;
  /** Tells apart what different `migrate` functions make; by default the platform's schema. */
  readonly template?: string;
}

const leakPatienceMs = 3_000 * timeoutFactor;

/**
 * Gives the test file a database copied from a migrated template, and drops it afterwards. A connection
 * that is still open then fails the file: the code under test has leaked it.
 * Call it at the top of a `describe` or of the file; it registers `beforeAll` and `afterAll`.
 */
export function testDatabase(options: TestDatabaseOptions = {}): TestDatabase {
  let opened: { url: string; sql: Sql; server: string; name: string } | undefined;
  const current = () => {
    if (opened === undefined) throw new Error('the test database exists only from beforeAll to afterAll');
    return opened;
  };

  beforeAll(async () => {
    const server = await testServer();
    const name = await createDatabase(server, options);
    const url = databaseUrl(server, name);
    opened = { url, sql: client(url), server, name };
  }, 120_000);

  afterAll(async () => {
    if (opened === undefined) return;
    const { server, sql, name } = opened;
    opened = undefined;
    await sql.end();
    await asAdmin(server, (admin) => dropDatabase(admin, name));
  }, 60_000);

  return {
    get url() {
      return current().url;
    },
    get sql() {
      return current().sql;
    },
  };
}

/** Names begin with the run, so that `global-teardown.mjs` finds what an external server still has of it. */
function nameOf(what: string): string {
  return `test_${process.env['PLATFORM_TEST_RUN'] ?? 'none'}_${what}`;
}

async function createDatabase(server: string, { migrate, template = 'platform' }: TestDatabaseOptions) {
  const name = nameOf(randomBytes(6).toString('hex'));
  await asAdmin(server, async (admin) => {
    if (migrate === undefined) await admin`create database ${admin(name)}`;
    else await copyTemplate(admin, name, server, nameOf(`template_${template}`), migrate);
  });
  return name;
}

type Migrate = NonNullable<TestDatabaseOptions['migrate']>;

async function copyTemplate(admin: Sql, name: string, server: string, source: string, migrate: Migrate) {
  // Of several workers one makes the template; a session's locks end with its connection.
  await admin`select pg_advisory_lock(hashtext(${source}))`;
  const made = await admin`select from pg_database where datname = ${source}`;
  if (made.length === 0) await makeTemplate(admin, server, source, migrate);
  await admin`select pg_advisory_unlock(hashtext(${source}))`;
  await admin`create database ${admin(name)} template ${admin(source)}`;
}

async function makeTemplate(admin: Sql, server: string, name: string, migrate: Migrate): Promise<void> {
  const draft = `${name}_draft`;
  await dropAnyway(admin, draft);
  await admin`create database ${admin(draft)}`;
  await migrate(databaseUrl(server, draft));
  const leaked = await connectionsTo(admin, draft);
  if (leaked.length > 0) throw new Error(`migrate left connections open: ${leaked.join('; ')}`);
  await admin`alter database ${admin(draft)} rename to ${admin(name)}`;
}

async function dropDatabase(admin: Sql, name: string): Promise<void> {
  const leaked = await connectionsTo(admin, name);
  await dropAnyway(admin, name);
  if (leaked.length > 0) throw new Error(`connections were leaked: ${leaked.join('; ')}`);
}

/** `with (force)` fails while autovacuum works in the database, because only a superuser may end it. Without `force`, autovacuum is cancelled. */
async function dropAnyway(admin: Sql, name: string): Promise<void> {
  await admin`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and backend_type = 'client backend'`;
  await admin`drop database if exists ${admin(name)}`;
}

// A closed connection leaves the list a moment after its client is done.
async function connectionsTo(admin: Sql, name: string): Promise<string[]> {
  const deadline = performance.now() + leakPatienceMs;
  for (;;) {
    const open = await admin<{ query: string; state: string; application_name: string }[]>`
      select query, state, application_name from pg_stat_activity
      where datname = ${name} and backend_type = 'client backend'`;
    if (open.length === 0 || performance.now() > deadline) {
      return open.map((row) => `${row.application_name} (${row.state}): ${row.query}`);
    }
    await delay(20);
  }
}

async function asAdmin(server: string, use: (admin: Sql) => Promise<void>): Promise<void> {
  const admin = client(server);
  try {
    await use(admin);
  } finally {
    await admin.end();
  }
}

function client(url: string): Sql {
  return postgres(url, { max: 1, onnotice: () => undefined, connection: { application_name: 'test' } });
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
