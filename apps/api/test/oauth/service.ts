import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import { loadConfig } from '@platform/config';
import { freePort } from '@platform/development/testing';
import { createLogger } from '@platform/service-runtime';
import { createApiServer } from '../../src/process/server.ts';
import { wire } from '../../src/wire.ts';
import { documentedFetch } from '../openapi/documented-fetch.ts';

/** Everything as in production but for the process: the wired service on a database, with people who have sessions. */
export async function startService(databaseUrl: string, upstreams: readonly string[]) {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const secret = randomBytes(48);
  const key = randomBytes(32).toString('base64');
  const env = {
    PLATFORM__DATABASE__URL: databaseUrl,
    PLATFORM__DATABASE__POOL_MAX: '4',
    PLATFORM__SERVER__PUBLIC_URL: publicUrl,
    PLATFORM__SERVER__JWT_SIGNING_SECRET: secret.toString('base64'),
    PLATFORM__AUTH__ADMIN_USERS: '[admin@example.com]',
    PLATFORM__ENCRYPTION__KEYS: `[{id: k, key: ${key}}]`,
    PLATFORM__OUTBOUND__ALLOW_INSECURE_ORIGINS: JSON.stringify(upstreams),
    PLATFORM__LOG__LEVEL: 'debug',
  };
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logging = createLogger({ level: 'debug', format: 'json', service: 'api', destination });
  const service = wire(loadConfig({ cwd: '/nowhere', env }), logging);
  await service.prepare();
  service.state.prepared();
  const server: Server = createApiServer(service.app);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  function session(email: string): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: publicUrl,
      aud: publicUrl,
      sub: `uid of ${email}`,
      email,
      iat: now,
      exp: now + 600,
    };
    const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  }

  return {
    publicUrl,
    lines,
    /** A request of the typed API, as somebody. */
    async call(method: string, path: string, body?: unknown, as = 'admin@example.com') {
      const response = await documentedFetch(`${publicUrl}/api/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${session(as)}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: answers are asserted on member by member
      return { status: response.status, body: (await response.json()) as any };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
}
