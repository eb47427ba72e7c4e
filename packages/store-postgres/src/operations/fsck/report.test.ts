import { fsckReport } from './index.ts';

const rows = [{ id: 'u', what: 'w' }];

describe('the report of fsck', () => {
  it('names the rows of each broken invariant, and says when there are more', () => {
    const missing = { check: 'missing_parent', invariant: 'it exists', rows, more: true };
    const cycle = { check: 'parent_cycle', invariant: 'there is none', rows, more: false };
    expect(fsckReport([missing, cycle])).toBe(
      'missing_parent: it exists\n  u  w\n  and more\nparent_cycle: there is none\n  u  w\n',
    );
  });

  it('says so when every invariant holds', () => {
    expect(fsckReport([])).toBe('every invariant holds\n');
  });
});
