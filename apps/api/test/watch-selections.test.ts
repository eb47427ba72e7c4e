import { setTimeout as delay } from 'node:timers/promises';
import { type Json, TestApi } from './api.ts';
import { given, register, registerTree, resource, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';
import { Watching } from './watching.ts';

const platform = 'platform.dev/v1alpha1';

/** Streams of parts of a kind: by a field of its spec, across parents, and in the scope of a binding. */
function streamsOf(api: TestApi): void {
  const open: Watching[] = [];
  const watch = async (path: string, as?: string) => {
    const watching = await Watching.open(api.port, path, {}, as);
    open.push(watching);
    return watching;
  };
  /** Resolves when every stream was checked that a change before has to do with. */
  const checked = () => api.watches.recheck(() => false);
  const changesIn = ({ told }: Watching) => told.filter((line) => !line.startsWith('BOOKMARK'));

  beforeAll(async () => {
    await registerTree(api);
    const properties = { color: { type: 'string' } };
    const version = { name: 'v1', served: true, storage: true, schema: { type: 'object', properties } };
    await register(api, 'Lamp', {
      versions: [{ ...version, selectableFields: [{ jsonPath: '.spec.color' }] }],
    });
  });
  afterEach(async () => {
    for (const { response } of open.splice(0)) response.destroy();
    while (api.watches.counts.open > 0) await delay(5);
  });

  it('select by the declared fields of the spec', async () => {
    await given(api, 'Lamp', ['red'], { spec: { color: 'red' } });
    await given(api, 'Lamp', ['blue'], { spec: { color: 'blue' } });
    const stream = await watch(`${v1}/lamps?watch=true&fieldSelector=spec.color%3Dred&view=metadata`);
    await stream.until(({ told }) => told.includes('BOOKMARK initial'));
    const paint = (name: string, revision: number, color: string) =>
      api.put(`${v1}/lamps/${name}`, resource('Lamp', name, { metadata: { revision }, spec: { color } }));
    await paint('blue', 1, 'red').expect(200);
    await paint('blue', 2, 'green').expect(200);
    await paint('red', 1, 'blue').expect(200);
    await stream.until(({ told }) => changesIn({ told } as Watching).length === 4);
    expect(changesIn(stream)).toEqual(['ADDED red@1', 'ADDED blue@2', 'DELETED blue@3', 'DELETED red@2']);
    expect(stream.text).not.toContain('"spec"');
  });

  it('refuse a selector with the position of every fault, as lists do', async () => {
    const query = 'labelSelector=a%20in&fieldSelector=spec.size%3D1';
    const listed = await api.get(`${v1}/lamps?${query}`).expect(400);
    const watched = await api.get(`${v1}/lamps?watch=true&${query}`).expect(400);
    expect(watched.body.detail).toBe(listed.body.detail);
    expect(watched.body.detail).toMatch(
      /labelSelector is invalid at character 5.*fieldSelector is invalid at character 1/,
    );
    await api.send('GET', '/api/v1/changes?watch=true&fieldSelector=spec.color%3Dred').expect(400);
  });

  it('show what is below every parent, and below a part of them', async () => {
    for (const farm of ['east', 'west']) {
      await given(api, 'Farm', [farm]);
      for (const field of ['a', 'b']) await given(api, 'Field', [farm, field]);
    }
    await given(api, 'Row', ['east', 'a', 'one']);
    const all = await watch(`${v1}/rows/-/-?watch=true`);
    const east = await watch(`${v1}/rows/east/-?watch=true`);
    const named = await watch(`${v1}/rows/-/b?watch=true`);
    for (const stream of [all, east, named])
      await stream.until(({ told }) => told.includes('BOOKMARK initial'));
    const cursor = all.events.at(-1).cursor;
    await given(api, 'Row', ['west', 'b', 'two']);
    await given(api, 'Row', ['east', 'b', 'three']);
    await api.delete(`${v1}/rows/east/a/one`).expect(200);
    await given(api, 'Row', ['west', 'b', 'end']);
    await all.until(({ told }) => told.includes('ADDED end@1'));
    await named.until(({ told }) => told.includes('ADDED end@1'));
    await east.until(({ told }) => told.includes('DELETED one@1'));
    expect(changesIn(all)).toEqual([
      'ADDED one@1',
      'ADDED two@1',
      'ADDED three@1',
      'DELETED one@1',
      'ADDED end@1',
    ]);
    expect(changesIn(east)).toEqual(['ADDED one@1', 'ADDED three@1', 'DELETED one@1']);
    expect(changesIn(named)).toEqual(['ADDED two@1', 'ADDED three@1', 'ADDED end@1']);
    const resumed = await watch(`${v1}/rows/east/-?watch=true&cursor=${cursor}`);
    await resumed.until(({ told }) => told.length >= 2);
    expect(changesIn(resumed)).toEqual(['ADDED three@1', 'DELETED one@1']);
    await api.get(`${v1}/rows/nowhere/-?watch=true`).expect(404);
  });

  it('leave out what a kind had elsewhere, before it was registered again with another parent', async () => {
    const { metadata } = await register(api, 'Silo');
    const { body: list } = await api.get(`${v1}/silos`).expect(200);
    await given(api, 'Silo', ['old']);
    await api.delete(`${v1}/silos/old`).expect(200);
    await api.delete(`platform.dev/v1alpha1/resourcedefinitions/${metadata.name}`).expect(200);
    await register(api, 'Silo', { parent: { apiVersion: v1, kind: 'Farm' } });
    await given(api, 'Farm', ['delta']);
    await given(api, 'Silo', ['delta', 'new']);
    const stream = await watch(`${v1}/silos/-?watch=true&cursor=${list.metadata.cursor}`);
    await stream.until(({ told }) => told.includes('ADDED new@1'));
    expect(changesIn(stream)).toEqual(['ADDED new@1']);
  });

  it('of one resource end when its kind is not registered any more, also by uid', async () => {
    const { metadata } = await register(api, 'Tent');
    const tent = await given(api, 'Tent', ['old']);
    const paths = ['', '/old', `/uid:${tent['metadata'].uid}`];
    const streams = await Promise.all(paths.map((path) => watch(`${v1}/tents${path}?watch=true`)));
    for (const one of streams) await one.until(({ told }) => told.includes('BOOKMARK initial'));
    await api.store.removeRow(metadata.uid);
    for (const one of streams) await one.until(({ isOver }) => isOver);
    expect(streams.map(({ told }) => told.at(-1))).toEqual(['ERROR 404', 'ERROR 404', 'ERROR 404']);
  });

  it('across parents end when the resource before the first - is removed', async () => {
    await given(api, 'Farm', ['terminating']);
    await given(api, 'Field', ['terminating', 'a']);
    const stream = await watch(`${v1}/rows/terminating/-?watch=true`);
    const every = await watch(`${v1}/rows/-/-?watch=true`);
    for (const one of [stream, every]) await one.until(({ told }) => told.includes('BOOKMARK initial'));
    await api.delete(`${v1}/fields/terminating/a`).expect(200);
    await api.delete(`${v1}/farms/terminating`).expect(200);
    await stream.until(({ isOver }) => isOver);
    expect(stream.told.at(-1)).toBe('ERROR 404');
    expect(every.isOver).toBe(false);
  });

  describe('in the scope of a binding', () => {
    let north: Json;
    const bind = async (name: string, role: string, scope: Json) => {
      const { kind, metadata } = scope;
      const reference = { apiVersion: scope.apiVersion, kind, name: metadata.name, uid: metadata.uid };
      const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
      const spec = { roleRef: { name: role }, subjects, scope: reference };
      await api
        .post(`${platform}/rolebindings`, {
          apiVersion: platform,
          kind: 'RoleBinding',
          metadata: { name },
          spec,
        })
        .expect(201);
    };

    beforeAll(async () => {
      const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['watch', 'get'] }];
      const role = { apiVersion: platform, kind: 'Role', metadata: { name: 'seer' }, spec: { rules } };
      await api.post(`${platform}/roles`, role).expect(201);
      north = await given(api, 'Farm', ['north']);
      await given(api, 'Farm', ['south']);
      for (const farm of ['north', 'south']) await given(api, 'Field', [farm, 'first']);
    });

    it('show nothing of an earlier resource that had the name of the one in the scope', async () => {
      const { cursor } = (await api.get(`${v1}/farms`)).body.metadata;
      await given(api, 'Farm', ['again']);
      await given(api, 'Field', ['again', 'earlier']);
      await api.delete(`${v1}/fields/again/earlier`).expect(200);
      await api.delete(`${v1}/farms/again`).expect(200);
      await bind('again', 'seer', await given(api, 'Farm', ['again']));
      for (const path of ['fields/again', 'fields/again/earlier']) {
        const all = await watch(`${v1}/${path}?watch=true&cursor=${cursor}`);
        const own = await watch(`${v1}/${path}?watch=true&cursor=${cursor}`, 'user');
        for (const stream of [all, own])
          await stream.until(({ told }) => told.some((line) => line.startsWith('ERROR')));
        expect(changesIn(all)).toEqual(['ADDED earlier@1', 'DELETED earlier@1', 'ERROR 404']);
        expect(changesIn(own)).toEqual(['ERROR 404']);
      }
      for (const path of [`${platform}/rolebindings/again`, `${v1}/farms/again`])
        await api.delete(path).expect(200);
    });

    it('show what the caller may see, follow the bindings, and end with the last one', async () => {
      await bind('b1', 'seer', north);
      const south = (await api.get(`${v1}/farms/south`)).body;
      const streams = [
        await watch(`${v1}/farms?watch=true`, 'user'),
        await watch(`${v1}/fields/-?watch=true`, 'user'),
        await watch(`${v1}/fields/north?watch=true`, 'user'),
      ];
      const [farms, fields] = streams as [Watching, Watching, Watching];
      for (const stream of streams) await stream.until(({ told }) => told.includes('BOOKMARK initial'));
      for (const farm of ['south', 'north']) await given(api, 'Field', [farm, 'second']);
      for (const stream of streams.slice(1))
        await stream.until(({ told }) => told.includes('ADDED second@1'));
      expect(changesIn(farms)).toEqual(['ADDED north@1']);
      expect(changesIn(fields)).toEqual(['ADDED first@1', 'ADDED second@1']);
      expect(fields.text).not.toContain('south');
      await api.get(`${v1}/fields/south?watch=true`, 'user').expect(403);
      await api.get(`${v1}/fields/nowhere?watch=true`, 'user').expect(403);
      await api.get(`${v1}/rows/south/-?watch=true`, 'user').expect(403);
      await bind('b2', 'seer', south);
      for (let n = 0; !fields.text.includes('south') && n < 40; n += 1) {
        await given(api, 'Field', ['south', `more-${n}`]);
        await delay(50);
      }
      expect(fields.text).toContain('south');
      await api.delete(`${platform}/rolebindings/b2`).expect(200);
      await api.delete(`${platform}/rolebindings/b1`).expect(200);
      for (const stream of streams) await stream.until(({ isOver }) => isOver);
      expect(streams.map(({ told }) => told.at(-1))).toEqual(['ERROR 403', 'ERROR 403', 'ERROR 403']);
    });

    it('end with the scope of the binding', async () => {
      const brook = await given(api, 'Farm', ['brook']);
      await bind('b-brook', 'seer', brook);
      const streams = await Promise.all(
        [`farms?watch=true`, `fields/-?watch=true`, `farms/uid:${brook.metadata.uid}?watch=true`].map(
          (path) => watch(`${v1}/${path}`, 'user'),
        ),
      );
      for (const stream of streams) await stream.until(({ told }) => told.includes('BOOKMARK initial'));
      // The new binding has every stream checked. Only the deletion may end them, so that check is waited for.
      await api
        .put(`${v1}/farms/brook`, resource('Farm', 'brook', { metadata: { revision: 1 }, spec: { size: 2 } }))
        .expect(200);
      for (const stream of [streams[0], streams[2]])
        await stream?.until(({ told }) => told.includes('MODIFIED brook@2'));
      await checked();
      await api.delete(`${v1}/farms/brook`).expect(200);
      for (const stream of streams) await stream.until(({ isOver }) => isOver);
      const changes = ['ADDED brook@1', 'MODIFIED brook@2', 'DELETED brook@2', 'ERROR 403'];
      expect(streams.map(changesIn)).toEqual([changes, ['ERROR 403'], changes]);
      await api.delete(`${platform}/rolebindings/b-brook`).expect(200);
    });

    it('go on for the one name of a rule and of the selector, while other bindings change', async () => {
      const rules = [{ apiGroups: ['*'], resources: ['*'], resourceNames: ['second'], verbs: ['watch'] }];
      const role = { apiVersion: platform, kind: 'Role', metadata: { name: 'one' }, spec: { rules } };
      await api.post(`${platform}/roles`, role).expect(201);
      await bind('one', 'one', north);
      const path = `${v1}/fields/north?watch=true&fieldSelector=metadata.name%3Dsecond`;
      const stream = await watch(path, 'user');
      await stream.until(({ told }) => told.includes('BOOKMARK initial'));
      await bind('other', 'one', north);
      await api.delete(`${platform}/rolebindings/other`).expect(200);
      await delay(100);
      await given(api, 'Field', ['north', 'third']);
      await api.delete(`${v1}/fields/north/second`).expect(200);
      await stream.until(({ told }) => told.includes('DELETED second@1'));
      expect(changesIn(stream)).toEqual(['ADDED second@1', 'DELETED second@1']);
      await api.delete(`${platform}/rolebindings/one`).expect(200);
      await stream.until(({ isOver }) => isOver);
      expect(stream.told.at(-1)).toBe('ERROR 403');
    });

    it('show the RoleBindings in it, from their scope on to where it goes', async () => {
      const bindings = `${platform}/rolebindings`;
      const south = (await api.get(`${v1}/farms/south`)).body;
      const field = (await api.get(`${v1}/fields/north/first`)).body;
      const moveTo = async (name: string, scope: Json) => {
        const { body } = await api.get(`${bindings}/${name}`).expect(200);
        const { apiVersion, kind, metadata } = scope;
        const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
        const { status: _, ...rest } = body as Json;
        await api
          .put(`${bindings}/${name}`, { ...rest, spec: { ...body.spec, scope: reference } })
          .expect(200);
      };
      await bind('holder', 'seer', north);
      await bind('inside', 'none', north);
      await bind('outside', 'none', south);
      const stream = await watch(`${bindings}?watch=true`, 'user');
      const own = await watch(`${bindings}/inside?watch=true`, 'user');
      await api.get(`${bindings}/outside?watch=true`, 'user').expect(403);
      await api.get(`${bindings}/missing?watch=true`, 'user').expect(403);
      for (const one of [stream, own]) await one.until(({ told }) => told.includes('BOOKMARK initial'));
      const cursor = stream.events.at(-1).cursor;
      await bind('below', 'none', field);
      await bind('away', 'none', south);
      await moveTo('below', south);
      await moveTo('away', field);
      await api.delete(`${bindings}/away`).expect(200);
      await api.delete(`${bindings}/outside`).expect(200);
      await bind('end', 'none', north);
      const seen = ['ADDED below@1', 'DELETED below@1', 'ADDED away@2', 'DELETED away@2', 'ADDED end@1'];
      await stream.until(({ told }) => told.includes('ADDED end@1'));
      expect(changesIn(stream)).toEqual(['ADDED holder@1', 'ADDED inside@1', ...seen]);
      expect(stream.text).not.toContain(south.metadata.uid);
      const resumed = await watch(`${bindings}?watch=true&cursor=${cursor}`, 'user');
      await resumed.until(({ told }) => told.includes('ADDED end@1'));
      expect(changesIn(resumed)).toEqual(seen);
      await checked();
      await moveTo('inside', south);
      for (const one of [stream, resumed]) await one.until(({ told }) => told.includes('DELETED inside@1'));
      await own.until(({ isOver }) => isOver);
      expect(own.told).toEqual(['ADDED inside@1', 'BOOKMARK initial', 'DELETED inside@1', 'ERROR 403']);
      for (const one of [stream, own, resumed]) expect(one.text).not.toContain(south.metadata.uid);
      for (const name of ['inside', 'below', 'end', 'holder'])
        await api.delete(`${bindings}/${name}`).expect(200);
    });
  });
}

