import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nodeOptions } from '@platform/service-runtime';
import { LaunchError } from './launch-error.ts';

/** A process of the platform: its name and the file that Node runs. */
export interface ServiceProgram {
  readonly name: string;
  readonly entry: string;
  readonly args?: readonly string[];
}

/** The processes of the platform, in the order in which they are started. */
export const servicePrograms: readonly ServiceProgram[] = ['api', 'collector'].map((name) => ({
  name,
  entry: fileURLToPath(new URL(`../../${name}/dist/main.js`, import.meta.url)),
}));

/** Throws when a program is missing. */
export function requireBuilt(programs: readonly ServiceProgram[]): void {
  for (const { name, entry } of programs) {
    if (!existsSync(entry)) throw new LaunchError(`${name} is not built: ${entry} is missing`);
  }
}

/**
 * Starts a program in a session of its own, so that a Ctrl-C reaches only the launcher, which stops
 * things in order. The program sees a launcher that died in its IPC channel closing, or by PLATFORM_LAUNCHED when it was closed at once.
 */
export function startProgram({ entry, args = [] }: ServiceProgram, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, entry, ...args], {
    env: { ...env, PLATFORM_LAUNCHED: '1' },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
