import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce, freePort, testDatabase } from '@platform/development/testing';
import { migrate, openDatabase } from '@platform/store-postgres';
import { configIn, root, writeSecrets } from './files.ts';
import { operatorToken } from './operator-token.ts';
import { Programs, stopped } from './start-program.ts';

// pg_dump must not be older than the server, and the embedded server comes without one: so this needs an installed PostgreSQL.
const installed = (() => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const complete = versions.filter((version) =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'].every((name) =>
      existsSync(`/usr/lib/postgresql/${version}/bin/${name}`),
    ),
  );
  const newest = complete.map(Number).sort((a, b) => b - a)[0];
  return newest === undefined || newest < 15 ? null : `/usr/lib/postgresql/${newest}/bin`;
})();

/** PostgreSQL refuses root; Debian's package brings an account of its own. */
function account(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** The commands of the walk-through, as they stand in the documentation. */
const page = readFileSync(join(root, 'docs/backup.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] as string);

const programs = new Programs();
const password = randomBytes(16).toString('hex');
const urlOf = (port: number, name: string) => `postgres://platform:${password}@127.0.0.1:${port}/${name}`;

async function startServer(bin: string, directory: string): Promise<{ server: ChildProcess; port: number }> {
  const user = account();
  const data = join(directory, 'data');
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, password);
  for (const path of user === null ? [] : [directory, data, passwordFile]) {
    chownSync(path, user?.uid ?? 0, user?.gid ?? 0);
  }
  const options = { cwd: directory, ...(user ?? {}) };
  const settings = ['-D', data, '-U', 'platform', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const made = spawnSync(join(bin, 'initdb'), [...settings, '-E', 'UTF8', '--locale=C', '--no-sync'], {
    ...options,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr);
  const port = await freePort();
  const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...flags.flatMap((flag) => ['-c', flag])],
    {
      ...options,
      stdio: 'ignore',
    },
  );
  while (spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status !== 0) {
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start');
    await delay(50);
  }
  return { server, port };
}

async function tablesOf(url: string): Promise<string> {
  const database = openDatabase({ url, poolMax: 1 });
  const tables = await database.rows<readonly [string]>(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  );
  const contents: string[] = [];
  for (const [name] of tables) {
    const rows = await database.rows<readonly [string]>(`select t::text from "${name}" t order by 1`);
    contents.push(`${name}:\n${rows.join('\n')}`);
  }
  await database.close();
  return contents.join('\n');
}

async function fill(url: string): Promise<void> {
  await migrate({ url });
  const database = openDatabase({ url, poolMax: 1 });
  const [definition, parent] = [randomUUID(), randomUUID()];
  const spec = {
    group: 'example.dev',
    kind: 'Widget',
    plural: 'widgets',
    versions: [{ name: 'v1', served: true, storage: true }],
  };
  await database.rows(
    `insert into resources (uid, api_version, kind, name, discriminator, spec)
     values ($1::uuid, 'platform.dev/v1alpha1', 'ResourceDefinition', 'widgets.example.dev', 'aaaaaaaa', $2::json)`,
    [definition, JSON.stringify(spec)],
  );
  // Numbers that a parse would change, a tombstone, and a reference.
  await database.rows(
    `insert into resources (uid, api_version, kind, name, discriminator, spec, finalizers, deletion_timestamp)
     values ($1::uuid, 'example.dev/v1', 'Widget', 'owner', 'bbbbbbbb',
       '{"big":12345678901234567890,"huge":1e400,"tail":1.10}', '{example.dev/hold}', now())`,
    [parent],
  );
  await database.rows(
    `insert into resources (uid, api_version, kind, name, discriminator, owner_references, deletion_timestamp)
     values (gen_random_uuid(), 'example.dev/v1', 'Widget', 'dependent', 'cccccccc', $1::jsonb, now())`,
    [JSON.stringify([{ apiVersion: 'example.dev/v1', kind: 'Widget', name: 'owner', uid: parent }])],
  );
  await database.close();
}

describe('the walk-through of docs/backup.md', () => {
  // The embedded server, which is built without lz4.
  const another = testDatabase();

  it('has a dump, a restore, a check, a restore elsewhere, and an end of all cursors', () => {
    expect(blocks.map((block) => /pg_dump|pg_restore|fsck|change_log/.exec(block)?.[0])).toEqual([
      'pg_dump',
      'pg_restore',
      'fsck',
      'pg_restore',
      'change_log',
    ]);
  });

  // Skipped where Debian's PostgreSQL (server and client, 15 or later) is not installed.
  (installed === null ? it.skip : it)(
    'brings back every row of every table, with every guard; fsck finds nothing, and the service goes on from there',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'platform-backup-'));
      const { server, port } = await startServer(installed as string, directory);
      try {
        await createDatabase(port, 'platform');
        const [from, to] = [urlOf(port, 'platform'), urlOf(port, 'restored')];
        await fill(from);
        const secrets = mkdtempSync(join(tmpdir(), 'platform-secrets-'));
        writeSecrets(secrets, from);
        await buildOnce();
        const run = (block = '', restored = to) => {
          const { status, stdout, stderr } = spawnSync('bash', ['-euc', block], {
            cwd: root,
            encoding: 'utf8',
            env: {
              PATH: `${installed}:${process.env['PATH']}`,
              DATABASE_URL: from,
              RESTORED_URL: restored,
              ADMIN_URL: urlOf(port, 'postgres'),
              BACKUP: join(secrets, 'platform.dump'),
              PLATFORM_CONFIG: configIn('kubernetes/config.yaml', '/etc/platform-secrets', secrets),
            },
          });
          expect({ block, status, stdout, stderr }).toMatchObject({ status: 0 });
        };
        for (const block of blocks.slice(0, 3)) run(block);
        expect(await tablesOf(to)).toBe(await tablesOf(from));
        expect(await guardsOf(to)).toBe(await guardsOf(from));
        run(blocks[3], another.url);
        expect(await tablesOf(another.url)).toBe(await tablesOf(from));
        run(blocks[4]);
        await serveFrom(to, secrets);
        expect(await startOfTicks(to)).toBeGreaterThan(await startOfTicks(from));
        rmSync(secrets, { recursive: true });
      } finally {
        await programs.kill();
        const ended = once(server, 'exit');
        server.kill('SIGQUIT');
        await ended;
        rmSync(directory, { recursive: true, force: true });
      }
    },
    240_000,
  );
});

