import { randomUUID } from 'node:crypto';
import { timeoutFactor } from '@platform/development/testing';
import { type Json, TestApi } from './api.ts';
import { definition, definitions, given, ownerOf, register, registerTree, resource, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

describe('a restore', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore();
  beforeAll(async () => {
    await api.start();
    await registerTree(api);
    await register(api, 'Barn');
  });

  const uidPath = (plural: string, { metadata }: Json) => `${v1}/${plural}/uid:${metadata.uid}`;
  const restoring = (plural: string, removed: Json, body: Json = {}) =>
    api.post(`${uidPath(plural, removed)}/restore`, body);
  const collect = () => (api.store.collect as () => Promise<void>)();
  const remove = async (path: string) => {
    const answer = await api.delete(path);
    expect([200, 202]).toContain(answer.status);
    await collect();
  };
  const namesOf = ({ restored }: Json) => restored.map(({ resource: { metadata } }: Json) => metadata.name);
  const read = async (path: string) => (await api.get(path).expect(200)).body as Json;

  it('creates a resource again from its last state, without finalizers and status', async () => {
    const metadata = { labels: { tier: 'gold' }, annotations: { 'a.b/c': 'd' }, finalizers: ['x/y'] };
    const before = await given(api, 'Farm', ['told'], { metadata, spec: { size: 1.5 } });
    await api.put(`${v1}/farms/told/status`, { status: { phase: 'Ready' } }).expect(200);
    await api.put(`${v1}/farms/told/finalizers`, { remove: ['x/y'] }).expect(200);
    await remove(`${v1}/farms/told`);
    const { body } = await restoring('farms', before).set('X-Change-Reason', 'a mistake').expect(201);
    const [{ from, resource: after }] = body.restored;
    expect(from).toBe(before.metadata.uid);
    expect(after.metadata).toMatchObject({
      name: 'told',
      revision: 1,
      generation: 1,
      finalizers: [],
      labels: { tier: 'gold' },
      annotations: { 'a.b/c': 'd', 'platform.dev/restored-from': before.metadata.uid },
    });
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.metadata.discriminator).not.toBe(before.metadata.discriminator);
    expect(after).toMatchObject({ spec: { size: 1.5 }, status: { controllers: {} } });
    expect(await read(`${v1}/farms/told`)).toEqual(after);
    const history = await read(`${v1}/farms/told/history`);
    expect(history.items).toMatchObject([{ operation: 'restore', revision: 1, reason: 'a mistake' }]);
  });

  it('keeps every digit of the spec', async () => {
    const text = JSON.stringify(resource('Farm', 'exact', { spec: 0 })).replace(
      '"spec":0',
      '"spec":{"size":1.10e0,"big":12345678901234567890,"__proto__":{}}',
    );
    const { body } = await api.post(`${v1}/farms`, text).expect(201);
    await remove(`${v1}/farms/exact`);
    const { text: answer } = await restoring('farms', body).expect(201);
    expect(answer).toContain('"spec":{"size":1.10e0,"big":12345678901234567890,"__proto__":{}}');
  });

  it('brings back everything that one deletion removed, parents first, with new owners', async () => {
    const farm = await given(api, 'Farm', ['whole']);
    await given(api, 'Field', ['whole', 'north']);
    const row = await given(api, 'Row', ['whole', 'north', 'first']);
    const owners = [ownerOf(row, { blockOwnerDeletion: true }), ownerOf(farm)];
    await given(api, 'Barn', ['shed'], { metadata: { ownerReferences: owners } });
    await remove(`${v1}/farms/whole`);
    const { body } = await restoring('farms', farm).expect(201);
    expect(namesOf(body)).toEqual(expect.arrayContaining(['whole', 'north', 'first', 'shed']));
    expect(body.restored[0].from).toBe(farm.metadata.uid);
    const restoredRow = await read(`${v1}/rows/whole/north/first`);
    expect(restoredRow.metadata.ancestors).toEqual(['whole', 'north']);
    expect((await read(`${v1}/barns/shed`)).metadata.ownerReferences).toEqual([
      ownerOf(restoredRow, { blockOwnerDeletion: true }),
      ownerOf(await read(`${v1}/farms/whole`), { blockOwnerDeletion: false }),
    ]);
    const changes = await read(`${v1}/rows/whole/north/first/history`);
    expect(changes.items[0]).toMatchObject({ operation: 'restore' });
  });

  it('keeps the managers of the fields that come back, with the new owners and without finalizers', async () => {
    const farm = await given(api, 'Farm', ['managed']);
    const apply = (manager: string, at: string, metadata: Json) =>
      api
        .send('PATCH', `/api/v1/resources/${v1}/barns/${at}?fieldManager=${manager}`)
        .type('application/apply-patch+yaml')
        .send(JSON.stringify(resource('Barn', at, { metadata, spec: { size: 1 } })));
    const applied = { finalizers: ['x/y'], ownerReferences: [ownerOf(farm)] };
    const { body: barn } = await apply('first', 'applied', applied).expect(201);
    await api.put(`${v1}/barns/applied/finalizers`, { remove: ['x/y'] }).expect(200);
    await remove(`${v1}/farms/managed`);
    const { body } = await restoring('farms', farm).expect(201);
    const [{ resource: restoredFarm }] = body.restored;
    const restoredBarn = await read(`${v1}/barns/applied`);
    expect(restoredBarn.metadata.uid).not.toBe(barn.metadata.uid);
    expect(restoredBarn.metadata.managedFields).toMatchObject([{ manager: 'first' }]);
    expect(restoredBarn.metadata.managedFields[0].fieldsV1).toEqual({
      'f:metadata': { 'f:ownerReferences': { [`k:{"uid":"${restoredFarm.metadata.uid}"}`]: {} } },
      'f:spec': { 'f:size': {} },
    });
    await apply('second', 'applied', { finalizers: ['x/y'] }).expect(200);
    const left = await apply('first', 'applied', {}).expect(200);
    expect(left.body.metadata).toMatchObject({ finalizers: ['x/y'], ownerReferences: [] });
  });

  it('takes a new name for the resource itself, and what belongs to it follows', async () => {
    const farm = await given(api, 'Farm', ['old']);
    await given(api, 'Field', ['old', 'north']);
    await given(api, 'Barn', ['hers'], { metadata: { ownerReferences: [ownerOf(farm)] } });
    await remove(`${v1}/farms/old`);
    await given(api, 'Farm', ['old']);
    await restoring('farms', farm, { name: 'new' }).expect(201);
    expect((await read(`${v1}/fields/new/north`)).metadata.ancestors).toEqual(['new']);
    expect((await read(`${v1}/barns/hers`)).metadata.ownerReferences[0].name).toBe('new');
    await restoring('farms', farm, { name: 'Not a name' }).expect(400);
    await restoring('farms', farm, { dependents: 'yes', extra: 1 }).expect(400);
  });

  it('leaves dependents out on request, and restores them later below the restored parent', async () => {
    const farm = await given(api, 'Farm', ['parts']);
    const north = await given(api, 'Field', ['parts', 'north']);
    const south = await given(api, 'Field', ['parts', 'south']);
    const barn = await given(api, 'Barn', ['parts'], { metadata: { ownerReferences: [ownerOf(farm)] } });
    await remove(`${v1}/fields/parts/south`);
    await remove(`${v1}/farms/parts`);
    const { body } = await restoring('farms', farm, { dependents: false, name: 'rest' }).expect(201);
    expect(namesOf(body)).toEqual(['rest']);
    await restoring('fields', north).expect(201);
    // Removed by another deletion, before.
    await restoring('fields', south).expect(201);
    await read(`${v1}/fields/rest/north`);
    await read(`${v1}/fields/rest/south`);
    await restoring('barns', barn).expect(201);
    const [owner] = (await read(`${v1}/barns/parts`)).metadata.ownerReferences;
    expect(owner).toMatchObject({ name: 'rest', uid: body.restored[0].resource.metadata.uid });
    // And again, after the restored one was removed and restored.
    await remove(`${v1}/farms/rest`);
    await restoring('farms', body.restored[0].resource, { dependents: false }).expect(201);
    await restoring('fields', north).expect(201);
  });

  it('does not take another resource of the name for the parent', async () => {
    await given(api, 'Farm', ['same']);
    const field = await given(api, 'Field', ['same', 'north']);
    await remove(`${v1}/farms/same`);
    await given(api, 'Farm', ['same']);
    const { body } = await restoring('fields', field).expect(409);
    expect(body).toMatchObject({
      code: 'restore_conflict',
      taken: [],
      missing: [{ relationship: 'parent', kind: 'Farm', name: 'same', of: { kind: 'Field', name: 'north' } }],
    });
  });

  it('names everything that is taken or missing, and changes nothing', async () => {
    const gone = await given(api, 'Farm', ['gone']);
    const farm = await given(api, 'Farm', ['full']);
    await given(api, 'Field', ['full', 'north']);
    for (const name of ['one', 'two']) {
      const owners = [ownerOf(farm), ownerOf(gone)];
      await given(api, 'Barn', [name], { metadata: { ownerReferences: owners } });
    }
    await api.delete(`${v1}/farms/full`).expect(202);
    await remove(`${v1}/farms/gone`);
    await given(api, 'Farm', ['full']);
    await given(api, 'Barn', ['two']);
    const { body } = await restoring('farms', farm).expect(409);
    expect(body.code).toBe('restore_conflict');
    const identities = (list: Json) => list.map(({ kind, name }: Json) => `${kind} ${name}`).sort();
    expect(identities(body.taken)).toEqual(['Barn two', 'Farm full']);
    expect(body.missing.map(({ name, of }: Json) => `${name} ${of.name}`).sort()).toEqual([
      'gone one',
      'gone two',
    ]);
    await api.get(`${v1}/barns/one`).expect(404);
  });

  it('refuses a resource that exists, also while it is being deleted, and one that nobody knows', async () => {
    const farm = await given(api, 'Farm', ['there'], { metadata: { finalizers: ['x/y'] } });
    expect((await restoring('farms', farm).expect(409)).body.code).toBe('not_removed');
    await api.delete(`${v1}/farms/there`).expect(202);
    expect((await restoring('farms', farm).expect(409)).body.code).toBe('not_removed');
    await restoring('farms', { metadata: { uid: randomUUID() } }).expect(404);
    await api.put(`${v1}/farms/there/finalizers`, { remove: ['x/y'] }).expect(200);
    await collect();
    await restoring('barns', farm).expect(404);
    await restoring('farms', farm).expect(201);
    await api.send('GET', `/api/v1/resources/${uidPath('farms', farm)}/restore`).expect(405);
  });

  it('refuses stored states that are no longer valid, with every fault of each', async () => {
    const parent = { apiVersion: v1, kind: 'Farm' };
    const { spec } = await register(api, 'Strict', { parent });
    const farm = await given(api, 'Farm', ['loose']);
    for (const name of ['a', 'b']) await given(api, 'Strict', ['loose', name], { spec: { size: 'much' } });
    await remove(`${v1}/farms/loose`);
    const schema = { type: 'object', properties: { size: { type: 'integer' } } };
    const stored = await read(`${definitions}/stricts.farm.example`);
    const versions = [{ ...spec.versions[0], schema }];
    await api
      .put(`${definitions}/stricts.farm.example`, {
        apiVersion: stored.apiVersion,
        kind: stored.kind,
        metadata: stored.metadata,
        spec: { ...stored.spec, versions },
      })
      .expect(200);
    const { body } = await restoring('farms', farm).expect(422);
    expect(body.code).toBe('restore_invalid');
    expect(body.errors.map(({ path }: Json) => path)).toEqual(['/spec/size', '/spec/size']);
    expect(body.invalid.map(({ name }: Json) => name).sort()).toEqual(['a', 'b']);
    await api.get(`${v1}/farms/loose`).expect(404);
  });

  it('restores a definition, and instances only while their kind is registered', async () => {
    const registered = await register(api, 'Silo');
    const silo = await given(api, 'Silo', ['tall']);
    await remove(`${v1}/silos/tall`);
    await remove(`${definitions}/silos.farm.example`);
    expect((await restoring('silos', silo).expect(422)).body.code).toBe('restore_invalid');
    const path = `${definitions}/uid:${registered.metadata.uid}/restore`;
    await api.post(definitions, definition('Silo')).expect(201);
    expect((await api.post(path, {}).expect(409)).body.taken).toMatchObject([{ name: 'silos.farm.example' }]);
    await remove(`${definitions}/silos.farm.example`);
    await api.post(path, {}).expect(201);
    await restoring('silos', silo).expect(201);
  });

  it('seals the values of a Secret again, for the new resource', async () => {
    const platform = 'platform.dev/v1alpha1';
    const body = (kind: string, name: string, spec: Json = {}) => ({
      apiVersion: platform,
      kind,
      metadata: { name },
      spec,
    });
    await api.post(`${platform}/organizations`, body('Organization', 'acme')).expect(201);
    const data = { password: 'aHVudGVyMg==' };
    const secret = await api.post(`${platform}/secrets/acme`, body('Secret', 'db', { data })).expect(201);
    await remove(`${platform}/secrets/acme/db`);
    const path = `${platform}/secrets/uid:${secret.body.metadata.uid}/restore`;
    const restored = await api.post(path, {}).expect(201);
    expect(restored.body.restored[0].resource.spec).toEqual({ data });
    expect((await read(`${platform}/secrets/acme/db`)).spec).toEqual({ data });
    const { text } = await api.get(`${platform}/secrets/acme/db/history?full=true`).expect(200);
    expect(text).not.toContain(data.password);
  });

  it('changes nothing in a dry run, whichever way it is asked for', async () => {
    const farm = await given(api, 'Farm', ['tried']);
    await given(api, 'Field', ['tried', 'north']);
    await remove(`${v1}/farms/tried`);
    const inBody = await restoring('farms', farm, { dryRun: true }).expect(201).expect('X-Dry-Run', 'true');
    expect(namesOf(inBody.body)).toEqual(['tried', 'north']);
    await api.post(`${uidPath('farms', farm)}/restore?dryRun=true`, {}).expect(201);
    await api.get(`${v1}/farms/tried`).expect(404);
    expect(api.audit.records.at(-1)).toMatchObject({
      message: 'resource.restored',
      details: { dryRun: true },
    });
  });

  it('lets one of two at the same moment win', async () => {
    const farm = await given(api, 'Farm', ['raced']);
    for (const name of ['a', 'b', 'c']) await given(api, 'Field', ['raced', name]);
    await remove(`${v1}/farms/raced`);
    const answers = await Promise.all([1, 2, 3, 4].map(() => restoring('farms', farm)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const { items } = await read(`${v1}/fields/raced`);
    expect(items).toHaveLength(3);
  });

  it('never leaves a resource below a parent that is deleted at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const name = `torn${round}`;
      await given(api, 'Farm', [name]);
      const field = await given(api, 'Field', [name, 'north']);
      await remove(`${v1}/fields/${name}/north`);
      const [restored] = await Promise.all([restoring('fields', field), api.delete(`${v1}/farms/${name}`)]);
      await collect();
      expect([201, 404, 409]).toContain(restored.status);
      await api.get(`${v1}/farms/${name}`).expect(404);
      await api
        .get(`${v1}/fields/uid:${restored.body.restored?.[0].resource.metadata.uid ?? field.metadata.uid}`)
        .expect(404);
    }
  });

  it('answers a repeated request with the first answer', async () => {
    const farm = await given(api, 'Farm', ['once']);
    await remove(`${v1}/farms/once`);
    const first = await restoring('farms', farm).set('Idempotency-Key', 'k1').expect(201);
    const second = await restoring('farms', farm).set('Idempotency-Key', 'k1').expect(201);
    expect(second.text).toBe(first.text);
    const upper = { metadata: { uid: farm['metadata'].uid.toUpperCase() } };
    expect((await restoring('farms', upper).set('Idempotency-Key', 'k1').expect(201)).text).toBe(first.text);
    await restoring('farms', farm).expect(409);
  });

  it('restores 3,000 resources within seconds', async () => {
    const farm = await given(api, 'Farm', ['large']);
    for (let batch = 0; batch < 3; batch += 1) {
      const operations = Array.from({ length: 1_000 }, (_, index) => ({
        method: 'POST',
        path: `/api/v1/resources/${v1}/fields/large`,
        body: resource('Field', `f-${batch}-${index}`, { spec: { index } }),
      }));
      await api.send('POST', '/api/v1/batch').send({ operations }).expect(200);
    }
    await remove(`${v1}/farms/large`);
    const from = performance.now();
    const { body } = await restoring('farms', farm).expect(201);
    expect(body.restored).toHaveLength(3_001);
    expect(performance.now() - from).toBeLessThan(15_000 * timeoutFactor);
  });
});
