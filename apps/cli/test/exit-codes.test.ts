import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../src/exit-codes.ts';

it('docs/cli.md lists every exit code, and no other', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/cli.md', import.meta.url)), 'utf8');
  const listed = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(Object.values(exitCodes));
});
