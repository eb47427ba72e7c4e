import { setTimeout as delay } from 'node:timers/promises';
import {
  databaseTimeouts,
  freePort,
  type TestDatabase,
  testDatabase,
  timeoutFactor,
} from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { SignJWT } from 'jose';
import { nightlySeconds } from './budget.ts';
import { undrained } from './invariants.ts';
import type { CollectorControl } from './lockstep.ts';
import { Program, type Release, thisRelease } from './program.ts';
import { type Send, type Sender, sendTo } from './reply.ts';

const secret = Buffer.alloc(32, 'a secret of nobody');
const publicUrl = 'http://platform.test';

/** How long a process may take to start, and the collector to collect what it can. */
const timeoutMs = 90_000;

/** For slow machines. */
const timeouts = {
  PLATFORM__DATABASE__READ_TIMEOUT_MS: `${databaseTimeouts.read_timeout_ms}`,
  PLATFORM__DATABASE__WRITE_TIMEOUT_MS: `${databaseTimeouts.write_timeout_ms}`,
};

const notYet: Send = async () => {
  throw new Error('the service runs only from beforeAll to afterAll');
};

/** The whole service as it runs for its users: two API processes and a collector on one database. */
export class Service {
  readonly #database: TestDatabase;
  readonly #env: (release: Release) => Promise<NodeJS.ProcessEnv>;
  #apis: readonly Program[];
  #collector: Program;
  #origins: readonly string[] = ['', ''];
  #sends: readonly Send[] = [notYet, notYet];
  #tokens: Readonly<Record<Sender, string>> | null = null;
  /** The output of processes that were replaced. */
  #ended = '';
  #requests = 0;

  /** `url`: where its processes reach the database, if not where the tests do. */
  constructor(database: TestDatabase, url = () => database.url) {
    this.#database = database;
    this.#env = async (release) => ({
      ...process.env,
      ...(await configuration(url())),
      // The release before does not know these keys.
      ...(release === thisRelease ? timeouts : {}),
    });
    this.#apis = [];
    this.#collector = this.#program(thisRelease, 'collector');
  }

  async start(release: Release = thisRelease): Promise<void> {
    this.#apis = [1, 2].map(() => this.#program(release, 'api'));
    this.#collector = this.#program(release, 'collector');
    const [ports, tokens] = await Promise.all([
      Promise.all(this.#apis.map((api) => api.start())),
      sessions(),
      this.#collector.start(),
    ]);
    this.#tokens = tokens;
    for (const [index, port] of ports.entries()) this.#serveAt(index, port);
  }

  #program(release: Release, name: keyof Release): Program {
    return new Program(release[name], () => this.#env(release));
  }

  #serveAt(index: number, port: number): void {
    const origin = `http://127.0.0.1:${port}`;
    this.#origins = this.#origins.with(index, origin);
    const send = sendTo(origin, this.tokens);
    const counted: Send = (call) => {
      this.#requests += 1;
      return send(call);
    };
    this.#sends = this.#sends.with(index, counted);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#apis, this.#collector].map((program) => program.end('SIGTERM')));
    if (nightlySeconds !== undefined) process.stdout.write(`${this.#requests} requests were sent\n`);
  }

  /** Replaces an API process as a rolling upgrade does: the new one serves before the old one is told to end. */
  async replaceApi(index: 0 | 1, release: Release): Promise<void> {
    const old = this.#apis[index] as Program;
    const program = this.#program(release, 'api');
    const port = await program.start();
    this.#apis = this.#apis.with(index, program);
    this.#serveAt(index, port);
    await old.end('SIGTERM');
    this.#ended += old.output;
  }

  /** Replaces the collector: the new one starts, and leads once the old one has ended. */
  async replaceCollector(release: Release): Promise<void> {
    const old = this.#collector;
    this.#collector = this.#program(release, 'collector');
    await this.#collector.start();
    await old.end('SIGTERM');
    this.#ended += old.output;
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

  get databaseUrl(): string {
    return this.#database.url;
  }

  get sql(): TestDatabase['sql'] {
    return this.#database.sql;
  }

  /** Forgets what the processes have logged, which a long run could not keep. */
  forgetOutput(): void {
    this.#ended = '';
    for (const program of [...this.#apis, this.#collector]) program.output = '';
  }

  /** Everything that the processes have written to their logs. */
  get output(): string {
    return [this.#ended, ...[...this.#apis, this.#collector].map((program) => program.output)].join('\n');
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

  /** Moves the clocks of all processes by so many milliseconds. */
  moveClocks(ms: number): void {
    for (const program of [...this.#apis, this.#collector]) program.moveClock(ms);
  }

  /** The two API processes: one that is started again listens on another port. */
  readonly apis: readonly Pick<CollectorControl, 'kill' | 'start'>[] = [0, 1].map((index) => ({
    kill: () => (this.#apis[index] as Program).end('SIGKILL'),
    start: async () => this.#serveAt(index, await (this.#apis[index] as Program).start()),
  }));

  /** Describes the work left for the collector. */
  undrained(): Promise<readonly string[]> {
    return undrained(this.sql);
  }

  /** Waits until the collector has nothing more to do; throws what is wrong in the database when that does not come. */
  async drained(): Promise<void> {
    const deadline = performance.now() + timeoutMs * timeoutFactor;
    for (;;) {
      const wrong = await undrained(this.sql);
      if (wrong.length === 0) return;
      if (performance.now() > deadline) throw new Error(wrong.join('\n'));
      await delay(20);
    }
  }
}

/** Runs the service for the tests of a file. A release that is given migrates the empty database itself. */
export function useService(release?: () => Release): Service {
  let service: Service | undefined;
  // Before the hooks of the database: it is dropped last, and then no connection may be left.
  afterAll(() => service?.stop(), timeoutMs);
  const database = testDatabase(release ? {} : { migrate: (url) => migrate({ url }) });
  service = new Service(database);
  beforeAll(() => service?.start(release?.()), timeoutMs);
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
    PLATFORM__AUTH__ADMIN_USERS: '[op@example.dev]',
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
      .setExpirationTime('1d')
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
