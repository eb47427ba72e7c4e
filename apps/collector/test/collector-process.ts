import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** One line of the log. */
export type Line = Readonly<Record<string, unknown>> & { readonly message?: string };

/** A collector process, started as the launcher does, and everything that it has logged. */
export class CollectorProcess {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  readonly #changed = new Set<() => void>();
  #errors = '';

  constructor(databaseUrl: string, changes: Readonly<Record<string, string>> = {}) {
    this.child = fork(`${root}apps/collector/dist/main.js`, {
      cwd: '/',
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env['PATH'],
        PLATFORM__DATABASE__URL: databaseUrl,
        PLATFORM__SERVER__PUBLIC_URL: 'http://localhost:1',
        PLATFORM__SERVER__JWT_SIGNING_SECRET: Buffer.alloc(32).toString('base64'),
        PLATFORM__ENCRYPTION__KEYS: `[{id: k, key: ${Buffer.alloc(32).toString('base64')}}]`,
        // Longer than any test: whatever happens was not found by polling.
        PLATFORM__COLLECTOR__POLL_INTERVAL_MS: '3600000',
        ...changes,
      },
    });
    this.child.stderr?.on('data', (text) => {
      this.#errors += text;
    });
    createInterface({ input: this.child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
      this.lines.push(JSON.parse(text));
      for (const look of this.#changed) look();
    });
  }

  /** Its standard error. */
  get errors(): string {
    return this.#errors;
  }

  /** The lines with that message so far. */
  all(message: string): readonly Line[] {
    return this.lines.filter((line) => line.message === message);
  }

  /** Resolves once that many lines have the message; with the last of them. */
  logged(message: string, count = 1): Promise<Line> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.all(message)[count - 1];
        if (found === undefined) return;
        this.#changed.delete(look);
        resolve(found);
      };
      this.#changed.add(look);
      look();
    });
  }

  /** Resolves with the exit code once it has ended and its output is read; null after a signal. */
  async ended(): Promise<number | null> {
    const { child } = this;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    if (child.stdout?.readableEnded === false) await once(child.stdout, 'end');
    return child.exitCode;
  }
}
