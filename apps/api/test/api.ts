import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessRulesCache } from '@platform/access';
import { Watches } from '@platform/change-log';
import { createSealer } from '@platform/crypto';
import { recordingLogger } from '@platform/development/testing';
import { type Clock, OAuthError } from '@platform/kernel';
import { DefinitionCatalog, type Identifiers, type SchemaValidator } from '@platform/resources';
import { createRoles } from '@platform/tokens';
import request, { type Test } from 'supertest';
import { createApp } from '../src/app.ts';
import type { AppDeps } from '../src/deps.ts';
import { createMetrics } from '../src/http/metrics.ts';
import { createRateLimiter } from '../src/process/rate-limiter.ts';
import { createApiServer, defaultTimeouts, type ServerLimits } from '../src/process/server.ts';
import { accessAffectedBy } from '../src/routes/watch/access-affected-by.ts';
import type { WatchService } from '../src/routes/watch/stream-answer.ts';
import { streamTimers } from '../src/wire/stream-timers.ts';
import { fakeSchemas } from './fake-schemas.ts';
import { bodyLimitOnly, fakeAuthenticator, RecordingAudit } from './fakes.ts';
import { noFeed } from './memory-feed.ts';
import { requireDocumented } from './openapi/conformance.ts';
import { memoryStore, type OpenStore, postgresStore, type StoreOpener } from './stores.ts';

/** The body of every answer, read loosely: tests say what they expect of it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are asserted on member by member
export type Json = any;

/** Who asks: a name of `principals`, or null for nobody. */
export type As = string | null;

const prefix = '/api/v1/resources/';

/** The settings that a test may change. */
export interface ApiOptions {
  readonly parts?: Partial<AppDeps>;
  readonly timeouts?: ServerLimits;
  /** A new memory store by default. */
  readonly store?: StoreOpener;
  readonly watch?: { readonly perProcess?: number; readonly perCaller?: number; readonly stalledMs?: number };
  /** The controllers with `read: true`; none by default. */
  readonly readingControllers?: readonly string[];
  /** By default one that knows a few keywords. */
  readonly schemas?: SchemaValidator;
}

/** The real application on a real socket, over a store, with fakes for the rest. */
export class TestApi {
  readonly audit = new RecordingAudit();
  readonly log = recordingLogger();
  time = Date.UTC(2026, 0, 1);
  reasons: readonly string[] = [];
  open = true;
  /** The discriminators to come; random ones when empty. */
  discriminators: string[] = [];
  watches!: Watches;
  /** Told of the streams that wait for the end of a session. */
  onSessionEnd: WatchService['onSessionEnd'] = () => () => undefined;
  readonly #options: ApiOptions;
  #running: { readonly store: OpenStore; readonly server: Server } | undefined;

  constructor(options: ApiOptions = {}) {
    this.#options = options;
  }

  get store(): OpenStore {
    return this.#current.store;
  }

  get server(): Server {
    return this.#current.server;
  }

  get #current() {
    if (this.#running === undefined) throw new Error('the API runs only from beforeAll to afterAll');
    return this.#running;
  }

