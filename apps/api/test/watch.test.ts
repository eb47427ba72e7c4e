import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { useApi } from './api.ts';
import { definitions, given, register, registerTree, resource, sentBack, v1 } from './kinds.ts';
import { Watching } from './watching.ts';

const api = useApi({
  readingControllers: ['ctrl.example.dev'],
  watch: { perProcess: 10, perCaller: 5, stalledMs: 300 },
});
const open: Watching[] = [];

const watch = async (path: string, headers: Record<string, string> = {}, as = 'operator') => {
  const watching = await Watching.open(api.port, path, headers, as);
  open.push(watching);
  return watching;
};

const farms = `${v1}/farms`;

beforeAll(() => registerTree(api));
afterEach(async () => {
  for (const { response } of open.splice(0)) response.destroy();
  while (api.watches.counts.open > 0) await delay(5);
});

describe('watch=true on a collection', () => {
  it('begins with what there is, then shows every change with who made it', async () => {
    await given(api, 'Farm', ['hill']);
    const stream = await watch(`${farms}?watch=true`);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const { body } = await api.get(`${farms}/hill`).expect(200);
    await api.put(`${farms}/hill`, sentBack(body, { spec: { size: 1 } })).expect(200);
    await given(api, 'Farm', ['dale']);
    await api.delete(`${farms}/dale`).expect(200);
    await stream.until(({ told }) => told.length === 5);
    expect(stream.told).toEqual([
      'ADDED hill@1',
      'BOOKMARK initial',
      'MODIFIED hill@2',
      'ADDED dale@1',
      'DELETED dale@1',
    ]);
    expect(stream.events[2]).toMatchObject({
      operation: 'update',
      cursor: expect.any(String),
      object: { apiVersion: v1, spec: { size: 1 } },
    });
    await api.delete(`${farms}/hill`).expect(200);
  });

  it('goes on after a cursor; Last-Event-ID wins over it', async () => {
    const first = await watch(`${farms}?watch=true`);
    await given(api, 'Farm', ['a']);
    await given(api, 'Farm', ['b']);
    await first.until(({ told }) => told.length === 3);
    const [, a, b] = first.events;
    const second = await watch(`${farms}?watch=true&cursor=${a.cursor}`);
    await second.until(({ told }) => told.length === 1);
    expect(second.told).toEqual(['ADDED b@1']);
    const third = await watch(`${farms}?watch=true&cursor=${a.cursor}`, { 'Last-Event-ID': b.cursor });
    await api.delete(`${farms}/a`).expect(200);
    await third.until(({ told }) => told.length === 1);
    expect(third.told).toEqual(['DELETED a@1']);
    await api.delete(`${farms}/b`).expect(200);
  });

  it.each([
    ['text/event-stream;q=0.1, application/x-ndjson', 'application/x-ndjson'],
    ['application/x-ndjson;q=0.1, text/event-stream', 'text/event-stream; charset=utf-8'],
    ['application/json, text/event-stream', 'text/event-stream; charset=utf-8'],
    ['text/html,*/*;q=0.8', 'application/x-ndjson'],
  ])('is sent in the format that the client prefers: %s', async (Accept, expected) => {
    const stream = await watch(`${farms}?watch=true`, { Accept });
    expect(stream.response.headers['content-type']).toBe(expected);
  });

  it('is sent as server-sent events when they are asked for', async () => {
    const stream = await watch(`${farms}?watch=true`, { Accept: 'text/event-stream' });
    await given(api, 'Farm', ['sse']);
    await stream.until(({ text }) => text.includes('ADDED'));
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(stream.text).toMatch(
      /^event: BOOKMARK\nid: m\d+\ndata: \{.*"initial":true\}\n\nevent: ADDED\nid: m\d+\ndata: \{.*\}\n\n$/,
    );
    await api.delete(`${farms}/sse`).expect(200);
  });

  it('ends after timeoutSeconds with a bookmark', async () => {
    const stream = await watch(`${farms}?watch=true&timeoutSeconds=1`);
    await stream.until(({ isOver }) => isOver);
    expect(stream.told).toEqual(['BOOKMARK initial', 'BOOKMARK']);
  });

  it('shows only what is below its parent, and ends with 404 when that is removed, also when it is resumed', async () => {
    for (const farm of ['one', 'two']) await given(api, 'Farm', [farm]);
    await given(api, 'Field', ['one', 'north']);
    const stream = await watch(`${v1}/fields/one?watch=true`);
    await given(api, 'Field', ['two', 'south']);
    await api.delete(`${v1}/fields/one/north`).expect(200);
    await api.delete(`${farms}/one`).expect(200);
    await stream.until(({ isOver }) => isOver);
    expect(stream.told).toEqual(['ADDED north@1', 'BOOKMARK initial', 'DELETED north@1', 'ERROR 404']);
    const cursor = stream.events[1].cursor;
    await given(api, 'Farm', ['one']);
    await given(api, 'Field', ['one', 'new']);
    const resumed = await watch(`${v1}/fields/one?watch=true&cursor=${cursor}`);
    await resumed.until(({ isOver }) => isOver);
    expect(resumed.told).toEqual(['DELETED north@1', 'ERROR 404']);
    for (const path of ['fields/one/new', 'fields/two/south', 'farms/one', 'farms/two']) {
      await api.delete(`${v1}/${path}`).expect(200);
    }
  });

  it('reports what starts and stops to match a selector', async () => {
    await given(api, 'Farm', ['plain']);
    const stream = await watch(`${farms}?watch=true&labelSelector=tier%20in%20(web)`);
    const put = async (revision: number, labels: object) =>
      await api
        .put(`${farms}/plain`, resource('Farm', 'plain', { metadata: { revision, labels } }))
        .expect(200);
    await put(1, { tier: 'web' });
    await put(2, { tier: 'web', other: 'x' });
    await put(3, { tier: 'db' });
    await put(4, {});
    await stream.until(({ told }) => told.length === 4);
    expect(stream.told).toEqual(['BOOKMARK initial', 'ADDED plain@2', 'MODIFIED plain@3', 'DELETED plain@4']);
    await api.delete(`${farms}/plain`).expect(200);
  });

  it.each([
    ['?watch=true&labelSelector=a%20in', 400],
    ['?watch=true&fieldSelector=spec.x%3D1', 400],
    ['?watch=yes', 400],
    ['?watch=true&watch=true', 400],
    ['?watch=true&limit=1', 400],
    ['?watch=true&removed=true', 400],
    ['?watch=true&timeoutSeconds=0', 400],
    ['?watch=true&timeoutSeconds=3601', 400],
    ['?watch=true&cursor=nonsense', 400],
    ['?cursor=m1', 400],
    ['?watch=true&wtch=1', 400],
    ['/ghost/x?watch=true', 400],
  ])('refuses %s before it streams', async (query, status) => {
    await api.get(`${farms}${query}`).expect(status);
    expect(api.watches.counts.open).toBe(0);
  });

  it('refuses a missing parent and callers without access', async () => {
    await api.get(`${v1}/fields/ghost?watch=true`).expect(404);
    await api.get(`${farms}?watch=true`, 'controller').expect(403);
    await api.get(`${farms}?watch=true`, null).expect(401);
  });

  it('may be watched by a controller with read, until its kind no longer lists it', async () => {
    const allowedStatusControllerIds = ['ctrl.example.dev', 'other.example.dev'];
    const sheds = await register(api, 'Shed', { allowedStatusControllerIds });
    await given(api, 'Shed', ['red']);
    await api.get(`${v1}/sheds`, 'controller').expect(200);
    await api.get(`${v1}/sheds/red`, 'controller').expect(200);
    await api.get(`${v1}/sheds/red/deletion-blockers`, 'controller').expect(403);
    await api.post(`${v1}/sheds`, resource('Shed', 'blue'), 'controller').expect(403);
    await api.delete(`${v1}/sheds/red`, 'controller').expect(403);
    await api.get(`${v1}/sheds`, 'other-controller').expect(403);
    const stream = await watch(`${v1}/sheds?watch=true`, {}, 'controller');
    await stream.until(({ told }) => told.length === 2);
    const spec = { ...sheds.spec, allowedStatusControllerIds: [] };
    await api.put(`${definitions}/${sheds.metadata.name}`, sentBack(sheds, { spec })).expect(200);
    await stream.until(({ isOver }) => isOver);
    expect(stream.told).toEqual(['ADDED red@1', 'BOOKMARK initial', 'ERROR 403']);
  });

  it('ends with 404 when its version is no longer served', async () => {
    const versions = [
      { name: 'v1', served: true, storage: true },
      { name: 'v2', served: true, storage: false },
    ];
    const barns = await register(api, 'Barn', { versions });
    const stream = await watch('farm.example/v2/barns?watch=true');
    await stream.until(({ told }) => told.length === 1);
    const changed = sentBack(barns, { spec: { ...barns.spec, versions: versions.slice(0, 1) } });
    await api.put(`${definitions}/${barns.metadata.name}`, changed).expect(200);
    await stream.until(({ isOver }) => isOver);
    expect(stream.told).toEqual(['BOOKMARK initial', 'ERROR 404']);
  });
});

