/** `pnpm build`: compiles the packages, bundles the command line, and packs what the service serves at `/downloads`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleCli } from './bundle-cli.mjs';
import { packDownloads } from './pack-downloads.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const compiler = spawnSync(`${root}node_modules/.bin/tsc`, ['-b', 'packages'], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (compiler.status !== 0) process.exit(compiler.status ?? 1);
await bundleCli(root);
await packDownloads(root);