/** API and collector go on with the restored database: sessions from before are good, deletions come to their end. */
async function serveFrom(url: string, secrets: string): Promise<void> {
  const start = async (app: string, key: string) => {
    const port = await freePort();
    return programs.start(process.execPath, [join(root, `apps/${app}/dist/main.js`)], port, {
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        PLATFORM_CONFIG: join(secrets, 'config.yaml'),
        PLATFORM__DATABASE__URL: url,
        [key]: `127.0.0.1:${port}`,
      },
    });
  };
  const api = await start('api', 'PLATFORM__SERVER__LISTEN');
  const token = await operatorToken(secrets, 'https://platform.example.com', 'operator@example.com');
  const get = (name: string) =>
    fetch(`${api.url}/api/v1/resources/example.dev/v1/widgets/${name}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  expect((await get('dependent')).status).toBe(200);
  const collector = await start('collector', 'PLATFORM__COLLECTOR__LISTEN');
  while ((await get('dependent')).status !== 404) await delay(50);
  const owner = await get('owner');
  expect([owner.status, await owner.text()]).toEqual([
    200,
    expect.stringContaining('{"big":12345678901234567890,"huge":1e400,"tail":1.10}'),
  ]);
  for (const program of [api, collector]) expect((await stopped(program)).slice(0, 2)).toEqual([0, null]);
}

/** The place below which all cursors are expired. */
async function startOfTicks(url: string): Promise<number> {
  const database = openDatabase({ url, poolMax: 1 });
  const [row] = await database.rows<readonly [number]>('select floor from change_log');
  await database.close();
  return Number(row?.[0]);
}

async function createDatabase(port: number, name: string): Promise<void> {
  const admin = openDatabase({ url: urlOf(port, 'postgres'), poolMax: 1 });
  await admin.rows(`create database ${name}`);
  await admin.close();
}

/** Constraints, indexes and triggers, as the server tells them, less the parentheses, which a dump adds or drops. */
async function guardsOf(url: string): Promise<string> {
  const database = openDatabase({ url, poolMax: 1 });
  const rows = await database.rows<readonly [string]>(
    `select translate(guard, '()', '') from (
     select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal) as guards(guard) order by 1`,
  );
  await database.close();
  expect(rows.length).toBeGreaterThan(50);
  return rows.join('\n');
}
