import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How a program is started: the flags of Node.js and the absolute path of its main module. */
export interface Entry {
  readonly main: string;
  readonly flags: readonly string[];
}

/** The programs of one release. */
export interface Release {
  readonly api: Entry;
  readonly collector: Entry;
}

const movingClock = fileURLToPath(new URL('./moving-clock.mjs', import.meta.url));
const typescript = fileURLToPath(new URL('./typescript.mjs', import.meta.url));

/** The programs of a checkout, run from its sources, with a clock that can be moved. */
export function releaseIn(directory: string): Release {
  const flags = ['--conditions=platform-source', '--import', typescript, '--import', movingClock];
  const program = (app: string) => ({ main: join(directory, 'apps', app, 'src', 'main.ts'), flags });
  return { api: program('api'), collector: program('collector') };
}

/** The programs that are tested. */
export const thisRelease = releaseIn(fileURLToPath(new URL('../../../../', import.meta.url)));

/** One process of the service. */
export class Program {
  readonly #entry: Entry;
  readonly #env: () => Promise<NodeJS.ProcessEnv>;
  #child: ChildProcess | null = null;
  /** Its output, for the report of a failure. */
  output = '';

  constructor(entry: Entry, env: () => Promise<NodeJS.ProcessEnv>) {
    this.#entry = entry;
    this.#env = env;
  }

  get running(): boolean {
    return this.#child !== null;
  }

  /** Starts it, and returns the port it serves on, if any, when its log says that it is ready. */
  async start(): Promise<number> {
    const { main, flags } = this.#entry;
    const child = spawn(process.execPath, [...flags, main], {
      env: await this.#env(),
      // The channel ends it when the tests die.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    const before = this.output.length;
    return await new Promise((resolve, reject) => {
      const hear = (chunk: Buffer): void => {
        this.output += chunk;
        const ready = /^.*"message":"ready".*$/m.exec(this.output.slice(before));
        if (ready !== null) resolve(JSON.parse(ready[0]).port);
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('exit', (code, signal) => {
        this.output += `${main} ended with ${code ?? signal}\n`;
        reject(new Error(`${main} ended with ${code ?? signal} before it was ready:\n${this.output}`));
      });
    });
  }

  /** Moves its clock by so many milliseconds. */
  moveClock(clockStepMs: number): void {
    this.#child?.send({ clockStepMs });
  }

  /** Ends it with the signal, and returns when it is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
