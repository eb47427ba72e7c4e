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

  it('is in the package that the image of the API deploys', () => {
    // docker/Dockerfile runs `pnpm build`, then `pnpm deploy`, which takes the files of the package.
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: `${root}apps/api`,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    const shipped = files.map(({ path }) => path).filter((path) => path.startsWith('console/'));
    expect(shipped).toContain('console/index.html');
    expect(shipped.filter((path) => path.startsWith('console/assets/')).sort()).toEqual(
      readdirSync(assets)
        .map((file) => `console/assets/${file}`)
        .sort(),
    );
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
