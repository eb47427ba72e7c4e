import { readFileSync } from 'node:fs';
import { problemCodes } from '@platform/kernel';

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
const sections = page.split(/^## /m).slice(1);
const described = sections.map((section) => section.slice(0, section.indexOf('\n')));

describe('docs/errors.md', () => {
  it('has a section for each code, in the order of the code, and no other', () => {
    expect(described).toEqual(Object.keys(problemCodes));
  });

  it('begins each section with the status of the code', () => {
    const statuses = sections.map((section) =>
      Number(section.slice(section.indexOf('\n')).trim().slice(0, 3)),
    );
    expect(statuses).toEqual(Object.values(problemCodes).map(({ status }) => status));
  });
});
