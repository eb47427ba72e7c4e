import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce, testDatabase, timeoutFactor, until } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { ApiProcesses, ready, sessionOf } from '../api-process.ts';
import { crd, organization, widget } from './objects.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const processes = new ApiProcesses(() => database.url);
const widgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

beforeAll(() => buildOnce(), 300_000);

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
  }[];
}

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly { readonly resources: readonly { readonly resource: string }[] }[];
  }[];
}

/** A replica of the API, in a process of its own. */
async function replica() {
  const child = await processes.start({
    PLATFORM__AUTH__OPERATOR_USERS: '[ann@example.dev]',
  });
  const url = await ready(child);
  const headers = { Authorization: `Bearer ${sessionOf('ann@example.dev')}` };
  const send = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const read = async <T>(path: string, accept = 'application/json') =>
    (await (await send(path, { headers: { Accept: accept } })).json()) as T;
  const write = async (method: string, path: string, body?: object) => {
    const sent = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    return (await (await send(path, { method, ...(body === undefined ? {} : sent) })).json()) as {
      readonly metadata: { readonly resourceVersion: string };
    };
  };
  return { send, read, write };
}

type Replica = Awaited<ReturnType<typeof replica>>;

interface WatchEvent {
  readonly type: string;
  readonly object: List['items'][number];
}

/** The events of a watch, up to the last one wanted. */
async function eventsUntil(
  { send }: Replica,
  from: string,
  isLast: (event: WatchEvent) => boolean,
): Promise<readonly WatchEvent[]> {
  const answer = await send(`${widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=600`);
  const events: WatchEvent[] = [];
  let rest = '';
  for await (const chunk of answer.body ?? []) {
    const lines = (rest + Buffer.from(chunk as Uint8Array).toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = JSON.parse(line) as WatchEvent;
      events.push(event);
      if (isLast(event)) return events;
    }
  }
  throw new Error(`the watch ended after ${events.length} events`);
}

/** The events of a watch as `type name`, until there are so many. */
async function watched(from: Replica, version: string, count: number): Promise<readonly string[]> {
  let said = 0;
  const events = await eventsUntil(from, version, () => {
    said += 1;
    return said === count;
  });
  return events.map(({ type, object }) => `${type} ${object.metadata.name}`);
}

beforeAll(async () => {
  const { write } = await replica();
  await write('POST', '/api/v1/resources/platform.dev/v1alpha1/organizations', organization('acme'));
  await write('POST', definitions, crd);
}, 120_000);

it('a version, and a page, of one replica is good on every other', async () => {
  const [one, other] = await Promise.all([replica(), replica()]);
  for (const name of ['a', 'b', 'c', 'd']) await one.write('POST', widgets, widget(name, { size: 'small' }));

  const whole = await one.read<List>(widgets);
  const first = await one.read<List>(`${widgets}?limit=2`);
  const made = await other.write('POST', widgets, widget('e', { size: 'small' }));
  await one.write('DELETE', `${widgets}/a`);
  expect(await watched(other, whole.metadata.resourceVersion, 2)).toEqual(['ADDED e', 'DELETED a']);
  expect(await watched(other, first.metadata.resourceVersion, 2)).toEqual(['ADDED e', 'DELETED a']);
  expect(await watched(one, made.metadata.resourceVersion, 1)).toEqual(['DELETED a']);

  const next = `${widgets}?limit=2&continue=${encodeURIComponent(first.metadata.continue ?? '')}`;
  const second = await other.read<List>(next);
  expect(second.items.map(({ metadata }) => metadata.name)).toEqual(['c', 'd']);
  // The pages of a list have one version, so that a watch after the last page misses nothing.
  expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  const last = await one.read<List>(
    `${widgets}?limit=2&continue=${encodeURIComponent(second.metadata.continue ?? '')}`,
  );
  expect(last.items.map(({ metadata }) => metadata.name)).toEqual(['e']);
  expect(last.metadata.continue).toBeUndefined();

  const [here, there] = [await one.read<List>(widgets), await other.read<List>(widgets)];
  expect(there.items.map(({ metadata }) => metadata)).toEqual(here.items.map(({ metadata }) => metadata));
  const atLeast = `resourceVersion=${here.metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`;
  expect((await other.read<List>(`${widgets}?${atLeast}`)).items).toHaveLength(4);
}, 120_000);

