import { Contention, StorageUnavailable } from '@platform/kernel';
import { type Resource, StaleDefinitions } from '@platform/resources';
import type { StateReader } from '../src/ports/state-reader.ts';
import { beginCollection } from '../src/usecases/begin-stream.ts';
import { FakeFeed } from './fake-feed.ts';
import { FakeSink, fixture } from './fixture.ts';

const parent = { ancestors: ['acme'], ancestorUids: ['acme-uid'] };

describe('a stream', () => {
  it('begins with the state in list order and a bookmark, then shows each change once', async () => {
    const { feed, open, settled } = fixture();
    feed.write('b', {});
    feed.write('a', {});
    const sink = await open();
    feed.write('b', { spec: '{"x":1}' });
    feed.write('a', null);
    await settled();
    expect(sink.told).toEqual(['ADDED a@1', 'ADDED b@1', 'MODIFIED b@2', 'DELETED a@1']);
    expect(sink.events[2]).toMatchObject({ type: 'BOOKMARK', initial: true });
    expect(sink.events[0]).not.toHaveProperty('cursor');
  });

  it('goes on after a cursor with everything that follows and nothing else', async () => {
    const { feed, open, from } = fixture();
    feed.write('a', {});
    const { cursor } = feed.write('b', {});
    feed.write('c', {});
    feed.write('a', {});
    expect((await open(from(cursor))).told).toEqual(['ADDED c@1', 'MODIFIED a@2']);
  });

  it('goes on after each cursor that it sent exactly where that event was', async () => {
    const { feed, open, from, settled } = fixture();
    const sink = await open();
    for (let round = 0; round < 20; round += 1) feed.write(`r${round % 3}`, {});
    await settled();
    const events = sink.events.filter(({ type }) => type !== 'BOOKMARK');
    for (const [index, { cursor }] of events.entries()) {
      const resumed = await open(from(await feed.parse(cursor)));
      expect(resumed.told).toEqual(sink.told.slice(index + 1));
      resumed.close();
    }
  });

  it('does not repeat what its list has shown of a tick that was not complete, also after a resume', async () => {
    const { feed, open, from } = fixture();
    feed.write('a', {});
    let listed = feed.list();
    feed.together(() => {
      feed.write('b', {}, { tick: 2, seq: 5 });
      listed = feed.list();
      feed.write('a', {}, { tick: 2, seq: 1 });
    });
    feed.changes.sort((a, b) => a.tick - b.tick || a.seq - b.seq);
    const initial = {
      first: { ...listed, cursor: { ...listed.cursor, snapshot: '5' }, more: false },
      next: async () => Promise.reject(),
    };
    feed.includes = (cursor, change) =>
      change.tick <= cursor.tick && change.seq <= cursor.seq
        ? true
        : cursor.snapshot !== null && change.resource.name === 'b';
    const sink = await open({ start: { initial } });
    expect(sink.told).toEqual(['ADDED a@1', 'ADDED b@1', 'MODIFIED a@2']);
    const resumed = await open(from(await feed.parse(sink.events.at(-1).cursor)));
    expect(resumed.told).toEqual([]);
  });

  it('shows each revision once when a list of several pages overlaps with writes', async () => {
    const { feed, open } = fixture();
    for (const name of ['a', 'b', 'c', 'd']) feed.write(name, {});
    const page = (names: readonly string[], more: boolean) => {
      const { items, cursor } = feed.list();
      return { items: items.filter(({ name }) => names.includes(name)), cursor, more };
    };
    const first = page(['a', 'b'], true);
    const sink = await open({
      start: {
        initial: {
          first,
          next: async () => {
            feed.write('a', {});
            feed.write('c', {});
            feed.write('d', null);
            feed.write('cc', {});
            return page(['c', 'cc', 'd'], false);
          },
        },
      },
    });
    feed.write('c', {});
    await fixture().settled();
    expect(sink.told).toEqual([
      'ADDED a@1',
      'ADDED b@1',
      'ADDED c@2',
      'ADDED cc@1',
      'MODIFIED a@2',
      'MODIFIED c@3',
    ]);
  });

  it('goes on with its initial state when the database is back', async () => {
    const { feed, open, timers } = fixture();
    feed.write('a', {});
    feed.write('b', {});
    const { items, cursor } = feed.list();
    const failures = [new StorageUnavailable('away'), new Contention('locked')];
    const next = async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return { items: items.slice(1), cursor, more: false };
    };
    const sink = await open({
      start: { initial: { first: { items: items.slice(0, 1), cursor, more: true }, next } },
    });
    expect(sink.told).toEqual(['ADDED a@1']);
    await timers.advance(3_000);
    expect(sink.told).toEqual(['ADDED a@1', 'ADDED b@1']);
    expect(sink.events.at(-1)).toMatchObject({ type: 'BOOKMARK', initial: true });
  });

  it('that fails for a fault of the service says so in the log, with the id that its client got', async () => {
    const { feed, open, logger } = fixture();
    feed.write('a', {});
    const first = { ...feed.list(), more: true };
    const error = new Error('a fault');
    const sink = await open({ start: { initial: { first, next: async () => Promise.reject(error) } } });
    expect(sink.told).toEqual(['ADDED a@1', 'ERROR internal_error']);
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ level: 'error', fields: { requestId: 'r1', error } }),
    );
  });

  it('reads its initial state to the end when the definition of its kind changes meanwhile', async () => {
    const feed = new FakeFeed();
    feed.write('a', {});
    feed.write('b', {});
    const { items, cursor } = feed.list();
    const stored = { uid: 'd', version: 'v1' };
    const state: StateReader = {
      get: async () => ({ resource: null, cursor }),
      all: async () => ({ items, more: false, cursor }),
      async list(_collection, after, definition) {
        if (definition !== null && definition.version !== stored.version) throw new StaleDefinitions();
        return after === null
          ? { items: items.slice(0, 1), more: true, cursor }
          : { items: items.slice(1), more: false, cursor };
      },
    };
    const ref = { group: 'farm.example', kind: 'Farm', ancestors: [] };
    const collection = { definition: { ...stored } };
    const every = { labels: [], fields: [] };
    const { start } = await beginCollection(
      { feed, state },
      {
        target: { ref, collection } as never,
        cursor: null,
        scopes: () => null,
        selectors: every,
      },
    );
    stored.version = 'v2';
    const sink = await fixture().open({ start });
    expect(sink.told).toEqual(['ADDED a@1', 'ADDED b@1']);
  });

  it('reports transitions of a selector', async () => {
    const { feed, open, settled } = fixture();
    const matches = ({ spec }: { spec: string }) => spec.includes('red');
    feed.write('a', { spec: '"red"' });
    feed.write('b', { spec: '"blue"' });
    const sink = await open({ matches });
    feed.write('b', { spec: '"red"' });
    feed.write('b', { spec: '"dark red"' });
    feed.write('a', { spec: '"blue"' });
    feed.write('a', { spec: '"green"' });
    feed.write('a', null);
    feed.write('b', null);
    await settled();
    expect(sink.told).toEqual(['ADDED a@1', 'ADDED b@2', 'MODIFIED b@3', 'DELETED a@2', 'DELETED b@3']);
    expect(sink.events.find(({ type }) => type === 'DELETED').object.spec).toBe('blue');
  });

  // A resource that was not written for longer than the retention has no state before its next change.
  it('reports what may have stopped matching a selector where the log does not reach back', async () => {
    const { feed, open, settled } = fixture();
    const matches = ({ spec, deletionTimestamp }: Resource) =>
      spec.includes('red') && deletionTimestamp === null;
    for (const name of ['a', 'b', 'c', 'd', 'e']) feed.write(name, { spec: '"red"' });
    feed.write('f', { spec: '"blue"' });
    const sink = await open({ matches });
    const lost = { previous: null };
    feed.write('a', { spec: '"blue"' }, lost);
    feed.write('b', { spec: '"dark red"' }, lost);
    feed.write('c', { status: '{}' }, { ...lost, operation: 'status' });
    feed.write('d', { deletionTimestamp: '2026-01-01T00:00:00.000Z' }, { ...lost, operation: 'delete' });
    feed.write('e', null, lost);
    feed.write('f', { status: '{}' }, { ...lost, operation: 'status' });
    await settled();
    expect(sink.told.slice(5)).toEqual([
      'DELETED a@2',
      'ADDED b@2',
      'MODIFIED c@2',
      'DELETED d@2',
      'DELETED e@1',
    ]);
  });

  it('ends with 404 after its last event when the resource above is removed, also on resume', async () => {
    const { feed, farms, open, from, settled } = fixture();
    const scope = { ...farms, boundTo: 'acme-uid' };
    const { cursor } = feed.write('a', parent);
    feed.write('elsewhere', { ancestors: ['other'], ancestorUids: ['other-uid'] });
    const sink = await open({ scope, ...from(cursor) });
    feed.write('a', null);
    feed.write('acme-uid', { kind: 'Organization', name: 'acme' });
    feed.write('acme-uid', null);
    feed.write('later', parent);
    await settled();
    expect(sink.told).toEqual(['DELETED a@1', 'ERROR not_found']);
    expect(sink.isEnded).toBe(true);
    const last = sink.events[0].cursor;
    expect((await open({ scope, ...from(await feed.parse(last)) })).told).toEqual(['ERROR not_found']);
  });

  it('by name shows whatever has the name, by uid only that resource', async () => {
    const { feed, farms, open, settled } = fixture();
    feed.write('one', { name: 'hill' });
    const byName = await open({
      scope: { ...farms, name: 'hill' },
      start: { cursor: await feed.head() },
    });
    const byUid = await open({
      scope: { ...farms, uid: 'one' },
      start: { cursor: await feed.head() },
    });
    feed.write('one', null);
    feed.write('two', { name: 'hill' });
    feed.write('three', { name: 'valley' });
    await settled();
    expect(byName.told).toEqual(['DELETED hill@1', 'ADDED hill@1']);
    expect(byUid.told).toEqual(['DELETED hill@1']);
  });

  it('filters by the names of ancestors in a list across parents', async () => {
    const { feed, farms, open, settled } = fixture();
    const sink = await open({ scope: { ...farms, ancestors: [null, 'web'] } });
    feed.write('a', { ancestors: ['acme', 'web'], ancestorUids: ['1', '2'] });
    feed.write('b', { ancestors: ['acme', 'db'], ancestorUids: ['1', '3'] });
    await settled();
    expect(sink.told).toEqual(['ADDED a@1']);
  });

  it('shows only resources with as many ancestors as the path has names', async () => {
    const { feed, farms, open, settled } = fixture();
    const root = await open({ scope: { ...farms, depth: 0 } });
    const below = await open({ scope: { ...farms, boundTo: 'acme-uid', depth: 1 } });
    feed.write('a', {});
    feed.write('b', parent);
    feed.write('c', { ancestors: ['acme', 'web'], ancestorUids: ['acme-uid', 'web-uid'] });
    await settled();
    expect(root.told).toEqual(['ADDED a@1']);
    expect(below.told).toEqual(['ADDED b@1']);
  });

  it('keeps each event on one line, whatever line breaks a client sent between tokens', async () => {
    const { feed, open, settled } = fixture();
    const ndjson = await open();
    const sse = await open({ shape: { format: 'sse', version: 'v1' } });
    const { cursor } = feed.write('a', { spec: '{\r\n  "text": "a\\nb"\n}' });
    await settled();
    expect(ndjson.events.at(-1).object.spec).toEqual({ text: 'a\nb' });
    const [first, second, third = ''] = (sse.text.split('\n\n')[1] ?? '').split('\n');
    expect([first, second]).toEqual(['event: ADDED', `id: ${cursor.text}`]);
    expect(JSON.parse(third.slice('data: '.length))).toEqual(ndjson.events.at(-1));
  });

  it('serializes an event once for all watchers of a shape', async () => {
    const { feed, open, settled } = fixture();
    const buffers = new Set<Uint8Array>();
    class Keeping extends FakeSink {
      override write(bytes: Uint8Array): boolean {
        buffers.add(bytes);
        return super.write(bytes);
      }
    }
    for (let n = 0; n < 5; n += 1) await open({}, new Keeping());
    buffers.clear();
    feed.write('a', {});
    await settled();
    expect(buffers.size).toBe(1);
  });
});

