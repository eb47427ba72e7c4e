import { type Json, onEveryStore } from './api.ts';
import { definition, definitions, given, group, register, sentBack, v1 } from './kinds.ts';

onEveryStore((api) => {
  describe('a definition that was removed in the database', () => {
    let item: Json;
    let path: string;
    const kind = 'Lost';

    beforeAll(async () => {
      const stored = await register(api, kind);
      item = await given(api, kind, ['one'], { spec: { a: 1 } });
      await api.get(`${v1}/losts/one`).expect(200);
      await api.store.removeRow(stored.metadata.uid);
      path = `${v1}/losts/uid:${item.metadata.uid}`;
    });

    it('makes its rows unreachable by name', async () => {
      await api.get(`${v1}/losts`).expect(404);
      await api.get(`${v1}/losts/one`).expect(404);
    });

    it('leaves them to operators by UID at their stored apiVersion', async () => {
      expect((await api.get(path).expect(200)).body).toEqual(item);
      await api.put(`${path}/status`, { status: 'found' }).expect(200);
      await api.put(`${path}/finalizers`, { add: ['a/b'] }).expect(200);
      await api.get(`${path}/deletion-blockers`).expect(200);
      await api.get(`${group}/v2/losts/uid:${item.metadata.uid}`).expect(404);
    });

    it('is 422 to PUT one, 404 when there is none', async () => {
      expect((await api.put(path, sentBack(item)).expect(422)).body.code).toBe('definition_missing');
      await api.put(`${v1}/losts/uid:ffffffff-ffff-4fff-8fff-ffffffffffff`, sentBack(item)).expect(404);
    });

    it('leaves nothing to controllers', async () => {
      await api.put(`${path}/status`, { status: 1 }, 'controller').expect(403);
    });

    it('is not registered again below another kind, where no path would reach its rows', async () => {
      await register(api, 'Other');
      const other = definition(kind, { parent: { apiVersion: v1, kind: 'Other' } });
      const { body } = await api.post(definitions, other).expect(409);
      expect(body.code).toBe('definition_immutable');
      expect(body.detail).toContain('without a parent');
    });

    it('does not leave its rows to another definition that takes its kind', async () => {
      await register(api, 'Taker', { parent: { apiVersion: v1, kind: 'Other' } });
      const { body } = await api.get(`${definitions}/takers.${group}`).expect(200);
      const renamed = sentBack(body, { spec: { ...body.spec, kind } });
      const answer = await api.put(`${definitions}/takers.${group}`, renamed).expect(409);
      expect(answer.body.code).toBe('definition_immutable');
    });

    it('is repaired by registering the same identity again', async () => {
      await register(api, kind);
      expect((await api.get(`${v1}/losts/one`).expect(200)).body.metadata.uid).toBe(item.metadata.uid);
      await api.delete(path).expect(202);
    });
  });

  describe('a definition that was removed in the database, while another names it as parent', () => {
    const below = (parent: string) => ({ parent: { apiVersion: v1, kind: parent } });
    const refusedPaths = async (kind: string, parent: string) => {
      const { body } = await api.post(definitions, definition(kind, below(parent))).expect(400);
      return body.errors.map(({ path }: Json) => path);
    };

    it('is not registered again below itself', async () => {
      const upper = await register(api, 'Upper');
      await register(api, 'Middle', below('Upper'));
      await register(api, 'Lower', below('Middle'));
      await api.store.removeRow(upper.metadata.uid);
      expect(await refusedPaths('Upper', 'Middle')).toEqual(['/spec/parent']);
      expect(await refusedPaths('Upper', 'Lower')).toEqual(['/spec/parent']);
      await register(api, 'Upper');
      await given(api, 'Upper', ['one']);
      await given(api, 'Middle', ['one', 'two']);
    });

    it('is not registered again where those below it would be too deep', async () => {
      const chain = Array.from({ length: 32 }, (_, index) => `Deep${index}`);
      await register(api, 'Top');
      const root = await register(api, 'Deep0');
      for (const [index, kind] of chain.slice(1).entries()) await register(api, kind, below(`Deep${index}`));
      await register(api, 'Deepest', below('Deep31'));
      await api.store.removeRow(root.metadata.uid);
      expect(await refusedPaths('Deep0', 'Top')).toEqual(['/spec/parent']);
      await register(api, 'Deep0');
    });
  });
});
