import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** The sources of the console, from `apps/console`: its own, and what it takes from the client. */
const sources = ['src', 'index.html', 'vite.config.ts', 'package.json', '../../packages/client/src/model'];

/**
 * Builds the console into `apps/api/console`, with a Brotli and a gzip copy of each file that browsers load. It takes some seconds,
 * so it is left out while neither the sources nor the libraries have changed.
 */
export async function bundleConsole(root) {
  const target = join(root, 'apps/api/console');
  const stamp = fingerprint(root);
  if (existsSync(join(target, 'built-from')) && readFileSync(join(target, 'built-from'), 'utf8') === stamp)
    return;
  // Built next to its place, then moved there: readers always see a whole build, and two builds at the same time do no harm.
  const staging = join(root, `apps/api/.console-${process.pid}`);
  const folder = join(root, 'apps/console');
  const { build } = await import(createRequire(join(folder, 'package.json')).resolve('vite'));
  // Vite takes an environment of tests over: React would be the one for development, half as large again.
  process.env.NODE_ENV = 'production';
  await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: { outDir: staging } });
  compressAll(join(staging, 'assets'));
  writeFileSync(join(staging, 'built-from'), stamp);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, '..'), { recursive: true });
  renameSync(staging, target);
}

function compressAll(directory) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  for (const file of readdirSync(directory)) {
    const bytes = readFileSync(join(directory, file));
    writeFileSync(join(directory, `${file}.br`), brotliCompressSync(bytes, brotli));
    writeFileSync(join(directory, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** A digest of everything that the build reads. */
function fingerprint(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'pnpm-lock.yaml')));
  const add = (path) => hash.update(`${path}\n`).update(readFileSync(join(root, 'apps/console', path)));
  for (const source of sources) {
    const place = join(root, 'apps/console', source);
    if (statSync(place).isFile()) add(source);
    else
      for (const name of readdirSync(place, { recursive: true }).sort())
        if (statSync(join(place, name)).isFile() && !name.endsWith('.test.ts')) add(`${source}/${name}`);
  }
  return hash.digest('hex');
}
