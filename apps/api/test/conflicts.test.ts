import { createClient } from 'platform-service-client';
import { type Json, onEveryStore, TestApi } from './api.ts';
import {
  definition,
  definitions,
  given,
  group,
  organizations,
  register,
  resource,
  sentBack,
  v1,
} from './kinds.ts';
import { memoryStore, type OpenStore } from './stores.ts';

onEveryStore((api) => {
  const farms = `${v1}/farms`;

  beforeAll(async () => {
    await register(api, 'Farm');
  });

  /** Two clients read the same revision and send back all of it; the second one is late. */
  async function loser(path: string, change: (read: Json, by: string) => Json): Promise<Json> {
    const { body: read } = await api.get(path).expect(200);
    const { body: won } = await api.put(path, sentBack(read, change(read, 'one'))).expect(200);
    const { body } = await api.put(path, sentBack(read, change(read, 'other'))).expect(409);
    return { ...body, won: won.metadata.revision };
  }
  const conflict = (body: Json) =>
    expect(body).toMatchObject({ code: 'revision_conflict', currentRevision: body.won });

  describe('a stale read-modify-write is a conflict', () => {
    it('of a resource, by name and by uid', async () => {
      const { metadata } = await given(api, 'Farm', ['hill']);
      conflict(await loser(`${farms}/hill`, (_, by) => ({ spec: { by } })));
      conflict(await loser(`${farms}/uid:${metadata.uid}`, (_, by) => ({ spec: { by } })));
    });

    it('of a definition', async () => {
      await register(api, 'Barn');
      const allow = (read: Json, by: string) => ({
        spec: { ...read.spec, allowedStatusControllerIds: [by] },
      });
      conflict(await loser(`${definitions}/barns.${group}`, allow));
    });

    it('of an Organization', async () => {
      await api
        .post(organizations, {
          apiVersion: 'platform.dev/v1alpha1',
          kind: 'Organization',
          metadata: { name: 'acme' },
          spec: { displayName: 'Acme' },
        })
        .expect(201);
      conflict(await loser(`${organizations}/acme`, (_, by) => ({ spec: { displayName: by } })));
    });

    it('of a resource that is being deleted since, or was created again', async () => {
      const held = await given(api, 'Farm', ['held'], { metadata: { finalizers: ['x/y'] } });
      await api.delete(`${farms}/held`).expect(202);
      await api.put(`${farms}/held`, sentBack(held)).expect(409);
      await given(api, 'Farm', ['again']);
      const { body: second } = await api
        .put(`${farms}/again`, resource('Farm', 'again', { metadata: { revision: 1 }, spec: { a: 1 } }))
        .expect(200);
      await api.delete(`${farms}/again`).expect(200);
      await given(api, 'Farm', ['again']);
      const { body } = await api.put(`${farms}/again`, sentBack(second)).expect(409);
      expect(body).toMatchObject({ code: 'revision_conflict', currentRevision: 1 });
    });

    it('of a resource that was created again and is at the same revision', async () => {
      const { metadata } = await given(api, 'Farm', ['twin']);
      const { body: read } = await api.get(`${farms}/twin`).expect(200);
      await api.delete(`${farms}/twin`).expect(200);
      api.time += 1;
      const again = await given(api, 'Farm', ['twin']);
      expect(again.metadata.revision).toBe(metadata.revision);
      const { body } = await api.put(`${farms}/twin`, sentBack(read)).expect(409);
      expect(body).toMatchObject({ code: 'revision_conflict', currentRevision: 1 });
    });
  });

  it('every one of many racing updates of the client is counted, or ends as a conflict', async () => {
    await given(api, 'Farm', ['counter'], { spec: { count: 0 } });
    const client = createClient({ baseUrl: `http://127.0.0.1:${api.port}`, token: 'operator' });
    const counter = client.resources<{ count: number }>({ group, version: 'v1', plural: 'farms' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () =>
        counter.update('counter', (farm) => {
          farm.spec.count += 1;
        }),
      ),
    );
    const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(failed.filter((code) => code !== 'revision_conflict')).toEqual([]);
    const stored = await counter.get('counter');
    expect(stored.spec.count).toBe(outcomes.length - failed.length);
    expect(stored.spec.count).toBeGreaterThan(0);
  });
});

it('a definition that changed between the read of its edit and the write is a conflict before anything else', async () => {
  let interlude: (() => Promise<void>) | null = null;
  const api = new TestApi({
    store: (clock) => {
      const store = memoryStore(clock);
      const get: OpenStore['reader']['get'] = async (...wanted) => {
        const found = await store.reader.get(...wanted);
        const meanwhile = interlude;
        interlude = null;
        await meanwhile?.();
        return found;
      };
      return { ...store, reader: { ...store.reader, get } };
    },
  });
  await api.start();
  try {
    const at = `${definitions}/barns.${group}`;
    const body = await register(api, 'Barn');
    const versions = [
      { name: 'v1', served: true, storage: false },
      { name: 'v2', served: true, storage: true },
    ];
    interlude = async () => {
      await api.put(at, sentBack(body, { spec: { ...body.spec, versions } })).expect(200);
      await api
        .post(`${group}/v2/barns`, { apiVersion: `${group}/v2`, kind: 'Barn', metadata: { name: 'red' } })
        .expect(201);
    };
    const late = sentBack(body, { spec: definition('Barn').spec });
    const answer = await api.put(at, late).expect(409);
    expect(answer.body).toMatchObject({ code: 'revision_conflict', currentRevision: 2 });
  } finally {
    await api.stop();
  }
});