describe('watch=true on an item', () => {
  it('shows whatever has the name', async () => {
    const stream = await watch(`${farms}/later?watch=true`);
    await given(api, 'Farm', ['later']);
    await given(api, 'Farm', ['other']);
    await api.delete(`${farms}/later`).expect(200);
    await given(api, 'Farm', ['later']);
    await stream.until(({ told }) => told.length === 4);
    expect(stream.told).toEqual(['BOOKMARK initial', 'ADDED later@1', 'DELETED later@1', 'ADDED later@1']);
    for (const name of ['later', 'other']) await api.delete(`${farms}/${name}`).expect(200);
  });

  it('by uid shows only that resource, also after its removal', async () => {
    const { metadata } = await given(api, 'Farm', ['mine']);
    const path = `${farms}/uid:${metadata.uid}?watch=true`;
    const stream = await watch(path);
    await api.delete(`${farms}/mine`).expect(200);
    await given(api, 'Farm', ['mine']);
    await stream.until(({ told }) => told.length === 3);
    expect(stream.told).toEqual(['ADDED mine@1', 'BOOKMARK initial', 'DELETED mine@1']);
    const resumed = await watch(`${path}&cursor=${stream.events[1].cursor}`);
    await resumed.until(({ told }) => told.length === 1);
    expect(resumed.told).toEqual(['DELETED mine@1']);
    await api.get(path).expect(404);
    await api.get(`${path}&cursor=${stream.events[2].cursor}`).expect(404);
    await api.delete(`${farms}/mine`).expect(200);
  });
});

