import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLines } from './last-lines.ts';

const file = join(mkdtempSync(join(tmpdir(), 'last-lines-')), 'log');

describe('lastLines', () => {
  it('reads the end of a file that is long', () => {
    writeFileSync(file, Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join(''));
    expect(lastLines(file, 2)).toBe('line 99998\nline 99999');
  });

  it('says when there is nothing', () => {
    writeFileSync(file, '');
    expect(lastLines(file, 2)).toBe('(nothing)');
    expect(lastLines(`${file}.none`, 2)).toContain('there is no');
  });
});
