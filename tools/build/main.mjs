/**
 * `pnpm build`: compiles the packages, bundles the command line and the console, and packs what the service serves at `/downloads`.
 * With the argument `console` it builds the console alone, for tests.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleCli } from './bundle-cli.mjs';
import { bundleConsole } from './bundle-console.mjs';
import { bundleTestKit } from './bundle-test-kit.mjs';
import { packDownloads } from './pack-downloads.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
if (process.argv[2] !== 'console') {
  const compiler = spawnSync(`${root}node_modules/.bin/tsc`, ['-b', 'packages'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (compiler.status !== 0) process.exit(compiler.status ?? 1);
  await bundleCli(root);
  await bundleTestKit(root);
  await packDownloads(root);
}
await bundleConsole(root);