describe('the streams of a process', () => {
  it('are limited', async () => {
    for (let n = 0; n < 5; n += 1) await watch(`${farms}?watch=true`);
    const { body } = await api.get(`${farms}?watch=true`).expect(429);
    expect(body.code).toBe('rate_limited');
  });

  it('are forgotten when a client disconnects abruptly', async () => {
    for (let n = 0; n < 5; n += 1) {
      const socket = connect(api.port, '127.0.0.1');
      socket.write(
        `GET /api/v1/resources/${farms}?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\n\r\n`,
      );
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    while (api.watches.counts.open > 0) await delay(5);
    expect(api.watches.isReading).toBe(false);
  });

  it('cut off a client that accepts nothing, and keep one that only has nothing to read', async () => {
    const idle = await watch(`${farms}?watch=true`);
    const socket = connect(api.port, '127.0.0.1');
    socket.write(
      `GET /api/v1/resources/${farms}?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.pause();
    const spec = { pad: 'x'.repeat(60_000) };
    await given(api, 'Farm', ['big']);
    for (let n = 1; n < 150; n += 1) {
      await api
        .put(`${farms}/big`, resource('Farm', 'big', { metadata: { revision: n }, spec: { ...spec, n } }))
        .expect(200);
    }
    await idle.until(({ told }) => told.length === 151);
    await idle.until(() => api.watches.counts.open === 1);
    await delay(700);
    expect(idle.isOver).toBe(false);
    socket.destroy();
    await api.delete(`${farms}/big`).expect(200);
  });

  it('end with 401 as soon as their session ends, and stop waiting for that when they end', async () => {
    const waiting = new Set<() => void>();
    api.onSessionEnd = (_principal, ended) => {
      waiting.add(ended);
      return () => void waiting.delete(ended);
    };
    await api.stop();
    await api.start();
    await registerTree(api);
    const stream = await watch(`${farms}?watch=true`);
    await stream.until(({ told }) => told.length === 1);
    const [end] = waiting;
    end?.();
    await stream.until(({ isOver }) => isOver);
    expect(stream.told).toEqual(['BOOKMARK initial', 'ERROR 401']);
    const other = await watch(`${farms}?watch=true`);
    other.response.destroy();
    while (waiting.size > 0) await delay(5);
  });

  it('end with a bookmark when the process stops', async () => {
    const stream = await watch(`${farms}?watch=true`);
    await stream.until(({ told }) => told.length === 1);
    api.watches.stop();
    await stream.until(({ isOver }) => isOver);
    expect(stream.told).toEqual(['BOOKMARK initial', 'BOOKMARK']);
    await api.get(`${farms}?watch=true`).expect(503);
  });
});
