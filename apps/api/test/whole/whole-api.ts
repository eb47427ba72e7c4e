import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type Config, loadConfig } from '@platform/config';
import { databaseTimeouts, freePort, type TestDatabase, testDatabase } from '@platform/development/testing';
import { createLogger } from '@platform/service-runtime';
import { migrate } from '@platform/store-postgres';
import type { Express } from 'express';
import jwt from 'jsonwebtoken';
import { createApiServer } from '../../src/process/server.ts';
import { wire } from '../../src/wire.ts';
import request, { type Test } from '../openapi/documented-request.ts';

/** The people of the tests, by what they may do. */
export const people = {
  admin: 'admin@example.dev',
  operator: 'operator@example.dev',
  owner: 'Owner@example.dev',
  member: 'member@example.dev',
  stranger: 'stranger@example.dev',
} as const;

/** Name of one of {@link people}. */
export type PersonName = keyof typeof people;

/** A process of the API as `main.ts` runs it, wired to real adapters and a database of its own, on a free port. */
export class WholeApi {
  readonly secret = randomBytes(32).toString('base64');
  readonly #database: TestDatabase;
  readonly #lines: string[] = [];
  readonly #settings: (publicUrl: string) => object | Promise<object>;
  readonly #directory = mkdtempSync(join(tmpdir(), 'whole-api-'));
  readonly #replicas: { close(): Promise<void> }[] = [];
  #config: Config | undefined;
  #running:
    | { readonly app: Express; readonly server: Server; readonly publicUrl: string; close(): Promise<void> }
    | undefined;

  /** `settings` are merged over the defaults, section by section. Call it at the top of a file or `describe`. */
  constructor(settings: (publicUrl: string) => object | Promise<object> = () => ({})) {
    this.#settings = settings;
    // Hooks run in this order: the processes stop before their database is dropped, and start after it was made.
    afterAll(async () => {
      for (const replica of this.#replicas) await replica.close();
      await this.#stop();
    });
    this.#database = testDatabase({ migrate: (url) => migrate({ url }) });
    beforeAll(() => this.#start(), 60_000);
  }

  /**
   * A second process on the same database, with the same settings but for those in `differences`. Call it at the top of a file or
   * `describe`.
   */
  replica(differences: (config: Config) => Partial<Config> = () => ({})): { readonly publicUrl: string } {
    const replica = { publicUrl: '' };
    beforeAll(async () => {
      const port = await freePort();
      if (this.#config === undefined) throw new Error('the API has not started');
      const config = { ...this.#config, ...differences(this.#config) };
      const service = await this.#serve({
        ...config,
        server: { ...config.server, listen: { host: '127.0.0.1', port } },
      });
      this.#replicas.push(service);
      replica.publicUrl = `http://localhost:${port}`;
    });
    return replica;
  }

  /** An access token of that principal, as the token exchange answers it. */
  accessToken(principal: { readonly type: string; readonly [member: string]: string }): string {
    const now = Math.floor(Date.now() / 1000);
    const sub =
      principal.type === 'controller'
        ? `controller:${principal['id']}`
        : `serviceaccount:${principal['email']}`;
    const claims = { iss: this.publicUrl, aud: this.publicUrl, sub, principal, iat: now, exp: now + 600 };
    const header = { alg: 'HS256' as const, typ: 'platform-access+jwt' };
    return jwt.sign(claims, Buffer.from(this.secret, 'base64'), { algorithm: 'HS256', header });
  }

  get publicUrl(): string {
    return this.#current.publicUrl;
  }

  /** The application itself, for what cannot be asked over HTTP. */
  get app(): Express {
    return this.#current.app;
  }

  get #current() {
    if (this.#running === undefined) throw new Error('the API runs only from beforeAll to afterAll');
    return this.#running;
  }

  get database(): TestDatabase {
    return this.#database;
  }

  /** Every log line so far, as text. */
  get log(): string {
    return this.#lines.join('');
  }

  /** A session token with just the claims that a session needs (docs/tokens.md). */
  session(
    person: PersonName | { readonly uid: string; readonly email: string; readonly [claim: string]: unknown },
  ): string {
    const now = Math.floor(Date.now() / 1000);
    const { uid, email, ...more } =
      typeof person === 'string' ? { uid: randomUUID(), email: people[person] } : person;
    const own = { iss: this.publicUrl, aud: this.publicUrl, sub: uid, email };
    const claims = { ...own, iat: now, exp: now + 600, ...more };
    return jwt.sign(claims, Buffer.from(this.secret, 'base64'), { algorithm: 'HS256' });
  }

  /** A request as that person. */
  as(person: PersonName, method: 'get' | 'post' | 'put' | 'delete' | 'patch', path: string): Test {
    return request(this.publicUrl)
      [method](path)
      .set('Authorization', `Bearer ${this.session(person)}`);
  }

  async #start(): Promise<void> {
    const publicUrl = `http://localhost:${await freePort()}`;
    this.#config = await this.#readConfig(publicUrl);
    this.#running = { ...(await this.#serve(this.#config)), publicUrl };
  }

  async #serve(config: Config) {
    const lines = this.#lines;
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const logging = createLogger({ level: config.log.level, format: 'json', service: 'api', destination });
    const service = wire(config, logging);
    const server = createApiServer(service.app, service.limits);
    await service.prepare();
    service.state.prepared();
    server.listen(config.server.listen.port, '127.0.0.1');
    await once(server, 'listening');
    const close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
      await logging.close();
    };
    return { app: service.app, server, close };
  }

  async #readConfig(publicUrl: string) {
    const own = (await this.#settings(publicUrl)) as Record<string, object>;
    const defaults: Record<string, object> = {
      server: {
        listen: `127.0.0.1:${new URL(publicUrl).port}`,
        public_url: publicUrl,
        jwt_signing_secret: this.secret,
      },
      database: { url: this.#database.url, data_dir: this.#directory, pool_max: 5, ...databaseTimeouts },
      auth: { operator_users: [people.operator], admin_users: [people.admin] },
      log: { level: 'debug' },
    };
    const sections = [...new Set([...Object.keys(defaults), ...Object.keys(own)])];
    const merged = Object.fromEntries(sections.map((name) => [name, { ...defaults[name], ...own[name] }]));
    const file = join(this.#directory, 'platform.yaml');
    writeFileSync(file, JSON.stringify(merged));
    return loadConfig({ env: { PLATFORM_CONFIG: file }, cwd: this.#directory });
  }

  async #stop(): Promise<void> {
    await this.#running?.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
