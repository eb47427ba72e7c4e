import { run, type Terminal } from 'platform-service-cli';
import { markdownFiles, textOf } from './markdown-files.ts';
import { readFences } from './shell-page.ts';

/** The output of `--help` for these words. */
async function helpOf(words: readonly string[]): Promise<string> {
  let printed = '';
  const out = (text: string) => {
    printed += text;
  };
  const terminal = {
    out,
    err: out,
    isTty: false,
    canAsk: false,
    env: {},
    home: '/',
    signal: new AbortController().signal,
  };
  await run([...words, '--help'], terminal as unknown as Terminal);
  return printed;
}

/** The fault of a command line of a page; null when the command and its options exist. */
async function faultOf(line: string): Promise<string | null> {
  const words =
    line
      .split(/ -- | \||[;&<>)]/)[0]
      ?.trim()
      .split(/\s+/) ?? [];
  const [first = '', second = ''] = words.map((word) => word.split('|')[0]);
  if (first === 'help') return null;
  const both = await helpOf([first, second]);
  const help = both.startsWith(`Usage: platform ${first} ${second} `) ? both : await helpOf([first]);
  if (!help.startsWith(`Usage: platform ${first} `)) return `no command ${first}`;
  if (/\[command\]/.test(help.split('\n')[0] ?? '') && second !== '') return `no command ${first} ${second}`;
  const known = `${help}\n${await helpOf([])}`;
  const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split('=')[0] ?? '');
  const unknown = options.filter((option) => !new RegExp(`${option}\\b`).test(known));
  return unknown.length === 0 ? null : `no option ${unknown.join(', ')}`;
}

/** The command lines of a page, in its text and in its shell blocks. */
function commandLines(markdown: string): string[] {
  const scripts = readFences(markdown).filter(({ language }) => language === 'sh');
  const spans = [...markdown.matchAll(/`(?:\.\/)?platform ([a-z][^`\n]*)`/g)].map(([, line = '']) => line);
  const typed = scripts.flatMap(({ content }) =>
    [...content.matchAll(/\.\/platform ([a-z].*)/g)].map(([, line = '']) => line),
  );
  return [...spans, ...typed];
}

it('every command of platform that a page names exists, with its options', async () => {
  const faults: string[] = [];
  const lines = markdownFiles().flatMap((page) => commandLines(textOf(page)).map((line) => ({ page, line })));
  for (const { page, line } of lines) {
    const fault = await faultOf(line);
    if (fault !== null) faults.push(`${page}: platform ${line}: ${fault}`);
  }
  expect(faults).toEqual([]);
  expect(lines.length).toBeGreaterThan(50);
});

it.each([
  ['get greetings -o yaml', null],
  ['oauth doctor shop login', null],
  ['oauth nurse', 'no command oauth nurse'],
  ['gets', 'no command gets'],
  ['oauth doctor --project shop', 'no option --project'],
])('platform %s: %j', async (line, fault) => {
  expect(await faultOf(line)).toBe(fault);
});
