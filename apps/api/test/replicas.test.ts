import { TestApi } from './api.ts';
import { definitions, given, group, register, resource, sentBack, v1 } from './kinds.ts';
import { memoryStore, type OpenStore, postgresStore, type StoreOpener } from './stores.ts';

/** Two replicas of the service on one store: what one of them changes holds for the next request to the other. */
function describeReplicas(name: string, storesOf: () => () => StoreOpener): void {
  describe(name, () => {
    const opener = { current: (): OpenStore => Promise.reject() as never };
    const one = new TestApi({ store: () => opener.current() });
    const other = new TestApi({ store: () => opener.current() });
    afterAll(() => Promise.all([one.stop(), other.stop()]));
    const open = storesOf();
    beforeAll(async () => {
      opener.current = () => open()({ now: () => 0 });
      await one.start();
      await other.start();
    });

    async function redefine(changes: object): Promise<void> {
      const at = `${definitions}/farms.${group}`;
      const { body } = await one.get(at).expect(200);
      await one.put(at, sentBack(body, { spec: { ...body.spec, ...changes } })).expect(200);
    }

    it('see a new kind, its allowlist, its schema, its versions and its end at once', async () => {
      await other.get(`${v1}/farms`).expect(404);
      await register(one, 'Farm');
      await given(other, 'Farm', ['hill']);
      await other.put(`${v1}/farms/hill/status`, { status: 1 }, 'controller').expect(403);
      await redefine({ allowedStatusControllerIds: ['ctrl.example.dev'] });
      await other.put(`${v1}/farms/hill/status`, { status: 1 }, 'controller').expect(200);
      await redefine({ allowedStatusControllerIds: [] });
      await other.put(`${v1}/farms/hill/status`, { status: 1 }, 'controller').expect(403);
      const schema = { type: 'object', required: ['size'] };
      await redefine({ versions: [{ name: 'v1', served: true, storage: true, schema }] });
      await other.post(`${v1}/farms`, resource('Farm', 'bare')).expect(400);
      await redefine({
        versions: [
          { name: 'v1', served: true, storage: true },
          { name: 'v2', served: true, storage: false },
        ],
      });
      await other.post(`${v1}/farms`, resource('Farm', 'bare')).expect(201);
      await other.get(`${group}/v2/farms/bare`).expect(200);
      await redefine({ versions: [{ name: 'v1', served: true, storage: true }] });
      await other.get(`${group}/v2/farms/bare`).expect(404);
      for (const name of ['hill', 'bare']) await other.delete(`${v1}/farms/${name}`).expect(200);
      await one.delete(`${definitions}/farms.${group}`).expect(200);
      await other.get(`${v1}/farms`).expect(404);
      await other.get(`${v1}/farms/hill`).expect(404);
    });
  });
}

describeReplicas('replicas on the memory store', () => {
  const shared = memoryStore({ now: () => 0 });
  return () => () => shared;
});
describeReplicas('replicas on PostgreSQL', () => {
  const open = postgresStore();
  return () => open;
});
