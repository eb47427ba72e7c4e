import { matches, readShellBlocks } from './shell-page.ts';

const page = [
  '# A page',
  '```sh',
  'echo one',
  '```',
  '',
  '```text',
  'one',
  '```',
  '```yaml',
  'a: 1',
  '```',
  '```sh',
  'echo two',
  '```',
  '',
].join('\n');

it('finds the blocks that are to be run, and what they must print', () => {
  expect(readShellBlocks(page)).toEqual([
    { line: 2, script: 'echo one\n', manner: { as: 'step' }, expected: 'one\n' },
    { line: 12, script: 'echo two\n', manner: { as: 'step' }, expected: undefined },
  ]);
  expect(() => readShellBlocks('```sh\necho')).toThrow('line 1 has no end');
});

it.each([
  ['terminal: listening', { as: 'terminal', until: 'listening' }],
  ['until as shown', { as: 'repeated' }],
  ['ends with 7', { as: 'refused', code: 7 }],
  ['needs: curl', { as: 'where', program: 'curl' }],
  ['not run: needs a cluster', { as: 'not run', reason: 'needs a cluster' }],
  ['run by: a/b.test.ts', { as: 'run by', file: 'a/b.test.ts' }],
])('reads how a block is run: %s', (comment, manner) => {
  expect(readShellBlocks(`<!-- ${comment} -->\n\`\`\`sh\n\`\`\`\n`)).toMatchObject([{ manner }]);
});

it('refuses a comment above a block that means nothing', () => {
  expect(() => readShellBlocks('<!-- ends with? -->\n```sh\n```\n')).toThrow('line 2: nobody knows');
});

it.each([
  ['one\n', 'one', true],
  ['one\n', 'one\ntwo', false],
  ['one\n...\nfour\n', 'one\ntwo\nthree\nfour\n', true],
  ['one\n...\n', 'two\n', false],
  ['NAME   AGE\nblog   <age>\n', 'NAME    AGE\nblog    12s\n', true],
  ['blog   <age>\n', 'blog    1 2\n', false],
  ['{"uid":"...","a.b":1}\n', '{"uid":"xyz","a.b":1}\n', true],
  ['{"uid":"...","a.b":1}\n', '{"uid":"xyz","acb":1}\n', false],
])('%j is printed by %j: %s', (expected, printed, result) => {
  expect(matches(expected, printed)).toBe(result);
});
