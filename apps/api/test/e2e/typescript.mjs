// Lets a process run the service from its sources: `node --conditions=platform-source --import ./typescript.mjs main.ts`.
// Plain JavaScript, because it is there before anything can transform it.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// The directory of the jest run, so that a process that is started again starts fast; it is removed in the end.
const cache = join(process.env.PLATFORM_TEST_POSTGRES ?? tmpdir(), 'platform-typescript');

if (isMainThread) register(import.meta.url);

/** Takes the types out of a `.ts` file; everything else is loaded as always. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const kept = join(cache, `${createHash('sha256').update(url).update(source).digest('hex')}.mjs`);
  const code = await readFile(kept, 'utf8').catch(() => withoutTypes(url, source, kept));
  return { format: 'module', source: code, shortCircuit: true };
}

async function withoutTypes(url, source, kept) {
  const { transform } = await import('esbuild');
  const options = { loader: 'ts', format: 'esm', target: 'node20', sourcefile: url, sourcemap: 'inline' };
  const { code } = await transform(source, options);
  await mkdir(cache, { recursive: true });
  await writeFile(`${kept}.${process.pid}`, code);
  await rename(`${kept}.${process.pid}`, kept);
  return code;
}
