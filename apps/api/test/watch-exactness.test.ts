import { setTimeout as delay } from 'node:timers/promises';
import { type Json, TestApi } from './api.ts';
import { given, registerTree, resource, v1 } from './kinds.ts';
import { postgresStore } from './stores.ts';
import { isChange, requireRevisionsInOrder, Watching } from './watching.ts';

const open = { store: null as ReturnType<typeof postgresStore> | null };
const one = new TestApi({ store: (clock) => (open.store as NonNullable<typeof open.store>)(clock) });
const other = new TestApi({ store: (clock) => (open.store as NonNullable<typeof open.store>)(clock) });
afterAll(() => Promise.all([one.stop(), other.stop()]));
open.store = postgresStore({ ticks: true });
beforeAll(async () => {
  await one.start();
  await other.start();
  await registerTree(one);
});

const farms = `${v1}/farms`;

/** Writes that race with each other: creates, changes and deletes of a few names. */
async function race(writers: number, writes: number): Promise<void> {
  const write = async (api: TestApi, name: string) => {
    const found = await api.get(`${farms}/${name}`);
    if (found.status === 404) return await api.post(farms, resource('Farm', name));
    const { revision } = found.body.metadata;
    if (revision > 4) return await api.delete(`${farms}/${name}`);
    return await api.put(
      `${farms}/${name}`,
      resource('Farm', name, { metadata: { revision }, spec: { revision } }),
    );
  };
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < writes; n += 1) await write(n % 2 === 0 ? one : other, `f${(writer + n) % 5}`);
    }),
  );
}

/** The place of an event in the log: the first four parts of a cursor. Until a stream has caught up with its first list, a fifth holds the snapshot of that list. */
const placeOf = (cursor: string) => Buffer.from(cursor, 'base64url').toString().split('.', 4).join('.');
const textOf = ({ type, object, cursor }: Json) =>
  `${type} ${object.metadata.uid}@${object.metadata.revision} ${placeOf(cursor)}`;

