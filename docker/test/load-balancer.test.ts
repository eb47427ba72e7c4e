import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce, freePort, testDatabase } from '@platform/development/testing';
import { configIn, root, writeSecrets } from './files.ts';
import { operatorToken } from './operator-token.ts';
import { type Balancer, hasNginx, startBalancer } from './start-balancer.ts';
import { type Program, Programs, stopped } from './start-program.ts';

// The compose installation without containers: its configuration and its nginx.conf, two API replicas, two collectors.
// Skipped without nginx. Only the addresses are other ones: everything is on 127.0.0.1, told apart by port.
(hasNginx ? describe : describe.skip)('docker/compose as processes (skipped without nginx)', () => {
  const directory = mkdtempSync(join(tmpdir(), 'platform-balanced-'));
  const programs = new Programs();
  let balancer: Balancer | undefined;
  let entry = '';
  let token = '';
  let apis: readonly [Program, Program];
  let collectors: readonly [Program, Program];

  // Before the database is dropped: hooks run in the order of their registration.
  afterAll(async () => {
    await balancer?.stop();
    await programs.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  const database = testDatabase();

  beforeAll(async () => {
    await buildOnce();
    writeSecrets(directory, 'postgres://unused');
    const config = configIn('compose/config.yaml', '/run/secrets', directory);
    const start = async (app: string, key: string) => {
      const port = await freePort();
      return programs.start(process.execPath, [join(root, `apps/${app}/dist/main.js`)], port, {
        cwd: directory,
        env: {
          PATH: process.env['PATH'],
          NODE_ENV: 'development',
          PLATFORM_CONFIG: config,
          AUTH_ISSUER: 'https://issuer.example',
          AUTH_CLIENT_ID: 'platform',
          OPERATOR_EMAIL: 'me@example.com',
          PLATFORM__DATABASE__URL: database.url,
          PLATFORM__SERVER__TRUSTED_PROXIES: '[127.0.0.1]',
          // In compose each replica has an address of its own.
          PLATFORM__SERVER__METRICS_LISTEN: `127.0.0.1:${await freePort()}`,
          PLATFORM__COLLECTOR__LEASE_SECONDS: '2',
          PLATFORM__LOG__LEVEL: 'debug',
          [key]: `127.0.0.1:${port}`,
        },
      });
    };
    // All at once, as compose does: both replicas want to migrate, and the collectors wait for it.
    const [api1, api2, collector1, collector2] = await Promise.all([
      start('api', 'PLATFORM__SERVER__LISTEN'),
      start('api', 'PLATFORM__SERVER__LISTEN'),
      start('collector', 'PLATFORM__COLLECTOR__LISTEN'),
      start('collector', 'PLATFORM__COLLECTOR__LISTEN'),
    ]);
    apis = [api1, api2];
    collectors = [collector1, collector2];
    token = await operatorToken(directory, 'http://localhost:8080', 'me@example.com');
    balancer = await startBalancer(apis.map(({ url }) => new URL(url).host));
    entry = balancer.url;
  }, 120_000);

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${entry}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });

  const lineOf = (path: string) => `"path":${JSON.stringify(path)}`;

  /** The line of a replica's log about a request. It is written when the answer is out. */
  async function logged(path: string): Promise<string> {
    for (;;) {
      const lines = apis.flatMap((api) => api.output().split('\n').slice(0, -1));
      const line = lines.find((each) => each.includes(lineOf(path)));
      if (line !== undefined) return line;
      await delay(20);
    }
  }

  it('spreads requests over both replicas, and hides the metrics', async () => {
    const paths = Array.from({ length: 10 }, (_, index) => `/api/v1/spread-${index}`);
    for (const path of paths) await (await send('GET', path)).text();
    for (const path of paths) await logged(path);
    const seen = apis.map((api) => paths.filter((path) => api.output().includes(lineOf(path))).length);
    expect(Math.min(...seen)).toBeGreaterThan(0);
    expect((seen[0] as number) + (seen[1] as number)).toBe(10);
    expect((await fetch(`${entry}/metrics`)).status).toBe(404);
  });

  it('tells the API who the client is, whatever the client claims', async () => {
    const claimed = { 'X-Forwarded-For': '203.0.113.9' };
    const answer = await send('GET', '/api/v1/claimed', undefined, claimed);
    await answer.text();
    expect(JSON.parse(await logged('/api/v1/claimed'))).toMatchObject({ client: '127.0.0.1' });
    // The same claim, past the load balancer's back: the replica trusts what it is told from there.
    const direct = await fetch(`${apis[0].url}/api/v1/direct`, { headers: claimed });
    await direct.text();
    expect(JSON.parse(await logged('/api/v1/direct'))).toMatchObject({ client: '203.0.113.9' });
  });

  it.each(['/api/v1/a%2Fb//c', '/api/v1/../v1/x', '/api/v1/%C3%A4%20%25'])(
    'hands on the path %s as it came',
    async (path) => {
      // Not fetch, which would tidy the path up before it is sent.
      const [answer] = await once(get(entry, { path }), 'response');
      answer.resume();
      await logged(path);
    },
  );

  it('lets the API refuse a body that is too large, in its own words', async () => {
    const answer = await send('POST', '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions', {
      text: 'x'.repeat(4_000_000),
    });
    expect(answer.status).toBe(413);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  const leading = async (collector: Program) =>
    /^platform_collector_leader 1$/m.test(await (await fetch(`${collector.url}/metrics`)).text());

  it('hands on paths, tokens and headers of answers as long as the API has them', async () => {
    const resources = '/api/v1/resources';
    const name = [63, 63, 63, 61].map((length) => 'n'.repeat(length)).join('.');
    const definitions = `${resources}/platform.dev/v1alpha1/resourcedefinitions`;
    const apiVersion = 'deep.example/v1';
    let path = '';
    for (let depth = 0; depth <= 32; depth += 1) {
      const parent = depth === 0 ? null : { apiVersion, kind: `Level${depth - 1}` };
      const [kind, plural] = [`Level${depth}`, `levels${depth}`];
      const versions = [{ name: 'v1', served: true, storage: true }];
      const defined = await send('POST', definitions, {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'ResourceDefinition',
        metadata: { name: `${plural}.deep.example` },
        spec: { group: 'deep.example', kind, plural, parent, versions },
      });
      expect(await defined.json()).toMatchObject({ kind: 'ResourceDefinition' });
      path = `${resources}/${apiVersion}/${plural}${`/${name}`.repeat(depth)}`;
      const made = await send('POST', path, { apiVersion, kind, metadata: { name } });
      expect([made.status, await made.text()]).toEqual([201, expect.stringContaining(kind)]);
    }
    expect((await send('GET', `${path}/${name}`)).status).toBe(200);
    const longToken = await send('GET', definitions, undefined, {
      Authorization: `Bearer ${'a'.repeat(8_192)}`,
    });
    expect([longToken.status, await longToken.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'unauthenticated' }),
    ]);
  });

  it('has one leader among the collectors; when it stops, the other one takes over and collects', async () => {
    let leaders: Program[] = [];
    while (leaders.length === 0) {
      const flags = await Promise.all(collectors.map(leading));
      leaders = collectors.filter((_, index) => flags[index]);
    }
    expect(leaders.length).toBe(1);
    const [leader] = leaders as [Program];
    expect((await stopped(leader)).slice(0, 2)).toEqual([0, null]);

    const definitions = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';
    const spec = {
      group: 'example.dev',
      kind: 'Widget',
      plural: 'widgets',
      versions: [{ name: 'v1', served: true, storage: true, schema: { type: 'object' } }],
    };
    const made = await send('POST', definitions, {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'ResourceDefinition',
      metadata: { name: 'widgets.example.dev' },
      spec,
    });
    expect([made.status, made.status === 201 ? '' : await made.text()]).toEqual([201, '']);
    const widgets = '/api/v1/resources/example.dev/v1/widgets';
    const parent = await send('POST', widgets, {
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      metadata: { name: 'parent' },
      spec: {},
    });
    const { metadata } = (await parent.json()) as { metadata: { uid: string } };
    const owner = { apiVersion: 'example.dev/v1', kind: 'Widget', name: 'parent', uid: metadata.uid };
    const dependent = await send('POST', widgets, {
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      metadata: { name: 'dependent', ownerReferences: [owner] },
      spec: {},
    });
    expect([parent.status, dependent.status]).toEqual([201, 201]);
    await (await send('DELETE', `${widgets}/parent`)).text();
    for (const name of ['parent', 'dependent']) {
      while ((await send('GET', `${widgets}/${name}`)).status !== 404) await delay(50);
    }
    expect(await leading(collectors.find((each) => each !== leader) as Program)).toBe(true);
  }, 60_000);

  // Last: afterwards one replica is left.
  it('answers every request while a replica is stopped', async () => {
    const statuses = new Set<number>();
    let asking = true;
    const clients = Array.from({ length: 4 }, async () => {
      while (asking) {
        const answer = await send('GET', '/api/v1/resources/pending-deletion');
        await answer.text();
        statuses.add(answer.status);
      }
    });
    await delay(200);
    const [code] = await stopped(apis[1]);
    await delay(200);
    asking = false;
    await Promise.all(clients);
    expect(code).toBe(0);
    expect([...statuses]).toEqual([200]);
  }, 60_000);
});
