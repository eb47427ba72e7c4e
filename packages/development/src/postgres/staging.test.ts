import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureLinks, findBinaries } from './binaries.ts';
import { stageBinaries } from './staging.ts';

const native = join(dirname(findBinaries(undefined, tmpdir()).postgres), '..');
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'staging-'));
});

afterEach(() => rmSync(parent, { recursive: true }));

describe('a copy of the binaries', () => {
  it('runs, is readable by everyone, and leaves static libraries behind', () => {
    const [staged = ''] = stageBinaries(native, '18.0', parent);
    expect(ensureLinks(staged)).toBe(true);
    const version = execFileSync(join(staged, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
    expect(version).toMatch(/^postgres \(PostgreSQL\) 18/);
    expect(statSync(join(staged, 'share', 'postgresql', 'postgres.bki')).mode & 0o777).toBe(0o644);
    expect(existsSync(join(staged, 'lib', 'libpq.a'))).toBe(false);
  });

  it('is kept for the next start', () => {
    const [first = ''] = stageBinaries(native, '18.0', parent);
    const { ino } = lstatSync(first);
    expect([...stageBinaries(native, '18.0', parent)]).toEqual([first]);
    expect(lstatSync(first).ino).toBe(ino);
  });

  it('that others could have changed is not run', () => {
    const [first = ''] = stageBinaries(native, '18.0', parent);
    chmodSync(dirname(first), 0o777);
    expect([...stageBinaries(native, '18.0', parent)]).toEqual([]);
  });
});