it('a list of one replica and a watch of another miss nothing and repeat nothing while both write', async () => {
  const replicas = await Promise.all([replica(), replica()]);
  const at = (turn: number) => replicas[turn % 2] as Replica;
  // The states that each object had, in order: versions, and `gone`.
  const written = new Map<string, string[]>();
  let isWriting = true;
  const keepWriting = async (name: string, first: number) => {
    const states: string[] = [];
    written.set(name, states);
    for (let turn = first; isWriting; turn += 1) {
      const state = states.at(-1) ?? 'gone';
      if (turn % 6 === 5 && state !== 'gone') {
        await at(turn).write('DELETE', `${widgets}/${name}`);
        states.push('gone');
      } else {
        const object = widget(name, { size: 'small', parts: [String(turn)] });
        const { metadata } =
          state === 'gone'
            ? await at(turn).write('POST', widgets, object)
            : await at(turn).write('PUT', `${widgets}/${name}`, {
                ...object,
                metadata: { ...object.metadata, resourceVersion: state },
              });
        states.push(metadata.resourceVersion);
      }
    }
  };
  const listWhole = (turn: number) => at(turn).read<List>(widgets);
  const listInPages = async (turn: number): Promise<List> => {
    const first = await at(turn).read<List>(`${widgets}?limit=2`);
    const items = [...first.items];
    for (let page = first, more = turn + 1; page.metadata.continue !== undefined; more += 1) {
      page = await at(more).read<List>(
        `${widgets}?limit=2&continue=${encodeURIComponent(page.metadata.continue)}`,
      );
      expect(page.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      items.push(...page.items);
    }
    return { metadata: first.metadata, items };
  };

  const names = ['k', 'l', 'm', 'n', 'o', 'p'];
  const writers = names.map(keepWriting);
  const isLast = ({ object }: WatchEvent) => object.metadata.name === 'last';
  const starts: {
    readonly list: List;
    readonly isWhole: boolean;
    readonly events: Promise<readonly WatchEvent[]>;
  }[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const isWhole = turn % 4 < 2;
    const list = await (isWhole ? listWhole : listInPages)(turn);
    const events = eventsUntil(at(turn + 1), list.metadata.resourceVersion, isLast);
    starts.push({ list, isWhole, events });
    await delay(25);
  }
  isWriting = false;
  await Promise.all(writers);
  await at(0).write('POST', widgets, widget('last', { size: 'small' }));

  let changes = 0;
  for (const { list, isWhole, events } of starts) {
    const said = await events;
    for (const name of names) {
      const states = written.get(name) ?? [];
      const heard = said
        .filter(({ object }) => object.metadata.name === name)
        .map(({ type, object }) => (type === 'DELETED' ? 'gone' : object.metadata.resourceVersion));
      const before = states.length - heard.length;
      expect(heard).toEqual(states.slice(before));
      const listed =
        list.items.find(({ metadata }) => metadata.name === name)?.metadata.resourceVersion ?? 'gone';
      // A later page may show what the watch says once more, and never less.
      const shown = ['gone', ...states].slice(before);
      if (isWhole) expect(listed).toBe(shown[0]);
      else expect(shown).toContain(listed);
      changes += heard.length;
    }
  }
  expect(changes).toBeGreaterThan(500);
}, 120_000);

it('a write through a replica that has not seen the latest definition is answered, also when it is refused', async () => {
  const [one, other] = await Promise.all([replica(), replica()]);
  const definition = structuredClone(crd);
  definition.metadata.name = 'gauges.gauges.test';
  Object.assign(definition.spec, { group: 'gauges.test', names: { kind: 'Gauge', plural: 'gauges' } });
  const [version] = definition.spec.versions;
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  Object.assign(version?.subresources ?? {}, { scale });
  const properties = version?.schema.openAPIV3Schema.properties.spec.properties;
  Object.assign(properties ?? {}, { replicas: { type: 'integer' } });
  await one.write('POST', definitions, definition);

  const gauges = '/kubernetes/apis/gauges.test/v1/namespaces/acme/gauges';
  const gauge = (name: string, size: string) => ({
    ...widget(name, { size }),
    apiVersion: 'gauges.test/v1',
    kind: 'Gauge',
  });
  await other.write('POST', gauges, gauge('a', 'small'));
  const { metadata } = await one.read<{ metadata: object }>(`${gauges}/a`);
  const merge = 'application/merge-patch+json';
  const apply = 'application/apply-patch+yaml';
  const gone = { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } };
  // Each with a body that is refused, and one that only the latest definition accepts.
  const writes: readonly (readonly [string, string, string, object, (size: string) => object])[] = [
    ['POST', gauges, 'application/json', gauge('b', 'none'), (size) => gauge('b', size)],
    [
      ...(['PUT', `${gauges}/a`, 'application/json', gauge('a', 'none')] as const),
      (size) => ({ ...gauge('a', size), metadata }),
    ],
    ['PATCH', `${gauges}/a`, merge, { spec: { size: 'none' } }, (size) => ({ spec: { size } })],
    ['PATCH', `${gauges}/c?fieldManager=me`, apply, gauge('c', 'none'), (size) => gauge('c', size)],
    ['PATCH', `${gauges}/a/scale`, merge, { spec: { replicas: -1 } }, () => ({ spec: { replicas: 2 } })],
    ['DELETE', `${gauges}/a`, 'application/json', gone, () => ({ kind: 'DeleteOptions' })],
  ];
  let sizes = 0;
  for (const [method, path, type, refused, accepted] of writes) {
    for (const isRefused of [true, false]) {
      const size = `size-${sizes++}`;
      properties?.size.enum.push(size);
      const body = JSON.stringify({ spec: { versions: definition.spec.versions } });
      const changed = { method: 'PATCH', body, headers: { 'Content-Type': merge } };
      await one.send(`${definitions}/gauges.gauges.test`, changed);
      const sent = JSON.stringify(isRefused ? refused : accepted(size));
      const writing = other.send(path, {
        method,
        body: sent,
        headers: { 'Content-Type': type },
        signal: AbortSignal.timeout(10_000 * timeoutFactor),
      });
      if (isRefused) await expect(writing).rejects.toThrow(/: 4\d\d /);
      else await writing;
    }
  }
  const { items } = await one.read<List>(gauges);
  expect(items.map(({ metadata: { name } }) => name)).toEqual(['b', 'c']);
  for (const name of ['b', 'c']) await one.write('DELETE', `${gauges}/${name}`);
  await one.write('DELETE', `${definitions}/gauges.gauges.test`);
}, 120_000);