describe('streams of two replicas', () => {
  it('show the same changes in the same order, each once, also to a client that reconnects all the time', async () => {
    const [first, second] = [
      await Watching.open(one.port, `${farms}?watch=true`),
      await Watching.open(other.port, `${farms}?watch=true`),
    ];
    await first.until(({ told }) => told.includes('BOOKMARK initial'));
    let cursor = first.events.at(-1).cursor;
    const seen: Json[] = [];
    let isRacing = true;
    const reconnecting = (async () => {
      for (
        let round = 0;
        isRacing || round === 0 || seen.length < first.events.filter(isChange).length;
        round += 1
      ) {
        const api = round % 2 === 0 ? one : other;
        const stream = await Watching.open(api.port, `${farms}?watch=true&cursor=${cursor}`);
        await delay(30);
        stream.response.destroy();
        const events = stream.events.filter(({ cursor: at }) => at !== undefined);
        seen.push(...events.filter(isChange));
        cursor = events.at(-1)?.cursor ?? cursor;
      }
    })();
    await race(6, 30);
    await given(one, 'Farm', ['last']);
    await first.until(({ told }) => told.at(-1) === 'ADDED last@1');
    await second.until(({ told }) => told.at(-1) === 'ADDED last@1');
    isRacing = false;
    await reconnecting;
    const changes = first.events.filter(isChange).map(textOf);
    expect(second.events.filter(isChange).map(textOf)).toEqual(changes);
    expect(seen.map(textOf)).toEqual(changes);
    expect(new Set(changes).size).toBe(changes.length);
    requireRevisionsInOrder(first.events.filter(isChange), new Map());
    for (const { response } of [first, second]) response.destroy();
  });

  it('go on from the cursor of a list exactly where it was, while others write', async () => {
    let isRacing = true;
    const racing = race(4, 40).then(() => {
      isRacing = false;
    });
    while (isRacing) {
      const { body } = await one.get(farms).expect(200);
      const stream = await Watching.open(other.port, `${farms}?watch=true&cursor=${body.metadata.cursor}`);
      await delay(60);
      stream.response.destroy();
      const listed = new Map<string, number>(
        body.items.map(({ metadata }: Json) => [metadata.uid, metadata.revision]),
      );
      requireRevisionsInOrder(stream.events.filter(isChange), listed);
    }
    await racing;
  });

  it('begin with a state that fits to the changes that follow, while others write', async () => {
    let isRacing = true;
    const racing = race(4, 40).then(() => {
      isRacing = false;
    });
    while (isRacing) {
      const stream = await Watching.open(one.port, `${farms}?watch=true`);
      await delay(60);
      stream.response.destroy();
      const initial = stream.events.filter(({ cursor }) => cursor === undefined);
      const listed = new Map<string, number>(
        initial.map(({ object: { metadata } }) => [metadata.uid, metadata.revision]),
      );
      requireRevisionsInOrder(stream.events.filter(isChange), listed);
    }
    await racing;
  });

  it('go on from the cursor of an item, and from those of everything', async () => {
    const { headers } = await one.get(`${farms}/last`).expect(200);
    const revision = (await one.get(`${farms}/last`)).body.metadata.revision;
    await one
      .put(`${farms}/last`, resource('Farm', 'last', { metadata: { revision }, spec: { x: 1 } }))
      .expect(200);
    const cursor = headers['x-cursor'];
    const item = await Watching.open(other.port, `${farms}/last?watch=true&cursor=${cursor}`);
    const all = await Watching.open(other.port, `/api/v1/changes?watch=true&cursor=${cursor}`);
    const everything = await Watching.open(one.port, '/api/v1/changes?watch=true');
    await item.until(({ told }) => told.length === 1);
    await all.until(({ told }) => told.length === 1);
    await everything.until(({ told }) => told.at(-1) === 'BOOKMARK initial');
    expect(item.told).toEqual([`MODIFIED last@${revision + 1}`]);
    expect(all.told).toEqual(item.told);
    const rows = everything.events.filter(({ object }) => object !== undefined);
    expect(new Set(rows.map(({ object }) => object.metadata.uid)).size).toBe(rows.length);
    expect(rows.map(({ object }) => object.kind)).toEqual(
      expect.arrayContaining(['Farm', 'ResourceDefinition']),
    );
    for (const { response } of [item, all, everything]) response.destroy();
    await one.send('GET', '/api/v1/changes').expect(400);
    await one.send('GET', '/api/v1/changes?watch=true', 'controller').expect(403);
  });

  it('end with 404 when the resource above is removed, on both replicas and after a resume', async () => {
    await given(one, 'Farm', ['home']);
    await given(one, 'Field', ['home', 'north']);
    const path = `${v1}/fields/home?watch=true`;
    const streams = [await Watching.open(one.port, path), await Watching.open(other.port, path)];
    for (const stream of streams) await stream.until(({ told }) => told.includes('BOOKMARK initial'));
    await one.delete(`${v1}/fields/home/north`).expect(200);
    await one.delete(`${farms}/home`).expect(200);
    await given(one, 'Farm', ['home']);
    for (const stream of streams) {
      await stream.until(({ isOver }) => isOver);
      expect(stream.told).toEqual(['ADDED north@1', 'BOOKMARK initial', 'DELETED north@1', 'ERROR 404']);
    }
    const resumed = await Watching.open(other.port, `${path}&cursor=${streams[0]?.events[1].cursor}`);
    await resumed.until(({ isOver }) => isOver);
    expect(resumed.told).toEqual(['DELETED north@1', 'ERROR 404']);
  });

  it.each(['nonsense', 'MDE5MGE1YzIuMy43Lg'])(
    'refuse %s, which is no cursor of this store',
    async (cursor) => {
      const { body } = await one.get(`${farms}?watch=true&cursor=${cursor}`).expect(400);
      expect(body.code).toBe('invalid_query');
    },
  );
});
