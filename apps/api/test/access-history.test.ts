import { type Json, TestApi } from './api.ts';
import { given, ownerOf, register, sentBack, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';
import { Watching } from './watching.ts';

const platform = 'platform.dev/v1alpha1';
const rolebindings = `${platform}/rolebindings`;

/** Scopes of RoleBindings change and end; what a caller may see of a binding changes with them. */
describe('a RoleBinding', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore({ ticks: true });
  let hill: Json;
  let dale: Json;

  const scopeOf = (farm: Json) => {
    const { blockOwnerDeletion: _, ...reference } = ownerOf(farm);
    return reference;
  };
  const bind = async (name: string, role: string, scope: Json, user: string): Promise<Json> => {
    const subjects = [{ kind: 'User', name: `${user}@example.dev` }];
    const spec = { roleRef: { name: role }, subjects, scope: scopeOf(scope) };
    const body = { apiVersion: platform, kind: 'RoleBinding', metadata: { name }, spec };
    return (await api.post(rolebindings, body).expect(201)).body;
  };
  const move = async (name: string, scope: Json, user: string) => {
    const stored = sentBack((await api.get(`${rolebindings}/${name}`).expect(200)).body);
    const subjects = [{ kind: 'User', name: `${user}@example.dev` }];
    const spec = { ...stored.spec, subjects, scope: scopeOf(scope) };
    await api.put(`${rolebindings}/${name}`, { ...stored, spec }).expect(200);
  };
  const read = async (path: string, as = 'user'): Promise<Json> =>
    (await api.get(`${rolebindings}/${path}`, as).expect(200)).body;

  beforeAll(async () => {
    await api.start();
    await register(api, 'Farm');
    hill = await given(api, 'Farm', ['hill']);
    dale = await given(api, 'Farm', ['dale']);
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const role = { apiVersion: platform, kind: 'Role', metadata: { name: 'all' }, spec: { rules } };
    await api.post(`${platform}/roles`, role).expect(201);
    const named = {
      apiGroups: ['platform.dev'],
      resources: ['rolebindings', 'rolebindings/history'],
      resourceNames: ['moved'],
      verbs: ['get'],
    };
    await api
      .post(`${platform}/roles`, { ...role, metadata: { name: 'named' }, spec: { rules: [named] } })
      .expect(201);
    await bind('own', 'all', hill, 'dev');
  });

  // Attack: somebody bound in one scope reads who had access in another, from the time when the binding was there.
  describe('that was in other scopes before', () => {
    beforeAll(async () => {
      await bind('moved', 'all', dale, 'secret-1');
      await move('moved', hill, 'open-2');
      await move('moved', hill, 'open-3');
      await move('moved', dale, 'secret-4');
      await move('moved', hill, 'open-5');
      await move('moved', hill, 'open-6');
    });

    it('shows its revisions in the scope of the caller, on each page', async () => {
      const whole = await read('moved/history?full=true');
      expect(whole.items.map(({ revision }: Json) => revision)).toEqual([6, 5, 3, 2]);
      expect(JSON.stringify(whole)).not.toMatch(/secret|dale/);
      // The state before is outside, so what has changed is not told, as beyond the retention.
      expect(whole.items.map(({ changes }: Json) => changes === null)).toEqual([false, true, false, true]);
      const paged: number[] = [];
      for (let next = ''; paged.length < 10; ) {
        const { items, metadata } = await read(`moved/history?limit=1${next}`);
        paged.push(...items.map(({ revision }: Json) => revision));
        if (metadata.continue === undefined) break;
        next = `&continue=${metadata.continue}`;
      }
      expect(paged).toEqual([6, 5, 3, 2]);
      expect((await read('moved/history', 'operator')).items).toHaveLength(6);
    });

    it('has no other revision', async () => {
      const { metadata } = await read('moved');
      const statuses: Record<string, number> = {};
      for (const revision of [1, 2, 3, 4, 5, 6]) {
        for (const item of ['moved', `uid:${metadata.uid}`]) {
          const { status } = await api.get(`${rolebindings}/${item}/history/${revision}`, 'user');
          statuses[revision] = Math.max(statuses[revision] ?? 0, status);
        }
      }
      expect(statuses).toEqual({ 1: 404, 2: 200, 3: 200, 4: 404, 5: 200, 6: 200 });
    });

    it('is explained by its changes in the scope', async () => {
      const { changes } = await read('moved/explain');
      expect(changes.map(({ revision }: Json) => revision)).toEqual([6, 5, 3, 2]);
      expect(JSON.stringify(changes)).not.toMatch(/secret|dale/);
    });

    it('shows no more to those whose rule names it', async () => {
      await api.delete(`${rolebindings}/own`).expect(200);
      await bind('own-named', 'named', hill, 'dev');
      for (const item of ['moved', `uid:${(await read('moved')).metadata.uid}`]) {
        expect((await read(`${item}/history`)).items.map(({ revision }: Json) => revision)).toEqual([
          6, 5, 3, 2,
        ]);
        await api.get(`${rolebindings}/${item}/history/4`, 'user').expect(404);
        await api.get(`${rolebindings}/${item}/history/5`, 'user').expect(200);
      }
      await api.delete(`${rolebindings}/own-named`).expect(200);
      await bind('own', 'all', hill, 'dev');
    });
  });

  // Attack: a scope was removed, and a binding in it still shows the bindings that were in it.
  it('whose scope is gone is outside of every scope that is gone', async () => {
    const gone = await given(api, 'Farm', ['gone']);
    await bind('own-gone', 'all', gone, 'dev');
    const { metadata } = await bind('other-gone', 'all', gone, 'secret');
    await read('other-gone');
    const events = async () => {
      const query = `fieldSelector=involvedObject.uid%3D${gone.metadata.uid}`;
      return (await api.send('GET', `/kubernetes/api/v1/events?${query}`, 'user').expect(200)).body.items;
    };
    expect(await events()).toHaveLength(1);
    await api.delete(`${v1}/farms/gone`).expect(200);
    expect(await events()).toEqual([]);
    const names = (body: Json) => body.items.map((item: Json) => item.metadata.name);
    for (const query of ['', '?labelSelector=!x', '?limit=1']) {
      const { body } = await api.get(`${rolebindings}${query}`, 'user').expect(200);
      expect([query, names(body).filter((name: string) => name.endsWith('gone'))]).toEqual([query, []]);
    }
    const { body } = await api.send('GET', '/api/v1/search?q=other-gone', 'user').expect(200);
    expect(body.items).toEqual([]);
    const stream = await Watching.open(api.port, `${rolebindings}?watch=true`, {}, 'user');
    await stream.until(({ told }) => told.includes('BOOKMARK initial'));
    const stored = sentBack((await api.get(`${rolebindings}/other-gone`)).body);
    stored.metadata.labels = { changed: 'yes' };
    await api.put(`${rolebindings}/other-gone`, stored).expect(200);
    await bind('end', 'all', hill, 'dev');
    await stream.until(({ told }) => told.includes('ADDED end@1'));
    stream.response.destroy();
    expect(stream.text).not.toContain('other-gone');
    for (const item of ['other-gone', `uid:${metadata.uid}`]) {
      for (const part of ['', '/history', '/history/1', '/explain', '/deletion-blockers', '?watch=true']) {
        const { status } = await api.get(`${rolebindings}/${item}${part}`, 'user');
        expect([item, part, status]).toEqual([item, part, 403]);
      }
      await api.delete(`${rolebindings}/${item}`, 'user').expect(403);
    }
    const check = { checks: [{ verb: 'get', path: `/api/v1/resources/${rolebindings}/other-gone` }] };
    const answer = await api.send('POST', '/api/v1/access/check', 'user').send(check).expect(200);
    expect(answer.body.results).toEqual([{ allowed: false }]);
  });

  it('lets callers with a scope read the history of what was removed from it, and of nothing else', async () => {
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    const home = await given(api, 'Farm', ['home']);
    await given(api, 'Farm', ['other']);
    await bind('home-all', 'all', home, 'dev');
    const removed = async (farm: string) => {
      const { metadata } = await given(api, 'Field', [farm, 'gone']);
      await api.delete(`${v1}/fields/${farm}/gone`).expect(200);
      return `${v1}/fields/uid:${metadata.uid}/history`;
    };
    const [own, foreign] = [await removed('home'), await removed('other')];
    const { body } = await api.get(own, 'user').expect(200);
    expect(body.items.map(({ operation }: Json) => operation)).toEqual(['delete', 'create']);
    await api.get(`${own}/1`, 'user').expect(200);
    await api.get(`${own}?limit=0`, 'user').expect(400);
    await api.get(`${own}?unknown=1`, 'user').expect(400);
    // Attack: the answers tell a uid that existed elsewhere from one that never did.
    const missing = own.replace(/uid:[^/]+/, 'uid:0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b');
    for (const path of [foreign, missing, `${foreign}/1`, `${missing}/1`, own.replace('fields', 'farms')]) {
      await api.get(path, 'user').expect(403);
      await api.get(`${path}?unknown=1`, 'user').expect(403);
    }
    // A binding whose scope is gone grants nothing, here as elsewhere.
    await api.delete(`${v1}/farms/home`).expect(200);
    await api.get(own, 'user').expect(403);
  });
});