describe('a slow client', () => {
  it('gets everything in order when it reads on, while others wait for nothing', async () => {
    const { feed, open, settled, timers } = fixture();
    const slow = await open();
    const quick = await open();
    slow.accepts = 1;
    for (let n = 0; n < 10; n += 1) feed.write('a', {});
    await settled();
    expect(quick.told).toHaveLength(10);
    expect(slow.told).toHaveLength(1);
    await timers.advance(60_000);
    expect(slow.told).toHaveLength(1);
    for (let n = 0; n < 20; n += 1) {
      slow.drain(1);
      await settled();
    }
    expect(slow.told).toEqual(quick.told);
  });

  it('reads from the log what is no longer in memory, and misses nothing', async () => {
    const { feed, open, settled } = fixture();
    const slow = await open();
    slow.accepts = 1;
    for (let n = 0; n < 5_000; n += 1) feed.write(`r${n % 7}`, {});
    await settled();
    expect(slow.told).toHaveLength(1);
    const reads = feed.reads;
    slow.drain(Number.POSITIVE_INFINITY);
    await settled();
    while (slow.told.length < 5_000) await settled();
    expect(feed.reads).toBeGreaterThan(reads);
    feed.write('r0', {});
    await settled();
    expect(slow.told).toHaveLength(5_001);
    expect(new Set(slow.told).size).toBe(5_001);
  });

  // A socket of Node.js asks to wait after each write of 16 KiB, however fast its client reads.
  it('does not read the log again for each event that it takes', async () => {
    const { feed, open, settled } = fixture();
    const cursor = await feed.head();
    for (let n = 0; n < 250; n += 1) feed.write('a', {});
    const sink = new FakeSink();
    sink.accepts = 1;
    await open({ start: { cursor } }, sink);
    for (let n = 0; n < 300; n += 1) {
      sink.drain(1);
      await settled();
    }
    expect(sink.told).toEqual(
      feed.changes.map(
        ({ resource }) => `${resource.revision === 1 ? 'ADDED' : 'MODIFIED'} a@${resource.revision}`,
      ),
    );
    expect(feed.reads).toBeLessThan(10);
  });

  it('gets a long initial state in pieces, and a state that changes meanwhile as it is then', async () => {
    const { feed, open, settled } = fixture();
    const spec = JSON.stringify('x'.repeat(60_000));
    for (let n = 10; n < 20; n += 1) feed.write(`r${n}`, { spec });
    const after = (name: string) => {
      const { items, cursor } = feed.list();
      const rest = items.filter((resource) => resource.name > name);
      return { items: rest, cursor, more: false };
    };
    const sink = new FakeSink();
    sink.accepts = 1;
    await open({ start: { initial: { first: after(''), next: async (last) => after(last.name) } } }, sink);
    for (let n = 0; n < 12; n += 1) {
      feed.write('r10', {});
      feed.write('r19', {});
      sink.drain(1);
      await settled();
    }
    sink.drain(100);
    await settled();
    const revisions = new Map<string, number[]>();
    for (const text of sink.told) {
      const [, name = '', revision] = /(\w+)@(\d+)/.exec(text) ?? [];
      revisions.set(name, [...(revisions.get(name) ?? []), Number(revision)]);
    }
    for (const [name, seen] of revisions) {
      const last = name === 'r10' || name === 'r19' ? 13 : 1;
      expect(seen.at(-1)).toBe(last);
      expect(seen).toEqual(seen.map((_, index) => (seen[0] as number) + index));
    }
  });
});
