import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase, waitingForLocks, whileHeld } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { run } from '../src/run.ts';
import { FakeTerminal } from './fake-terminal.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });

/** Runs the command with the database as the environment configures it, unless other variables are given. */
async function platform(words: string, env?: Record<string, string>) {
  const terminal = new FakeTerminal({ env: env ?? { PLATFORM__DATABASE__URL: database.url } });
  const code = await run(words.split(' '), terminal);
  return { code, out: terminal.stdout, err: terminal.stderr };
}

describe('platform fsck', () => {
  afterEach(() => database.sql`insert into leases (name) values ('collector') on conflict do nothing`);

  it('exits with 0 when every invariant holds', async () => {
    expect(await platform('fsck')).toEqual({ code: 0, out: 'every invariant holds\n', err: '' });
    expect(await platform('fsck --json')).toEqual({ code: 0, out: '{"findings":[]}\n', err: '' });
  });

  it('lists violated invariants, and exits with 1', async () => {
    await database.sql`delete from leases where name = 'collector'`;
    expect(await platform('fsck')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^missing_singleton: /),
    });
    const { code, out } = await platform('fsck --json --limit 1 --grace-seconds 0');
    expect([code, JSON.parse(out).findings[0].check]).toEqual([1, 'missing_singleton']);
  });

  it('prefers the database of the option to the configured one', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'platform-cli-')), 'platform.yaml');
    writeFileSync(file, 'database: { url: "$' + '{env:ELSEWHERE}" }\n');
    const configured = { PLATFORM_CONFIG: file };
    expect(await platform('fsck', { ...configured, ELSEWHERE: database.url })).toMatchObject({ code: 0 });
    const wrong = { ...configured, ELSEWHERE: 'postgres://nobody@127.0.0.1:1/nothing' };
    expect(await platform('fsck', wrong)).toMatchObject({ code: 8 });
    expect(await platform(`fsck --database-url ${database.url}`, wrong)).toMatchObject({ code: 0 });
  });

  it('ends with 130 at Ctrl-C while a table is locked', async () => {
    await whileHeld(database, ['lock table leases'], async () => {
      const terminal = new FakeTerminal({ env: { PLATFORM__DATABASE__URL: database.url } });
      const code = run(['fsck'], terminal);
      await waitingForLocks(database, 1);
      terminal.interrupt();
      expect([await code, terminal.stderr]).toEqual([130, '']);
    });
  });

  it('prints one line without a password when it cannot check', async () => {
    const gone = await platform('fsck --database-url postgres://a:secret@127.0.0.1:1/x');
    expect(gone).toEqual({
      code: 8,
      out: '',
      err: 'platform: The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    });
    const empty = {
      PLATFORM__DATABASE__DATA_DIR: mkdtempSync(join(tmpdir(), 'platform-cli-')),
    };
    expect(await platform('fsck', empty)).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^platform: no database is configured, and no embedded database is running in .*; set --database-url, .*\n$/,
      ),
    });
    expect(await platform('fsck --database-url secret')).toMatchObject({
      code: 2,
      err: 'platform: database.url: must be a postgres:// URL\n',
    });
    expect(await platform('--url http://platform.example fsck')).toMatchObject({ code: 2 });
  });
});

describe('platform collector', () => {
  it('pauses and resumes the collectors, and shows their state', async () => {
    expect(await platform('collector state')).toMatchObject({ code: 0, out: 'running, leader: none\n' });
    expect((await platform('collector pause')).out).toMatch(/^paused since \d{4}-.*Z, leader: none\n$/);
    const [lease] = await database.sql`select paused_since from leases where name = 'collector'`;
    expect(lease?.['paused_since']).not.toBeNull();
    expect(await platform('collector resume')).toMatchObject({ code: 0, out: 'running, leader: none\n' });
  });

  it('changes nothing for an unknown verb', async () => {
    expect(await platform('collector stop')).toMatchObject({ code: 2, out: '' });
    expect((await platform('collector state')).out).toBe('running, leader: none\n');
  });
});