it('2,000 kinds are in discovery and in OpenAPI, on every replica as soon as they are registered', async () => {
  // In parts: each row renews the version of all definitions, whose earlier states stay until the transaction ends.
  for (let first = 1; first <= 2_000; first += 250)
    await database.sql`insert into resources (uid, api_version, kind, name, discriminator, spec)
      select gen_random_uuid(), 'platform.dev/v1alpha1', 'ResourceDefinition', 'things' || n || '.g' || n % 500 || '.test',
        lpad(to_hex(n), 8, 'k'), json_build_object('group', 'g' || n % 500 || '.test', 'kind', 'Thing' || n, 'plural', 'things' || n,
          'versions', json_build_array(json_build_object('name', 'v1', 'served', true, 'storage', true, 'schema',
            json_build_object('type', 'object', 'properties', json_build_object('size', json_build_object('type', 'integer'))))))
      from generate_series(${first}::int, ${first + 249}::int) n`;
  const [one, other] = await Promise.all([replica(), replica()]);
  const registered = async ({ read }: Replica) => {
    const { items } = await read<Discovery>('/kubernetes/apis', aggregated);
    const ours = items.filter(({ metadata }) => metadata.name.endsWith('.test'));
    return ours.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources)).length;
  };
  expect(await Promise.all([one, other, one].map(registered))).toEqual([2_000, 2_000, 2_000]);
  const changed = structuredClone(crd);
  changed.metadata.name = 'gadgets.late.test';
  Object.assign(changed.spec, { group: 'late.test', names: { kind: 'Gadget', plural: 'gadgets' } });
  await one.write('POST', definitions, changed);
  expect(await registered(other)).toBe(2_001);
  const late = await other.read<{ components: { schemas: object } }>(
    '/kubernetes/openapi/v3/apis/late.test/v1',
  );
  expect(late.components.schemas).toHaveProperty(['test.late.v1.Gadget']);
  const { paths } = await other.read<{ paths: object }>('/kubernetes/openapi/v3');
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['apis/g1.test/v1', 'apis/g499.test/v1']));
  const everything = await other.read<{ definitions: object }>('/kubernetes/openapi/v2');
  expect(Object.keys(everything.definitions)).toEqual(
    expect.arrayContaining(['test.g1.v1.Thing1', 'test.g0.v1.Thing2000', 'test.late.v1.Gadget']),
  );
  await one.write('DELETE', `${definitions}/gadgets.late.test`);
  await until(async () => (await registered(other)) === 2_000);
}, 240_000);
