import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemTimers } from 'platform-service-client';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
beforeAll(async () => {
  await registerSites(cli);
  for (const path of ['blog', 'bakery', 'blog/news', 'blog/notes', 'blog/news/hello']) await given(cli, path);
});

/** The words that a shell is offered for the last one, and its instructions. */
async function complete(...words: string[]): Promise<[string[], number]> {
  const lines = (await cli.ok(['complete', '--', ...words])).trimEnd().split('\n');
  return [lines.slice(0, -1).map((line) => line.split('\t')[0] as string), Number(lines.at(-1)?.slice(1))];
}
const [nothingElse, staysOpen, files] = [4, 6, 0];

describe('completion', () => {
  it('offers commands and subcommands', async () => {
    expect(await complete('de')).toEqual([['describe', 'delete'], nothingElse]);
    expect(await complete('status', '')).toEqual([expect.arrayContaining(['set', 'clear']), nothingElse]);
    expect((await complete(''))[0]).not.toContain('complete');
  });

  it('offers options and their values', async () => {
    expect(await complete('get', '--o')).toEqual([['--output'], nothingElse]);
    expect(await complete('get', '--con')).toEqual([['--context'], nothingElse]);
    expect(await complete('get', '-o', 'y')).toEqual([['yaml'], nothingElse]);
    expect(await complete('completion', '')).toEqual([['bash', 'zsh', 'fish', 'powershell'], nothingElse]);
  });

  it('leaves file names to the shell', async () => {
    expect(await complete('apply', '--file', 'x')).toEqual([[], files]);
    expect(await complete('run', '')).toEqual([[], files]);
  });

  it('offers kinds, then names, level by level', async () => {
    expect(await complete('describe', 's')).toEqual([
      ['secrets', 'subscriptions', 'sections', 'sites'],
      nothingElse,
    ]);
    expect(await complete('get', 'org')).toEqual([['organizations', 'org', 'orgs'], nothingElse]);
    expect(await complete('get', 'site', 'b')).toEqual([['bakery', 'blog'], nothingElse]);
    expect(await complete('get', 'site/bl')).toEqual([['site/blog'], nothingElse]);
    expect(await complete('describe', 'pages', 'bl')).toEqual([['blog/'], staysOpen]);
    expect(await complete('describe', 'pages', 'blog/n')).toEqual([['blog/news/', 'blog/notes/'], staysOpen]);
    expect(await complete('get', 'pages', '-o', 'wide', 'blog/news/')).toEqual([
      ['blog/news/hello'],
      nothingElse,
    ]);
    expect(await complete('get', 'site', 'blog/more/')).toEqual([[], nothingElse]);
  });

  it('offers the names that were removed for restore, newest first and each once', async () => {
    for (const path of ['shut', 'sold', 'shut']) {
      await given(cli, path);
      await cli.ok(`delete site/${path} --yes`);
    }
    await given(cli, 'blog/news/gone');
    await cli.ok('delete page/blog/news/gone --yes');
    expect(await complete('restore', 'site', 's')).toEqual([['shut', 'sold'], nothingElse]);
    expect(await complete('restore', 'site/sh')).toEqual([['site/shut'], nothingElse]);
    expect(await complete('restore', 'site', 'b')).toEqual([[], nothingElse]);
    expect(await complete('restore', 'pages', 'blog/n')).toEqual([['blog/news/', 'blog/notes/'], staysOpen]);
    expect(await complete('restore', 'pages', 'blog/news/')).toEqual([['blog/news/gone'], nothingElse]);
    expect(await complete('get', 'site', 's')).toEqual([[], nothingElse]);
  });

  it('offers nothing instead of failing', async () => {
    const { code, out } = await cli.run(['complete', '--', 'get', 's'], { as: null });
    expect([code, out]).toEqual([0, expect.stringMatching(/^service-accounts\t.*\n(sas?\t.*\n)+:4\n$/)]);
    expect((await cli.run(['complete', '--', 'get', 'site', ''], { as: null })).out).toBe(':4\n');
    expect(await complete('get', 'nothing', '')).toEqual([[], nothingElse]);
  });

  it('offers contexts, projects, and typed kinds only for get', async () => {
    await cli.ok('contexts set here http://localhost:1');
    expect(await complete('contexts', 'use', 'h')).toEqual([['here'], nothingElse]);
    expect(await complete('--context', '')).toEqual([['here'], nothingElse]);
    expect(await complete('get', '--output=w')).toEqual([['wide'], nothingElse]);
    await cli.api.as('admin', 'post', '/api/v1/projects').send({ name: 'shop' }).expect(201);
    const offered = async (words: string) =>
      (await cli.ok(`complete -- ${words}`, { as: 'admin' })).split('\n')[0];
    expect(await offered('oauth doctor sh')).toBe('shop\tProject');
    expect(await offered('run -p sh')).toBe('shop\tProject');
    expect(await offered('get env/sh')).toBe('env/shop/\tProject');
    expect(await offered('get env/shop/prod')).toBe('env/shop/production\tEnvironment');
    expect(await offered('get serv')).toBe('service-accounts\tServiceAccount');
    expect(await offered('describe serv')).toBe(':4');
  });

  it('offers nothing with shell syntax, and waits at most two seconds', async () => {
    const items = [{ name: '$(touch pwned)' }, { name: 'a b' }, { name: 'fine' }];
    const server = createServer((request, response) => {
      // Other requests get no response.
      if (request.url?.startsWith('/api/v1/projects')) response.end(JSON.stringify({ items }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { PLATFORM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    expect(await cli.ok(['complete', '--', 'get', 'project', ''], { env })).toBe('fine\tProject\n:4\n');
    const waits: number[] = [];
    const after = (ms: number, task: () => void) => {
      waits.push(ms);
      return systemTimers.after(ms === 2_000 ? 20 : ms, task);
    };
    const timers = { ...systemTimers, after };
    expect(await cli.ok(['complete', '--', 'describe', 'sites', ''], { env, timers })).toBe(':4\n');
    expect(waits).toContain(2_000);
    server.closeAllConnections();
    server.close();
  });
});
