import { randomUUID } from 'node:crypto';
import { type AuditItem, auditOf } from './audit-records.ts';
import { people, WholeApi } from './whole-api.ts';

const api = new WholeApi();
const { audit, recorded } = auditOf(api);

describe('audit records', () => {
  it('of resources are the entries of the change log, in one order with all others', async () => {
    const organization = {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Organization',
      metadata: { name: 'acme' },
    };
    const path = '/api/v1/resources/platform.dev/v1alpha1/organizations';
    const requestId = randomUUID();
    const made = await api
      .as('operator', 'post', path)
      .set('X-Request-Id', requestId)
      .set('X-Change-Reason', 'a customer')
      .send(organization)
      .expect(201);
    const { uid } = made.body.metadata;
    expect((await audit({ requestId })).body.items).toMatchObject([
      {
        action: 'resource.created',
        outcome: 'allowed',
        actor: { type: 'operator', id: people.operator },
        requestId,
        reason: 'a customer',
        resource: { kind: 'Organization', name: 'acme', uid },
        details: { operation: 'create', revision: 1 },
      },
    ]);
    await api.as('operator', 'delete', `${path}/acme`).expect(200);
    const items = (await audit({ resource: uid, actor: people.operator.toUpperCase() })).body.items;
    expect(items.map(({ action }: AuditItem) => action)).toEqual(['resource.deleted', 'resource.created']);
    expect((await audit({ kind: 'Organization', action: 'resource.deleted' })).body.items).toHaveLength(1);
    expect((await audit({ resource: uid, outcome: 'denied' })).body.items).toEqual([]);
  });

  it('of dry runs say that they were one, and are the only ones of the request', async () => {
    const path = '/api/v1/resources/platform.dev/v1alpha1/organizations';
    const body = { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', metadata: { name: 'tried' } };
    const tries = { created: ['post', path, body], deleted: ['delete', `${path}/kept`, {}] } as const;
    await api
      .as('operator', 'post', path)
      .send({ ...body, metadata: { name: 'kept' } })
      .expect(201);
    for (const [verb, [method, at, sent]] of Object.entries(tries)) {
      const requestId = randomUUID();
      await api
        .as('operator', method, `${at}?dryRun=true`)
        .set({ 'X-Request-Id': requestId, 'User-Agent': 'script/2', 'X-Change-Reason': 'a try' })
        .send(sent);
      expect(await recorded({ requestId })).toMatchObject([
        {
          action: `resource.${verb}`,
          outcome: 'allowed',
          details: { dryRun: true },
          sourceAddress: expect.stringContaining('127.0.0.1'),
          userAgent: 'script/2',
          reason: 'a try',
        },
      ]);
      // Nothing was committed, so the log has no line of a change.
      expect(api.log.split('\n').filter((line) => line.includes(requestId))).toEqual([
        expect.stringContaining('"message":"request"'),
      ]);
    }
  });

  it('of reads say where the request came from, whatever reason it gives', async () => {
    const requestId = randomUUID();
    await api
      .as('operator', 'get', '/api/v1/resources/pending-deletion')
      .set({ 'X-Request-Id': requestId, 'User-Agent': 'script/2', 'X-Change-Reason': 'x'.repeat(2_000) })
      .expect(200);
    expect(await recorded({ requestId })).toMatchObject([
      {
        action: 'resource.listed',
        sourceAddress: expect.stringContaining('127.0.0.1'),
        userAgent: 'script/2',
      },
    ]);
  });
});
