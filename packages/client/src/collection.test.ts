import { FakeTimers } from '@platform/development/testing';
import { type Scripted, type SeenRequest, scriptedFetch } from '../test/scripted-fetch.ts';
import { createClient } from './client.ts';

const kind = { group: 'example.dev', version: 'v1', plural: 'widgets' };
const base = '/api/v1/resources/example.dev/v1/widgets';

function resource(revision = 1, spec: unknown = { size: 1 }) {
  return {
    apiVersion: 'example.dev/v1',
    kind: 'Widget',
    metadata: { name: 'w1', uid: 'u1', revision, generation: 1, finalizers: [] },
    spec,
    status: { controllers: {} },
  };
}

function setUp(script: Scripted[] | ((request: SeenRequest) => Scripted)) {
  const { fetch, seen } = scriptedFetch(script);
  const client = createClient({ baseUrl: 'http://platform.test', fetch, timers: new FakeTimers() });
  const sent = () => seen.map(({ method, target, body }) => [method, target, body && JSON.parse(body)]);
  return { client, widgets: client.resources<{ size: number }>(kind), sent };
}

const ok = (body: unknown = resource()): Scripted => ({ status: 200, body });
const conflict: Scripted = { status: 409, body: { code: 'revision_conflict', currentRevision: 2 } };

describe('a response that is not JSON', () => {
  it('is an unexpected_answer with its status, like every other answer of a proxy', async () => {
    const page: Scripted = { status: 200, body: '<html>log in to the network</html>' };
    const { client, widgets } = setUp([page, page, page, page, page]);
    const expected = { name: 'PlatformError', status: 200, code: 'unexpected_answer' };
    await expect(widgets.get('w1')).rejects.toMatchObject(expected);
    await expect(widgets.list().next()).rejects.toMatchObject(expected);
    await expect(widgets.delete('w1')).rejects.toMatchObject(expected);
    await expect(client.pendingDeletion()).rejects.toMatchObject(expected);
    await expect(client.search('w1')).rejects.toMatchObject(expected);
  });
});

describe('a path', () => {
  it.each<[Parameters<ReturnType<typeof setUp>['widgets']['path']>, string[], string]>([
    [[], [], base],
    [[], ['a', 'b'], `${base}/a/b`],
    [['w1'], ['a'], `${base}/a/w1`],
    [['w1', 'status'], [], `${base}/w1/status`],
    [[{ uid: 'U-1' }], ['a'], `${base}/uid:U-1`],
    [[{ uid: 'U-1' }, 'deletion-blockers'], [], `${base}/uid:U-1/deletion-blockers`],
    [['a/b?'], [], `${base}/a%2Fb%3F`],
  ])('of %j below %j is %s', (parameters, ancestors, expected) => {
    const { widgets } = setUp([]);
    expect(widgets.in(...ancestors).path(...parameters)).toBe(expected);
  });

  it('rejects an empty name, which would turn an item into a collection', () => {
    expect(() => setUp([]).widgets.path('')).toThrow(TypeError);
  });
});

it('lists page by page, and requests only the pages that are needed', async () => {
  const page = (names: string[], next?: string) =>
    ok({
      kind: 'WidgetList',
      metadata: next === undefined ? {} : { continue: next },
      items: names.map((name) => ({ name })),
    });
  const all = setUp([page(['a', 'b'], 'n1'), page(['c'])]);
  const names: unknown[] = [];
  for await (const item of all.widgets.in('x').list({ limit: 2 })) names.push(item);
  expect(names).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  expect(all.sent().map(([, target]) => target)).toEqual([
    `${base}/x?limit=2`,
    `${base}/x?limit=2&continue=n1`,
  ]);
  const first = setUp([page(['a', 'b'], 'n1')]);
  for await (const _ of first.widgets.list()) break;
  expect(first.sent()).toHaveLength(1);
});

