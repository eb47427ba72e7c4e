import { type Json, onEveryStore } from './api.ts';
import { given, ownerOf, register, registerTree, resource, v1 } from './kinds.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

onEveryStore((api) => {
  const cascade = 'system.platform.dev/cascade-deletion';
  let made = 0;
  let name: string;
  let farm: string;

  beforeAll(async () => {
    await registerTree(api);
    await register(api, 'Barn');
  });

  beforeEach(async () => {
    made += 1;
    name = `d${made}`;
    farm = `${v1}/farms/${name}`;
    await given(api, 'Farm', [name]);
    api.time += 1000;
  });

  async function ownedBarn(blockOwnerDeletion: boolean, finalizers: readonly string[] = []): Promise<Json> {
    const { body: owner } = await api.get(farm);
    const ownerReferences = [ownerOf(owner, { blockOwnerDeletion })];
    return await given(api, 'Barn', [name], { metadata: { ownerReferences, finalizers } });
  }

  describe('DELETE of an item', () => {
    it('is 200 when nothing holds it, and then it is gone', async () => {
      const { body: read } = await api.get(farm);
      const { body } = await api.delete(farm).expect(200);
      expect(body).toEqual({ deleted: true, uid: read.metadata.uid });
      await api.get(farm).expect(404);
      await api.delete(farm).expect(404);
    });

    it('frees the name for another resource with another UID', async () => {
      const { body: read } = await api.get(farm);
      await api.delete(farm).expect(200);
      expect((await given(api, 'Farm', [name])).metadata.uid).not.toBe(read.metadata.uid);
    });

    it('is 202 with the tombstone when a finalizer holds it', async () => {
      await api.put(`${farm}/finalizers`, { add: ['a/b'] });
      const { body } = await api.delete(farm).expect(202);
      expect(body).toMatchObject({ deleted: false, markedForDeletion: true });
      expect(body.resource.metadata).toMatchObject({
        deletionTimestamp: expect.stringMatching(timestamp),
        finalizers: ['a/b'],
        revision: 3,
        generation: 1,
      });
      expect((await api.get(farm).expect(200)).body).toEqual(body.resource);
      expect((await api.get(`${v1}/farms`)).text).toContain(JSON.stringify(body.resource));
    });

    it('is 202 for a parent: its children are tombstoned with it, grandchildren are not yet', async () => {
      await given(api, 'Field', [name, 'south']);
      await given(api, 'Row', [name, 'south', 'one']);
      const { body } = await api.delete(farm).expect(202);
      expect(body.resource.metadata.finalizers).toEqual([cascade]);
      const { body: field } = await api.get(`${v1}/fields/${name}/south`);
      expect(field.metadata.deletionTimestamp).toBe(body.resource.metadata.deletionTimestamp);
      const { body: row } = await api.get(`${v1}/rows/${name}/south/one`);
      expect(row.metadata).not.toHaveProperty('deletionTimestamp');
    });

    it('is 202 for an owner that a dependent blocks', async () => {
      await ownedBarn(true);
      const { body } = await api.delete(farm).expect(202);
      expect(body.resource.metadata.finalizers).toEqual([cascade]);
      const { body: barn } = await api.get(`${v1}/barns/${name}`);
      expect(barn.metadata.deletionTimestamp).toBeDefined();
    });

    it('is 200 for an owner that no dependent blocks; the dependent drains on', async () => {
      await ownedBarn(false, ['a/b']);
      await api.delete(farm).expect(200);
      const { body: barn } = await api.get(`${v1}/barns/${name}`).expect(200);
      expect(barn.metadata.deletionTimestamp).toBeDefined();
    });

    it('changes nothing on a tombstone, and answers as it would now', async () => {
      await api.put(`${farm}/finalizers`, { add: ['a/b'] });
      const { body: first } = await api.delete(farm).expect(202);
      api.time += 5000;
      const { body: second } = await api.delete(farm).expect(202);
      expect(second).toEqual(first);
      await api.put(`${farm}/finalizers`, { remove: ['a/b'] }).expect(200);
      await api.delete(farm).expect(200);
    });

    it('works by UID', async () => {
      const { body: read } = await api.get(farm);
      await api.delete(`${v1}/farms/uid:${read.metadata.uid}`).expect(200);
    });

    it('takes no notice of a body', async () => {
      await api.delete(farm).send('{ whatever').expect(200);
    });
  });

  describe('below a tombstone', () => {
    it('nothing can be created, at any depth: 409', async () => {
      await given(api, 'Field', [name, 'south']);
      await given(api, 'Row', [name, 'south', 'one']);
      await api.delete(farm).expect(202);
      for (const [path, kind] of [
        [`fields/${name}`, 'Field'],
        [`rows/${name}/south`, 'Row'],
        [`plants/${name}/south/one`, 'Plant'],
      ]) {
        const answer = await api.post(`${v1}/${path}`, resource(kind as string, 'new')).expect(409);
        expect(answer.body.code).toBe('parent_terminating');
      }
    });

    it('a tombstone itself still takes its name: 409', async () => {
      await api.put(`${farm}/finalizers`, { add: ['a/b'] });
      await api.delete(farm).expect(202);
      expect((await api.post(`${v1}/farms`, resource('Farm', name)).expect(409)).body.code).toBe(
        'already_exists',
      );
    });
  });

  describe('pending-deletion', () => {
    it('lists tombstones of all kinds at their stored apiVersion, oldest first, ties by UID', async () => {
      await given(api, 'Field', [name, 'south']);
      const barn = await given(api, 'Barn', [`z${made}`], { metadata: { finalizers: ['a/b'] } });
      await api.delete(`${v1}/barns/z${made}`).expect(202);
      api.time += 1000;
      await api.delete(farm).expect(202);
      const { body } = await api.get('pending-deletion?limit=1000').expect(200);
      expect(body).toMatchObject({
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'PendingDeletionList',
        metadata: {},
      });
      const keys = body.items.map(({ metadata }: Json) => metadata.deletionTimestamp + metadata.uid);
      expect(keys).toEqual(keys.toSorted());
      const names = body.items.map(({ kind, metadata }: Json) => `${kind} ${metadata.name}`);
      expect(names.slice(-3).toSorted()).toEqual([`Barn z${made}`, `Farm ${name}`, 'Field south'].toSorted());
      expect(body.items.find(({ metadata }: Json) => metadata.uid === barn.metadata.uid).apiVersion).toBe(v1);
    });

    it('has at most as many as asked for, and continues behind them', async () => {
      const all = (await api.get('pending-deletion?limit=1000').expect(200)).body;
      expect(all.metadata).toEqual({});
      const first = (await api.get('pending-deletion?limit=2').expect(200)).body;
      expect(first.items).toEqual(all.items.slice(0, 2));
      const rest = `pending-deletion?limit=1000&continue=${first.metadata.continue}`;
      expect((await api.get(rest).expect(200)).body).toEqual({ ...all, items: all.items.slice(2) });
    });

    it.each([
      '',
      'x',
      'after:a',
      btoa('deleted:1:x'),
      btoa(`deleted:999999999999999:${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`),
    ])('is 400 with continue=%s', async (token) => {
      const path = `pending-deletion?continue=${encodeURIComponent(token)}`;
      expect((await api.get(path).expect(400)).body.code).toBe('invalid_query');
    });

    it.each(['0', '1001', '-1', '1.5', 'x', '', '1&limit=2'])('is 400 with limit=%s', async (limit) => {
      expect((await api.get(`pending-deletion?limit=${limit}`).expect(400)).body.code).toBe('invalid_query');
    });
  });

  describe('deletion blockers', () => {
    it('are structural children first, then blocking dependents, with everything said of them', async () => {
      const barn = await ownedBarn(true, ['a/b']);
      const field = await given(api, 'Field', [name, 'south']);
      const { body } = await api.get(`${farm}/deletion-blockers`).expect(200);
      const { uid } = (await api.get(farm)).body.metadata;
      expect(body).toEqual({
        resourceUid: uid,
        cascadeFinalizerPresent: false,
        blockers: [
          {
            relationship: 'structuralChild',
            apiVersion: v1,
            kind: 'Field',
            name: 'south',
            uid: field.metadata.uid,
            deletionTimestamp: null,
            finalizers: [],
          },
          {
            relationship: 'ownerReference',
            apiVersion: v1,
            kind: 'Barn',
            name,
            uid: barn.metadata.uid,
            blockOwnerDeletion: true,
            deletionTimestamp: null,
            finalizers: ['a/b'],
          },
        ],
      });
    });

    it('show tombstones and the cascade finalizer', async () => {
      await given(api, 'Field', [name, 'south']);
      await api.delete(farm).expect(202);
      const { body } = await api.get(`${farm}/deletion-blockers`);
      expect(body.cascadeFinalizerPresent).toBe(true);
      expect(body.blockers[0].deletionTimestamp).toMatch(/Z$/);
    });

    it('leave out dependents that do not block', async () => {
      await ownedBarn(false);
      expect((await api.get(`${farm}/deletion-blockers`)).body.blockers).toEqual([]);
    });

    it('name a resource that is both child and dependent once, as child', async () => {
      const { body: owner } = await api.get(farm);
      const ownerReferences = [ownerOf(owner, { blockOwnerDeletion: true })];
      await given(api, 'Field', [name, 'both'], { metadata: { ownerReferences } });
      const { body } = await api.get(`${farm}/deletion-blockers`);
      expect(body.blockers).toHaveLength(1);
      expect(body.blockers[0]).toMatchObject({ relationship: 'structuralChild', name: 'both' });
      expect(body.blockers[0]).not.toHaveProperty('blockOwnerDeletion');
    });

    it('are ordered by apiVersion, kind and name', async () => {
      for (const child of ['b', 'a', 'c']) await given(api, 'Field', [name, child]);
      const { body } = await api.get(`${farm}/deletion-blockers`);
      expect(body.blockers.map((blocker: Json) => blocker.name)).toEqual(['a', 'b', 'c']);
    });
  });
});
