import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const sites = { group: 'sites.example', version: 'v1', plural: 'sites' };
const site = (name: string) => cli.operator.resources<Record<string, unknown>>(sites).get(name);

beforeAll(() => registerSites(cli));

describe('platform edit', () => {
  const editing = (change: (text: string) => string, seen: string[] = []) => ({
    env: { EDITOR: 'editor --wait' },
    spawn: (command: readonly string[]) => {
      const path = command.at(-1) as string;
      const text = readFileSync(path, 'utf8');
      seen.push(`${command.slice(0, -1).join(' ')}\n${text}`);
      writeFileSync(path, change(text));
      return 0;
    },
  });

  it('opens the desired state, sends the changes, and shows them', async () => {
    await given(cli, 'edited');
    const seen: string[] = [];
    const out = await cli.ok(
      'edit site edited',
      editing((text) => text.replace('title: edited', 'title: Better'), seen),
    );
    expect(out).toMatch(/^site\/edited configured\n(.*\n)* {2}\+ {2}title: Better\n$/);
    expect(seen[0]).toMatch(/^editor --wait\n# site\/edited, revision 1\./);
    expect(seen[0]).not.toMatch(/status|uid/);
    expect((await site('edited')).spec).toEqual({ title: 'Better' });
  });

  it('writes nothing without a change', async () => {
    expect(
      await cli.ok(
        'edit site edited',
        editing((text) => text),
      ),
    ).toBe('site/edited unchanged\n');
    expect(
      await cli.ok(
        'edit site edited',
        editing(() => ''),
      ),
    ).toBe('site/edited unchanged\n');
  });

  it('opens the editor again with the error', async () => {
    const seen: string[] = [];
    const out = await cli.ok(
      'edit site edited',
      editing(
        (text) =>
          seen.length === 1
            ? text.replace('title: Better', 'title: 7')
            : text.replace('title: 7', 'title: Seven'),
        seen,
      ),
    );
    expect(seen[1]).toMatch(/# .*schema_violation/);
    expect(seen[1]).toContain('title: 7');
    expect(out).toContain('title: Seven');
  });

  it('does not overwrite a concurrent change of the same field, and keeps the edit as a file for apply', async () => {
    const { spawn } = editing((text) => text.replace('title: Seven', 'title: Mine'));
    const { code, err } = await cli.run('edit site edited', {
      env: { VISUAL: 'v', EDITOR: 'e' },
      spawn: async (command) => {
        expect(command[0]).toBe('v');
        await cli.operator
          .resources(sites)
          .update('edited', (now) => ({ ...now, spec: { title: 'Theirs' } }));
        return spawn(command);
      },
    });
    const [, path = ''] = /your changes are kept in (\S+);/.exec(err) ?? [];
    expect([code, err]).toEqual([6, expect.stringContaining('somebody else changed the same fields')]);
    expect((await site('edited')).spec).toEqual({ title: 'Theirs' });
    expect(await cli.ok(['apply', '-f', path])).toContain('+  title: Mine');
    rmSync(dirname(path), { recursive: true });
  });

  it('stops when rejected content is saved unchanged, or the editor fails', async () => {
    const stubborn = await cli.run(
      'edit site edited',
      editing((text) => text.replace(/title: .*/, 'title: 7')),
    );
    expect([stubborn.code, stubborn.err]).toEqual([7, expect.stringContaining('schema_violation')]);
    const broken = await cli.run('edit site edited', { spawn: () => 3 });
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/the editor vi exited with code 3/)]);
  });
});
