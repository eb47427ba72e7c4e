import { type ChildProcess, fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@platform/development/testing';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const publicUrl = 'http://localhost:1';
const signingSecret = Buffer.alloc(32);

/** API processes of one test file, run as they are shipped: compiled. Whatever still runs after a test is killed. */
export class ApiProcesses {
  readonly #databaseUrl: () => string;
  #running: ChildProcess[] = [];

  constructor(databaseUrl: () => string) {
    this.#databaseUrl = databaseUrl;
    afterEach(async () => {
      for (const child of this.#running) child.kill('SIGKILL');
      await Promise.all(this.#running.map((child) => ended(child)));
      this.#running = [];
    });
  }

  /** Starts one as the launcher does: on a free port, with a channel to this process. `execArgv` is for Node.js. */
  async start(
    changes: Readonly<Record<string, string>> = {},
    execArgv: readonly string[] = [],
  ): Promise<ChildProcess> {
    const child = fork(main, {
      cwd: '/',
      execArgv: [...execArgv],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env['PATH'],
        PLATFORM__DATABASE__URL: this.#databaseUrl(),
        PLATFORM__SERVER__LISTEN: `127.0.0.1:${await freePort()}`,
        PLATFORM__SERVER__PUBLIC_URL: publicUrl,
        PLATFORM__SERVER__JWT_SIGNING_SECRET: signingSecret.toString('base64'),
        PLATFORM__ENCRYPTION__KEYS: `[{id: k, key: ${Buffer.alloc(32).toString('base64')}}]`,
        ...changes,
      },
    });
    this.#running.push(child);
    // A process whose log nobody reads stops as soon as the pipe is full.
    child.stdout?.resume();
    child.stderr?.resume();
    return child;
  }
}

/** A session of a user, signed with the secret of the processes. */
export function sessionOf(email: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: publicUrl, aud: publicUrl, sub: 'u-1', email, iat: now, exp: now + 300 };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', signingSecret).update(signed).digest('base64url')}`;
}

/** Resolves with its address once it serves. */
export async function ready(child: ChildProcess): Promise<string> {
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  if (message === undefined) throw new Error('the process ended before it was ready');
  return `http://127.0.0.1:${message.port}`;
}

/** Resolves with its exit code; null after a signal. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const [code] = await once(child, 'exit');
  return code;
}

/** Gathers what it writes to one of its streams; call it before anything was written. */
export function said(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[stream]?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}
