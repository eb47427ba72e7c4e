import { setTimeout as delay } from 'node:timers/promises';
import { type Json, TestApi } from './api.ts';
import { given, registerTree, v1 } from './kinds.ts';
import { type OpenStore, postgresStore } from './stores.ts';
import { isChange, requireRevisionsInOrder, Watching } from './watching.ts';

// Every DELETE here leaves all dependents to the collector, as one with very many of them does.
const open = { store: null as ReturnType<typeof postgresStore> | null, opened: null as OpenStore | null };
const api = new TestApi({
  store: (clock) => {
    open.opened = (open.store as NonNullable<typeof open.store>)(clock);
    return open.opened;
  },
});
afterAll(() => api.stop());
open.store = postgresStore({ ticks: true, mostDependentsMarked: 0 });
beforeAll(async () => {
  await api.start();
  await registerTree(api);
});
const collect = () => open.opened?.collect?.();

const names = ['a', 'b', 'c'];
const finalizers = ['ctrl.example.dev/hold'];

/** A farm that was deleted, with fields that the collector has not marked as deleted yet and cannot remove. */
async function deletedFarm(name: string): Promise<string> {
  await given(api, 'Farm', [name]);
  for (const field of names) {
    await given(api, 'Field', [name, field]);
    await api.put(`${v1}/fields/${name}/${field}/finalizers`, { add: finalizers }).expect(200);
  }
  return `${v1}/fields/${name}`;
}

const watch = (path: string, cursor?: string) =>
  Watching.open(api.port, `${path}?watch=true${cursor === undefined ? '' : `&cursor=${cursor}`}`);

/** A change that all streams get, so that whatever comes before it has come. */
async function release(path: string, streams: readonly Watching[]): Promise<void> {
  await api.put(`${path}/c/finalizers`, { remove: finalizers }).expect(200);
  for (const stream of streams) await stream.until(({ told }) => told.includes('MODIFIED c@4'));
}

