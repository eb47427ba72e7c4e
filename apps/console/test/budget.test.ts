import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const assets = `${root}apps/api/console/assets/`;

describe('the size of the console, compressed', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['tools/build/main.mjs', 'console'], { cwd: root });
  }, 120_000);

  const kilobytes = (pattern: RegExp) =>
    readdirSync(assets)
      .filter((file) => pattern.test(file))
      .reduce((sum, file) => sum + gzipSync(readFileSync(assets + file)).length / 1_000, 0);

  it('is at most 260 KB of scripts for the frame and the first table', () => {
    expect(kilobytes(/^(?:index|place-page|page|surroundings|table-worker)-.*\.js$/)).toBeLessThan(260);
  });

  it('is at most 40 KB of styles', () => {
    expect(kilobytes(/\.css$/)).toBeLessThan(40);
  });

  it('has no script that makes code from text, which the content security policy refuses', () => {
    for (const file of readdirSync(assets).filter((one) => one.endsWith('.js'))) {
      expect(readFileSync(assets + file, 'utf8')).not.toMatch(/\bnew Function\(|\beval\(/);
    }
  });
});
