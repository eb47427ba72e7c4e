import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { auditActions } from '@platform/access';
import { ScriptlessBrowser, until } from '@platform/development/testing';
import request from '../openapi/documented-request.ts';
import { type AuditItem, auditOf } from './audit-records.ts';
import { people } from './whole-api.ts';
import { apiWithProvider, callbackOf, clientSecret } from './with-provider.ts';

const ann = { subject: 'ann', email: 'ann@example.dev', name: 'Ann', groups: [], note: '' };

const api = apiWithProvider({}, { people: [ann] });

const { audit, recorded, exported } = auditOf(api);

/** Every secret and token that a run used: none of them may be in a record. */
const secrets: string[] = [clientSecret];

describe('audit records', () => {
  it('of typed resources are there when the write is answered, with who, why and what changed', async () => {
    const requestId = randomUUID();
    const created = await api
      .as('admin', 'post', '/api/v1/projects')
      .set('X-Request-Id', requestId)
      .set('X-Change-Reason', 'a new shop')
      .set('User-Agent', 'test/1')
      .send({ name: 'shop', members: ['carol@example.dev'] })
      .expect(201);
    const { body } = await audit({ requestId }).expect(200);
    expect(body.items).toMatchObject([
      {
        action: 'project.created',
        outcome: 'allowed',
        actor: { type: 'user', id: people.admin },
        requestId,
        userAgent: 'test/1',
        reason: 'a new shop',
        project: 'shop',
        resource: { kind: 'Project', name: 'shop', uid: created.body.uid },
        details: { members: ['carol@example.dev'] },
      },
    ]);
    await api.as('admin', 'put', '/api/v1/projects/shop').send({ members: [] }).expect(200);
    const [updated] = (await audit({ action: 'project.updated', project: 'shop' })).body.items;
    expect(updated.details).toMatchObject({ changed: ['members'], members: [] });
    await api.as('admin', 'put', '/api/v1/projects/shop').send({ members: [] }).expect(200);
    expect((await audit({ resource: created.body.uid })).body.items).toHaveLength(2);
  });

  it('of a refused write of a typed resource do not say that it happened', async () => {
    await api.as('admin', 'post', '/api/v1/projects').send({ name: 'shop' }).expect(409);
    expect((await audit({ action: 'project.created', project: 'shop' })).body.items).toHaveLength(1);
  });

  it('are written for teams and everything below projects', async () => {
    const member = { email: 'ann@example.dev', role: 'owner' };
    const as = (method: 'post' | 'put' | 'delete', path: string, body: object = {}) =>
      api.as('admin', method, `/api/v1${path}`).send(body);
    await as('post', '/teams', { name: 'makers', members: [member] }).expect(201);
    await as('put', '/teams/makers', { members: [] });
    await as('put', '/teams/makers', { members: [{ ...member, email: 'bob@example.dev' }] }).expect(200);
    await as('delete', '/teams/makers').expect(200);
    const below = '/projects/shop';
    await as('post', `${below}/environments`, { name: 'staging' }).expect(201);
    await as('delete', `${below}/environments/staging`).expect(200);
    const account = { name: 'ci', issuer_url: 'https://ci.example.dev', claims: { aud: 'p', sub: 's' } };
    await as('post', `${below}/service-accounts`, account).expect(201);
    await as('put', `${below}/service-accounts/ci`, { ...account, claims: { aud: 'p', sub: 't' } }).expect(
      200,
    );
    const { body: deployment } = await as('post', `${below}/deployments`, {
      environment: 'production',
    }).expect(201);
    const { body: rotated } = await as(
      'post',
      `${below}/deployments/${deployment.name}/rotate-credential`,
    ).expect(200);
    secrets.push(deployment.bootstrap_credential, rotated.bootstrap_credential);
    const plaintext = 'THE-UPSTREAM-SECRET';
    const { body: sealed } = await as('post', '/encrypt', { plaintext, project: 'shop' }).expect(200);
    const spec = {
      provider_name: 'X',
      client_id: 'up',
      client_secret_encrypted: sealed.encrypted,
      issuer_url: 'https://idp.example',
    };
    const { body: extension } = await as('post', `${below}/extensions`, {
      name: 'login',
      type: 'oauth',
      spec,
    }).expect(201);
    const { body: fresh } = await as('post', `${below}/extensions/login/rotate-secret`).expect(200);
    secrets.push(plaintext, sealed.encrypted, extension.client_secret, fresh.client_secret);
    const workload = await request(api.publicUrl)
      .post('/api/v1/identity/token')
      .set('Authorization', `Bearer ${rotated.bootstrap_credential}`)
      .send({ audience: 'queue' })
      .expect(200);
    secrets.push(workload.body.token);
    await recorded({ action: 'token.issued', project: 'shop' });
    await recorded({ action: 'secret.encrypted' });
    const actions = new Set((await recorded({ limit: 1000 })).map(({ action }) => action));
    for (const action of [
      ...['team.created', 'team.updated', 'team.deleted', 'environment.created', 'environment.deleted'],
      ...['service_account.created', 'service_account.updated', 'deployment.created', 'secret.encrypted'],
      ...['deployment.credential_rotated', 'extension.created', 'extension.secret_rotated', 'token.issued'],
    ]) {
      expect(actions).toContain(action);
    }
  });

  it('are written for logins, tokens, their ends and their refusals', async () => {
    const browser = new ScriptlessBrowser();
    const location = await callbackOf(api, browser, 'ann');
    await browser.open(location);
    const session = browser.cookie('localhost', 'platform_session') ?? '';
    const ingress = await request(api.publicUrl)
      .get('/api/v1/auth/ingress?project=shop')
      .set('Authorization', `Bearer ${session}`);
    expect(ingress.status).toBe(403);
    await request(api.publicUrl)
      .post('/api/v1/auth/logout')
      .set('Authorization', `Bearer ${session}`)
      .expect(204);
    const code = new URL(location).searchParams.get('code') ?? '';
    secrets.push(session, code);
    const actor = ann.email;
    const [logout] = await recorded({ action: 'auth.logout', actor: actor.toUpperCase() });
    const [login] = await recorded({ action: 'auth.login', actor });
    const [issued] = await recorded({ action: 'token.issued', actor });
    expect([login?.['outcome'], login?.['details']]).toEqual(['allowed', { destination: 'browser' }]);
    expect(issued?.['details']).toMatchObject({ kind: 'session', session: logout?.['details'].session });
    const [refused] = await recorded({ action: 'token.refused', actor });
    expect(refused).toMatchObject({
      outcome: 'denied',
      details: { kind: 'ingress', error: 'forbidden', count: 1 },
    });
    const bad = {
      grant_type: 'authorization_code',
      code: 'x',
      code_verifier: 'y',
      redirect_uri: 'http://localhost',
      client_id: 'platform-cli',
    };
    await request(api.publicUrl).post('/api/v1/auth/code/exchange').type('form').send(bad).expect(400);
    const tokens = await recorded({ action: 'token.refused' }, 2);
    expect(tokens.map(({ details }) => details.kind).sort()).toEqual(['ingress', 'session']);
  });

  it('of the OAuth proxy say at which step a token was refused', async () => {
    for (const [step, method] of [
      ['userinfo', 'get'],
      ['revoke', 'post'],
    ] as const) {
      const requestId = randomUUID();
      await request(api.publicUrl)[method](`/oidc/shop/login/${step}`).set('X-Request-Id', requestId);
      expect(await recorded({ requestId })).toMatchObject([
        {
          action: 'oauth.flow_failed',
          outcome: 'denied',
          project: 'shop',
          details: { step, extension: 'login', message: expect.stringMatching(/./) },
        },
      ]);
    }
  });

  it('count identical refusals of a caller in one record', async () => {
    const ask = () =>
      api.as('stranger', 'get', '/api/v1/resources/platform.dev/v1alpha1/organizations').expect(403);
    for (let n = 0; n < 3; n += 1) await ask();
    let record: AuditItem | undefined;
    await until(async () => {
      [record] = await recorded({ action: 'request.refused', actor: people.stranger });
      return record?.['details'].count === 3;
    });
    expect(record).toMatchObject({
      outcome: 'denied',
      details: { method: 'GET', code: 'forbidden', count: 3 },
    });
  });

  // Attack: a program names itself with line breaks, quotes and escape sequences, to forge a record in an export.
  it('stay one line each, whatever a client calls itself', async () => {
    const requestId = randomUUID();
    await request(api.publicUrl)
      .get('/api/v1/projects')
      .set('X-Request-Id', requestId)
      .set('User-Agent', 'x","outcome":"allowed"}\u0085{"id":"')
      .expect(401);
    await recorded({ requestId });
    const lines = await exported({ requestId });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ outcome: 'denied', actor: { type: 'anonymous' } });
  });

  it('are for operators only, and bad filters are refused with every fault', async () => {
    await api.as('admin', 'get', '/api/v1/audit').expect(403);
    await request(api.publicUrl).get('/api/v1/audit').expect(401);
    const { body } = await audit({ since: 'yesterday', action: 'x', outcome: 'y', resource: 'z' }).expect(
      400,
    );
    for (const name of ['since', 'action', 'outcome', 'resource']) expect(body.detail).toContain(name);
    const noDay = '2026-02-30T00:00:00.000Z 00000000-0000-4000-8000-000000000000';
    const after = Buffer.from(noDay).toString('base64url');
    for (const query of [
      { limit: 0 },
      { continue: 'x' },
      { continue: after },
      { until: noDay.slice(0, 24) },
      { what: 1 },
      { kind: ['a', 'b'] },
    ])
      await audit(query).expect(400);
  });

  it('come newest first, in pages without gaps, and all of them as NDJSON', async () => {
    const all = await recorded({ limit: 1000 });
    expect(all.map(({ time }) => time)).toEqual(
      all
        .map(({ time }) => time)
        .sort()
        .reverse(),
    );
    const paged: AuditItem[] = [];
    let next: string | undefined;
    do {
      const query: object = {
        limit: 7,
        until: all[0]?.['time'],
        ...(next === undefined ? {} : { continue: next }),
      };
      const { body } = await audit(query).expect(200);
      paged.push(...body.items);
      next = body.continue;
    } while (next !== undefined);
    const older = all.filter(({ time }) => time < all[0]?.['time']);
    expect(paged.map(({ id }) => id)).toEqual(older.map(({ id }) => id));
    const lines = await exported({ until: all[0]?.['time'] });
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(older.map(({ id }) => id));
    // A line is as the document says.
    await audit({ limit: 1 }).set('Accept', 'application/x-ndjson').expect(200);
  });

  it('hold no secret and no token of this whole run', async () => {
    const text = JSON.stringify(await recorded({ limit: 1000 }));
    expect(secrets.length).toBeGreaterThan(9);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5);
      expect(text.includes(secret)).toBe(false);
    }
    // No signed token at all, also none that the test does not know.
    expect(text).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\./);
  });

  it('have the actions that docs/audit.md lists', () => {
    const page = readFileSync(new URL('../../../../docs/audit.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (.*?) \|/gm)].map(([, action, meaning]) => [
      action,
      meaning,
    ]);
    expect(listed).toEqual(Object.entries(auditActions));
  });
});
