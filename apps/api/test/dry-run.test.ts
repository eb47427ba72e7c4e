import { type Json, onEveryStore } from './api.ts';
import { definition, definitions, given, register, resource, sentBack, v1 } from './kinds.ts';

onEveryStore((api) => {
  const farms = `${v1}/farms`;
  const merge = 'application/merge-patch+json';
  let made = 0;

  beforeAll(async () => {
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
  });

  async function farm(): Promise<{ at: string; read: Json }> {
    const name = `f${++made}`;
    return { at: `${farms}/${name}`, read: await given(api, 'Farm', [name]) };
  }

  const writes: Record<string, (at: string, read: Json) => Json> = {
    create: () => api.post(`${farms}?dryRun=true`, resource('Farm', `f${++made}`)),
    replace: (at, read) => api.put(`${at}?dryRun=true`, sentBack(read, { spec: { a: 1 } })),
    patch: (at) =>
      api.send('PATCH', `/api/v1/resources/${at}?dryRun=true`).type(merge).send('{"spec":{"a":1}}'),
    status: (at) => api.put(`${at}/status?dryRun=true&slot=x`, { status: 1 }),
    finalizers: (at) => api.put(`${at}/finalizers?dryRun=true`, { add: ['x/y'] }),
    delete: (at) => api.delete(`${at}?dryRun=true`),
  };

  it.each(Object.keys(writes))('%s answers as the real request, and changes nothing', async (name) => {
    const { at, read } = await farm();
    await given(api, 'Field', [read.metadata.name, 'a']);
    const [records, cascades] = [api.audit.records.length, api.audit.cascades.length];
    const answer = await (writes[name] as (at: string, read: Json) => Json)(at, read);
    expect(answer.status).toBe(name === 'create' ? 201 : name === 'delete' ? 202 : 200);
    expect(answer.headers['x-dry-run']).toBe('true');
    const shown = answer.body.resource ?? answer.body;
    expect(shown.metadata.revision).toBe(name === 'create' ? 1 : 2);
    expect((await api.get(at).expect(200)).body).toEqual(read);
    if (name === 'create') await api.get(`${farms}/${shown.metadata.name}`).expect(404);
    const written = api.audit.records.slice(records);
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject({ details: { dryRun: true } });
    expect(api.audit.cascades).toHaveLength(cascades);
  });

  it('a removal is answered and does not happen', async () => {
    const { at, read } = await farm();
    const { body } = await api.delete(`${at}?dryRun=true`).expect(200);
    expect(body).toEqual({ deleted: true, uid: read.metadata.uid });
    expect((await api.get(at).expect(200)).body).toEqual(read);
  });

  it('refuses what the real request would refuse', async () => {
    const { at, read } = await farm();
    const refused = [
      api.post(`${farms}?dryRun=true`, resource('Farm', read.metadata.name)).expect(409),
      api.post(`${v1}/fields/none?dryRun=true`, resource('Field', 'a')).expect(404),
      api.put(`${at}?dryRun=true`, sentBack(read, { metadata: { revision: 7 } })).expect(409),
      api.delete(`${at}?dryRun=true`).set('If-Match', '"9"').expect(412),
      api.delete(`${farms}/none?dryRun=true`).expect(404),
      api.post(`${definitions}?dryRun=true`, definition('Farm')).expect(409),
      api.delete(`${definitions}/farms.farm.example?dryRun=true`).expect(409),
    ];
    for (const answer of await Promise.all(refused)) expect(answer.headers['x-dry-run']).toBe('true');
  });

  it('says so also in a refusal of access', async () => {
    const sent = api.send('DELETE', `/api/v1/resources/${v1}/farms/any?dryRun=true`, 'user');
    await sent.expect(403).expect('X-Dry-Run', 'true');
  });

  it('a definition of a dry run registers nothing', async () => {
    await api.post(`${definitions}?dryRun=true`, definition('Ghost')).expect(201);
    await api.post(`${v1}/ghosts`, resource('Ghost', 'a')).expect(404);
  });

  it('false is a real request, and anything else is 400', async () => {
    const { at } = await farm();
    for (const value of ['', 'yes', '1', 'TRUE', 'true&dryRun=true']) {
      await api.delete(`${at}?dryRun=${value}`).expect(400);
    }
    await api.get(`${at}?dryRun=true`).expect(400);
    const answer = await api.delete(`${at}?dryRun=false`).expect(200);
    expect(answer.headers['x-dry-run']).toBeUndefined();
    await api.get(at).expect(404);
  });

  it('DELETE with a uid deletes only the resource that has it', async () => {
    const { at, read } = await farm();
    const other = '00000000-0000-7000-8000-0000000fffff';
    for (const wrong of [other, '00000000-0000-0000-0000-000000000000']) {
      expect((await api.delete(`${at}?uid=${wrong}`).expect(409)).body).toMatchObject({
        code: 'uid_conflict',
        currentUid: read.metadata.uid,
      });
    }
    await api.delete(`${farms}/uid:${read.metadata.uid}?uid=${other}`).expect(409);
    await api.delete(`${at}?uid=nobody`).expect(400);
    await api.delete(`${at}?uid=${read.metadata.uid.toUpperCase()}`).expect(200);
  });
});
