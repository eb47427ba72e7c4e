import { systemTimers } from 'platform-service-client';
import { run } from '../src/run.ts';
import { CliFixture } from './cli-fixture.ts';
import type { FakeTerminal } from './fake-terminal.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const sites = { group: 'sites.example', version: 'v1', plural: 'sites' };
const site = (name: string) => cli.operator.resources<Record<string, unknown>>(sites).get(name);

beforeAll(() => registerSites(cli));

describe('platform delete', () => {
  it('shows what is deleted with a resource, and asks', async () => {
    for (const path of ['gone', 'gone/a', 'gone/a/b']) await given(cli, path);
    const no = await cli.run('delete site gone', { answers: ['n'] });
    expect([no.code, no.out]).toEqual([1, '']);
    expect(no.err).toContain('└─ section/gone/a  [child, blocks]\n   └─ page/gone/a/b  [child, blocks]\n');
    expect(no.err).toMatch(
      /Delete site\/gone and 2 more\? \[y\/N\] platform: cancelled; nothing was deleted\n$/,
    );
    const yes = await cli.run('delete site gone', { answers: ['y'] });
    expect([yes.code, yes.out]).toEqual([
      0,
      expect.stringMatching(/^site\/gone is being deleted; .*platform blockers sites uid:/),
    ]);
  });

  it('deletes a resource without blockers at once, and never without confirmation', async () => {
    await given(cli, 'alone');
    const { code, err } = await cli.run('delete site alone', { input: '' });
    expect([code, err]).toEqual([
      2,
      'platform: refusing to delete site/alone without confirmation: stdin is not a terminal; pass --yes\n',
    ]);
    expect(await cli.ok('delete site alone --yes')).toBe('site/alone deleted\n');
    expect((await cli.run('delete site alone --yes')).code).toBe(5);
  });

  it('waits for the removal, and prints the reason', async () => {
    const { metadata } = await given(cli, 'held', { finalizers: ['ctrl.example/hold'] });
    let polls = 0;
    const timers = {
      ...systemTimers,
      after: (ms: number, task: () => void) => {
        if (ms !== 500) return systemTimers.after(ms, task);
        // Acts as the controller, then as the collector.
        const [change, done] =
          ++polls === 1
            ? [
                cli.operator.resources(sites).changeFinalizers('held', { remove: ['ctrl.example/hold'] }),
                task,
              ]
            : [cli.api.database.sql`delete from resources where uid = ${metadata.uid}`, task];
        void Promise.resolve(change).then(() => done());
        return () => {};
      },
    };
    const { code, out, err } = await cli.run('delete site held --yes --wait', { timers });
    expect([code, out]).toEqual([0, 'site/held deleted\n']);
    expect(err).toBe(
      'waiting for site/held: finalizers to be removed: ctrl.example/hold\nwaiting for site/held: not collected yet\n',
    );
  });

  it('stops waiting after the timeout', async () => {
    await given(cli, 'stuck', { finalizers: ['ctrl.example/hold'] });
    let now = Date.now();
    const timers = {
      ...systemTimers,
      now: () => now,
      after: (ms: number, task: () => void) => {
        if (ms !== 500) return systemTimers.after(ms, task);
        now += 400_000;
        queueMicrotask(task);
        return () => {};
      },
    };
    const { code, err } = await cli.run('delete site stuck --yes --wait', { timers });
    expect([code, err]).toEqual([
      9,
      expect.stringMatching(
        /still being deleted after 300 s: finalizers to be removed: ctrl.example\/hold; platform pending/,
      ),
    ]);
  });

  it('leaves the deletion running at Ctrl-C, and says so', async () => {
    await given(cli, 'awaited', { finalizers: ['ctrl.example/hold'] });
    const words = ['delete', 'site/awaited', '--yes', '--wait'];
    const timers = {
      ...systemTimers,
      after: (ms: number, task: () => void) => {
        if (ms === 500) terminal.interrupt();
        return systemTimers.after(ms, task);
      },
    };
    const terminal: FakeTerminal = cli.terminal({ timers });
    expect(await run(words, terminal)).toBe(130);
    expect(terminal.stderr).toContain(
      'platform: the deletion of site/awaited continues; platform pending shows its progress\n',
    );
    expect((await site('awaited')).metadata.deletionTimestamp).toBeDefined();
  });
});
