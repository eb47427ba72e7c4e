import { type Json, TestApi } from './api.ts';
import { definitions, given, registerTree, resource, sentBack, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

describe('the history of a resource', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore();
  beforeAll(async () => {
    await api.start();
    await registerTree(api);
  });

  const farm = (name: string) => `${v1}/farms/${name}`;

  it('lists each revision with who, why and what has changed, newest first', async () => {
    const created = await api
      .post(`${v1}/farms`, resource('Farm', 'told'))
      .set('X-Request-Id', 'q1')
      .expect(201);
    const changed = { ...sentBack(created.body), spec: { size: 1.5 } };
    await api
      .put(farm('told'), changed)
      .set('X-Request-Id', 'q2')
      .set('X-Change-Reason', 'it grew')
      .expect(200);
    const { body } = await api.get(`${farm('told')}/history`).expect(200);
    const actor = { type: 'operator', id: 'Op@Example.dev' };
    expect(body).toMatchObject({
      metadata: {},
      items: [
        {
          operation: 'update',
          revision: 2,
          generation: 2,
          actor,
          requestId: 'q2',
          reason: 'it grew',
          removed: false,
        },
        { operation: 'create', revision: 1, generation: 1, actor, requestId: 'q1', changes: [] },
      ],
    });
    expect(body.items[0].changes).toContainEqual({ op: 'add', path: '/spec/size', value: 1.5 });
    expect(body.items[1]).not.toHaveProperty('reason');
    const { body: explanation } = await api.get(`${farm('told')}/explain`).expect(200);
    expect(explanation.changes).toEqual(body.items);
    expect(body.items.every(({ cursor }: Json) => typeof cursor === 'string')).toBe(true);
  });

  it('is not found at a plural that is not that of the kind', async () => {
    const { metadata } = await given(api, 'Farm', ['moved']);
    const paths = ['history', 'history/1'].map((part) => `${v1}/nofarms/uid:${metadata.uid}/${part}`);
    for (const path of paths) await api.get(path).expect(404);
    await api.delete(farm('moved')).expect(200);
    for (const path of paths) await api.get(path).expect(404);
    await api.post(`${v1}/nofarms/uid:${metadata.uid}/restore`, {}).expect(404);
    await api.get(`${v1}/farms/uid:${metadata.uid}/history`).expect(200);
  });

  it('shows every revision as it was, with each digit', async () => {
    const { body } = await api.post(`${v1}/farms`, resource('Farm', 'exact')).expect(201);
    const text = JSON.stringify({ ...sentBack(body), spec: 0 }).replace('"spec":0', '"spec":{"size":1.10e0}');
    await api.put(farm('exact'), text).expect(200);
    const first = await api.get(`${farm('exact')}/history/1`).expect(200);
    expect(first.body).toEqual(body);
    const second = await api.get(`${farm('exact')}/history/2`).expect(200);
    expect(second.text).toContain('"size":1.10e0');
    const { text: page } = await api.get(`${farm('exact')}/history?full=true`).expect(200);
    expect(page).toContain('"value":1.10e0');
    expect(page).toContain('"object":{');
    await api.get(`${farm('exact')}/history/3`).expect(404);
    await api.get(`${farm('exact')}/history/0`).expect(400);
    await api.get(`${farm('none')}/history`).expect(404);
  });

  it('goes on in pages', async () => {
    await given(api, 'Farm', ['paged']);
    for (const status of [1, 2, 3]) await api.put(`${farm('paged')}/status`, { status }).expect(200);
    const revisions: number[] = [];
    let next: string | undefined;
    do {
      const query: string = next === undefined ? 'limit=3' : `limit=3&continue=${next}`;
      const { body } = await api.get(`${farm('paged')}/history?${query}`).expect(200);
      revisions.push(...body.items.map(({ revision }: Json) => revision));
      next = body.metadata.continue;
    } while (next !== undefined);
    expect(revisions).toEqual([4, 3, 2, 1]);
    await api.get(`${farm('paged')}/history?continue=YWZ0ZXI6YQ`).expect(400);
    await api.get(`${farm('paged')}/history?limit=501`).expect(400);
  });

  it('has the reason of a batch, or that of the operation', async () => {
    const operation = (name: string, headers: Json = {}) => ({
      method: 'POST',
      path: `/api/v1/resources/${v1}/farms`,
      headers,
      body: resource('Farm', name),
    });
    const send = (...operations: Json[]) =>
      api.send('POST', '/api/v1/batch').type('application/json').send(JSON.stringify({ operations }));
    const own = operation('reason-b', { 'X-Change-Reason': 'a ß of its own' });
    await send(operation('reason-a'), own).set('X-Change-Reason', 'of all').expect(200);
    const reasonOf = async (name: string) =>
      (await api.get(`${farm(name)}/history`).expect(200)).body.items[0].reason;
    expect([await reasonOf('reason-a'), await reasonOf('reason-b')]).toEqual(['of all', 'a ß of its own']);
    const refused = await send(operation('reason-c', { 'x-change-reason': 'two\nlines' })).expect(400);
    expect(refused.body).toMatchObject({ code: 'malformed_request', operation: 0 });
  });

  it('refuses the token of another history, and of other removed resources', async () => {
    for (const one of ['mine', 'yours']) {
      await given(api, 'Farm', [one]);
      await api.put(`${farm(one)}/status`, { status: 1 }).expect(200);
    }
    const tokenOf = async (path: string) => (await api.get(path).expect(200)).body.metadata.continue;
    const token = await tokenOf(`${farm('mine')}/history?limit=1`);
    await api.get(`${farm('mine')}/history?full=true&continue=${token}`).expect(200);
    const { body } = await api.get(`${farm('yours')}/history?continue=${token}`).expect(400);
    expect(body.code).toBe('invalid_query');
    for (const one of ['mine', 'yours']) await api.delete(farm(one)).expect(200);
    const removed = await tokenOf(`${v1}/farms?removed=true&limit=1`);
    await api.get(`${v1}/farms?removed=true&continue=${removed}`).expect(200);
    await api.get(`${definitions}?removed=true&continue=${removed}`).expect(400);
  });

  it('is there by uid after the removal, and the collection lists what was removed', async () => {
    const { body } = await api.post(`${v1}/farms`, resource('Farm', 'gone')).expect(201);
    await api.delete(farm('gone')).set('X-Change-Reason', 'sold').expect(200);
    await api.get(`${farm('gone')}/history`).expect(404);
    const byUid = `${v1}/farms/uid:${body.metadata.uid}/history`;
    const history = await api.get(byUid).expect(200);
    expect(history.body.items).toMatchObject([
      { operation: 'delete', removed: true, revision: 1, reason: 'sold', changes: [] },
      { operation: 'create', removed: false, revision: 1 },
    ]);
    expect((await api.get(`${byUid}/1`).expect(200)).body).toEqual(body);
    const removed = await api.get(`${v1}/farms?removed=true`).expect(200);
    expect(removed.body.items[0]).toMatchObject({
      kind: 'Farm',
      metadata: { name: 'gone', uid: body.metadata.uid },
      actor: { type: 'operator' },
      removedAt: history.body.items[0].time,
      cascadeId: history.body.items[0].cascadeId,
    });
    await api.get(`${v1}/fields/uid:${body.metadata.uid}/history`).expect(404);
  });

  it('view=metadata leaves out spec and status wherever resources are shown', async () => {
    const { body } = await api.post(`${v1}/farms`, resource('Farm', 'seen')).expect(201);
    const at = `${v1}/farms/uid:${body.metadata.uid}/history`;
    const found = await api.send('GET', '/api/v1/search?q=seen&view=metadata').expect(200);
    const history = await api.get(`${at}?full=true&view=metadata`).expect(200);
    const revision = await api.get(`${at}/1?view=metadata`).expect(200);
    await api.delete(farm('seen')).expect(200);
    const removed = await api.get(`${v1}/farms?removed=true&view=metadata`).expect(200);
    for (const shown of [
      ...[found.body.items[0], history.body.items[0].object, revision.body, removed.body.items[0]],
    ]) {
      expect(shown.metadata.uid).toBe(body.metadata.uid);
      expect(shown).not.toHaveProperty('spec');
      expect(shown).not.toHaveProperty('status');
    }
    await api.get('pending-deletion?view=metadata').expect(200);
    await api.get('pending-deletion?view=all').expect(400);
  });
});
