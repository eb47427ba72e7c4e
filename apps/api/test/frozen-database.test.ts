import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildOnce, PostgresNode, postgresTools, timeoutFactor } from '@platform/development/testing';
import jwt from 'jsonwebtoken';
import { ApiProcesses, ended, ready } from './api-process.ts';
import { organizations } from './kinds.ts';

const publicUrl = 'http://localhost:1';
const email = 'operator@example.dev';

/** As the process of `ApiProcesses` signs them. */
function session(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: publicUrl, aud: publicUrl, sub: randomUUID(), email, iat: now, exp: now + 600 };
  return jwt.sign(claims, Buffer.alloc(32), { algorithm: 'HS256' });
}

// Skipped where Debian's PostgreSQL is not installed: the server of other tests cannot be frozen.
const described = postgresTools === null ? describe.skip : describe;

described('while the database accepts connections and does not answer', () => {
  let server: PostgresNode;
  const processes = new ApiProcesses(() => server.url);

  beforeAll(async () => {
    await buildOnce();
    server = await PostgresNode.primary();
  }, 180_000);
  afterAll(() => server.remove());
  afterEach(() => server.thaw());

  const start = async () => {
    const child = await processes.start({ PLATFORM__AUTH__OPERATOR_USERS: `[${email}]` });
    const url = await ready(child);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    return { child, url };
  };

  it('requests and readiness are 503 within ten seconds, and fine again as soon as it answers', async () => {
    const { url } = await start();
    const send = (method: string, path: string, body?: object) =>
      fetch(`${url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${session()}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const organizationsPath = `/api/v1/resources/${organizations}`;
    const organization = (name: string) => ({
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Organization',
      metadata: { name },
      spec: {},
    });
    expect((await send('POST', organizationsPath, organization('before'))).status).toBe(201);
    server.freeze();
    const since = performance.now();
    const answers = await Promise.all([
      fetch(`${url}/readyz`),
      ...Array.from({ length: 30 }, () => send('GET', organizationsPath)),
      ...Array.from({ length: 30 }, (_, n) => send('POST', organizationsPath, organization(`during-${n}`))),
      ...Array.from({ length: 30 }, () => send('DELETE', `${organizationsPath}/before`)),
    ]);
    expect(performance.now() - since).toBeLessThan(10_000 * timeoutFactor);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    for (const answer of answers) {
      const { code } = (await answer.json()) as { code: string };
      expect([code, answer.headers.get('retry-after')]).toEqual(
        code === 'outcome_unknown' ? [code, null] : ['unavailable', '1'],
      );
    }
    server.thaw();
    while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(50);
    expect((await send('POST', organizationsPath, organization('after'))).status).toBe(201);
  }, 40_000);

  it('the process ends within its grace on SIGTERM', async () => {
    const { child, url } = await start();
    server.freeze();
    const stuck = fetch(`${url}/readyz`).catch(() => null);
    const since = performance.now();
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(performance.now() - since).toBeLessThan(15_000 * timeoutFactor);
    await stuck;
  }, 40_000);
});
