import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nodeOptions } from '@platform/service-runtime';

/** The platform cannot be started. The message is for the person who started it. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}

/** A process of the platform: its name and the file that Node.js runs. */
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

/** Throws if a program is missing. */
export function requireBuilt(programs: readonly ServiceProgram[]): void {
  for (const { name, entry } of programs) {
    if (!existsSync(entry)) throw new LaunchError(`${name} is not built: ${entry} is missing`);
  }
}

/**
 * Starts a program in its own session, so that a Ctrl-C reaches only the launcher, which stops the programs in order. The program notices
 * the death of the launcher by its IPC channel, or by PLATFORM_LAUNCHED if the channel was closed at once.
 */
export function startProgram({ entry, args = [] }: ServiceProgram, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, entry, ...args], {
    env: { ...env, PLATFORM_LAUNCHED: '1' },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