it('sends the documented request for each operation', async () => {
  const { client, widgets, sent } = setUp(() => ok({ ...resource(), items: [] }));
  await widgets.create({
    apiVersion: 'example.dev/v1',
    kind: 'Widget',
    metadata: { name: 'w1' },
    spec: { size: 1 },
  });
  await widgets.replace({ ...resource(3, { size: 2 }), spec: { size: 2 } });
  await widgets.setStatus('w1', { ready: true });
  await widgets.setStatus({ uid: 'u1' }, null, { slot: 'c.example.dev' });
  await widgets.clearStatus('w1', 'operator:a@example.dev');
  await widgets.changeFinalizers('w1', { add: ['c/x'], remove: [] });
  await widgets.delete('w1');
  await widgets.blockers('w1');
  await widgets.restore('u1', { dependents: false, name: 'w2' });
  for await (const _ of widgets.removed({ limit: 5 }));
  await client.pendingDeletion({ limit: 5 });
  const { status: _, ...withoutStatus } = resource(3, { size: 2 });
  expect(sent()).toEqual([
    [
      'POST',
      base,
      { apiVersion: 'example.dev/v1', kind: 'Widget', metadata: { name: 'w1' }, spec: { size: 1 } },
    ],
    ['PUT', `${base}/w1`, withoutStatus],
    ['PUT', `${base}/w1/status`, { status: { ready: true } }],
    ['PUT', `${base}/uid:u1/status?slot=c.example.dev`, { status: null }],
    ['PUT', `${base}/w1/status?slot=operator%3Aa%40example.dev`, { status: null }],
    ['PUT', `${base}/w1/finalizers`, { add: ['c/x'], remove: [] }],
    ['DELETE', `${base}/w1`, undefined],
    ['GET', `${base}/w1/deletion-blockers`, undefined],
    ['POST', `${base}/uid:u1/restore`, { dependents: false, name: 'w2' }],
    ['GET', `${base}?removed=true&limit=5`, undefined],
    ['GET', '/api/v1/resources/pending-deletion?limit=5', undefined],
  ]);
});

describe('update', () => {
  it('reads again after a conflict, and changes the new state', async () => {
    const { client, widgets, sent } = setUp([
      ok(resource(1)),
      conflict,
      ok(resource(2, { size: 5 })),
      ok(resource(3)),
    ]);
    const updated = widgets.update('w1', (widget) => {
      widget.spec.size += 1;
    });
    await (client.timers as FakeTimers).advance(100);
    await updated;
    const bodies = sent().map(([, , body]) => body?.spec);
    expect(bodies).toEqual([undefined, { size: 2 }, undefined, { size: 6 }]);
    expect(sent()[3]?.[2].metadata.revision).toBe(2);
  });

  it('writes a returned resource, and nothing for false', async () => {
    const { widgets, sent } = setUp([ok(), ok(resource(2)), ok()]);
    await widgets.update('w1', (widget) => ({ ...widget, spec: { size: 9 } }));
    expect(sent()[1]?.[2].spec).toEqual({ size: 9 });
    expect(await widgets.update('w1', () => false)).toEqual(resource());
    expect(sent()).toHaveLength(3);
  });

  it('stops after a limited number of conflicts', async () => {
    const { client, widgets, sent } = setUp(({ method }) => (method === 'GET' ? ok() : conflict));
    const outcome = expect(widgets.update('w1', () => undefined, { attempts: 3 })).rejects.toMatchObject({
      code: 'revision_conflict',
    });
    await (client.timers as FakeTimers).advance(1_000);
    await outcome;
    expect(sent().filter(([method]) => method === 'PUT')).toHaveLength(3);
  });

  it('throws every other error at once', async () => {
    const { widgets } = setUp([ok(), { status: 409, body: { code: 'definition_terminating' } }]);
    await expect(widgets.update('w1', () => undefined)).rejects.toMatchObject({
      code: 'definition_terminating',
    });
  });

  it('does not write back numbers that JavaScript cannot represent, unless its JSON is lossless', async () => {
    const text = JSON.stringify(resource()).replace('"size":1', '"size":12345678901234567890');
    const { widgets, sent } = setUp([ok(text)]);
    await expect(widgets.update('w1', () => undefined)).rejects.toMatchObject({ code: 'lossy_number' });
    expect(sent()).toHaveLength(1);
    const { fetch, seen } = scriptedFetch([ok(text), ok()]);
    const json = {
      parse: (lossless: string) => ({ ...resource(), lossless }),
      stringify: () => 'written back',
    };
    const lossless = createClient({ baseUrl: 'http://platform.test', fetch, json });
    await lossless.resources(kind).update('w1', () => undefined);
    expect(seen[1]?.body).toBe('written back');
  });
});

it('searches with the parameters that are given', async () => {
  const { client, sent } = setUp([ok({ items: [resource()] })]);
  expect(await client.search('w 1', { kind: 'Widget', limit: 2 })).toEqual({ items: [resource()] });
  expect(sent().map(([, target]) => target)).toEqual(['/api/v1/search?q=w+1&kind=Widget&limit=2']);
});
