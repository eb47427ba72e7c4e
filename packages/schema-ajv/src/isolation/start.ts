import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Limits } from '../limits.ts';

/** Starts the process that runs `serve.ts`, with a bounded heap and nothing of the environment. */
export function startProcess(limits: Limits): ChildProcess {
  const heap = `--max-old-space-size=${limits.heapMb}`;
  const options: SpawnOptions = { env: {}, stdio: ['pipe', 'ignore', 'ignore', 'ipc'] };
  const built = import.meta.url.endsWith('.js');
  const program = built ? fileURLToPath(new URL('./serve.js', import.meta.url)) : '-';
  const child = spawn(process.execPath, [heap, program, JSON.stringify(limits)], options);
  // A process that is killed before it has read its program is no error of its own.
  child.stdin?.on('error', () => {});
  child.stdin?.end(built ? '' : bundle());
  return child;
}

/** The program when this runs from the sources, as in tests: Node.js 20 cannot run TypeScript, so it is bundled. */
function bundle(): string {
  const { buildSync } = createRequire(import.meta.url)('esbuild');
  const [output] = buildSync({
    entryPoints: [fileURLToPath(new URL('./serve.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    conditions: ['platform-source'],
    logLevel: 'error',
  }).outputFiles;
  return output.text;
}
