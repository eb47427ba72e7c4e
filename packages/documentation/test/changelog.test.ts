import { textOf } from '../src/markdown-files.ts';

const lines = textOf('CHANGELOG.md').split('\n');
const headings = (level: string) =>
  lines.filter((line) => line.startsWith(`${level} `)).map((line) => line.slice(level.length + 1));

describe('the changelog (Keep a Changelog 1.1.0)', () => {
  it('has what is not released first, then versions with their days', () => {
    const [first, ...released] = headings('##');
    expect(first).toBe('[Unreleased]');
    for (const heading of released) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  });

  it('sorts changes by their kind', () => {
    for (const heading of headings('###')) {
      expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(heading);
    }
  });

  it('says each change in one line', () => {
    const begin = lines.findIndex((line) => line.startsWith('### '));
    const other = lines.slice(begin).filter((line) => line !== '' && !/^(?:- |#{2,3} )/.test(line));
    expect(other).toEqual([]);
  });
});
