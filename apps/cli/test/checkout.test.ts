import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'check out-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('./platform of a checkout runs also by a link, of a link, in a directory of the PATH', () => {
  const checkout = join(directory, 'checkout');
  const bin = join(directory, 'bin');
  for (const made of [join(checkout, 'apps/cli/bundle'), bin]) mkdirSync(made, { recursive: true });
  copyFileSync(join(root, 'platform'), join(checkout, 'platform'));
  writeFileSync(join(checkout, 'apps/cli/bundle/main.js'), '');
  writeFileSync(join(checkout, 'apps/cli/platform.mjs'), 'console.log(process.argv[2]);');
  symlinkSync('../checkout/platform', join(bin, 'linked'));
  symlinkSync(join(bin, 'linked'), join(bin, 'platform'));
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  const { status, stdout, stderr } = spawnSync('platform', ['kinds'], { env, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, 'kinds\n', '']);
});
