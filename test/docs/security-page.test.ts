import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, textOf } from './markdown-files.ts';

const [, afterHeading = ''] = textOf('docs/security.md').split('\n## Attacks and controls\n');
const [attacks = ''] = afterHeading.split('\n## ');

/** The cells of each control: attack, control and tests. */
const controls = attacks
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| Attack/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

/** The faults of the tests that a control names; empty when there are none. */
function faultsOf([attack = '', , tests = '']: readonly string[]): readonly string[] {
  const paths = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  if (paths.length === 0) return [`${attack}: names no test`];
  return paths.filter((path) => !isTest(path)).map((path) => `${attack}: ${path} is no test`);
}

function isTest(path: string): boolean {
  if (!/\.test\.ts$|\/conformance\/[\w-]+\.ts$/.test(path) || !existsSync(join(root, path))) return false;
  return /^\s*(?:it|describe|guarantee)(?:\.each)?\(/m.test(textOf(path));
}

it('every control of the page on security names tests that exist', () => {
  expect(controls.length).toBeGreaterThan(45);
  expect(controls.flatMap(faultsOf)).toEqual([]);
});

it.each([
  [['an attack', 'a control', '-'], ['an attack: names no test']],
  [['an attack', 'a control', '`test/docs/gone.test.ts`'], ['an attack: test/docs/gone.test.ts is no test']],
  [
    ['an attack', 'a control', '`test/docs/markdown-files.ts`'],
    ['an attack: test/docs/markdown-files.ts is no test'],
  ],
  [['an attack', 'a control', '`test/docs/security-page.test.ts`'], []],
])('checks %j', (row, faults) => {
  expect(faultsOf(row)).toEqual(faults);
});

it('the security policy leads to the page', () => {
  expect(textOf('SECURITY.md')).toContain('](docs/security.md)');
});
