import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A process of the platform that answers as ready at `url`. */
export interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything that it has written. */
  output(): string;
}

/** The programs that a test file has started, so that none outlives it. */
export class Programs {
  readonly #children: ChildProcess[] = [];

  /** Runs a command, and returns when what it serves on `port` of 127.0.0.1 is ready. Throws what it wrote when it ends before that. */
  async start(
    command: string,
    parameters: readonly string[],
    port: number,
    options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<Program> {
    const child = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const url = `http://127.0.0.1:${port}`;
    for (;;) {
      const ready = await fetch(`${url}/readyz`).catch(() => null);
      await ready?.text();
      if (ready?.status === 200) return { child, url, output: () => output };
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(output);
      await delay(50);
    }
  }

  /** Kills what still runs. For `afterAll`. */
  async kill(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  }
}

/** Sends SIGTERM, and resolves with the exit code and signal of the end, and how many milliseconds it took. */
export async function stopped({ child }: Program): Promise<readonly [number | null, string | null, number]> {
  const ended = once(child, 'exit');
  const asked = performance.now();
  child.kill('SIGTERM');
  const [code, signal] = await ended;
  return [code, signal, performance.now() - asked];
}
