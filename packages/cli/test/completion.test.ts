import { given, registerSites } from './sites.ts';
import { CliWorld } from './world.ts';

const world = new CliWorld();
beforeAll(async () => {
  await registerSites(world);
  for (const path of ['blog', 'bakery', 'blog/news', 'blog/notes', 'blog/news/hello'])
    await given(world, path);
});

/** What a shell is offered for the last word, and what it is told to do. */
async function complete(...words: string[]): Promise<[string[], number]> {
  const lines = (await world.ok(['complete', '--', ...words])).trimEnd().split('\n');
  return [lines.slice(0, -1).map((line) => line.split('\t')[0] as string), Number(lines.at(-1)?.slice(1))];
}
const [nothingElse, staysOpen, files] = [4, 6, 0];

describe('completion', () => {
  it('offers commands and their commands', async () => {
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

  it('leaves files to the shell', async () => {
    expect(await complete('apply', '--file', 'x')).toEqual([[], files]);
    expect(await complete('run', '')).toEqual([[], files]);
  });

  it('offers kinds, then names, level by level', async () => {
    expect(await complete('describe', 's')).toEqual([['sections', 'sites'], nothingElse]);
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

  it('offers nothing instead of failing', async () => {
    const { code, out } = await world.run(['complete', '--', 'get', 's'], { as: null });
    expect([code, out]).toEqual([0, expect.stringMatching(/^service-accounts\t.*\n(sas?\t.*\n)+:4\n$/)]);
    expect((await world.run(['complete', '--', 'get', 'site', ''], { as: null })).out).toBe(':4\n');
    expect(await complete('get', 'nothing', '')).toEqual([[], nothingElse]);
  });
});
