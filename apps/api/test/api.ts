import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, OAuthError } from '@platform/kernel';
import { DefinitionCatalog, type Identifiers } from '@platform/resources';
import { createMemoryStore, type MemoryStore } from '@platform/store-memory';
import request, { type Test } from 'supertest';
import { type AppParts, createApp } from '../src/app.ts';
import { createMetrics } from '../src/http/metrics.ts';
import { createApiServer, defaultTimeouts, type ServerTimeouts } from '../src/process/server.ts';
import { fakeSchemas } from './fake-schemas.ts';
import { fakeAuthenticator, RecordingAudit, RecordingLogger } from './fakes.ts';

/** The body of every answer, read loosely: tests say what they expect of it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are asserted on member by member
export type Json = any;

/** Who asks: a name of `principals`, or null for nobody. */
export type As = string | null;

const prefix = '/api/v1/resources/';

/** The real application on a real socket, over a store, with fakes for the rest. */
export class TestApi {
  readonly audit = new RecordingAudit();
  readonly log = new RecordingLogger();
  readonly store: MemoryStore;
  readonly server: Server;
  time = Date.UTC(2026, 0, 1);
  reasons: readonly string[] = [];
  open = true;
  /** The discriminators to come; random ones when empty. */
  discriminators: string[] = [];

  constructor(changes: Partial<AppParts> = {}, timeouts: ServerTimeouts = defaultTimeouts) {
    const clock: Clock = { now: () => this.time };
    this.store = createMemoryStore({ clock });
    const { reader, writer, transactions, definitions } = this.store;
    const ports = {
      reader,
      writer,
      transactions,
      schemas: fakeSchemas,
      audit: this.audit,
      identifiers: identifiersOf(() => this.discriminators.shift()),
    };
    const app = createApp({
      resources: {
        ports,
        catalog: new DefinitionCatalog(definitions),
        controllerIds: ['ctrl.example.dev', 'ctrl.example.dev/sub', 'other.example.dev'],
        bodyLimitBytes: 65_536,
      },
      auth: {
        publicUrl: 'http://platform.test',
        jwks: { keys: [] },
        exchange: async () => {
          throw new OAuthError('invalid_grant', 'The subject token was not accepted');
        },
        bodyLimit: 65_536,
      },
      readiness: { reasons: async () => this.reasons },
      metrics: createMetrics(null),
      authenticator: fakeAuthenticator,
      cookie: { name: 'platform_session', origin: 'http://platform.test' },
      log: this.log,
      accessLog: this.log,
      isOpen: () => this.open,
      trustedProxies: [],
      ...changes,
    });
    this.server = createApiServer(app, timeouts);
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Sends a request to any path of the service. */
  send(method: string, path: string, as: As = 'operator'): Test {
    const agent = request(this.server) as unknown as Record<string, (path: string) => Test>;
    const test = (agent[method.toLowerCase()] as (path: string) => Test)(path);
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

/** UIDs and discriminators that count up, so that a failure reads the same each time. */
function identifiersOf(next: () => string | undefined): Identifiers {
  let made = 0;
  return {
    uid: () => `00000000-0000-7000-8000-${(++made).toString(16).padStart(12, '0')}`,
    discriminator: () => next() ?? `d${(++made).toString(36).padStart(7, '0')}`,
  };
}

/** One API for a test file, started before and stopped after its tests. */
export function useApi(changes: Partial<AppParts> = {}, timeouts?: ServerTimeouts): TestApi {
  const api = new TestApi(changes, timeouts);
  beforeAll(() => api.start());
  afterAll(() => api.stop());
  return api;
}
