import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { migrate } from '@platform/store-postgres';
import { freePort, type TestDatabase, testDatabase } from '@platform/testkit';
import { SignJWT } from 'jose';
import { undrained } from './invariants.ts';
import type { CollectorControl } from './lockstep.ts';
import { type Send, type Sender, sendTo } from './reply.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const secret = Buffer.alloc(32, 'a secret of nobody');
const publicUrl = 'http://platform.test';

/** How long a process may take to start, and the collector to collect what it can. */
const patienceMs = 90_000;

/** One process of the service. */
class Program {
  readonly #entry: string;
  readonly #env: () => Promise<NodeJS.ProcessEnv>;
  #child: ChildProcess | null = null;
  /** What it wrote, for the story of a failure. */
  output = '';

  constructor(entry: string, env: () => Promise<NodeJS.ProcessEnv>) {
    this.#entry = here(entry);
    this.#env = env;
  }

  get running(): boolean {
    return this.#child !== null;
  }

  /** Starts it, and returns the port it serves on, if any, when its log says that it is ready. */
  async start(): Promise<number> {
    const flags = ['--conditions=platform-source', '--import', here('./typescript.mjs')];
    const child = spawn(process.execPath, [...flags, this.#entry], {
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
        reject(new Error(`${this.#entry} ended with ${code ?? signal} before it was ready:\n${this.output}`));
      });
    });
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

const notYet: Send = async () => {
  throw new Error('the service runs only from beforeAll to afterAll');
};

/** The whole service as it runs for its users: two API processes and a collector on one database. */
export class Service {
  readonly #database: TestDatabase;
  readonly #apis: readonly Program[];
  readonly #collector: Program;
  #origins: readonly string[] = ['', ''];
  #sends: readonly Send[] = [notYet, notYet];
  #tokens: Readonly<Record<Sender, string>> | null = null;

  constructor(database: TestDatabase) {
    this.#database = database;
    const env = async () => ({ ...process.env, ...(await configuration(database.url)) });
    this.#apis = [1, 2].map(() => new Program('../../src/main.ts', env));
    this.#collector = new Program('../../../collector/src/main.ts', env);
  }

  async start(): Promise<void> {
    const [ports, tokens] = await Promise.all([
      Promise.all(this.#apis.map((api) => api.start())),
      sessions(),
      this.#collector.start(),
    ]);
    this.#tokens = tokens;
    for (const [index, port] of ports.entries()) this.#serveAt(index, port);
  }

  #serveAt(index: number, port: number): void {
    const origin = `http://127.0.0.1:${port}`;
    this.#origins = this.#origins.with(index, origin);
    this.#sends = this.#sends.with(index, sendTo(origin, this.tokens));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#apis, this.#collector].map((program) => program.end('SIGTERM')));
  }

  /** Where the two API processes listen. */
  get origins(): readonly string[] {
    return this.#origins;
  }

  /** The token of each sender. */
  get tokens(): Readonly<Record<Sender, string>> {
    if (this.#tokens === null) throw new Error('the service runs only from beforeAll to afterAll');
    return this.#tokens;
  }

  /** Sends to each of the two API processes. */
  get instances(): readonly Send[] {
    return this.#sends;
  }

  get sql(): TestDatabase['sql'] {
    return this.#database.sql;
  }

  /** Everything that the processes have written to their logs. */
  get output(): string {
    return [...this.#apis, this.#collector].map((program) => program.output).join('\n');
  }

  readonly collector: CollectorControl = ((service: Service) => ({
    get running() {
      return service.#collector.running;
    },
    kill: () => service.#collector.end('SIGKILL'),
    async start() {
      if (!service.#collector.running) await service.#collector.start();
    },
  }))(this);

  /** The two API processes: one that is started again listens on another port. */
  readonly apis: readonly Pick<CollectorControl, 'kill' | 'start'>[] = [0, 1].map((index) => ({
    kill: () => (this.#apis[index] as Program).end('SIGKILL'),
    start: async () => this.#serveAt(index, await (this.#apis[index] as Program).start()),
  }));

  /** What is left for the collector, in words. */
  undrained(): Promise<readonly string[]> {
    return undrained(this.sql);
  }

  /** Waits until the collector has nothing more to do; throws what is wrong in the database when that does not come. */
  async drained(): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const wrong = await undrained(this.sql);
      if (wrong.length === 0) return;
      if (performance.now() > deadline) throw new Error(wrong.join('\n'));
      await delay(20);
    }
  }
}

/** Runs the service for the tests of a file. */
export function useService(): Service {
  let service: Service | undefined;
  // Before the hooks of the database: it is dropped last, and then no connection may be left.
  afterAll(() => service?.stop(), patienceMs);
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  service = new Service(database);
  beforeAll(() => service.start(), patienceMs);
  return service;
}

async function configuration(databaseUrl: string): Promise<NodeJS.ProcessEnv> {
  return {
    NODE_ENV: 'test',
    PLATFORM_CONFIG: '',
    PLATFORM__SERVER__LISTEN: `127.0.0.1:${await freePort()}`,
    PLATFORM__SERVER__PUBLIC_URL: publicUrl,
    PLATFORM__SERVER__JWT_SIGNING_SECRET: secret.toString('base64'),
    PLATFORM__SERVER__BODY_LIMIT_BYTES: '65536',
    PLATFORM__DATABASE__URL: databaseUrl,
    PLATFORM__DATABASE__POOL_MAX: '5',
    PLATFORM__AUTH__OPERATOR_USERS: '[op@example.dev]',
    PLATFORM__AUTH__CONTROLLERS: JSON.stringify(
      ['ctrl.example.dev', 'ctrl.example.dev/sub', 'other.example.dev'].map((id) => ({
        id,
        issuer: 'https://issuer.example.dev',
        claims: { aud: 'platform', sub: id },
      })),
    ),
    PLATFORM__COLLECTOR__LEASE_SECONDS: '1',
    PLATFORM__LOG__LEVEL: 'info',
  };
}

/** A token for each sender, as the service itself would have made it. */
async function sessions(): Promise<Readonly<Record<Sender, string>>> {
  const sign = (typ: string, claims: Record<string, unknown>) =>
    new SignJWT({ jti: 'e2e', ...claims })
      .setProtectedHeader({ alg: 'HS256', typ })
      .setIssuer(publicUrl)
      .setAudience(publicUrl)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(secret);
  const session = (email: string) => sign('JWT', { sub: email, email });
  const controller = (id: string) =>
    sign('platform-access+jwt', { sub: `controller:${id}`, principal: { type: 'controller', id } });
  return {
    operator: await session('Op@Example.dev'),
    user: await session('dev@example.dev'),
    controller: await controller('ctrl.example.dev'),
    'other-controller': await controller('other.example.dev'),
  };
}
