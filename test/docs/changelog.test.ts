import { textOf } from './markdown-files.ts';

const lines = textOf('CHANGELOG.md').split('\n');
const headings = (level: string) =>
  lines.filter((line) => line.startsWith(`${level} `)).map((line) => line.slice(level.length + 1));

describe('the changelog (Keep a Changelog 1.1.0)', () => {
  it('lists unreleased changes first, then versions with their dates', () => {
    const [first, ...released] = headings('##');
    expect(first).toBe('[Unreleased]');
    for (const heading of released) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  });

  it('groups changes by kind', () => {
    for (const heading of headings('###')) {
      expect(['Breaking', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(
        heading,
      );
    }
  });

  it('has no group without changes in a released version', () => {
    const released = lines
      .slice(lines.findIndex((line) => /^## \[\d/.test(line)))
      .filter((line) => line !== '');
    expect(
      released.filter((line, i) => line.startsWith('### ') && !released[i + 1]?.startsWith('- ')),
    ).toEqual([]);
  });

  it('has each group once in a version', () => {
    const versions = lines.join('\n').split(/^## /m).slice(1);
    for (const version of versions) {
      const groups = version.match(/^### .*$/gm) ?? [];
      expect(groups).toEqual([...new Set(groups)]);
    }
  });

  it('describes each change once', () => {
    const versions = lines.join('\n').split(/^## /m).slice(1);
    for (const version of versions) {
      const beginnings: readonly string[] = version.match(/^- .{60}/gm) ?? [];
      expect(beginnings.filter((text, index) => beginnings.indexOf(text) !== index)).toEqual([]);
    }
  });

  it('has the unreleased changes of a group by area, in alphabetical order', () => {
    const [, unreleased = ''] = lines.join('\n').split(/^## /m);
    const groups = unreleased.split(/^### /m).slice(1);
    for (const group of groups.filter((text) => !text.startsWith('Breaking'))) {
      const changes = group.split('\n').filter((line) => line.startsWith('- '));
      const areas = changes.map((line) => line.match(/^- ([A-Z][\w ,]*): /)?.[1]?.toLowerCase());
      expect(areas).toEqual(areas.toSorted());
      expect(changes.filter((_, index) => areas[index] === undefined)).toEqual([]);
    }
  });

  it('describes each change in one line', () => {
    const start = lines.findIndex((line) => line.startsWith('## '));
    const other = lines
      .slice(start)
      .filter((line) => line !== '' && !/^(?:- |#{2,3} )/.test(line) && line !== 'The first release.');
    expect(other).toEqual([]);
  });
});