  async start(): Promise<this> {
    const clock: Clock = { now: () => this.time };
    const store = (this.#options.store ?? memoryStore)(clock);
    const server = createApiServer(createApp(this.#parts(store)), this.#options.timeouts ?? defaultTimeouts);
    this.#running = { store, server };
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return this;
  }

  #parts({
    reader,
    history,
    removed,
    writer,
    transactions,
    plans,
    definitions,
    access,
    feed,
  }: OpenStore): AppDeps {
    const ports = {
      reader,
      history,
      removed,
      writer,
      transactions,
      plans,
      sealer: createSealer([{ id: 'test', key: Buffer.alloc(32, 7).toString('base64') }]),
      schemas: this.#options.schemas ?? fakeSchemas,
      audit: this.audit,
      identifiers: identifiersOf(() => this.discriminators.shift()),
      clock: { now: () => this.time },
      controllerIds: ['ctrl.example.dev', 'ctrl.example.dev/sub', 'other.example.dev'],
    };
    const rules = new AccessRulesCache(access);
    return {
      version: '0.24.0',
      resources: {
        ports,
        catalog: new DefinitionCatalog(definitions),
        access: rules,
        readingControllers: new Set(this.#options.readingControllers ?? []),
        roles: createRoles(['op@example.dev', { group: 'operators' }], []),
        accountExists: async () => true,
        bodyLimitBytes: 65_536,
        anonymousRefusals: createRateLimiter({ clock: { now: () => this.time }, perMinute: 10 }),
        watch: this.#watch(rules, feed),
      },
      kubernetes: { url: null, authority: null },
      areas: [],
      tracing: null,
      auth: {
        publicUrl: 'http://platform.test',
        jwks: { keys: [] },
        exchange: async () => {
          throw new OAuthError('invalid_grant', 'The subject token was not accepted');
        },
        limits: bodyLimitOnly(65_536),
      },
      readiness: { reasons: async () => this.reasons },
      metrics: createMetrics(null, '0.0.0'),
      servesMetrics: true,
      authenticator: fakeAuthenticator,
      cookie: { name: 'platform_session', origin: 'http://platform.test' },
      log: this.log,
      accessLog: this.log,
      isOpen: () => this.open,
      trustedProxies: [],
      corsOrigins: [],
      ...this.#options.parts,
    };
  }

  #watch(rules: AccessRulesCache, feed: OpenStore['feed'] = noFeed): WatchService {
    const clock = { now: () => this.time };
    const { perProcess = 50, perCaller = 20, stalledMs = 60_000 } = this.#options.watch ?? {};
    this.watches = new Watches({
      feed,
      timers: streamTimers,
      logger: this.log,
      clock,
      limits: { perProcess, perCaller },
      metrics: { sent: () => undefined, delay: () => undefined },
      affects: accessAffectedBy(rules),
    });
    return {
      watches: this.watches,
      feed,
      state: feed,
      timers: streamTimers,
      clock,
      stalledMs,
      onSessionEnd: this.onSessionEnd,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
    await this.store.close();
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Sends a request to any path of the service. */
  send(method: string, path: string, as: As = 'operator'): Test {
    const agent = request(this.server) as unknown as Record<string, (path: string) => Test>;
    const test = (agent[method.toLowerCase()] as (path: string) => Test)(path);
    test.expect((answer) => requireDocumented(method, path, answer));
    return as === null ? test : test.set('Authorization', `Bearer ${as}`);
  }

  get(path: string, as?: As): Test {
    return this.send('GET', prefix + path, as);
  }

  delete(path: string, as?: As): Test {
    return this.send('DELETE', prefix + path, as);
  }

  post(path: string, body: unknown, as?: As): Test {
    return withBody(this.send('POST', prefix + path, as), body);
  }

  put(path: string, body: unknown, as?: As): Test {
    return withBody(this.send('PUT', prefix + path, as), body);
  }
}

/** A body that is a string goes out as it is. */
function withBody(test: Test, body: unknown): Test {
  return test.type('application/json').send(typeof body === 'string' ? body : JSON.stringify(body));
}

// One count for all APIs of a file: two of them may share a store.
let made = 0;

/** UIDs and discriminators that count up, so that a failure reads the same each time. */
function identifiersOf(next: () => string | undefined): Identifiers {
  return {
    uid: () => `00000000-0000-7000-8000-${(++made).toString(16).padStart(12, '0')}`,
    discriminator: () => next() ?? `d${(++made).toString(36).padStart(7, '0')}`,
  };
}

/** One API for a test file or a `describe`, started before and stopped after its tests. */
export function useApi(options: ApiOptions = {}): TestApi {
  const api = new TestApi(options);
  beforeAll(() => api.start());
  afterAll(() => api.stop());
  return api;
}

/** Runs the same tests over every store that the service can have. */
export function onEveryStore(tests: (api: TestApi) => void): void {
  describe('over the memory store', () => tests(useApi()));
  describe('over PostgreSQL', () => {
    let opener: StoreOpener = memoryStore;
    const api = new TestApi({ store: (clock) => opener(clock) });
    // Before the database's own hooks: it is dropped last, and then no connection may be left.
    afterAll(() => api.stop());
    opener = postgresStore();
    beforeAll(() => api.start());
    tests(api);
  });
}