describe('streams over the memory store', () => {
  const api = new TestApi();
  beforeAll(() => api.start());
  afterAll(() => api.stop());
  streamsOf(api);
});

describe('streams over PostgreSQL', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore({ ticks: true });
  beforeAll(() => api.start());
  streamsOf(api);

  it('across parents begin with a state that fits to the changes that follow, over many pages', async () => {
    const farms = Array.from({ length: 15 }, (_, index) => `p${index}`);
    for (const farm of farms) {
      await given(api, 'Farm', [farm]);
      const operations = Array.from({ length: 20 }, (_, index) => ({
        method: 'POST',
        path: `/api/v1/resources/${v1}/fields/${farm}`,
        body: resource('Field', `f${index}`),
      }));
      await api.send('POST', '/api/v1/batch').send({ operations }).expect(200);
    }
    let isRacing = true;
    const racing = Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (let n = 0; n < 60; n += 1) {
          const path = `${v1}/fields/p${(5 * writer + n) % 15}/f${(7 * n) % 20}`;
          if (n % 3 === 0) await api.delete(path);
          else if (n % 3 === 1)
            await api.post(path.replace(/\/[^/]+$/, ''), resource('Field', `f${(7 * (n - 1)) % 20}`));
          else await api.put(`${path}/status`, { status: n });
        }
      }),
    ).finally(() => {
      isRacing = false;
    });
    const cut = farms.length * 20;
    while (isRacing) {
      const stream = await Watching.open(api.port, `${v1}/fields/-?watch=true`);
      await stream.until(({ told }) => told.includes('BOOKMARK initial'));
      await delay(60);
      stream.response.destroy();
      const revisions = new Map<string, number>();
      expect(stream.events.length).toBeGreaterThan(cut / 2);
      for (const { type, cursor, object } of stream.events.filter((event) => event.object !== undefined)) {
        const { uid, revision } = object.metadata;
        const before = revisions.get(uid);
        if (cursor === undefined) expect(before).toBeUndefined();
        else
          expect([type, revision]).toEqual(type === 'DELETED' ? [type, before] : [type, (before ?? 0) + 1]);
        revisions.set(uid, revision);
      }
    }
    await racing;
  });

  it.each([
    ['labelSelector=tier%3Da', (tier: string) => ({ metadata: { labels: { tier } } })],
    ['fieldSelector=spec.color%3Da', (color: string) => ({ spec: { color } })],
  ])(
    'with %s begin with a state that fits to the changes that follow, over many pages',
    async (selector, select) => {
      const prefix = selector.slice(0, 5).toLowerCase();
      const names = Array.from({ length: 260 }, (_, index) => `${prefix}-${index}`);
      const operations = names.map((name, index) => {
        const { metadata, spec = {} } = select(index % 10 === 0 ? 'b' : 'a') as Json;
        return {
          method: 'POST',
          path: `/api/v1/resources/${v1}/lamps`,
          body: resource('Lamp', name, { metadata, spec }),
        };
      });
      await api.send('POST', '/api/v1/batch').send({ operations }).expect(200);
      let isRacing = true;
      const racing = Promise.all(
        [0, 1, 2].map(async (writer) => {
          for (let n = 0; n < 80; n += 1) {
            const name = `${prefix}-${(87 * writer + 29 * n) % 260}`;
            await api
              .send('PATCH', `/api/v1/resources/${v1}/lamps/${name}`)
              .type('application/merge-patch+json')
              .send(JSON.stringify(select(n % 3 === 0 ? 'b' : 'a')))
              .expect(200);
          }
        }),
      ).finally(() => {
        isRacing = false;
      });
      const shownBy = (events: readonly Json[]) => {
        const shown = new Map<string, number>();
        for (const { type, object } of events.filter((event) => event.object !== undefined)) {
          const { name, revision } = object.metadata;
          expect([type, shown.has(name)]).toEqual([type, type !== 'ADDED']);
          if (type === 'DELETED') shown.delete(name);
          else shown.set(name, revision);
        }
        return shown;
      };
      const streams: Watching[] = [];
      while (isRacing && streams.length < 10) {
        const stream = await Watching.open(api.port, `${v1}/lamps?watch=true&${selector}`);
        streams.push(stream);
        await stream.until(({ told }) => told.includes('BOOKMARK initial'));
      }
      await racing;
      const { body } = await api.get(`${v1}/lamps?limit=500&${selector}`).expect(200);
      const listed = body.items.map(({ metadata }: Json) => `${metadata.name}@${metadata.revision}`).sort();
      for (const stream of streams) {
        const shown = () =>
          [...shownBy(stream.events)].map(([name, revision]) => `${name}@${revision}`).sort();
        await stream.until(() => JSON.stringify(shown()) === JSON.stringify(listed));
        stream.response.destroy();
      }
      expect(streams.length).toBeGreaterThan(0);
    },
  );
});
