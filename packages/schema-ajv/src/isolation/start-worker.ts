import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Limits } from '../limits.ts';

/** Starts the thread that runs `worker.ts`, with a heap of its own and nothing of the environment. */
export function startWorker(limits: Limits): Worker {
  const options: WorkerOptions = {
    workerData: limits,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: limits.workerHeapMb },
  };
  if (import.meta.url.endsWith('.js')) return new Worker(new URL('./worker.js', import.meta.url), options);
  return new Worker(bundle(), { ...options, eval: true });
}

/** From the sources, as tests run it: a thread of Node.js 20 cannot load TypeScript, so it is bundled by the tool at hand. */
function bundle(): string {
  const { buildSync } = createRequire(import.meta.url)('esbuild');
  const [output] = buildSync({
    entryPoints: [fileURLToPath(new URL('./worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    conditions: ['platform-source'],
    logLevel: 'error',
  }).outputFiles;
  return output.text;
}
