import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Fault } from '@platform/kernel';
import type { ValidatedObject } from '@platform/resources';
import type { Limits } from '../limits.ts';

/** A request to the validation process: check a schema, or validate a document. */
export type Request =
  | { readonly task: 'check'; readonly schema: string }
  | {
      readonly task: 'validate';
      readonly key: string;
      readonly schema: string;
      readonly text: string;
      readonly object: ValidatedObject | null;
    };

/** A message of the validation process: `ready` once, then for each request its faults, or an error. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }
  | { readonly kind: 'failed'; readonly error: string };

/** Starts the process that runs `serve.ts`, with a limited heap and an empty environment. */
export function startProcess(limits: Limits): ChildProcess {
  const heap = `--max-old-space-size=${limits.heapMb}`;
  const options: SpawnOptions = { env: {}, stdio: ['pipe', 'ignore', 'ignore', 'ipc'] };
  const built = import.meta.url.endsWith('.js');
  const program = built ? fileURLToPath(new URL('./serve.js', import.meta.url)) : '-';
  const child = spawn(process.execPath, [heap, program, JSON.stringify(limits)], options);
  // Ignored, because a process that is killed early closes the pipe.
  child.stdin?.on('error', () => {});
  child.stdin?.end(built ? '' : bundle());
  return child;
}

/** Bundles the program when this runs from the sources, as in tests, because Node.js 20 cannot run TypeScript. */
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