describe('tombstones that the collector has not marked as deleted yet', () => {
  it('are one revision for each stream: in its beginning or as a change, and in that of a reconnected one', async () => {
    const path = await deletedFarm('wide');
    const before = await watch(path);
    await before.until(({ told }) => told.includes('BOOKMARK initial'));
    await api.delete(`${v1}/farms/wide`).expect(202);
    const { body: list } = await api.get(path).expect(200);
    expect(
      list.items.map(({ metadata }: Json) => [metadata.revision, typeof metadata.deletionTimestamp]),
    ).toEqual(names.map(() => [3, 'string']));
    const listed = await watch(path, list.metadata.cursor);
    const begun = await watch(path);
    await begun.until(({ told }) => told.includes('BOOKMARK initial'));
    const reconnected = await watch(path, begun.events.at(-1).cursor);
    const item = await watch(`${path}/a`, (await api.get(`${path}/a`)).headers['x-cursor']);
    await collect();
    const late = await watch(path, list.metadata.cursor);
    await release(path, [before, listed, begun, reconnected, late]);
    const change = 'MODIFIED c@4';
    expect(before.told.slice(4, 7).toSorted()).toEqual(names.map((name) => `MODIFIED ${name}@3`));
    for (const { told } of [listed, reconnected, late]) expect(told[0]).toBe(change);
    expect(begun.told.slice(0, 5)).toEqual([
      ...names.map((name) => `ADDED ${name}@3`),
      'BOOKMARK initial',
      change,
    ]);
    await api.put(`${path}/a/finalizers`, { remove: finalizers }).expect(200);
    await item.until(({ told }) => told.length > 0);
    expect(item.told[0]).toBe('MODIFIED a@4');
    for (const { response } of [before, listed, begun, reconnected, late, item]) response.destroy();
  });

  it('are what selectors say in the list and in the stream after it', async () => {
    const path = await deletedFarm('chosen');
    await api.delete(`${v1}/farms/chosen`).expect(202);
    const live = `${path}?fieldSelector=metadata.deletionTimestamp%3D`;
    const { body } = await api.get(live).expect(200);
    expect(body.items).toEqual([]);
    const stream = await Watching.open(api.port, `${live}&watch=true&cursor=${body.metadata.cursor}`);
    const all = await watch(path, body.metadata.cursor);
    await collect();
    await release(path, [all]);
    expect(stream.told.filter((event) => !event.startsWith('BOOKMARK'))).toEqual([]);
    for (const { response } of [stream, all]) response.destroy();
  });

  it('are in the history when they are marked as deleted, and are the state at their revision before', async () => {
    const path = await deletedFarm('told');
    await api.delete(`${v1}/farms/told`).set('X-Change-Reason', 'sold').expect(202);
    const seen = await api.get(`${path}/a`).expect(200);
    const operations = async () =>
      (await api.get(`${path}/a/history`).expect(200)).body.items.map(
        ({ operation, revision, reason }: Json) => [revision, operation, reason].filter(Boolean).join(' '),
      );
    const before = ['2 finalizers', '1 create'];
    expect(await operations()).toEqual(before);
    expect((await api.get(`${path}/a/history/3`).expect(200)).body).toEqual(seen.body);
    await collect();
    expect(await operations()).toEqual(['3 cascade sold', ...before]);
    expect((await api.get(`${path}/a/history/3`).expect(200)).body).toEqual(seen.body);
    expect((await api.get(`${path}/a`).expect(200)).body).toEqual(seen.body);
  });

  it('are one deletion with all that goes with it: in the log, in the audit and in a restore', async () => {
    const farm = await given(api, 'Farm', ['whole']);
    for (const name of names) await given(api, 'Field', ['whole', name]);
    const path = `${v1}/fields/whole`;
    const uids = (await api.get(path)).body.items.map(({ metadata }: Json) => metadata.uid);
    const stream = await watch('/api/v1/changes', (await api.get(path)).body.metadata.cursor);
    await api
      .delete(`${v1}/farms/whole`)
      .set({ 'X-Request-Id': 'the-deletion', 'X-Change-Reason': 'sold' })
      .expect(202);
    await collect();
    await stream.until(({ told }) => told.includes('DELETED whole@2'));
    const events = stream.events.filter(({ object }) => object !== undefined);
    const ids = new Set(
      events.map(({ cascadeId, reason, requestId }) => [cascadeId, reason, requestId].join()),
    );
    expect([...ids]).toEqual([expect.stringMatching(/.+,sold,the-deletion$/)]);
    const told = events.map(({ operation, object }) => `${operation} ${object.metadata.name}`);
    expect(told[0]).toBe('delete whole');
    expect(told.at(-1)).toBe('collect whole');
    for (const name of names) {
      const [cascaded, collected] = ['cascade', 'collect'].map((operation) =>
        told.indexOf(`${operation} ${name}`),
      );
      expect(cascaded).toBeGreaterThan(0);
      expect(collected).toBeGreaterThan(cascaded as number);
    }
    expect(told).toHaveLength(2 + 2 * names.length);
    const { body } = await api.post(`${v1}/farms/uid:${farm.metadata.uid}/restore`, {}).expect(201);
    expect(body.restored.map(({ from }: Json) => from).toSorted()).toEqual(
      [farm.metadata.uid, ...uids].toSorted(),
    );
    stream.response.destroy();
  });

  it('come once after each list and at the beginning of each stream, while others write, delete and collect', async () => {
    const everywhere = `${v1}/fields/-`;
    let isRacing = true;
    const collecting = (async () => {
      while (isRacing) await collect();
    })();
    const racing = Promise.all(
      [1, 2, 3].map(async (writer) => {
        for (let round = 0; round < 8; round += 1) {
          const farm = `race${writer}-${round}`;
          await given(api, 'Farm', [farm]);
          for (const name of names) await given(api, 'Field', [farm, name]);
          const status = (name: string) => api.put(`${v1}/fields/${farm}/${name}/status`, { status: round });
          await Promise.all([status('a'), api.delete(`${v1}/farms/${farm}`), status('b')]);
          await status('c');
        }
      }),
    ).finally(() => {
      isRacing = false;
    });
    let told = 0;
    const check = (changes: readonly Json[], shown: readonly Json[]) => {
      const listed = new Map<string, number>(shown.map(({ metadata }) => [metadata.uid, metadata.revision]));
      requireRevisionsInOrder(changes.filter(isChange), listed);
      told += changes.filter(isChange).length;
    };
    while (isRacing) {
      const { body } = await api.get(everywhere).expect(200);
      const resumed = await watch(everywhere, body.metadata.cursor);
      const begun = await watch(everywhere);
      await delay(150);
      for (const { response } of [resumed, begun]) response.destroy();
      check(resumed.events, body.items);
      check(
        begun.events,
        begun.events.flatMap(({ object, cursor }) => (cursor === undefined ? [object] : [])),
      );
      // Reconnected where the first connection ended.
      const { cursor } = resumed.events.at(-1) ?? body.metadata;
      const again = await watch(everywhere, cursor);
      await delay(100);
      again.response.destroy();
      check([...resumed.events, ...again.events], body.items);
    }
    await Promise.all([racing, collecting]);
    expect(told).toBeGreaterThan(0);
  }, 60_000);
});
