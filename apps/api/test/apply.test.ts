import { type As, type Json, onEveryStore } from './api.ts';
import { given, ownerOf, register, resource, sentBack, v1 } from './kinds.ts';

// The fake validator looks at the outer properties only.
const properties = {
  ports: {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: { $ref: '#/$defs/port' },
  },
  tags: { allOf: [{ 'x-kubernetes-list-type': 'set' }] },
  args: {},
  selector: { 'x-kubernetes-map-type': 'atomic' },
};
const schema = {
  allOf: [{ properties }],
  $defs: { port: { properties: { protocol: { default: 'TCP' } } } },
};

onEveryStore((api) => {
  const farms = `${v1}/farms`;
  let made = 0;
  const name = () => `f${++made}`;

  beforeAll(async () => {
    await register(api, 'Farm', {
      versions: [{ name: 'v1', served: true, storage: true, schema }],
      allowedStatusControllerIds: ['ctrl.example.dev'],
    });
  });

  interface How {
    readonly manager?: string;
    readonly force?: boolean;
    readonly as?: As;
  }
  function send(path: string, body: unknown, { manager = 'a', force, as }: How = {}) {
    const query = `?fieldManager=${manager}${force === undefined ? '' : `&force=${force}`}`;
    return api
      .send('PATCH', `/api/v1/resources/${path}${query}`, as)
      .type('application/apply-patch+yaml')
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  }
  const apply = (at: string, changes: Json, how: How = {}) =>
    send(`${farms}/${at}`, resource('Farm', at, changes), how);
  const fields = (body: Json, manager: string, operation = 'Apply') =>
    body.metadata.managedFields?.find((one: Json) => one.manager === manager && one.operation === operation)
      ?.fieldsV1;

  it('creates what does not exist, and shows who manages what', async () => {
    const at = name();
    const answer = await apply(at, { metadata: { annotations: { x: '1' } }, spec: { replicas: 3 } }).expect(
      201,
    );
    expect(answer.headers['location']).toBe(`/api/v1/resources/${farms}/${at}`);
    expect(answer.body.metadata.managedFields).toEqual([
      {
        manager: 'a',
        operation: 'Apply',
        apiVersion: v1,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:x': {} } }, 'f:spec': { 'f:replicas': {} } },
      },
    ]);
    expect((await api.get(`${farms}/${at}`).expect(200)).body).toEqual(answer.body);
  });

  it('keeps the revision when nothing changes', async () => {
    const at = name();
    const { body } = await apply(at, { spec: { replicas: 3 } }).expect(201);
    api.time += 10_000;
    expect((await apply(at, { spec: { replicas: 3.0 } }).expect(200)).body).toEqual(body);
  });

  it('keeps the revision when several managers apply the same again in turn', async () => {
    const at = name();
    await apply(at, { spec: { color: 'red' } }).expect(201);
    await apply(at, { spec: { size: 1 } }, { manager: 'b' }).expect(200);
    for (const [manager, spec] of [
      ['a', { color: 'red' }],
      ['b', { size: 1 }],
      ['a', { color: 'red' }],
    ] as const) {
      const { body } = await apply(at, { spec }, { manager }).expect(200);
      expect(body.metadata.revision).toBe(2);
    }
  });

  it.each([
    ['spec', {}, { n: 1 }],
    ['labels', {}, { n: '1' }],
    ['annotations', {}, { n: '1' }],
    ['finalizers', [], ['n.example/1']],
    ['ownerReferences', [], []],
  ])(
    'an empty %s of one manager is no conflict for another, that fills it',
    async (member, empty, filled) => {
      const at = name();
      const of = (value: Json) =>
        member === 'spec' ? { spec: value } : { metadata: { [member]: value }, spec: {} };
      await apply(at, of(empty)).expect(201);
      await apply(at, of(empty), { manager: 'b' }).expect(200);
      await apply(at, of(filled), { manager: 'c' }).expect(200);
      const { body } = await apply(at, of(empty), { manager: 'b' }).expect(200);
      expect(member === 'spec' ? body.spec : body.metadata[member]).toEqual(filled);
      expect(fields(body, 'a')).toBeDefined();
    },
  );

  it('takes YAML, and keeps its digits', async () => {
    const at = name();
    const yaml = `apiVersion: ${v1}\nkind: Farm\nmetadata:\n  name: ${at}\nspec:\n  n: 1.10\n  huge: 1e400\n  text: "1.10"\n  on: yes\n`;
    const { text } = await send(`${farms}/${at}`, yaml).expect(201);
    expect(text).toContain('"spec":{"n":1.10,"huge":1e400,"text":"1.10","on":"yes"}');
    for (const bad of [
      'a: [',
      'a: 1\na: 2',
      'a: .inf',
      'x: &a [1,1,1,1,1,1,1,1]\ny: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nz: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nw: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]',
    ]) {
      expect((await send(`${farms}/${at}`, bad).expect(400)).body.code).toBe('malformed_body');
    }
  });

  // Kubernetes, "Server-Side Apply", "Conflicts" and "Transferring ownership".
  it('refuses to change fields of others, unless it is forced', async () => {
    const at = name();
    await apply(at, { spec: { replicas: 3, image: 'v1' } }).expect(201);
    const refused = await apply(at, { spec: { replicas: 5 } }, { manager: 'hpa' }).expect(409);
    expect(refused.body).toMatchObject({
      code: 'apply_conflict',
      conflicts: [{ manager: 'a', operation: 'Apply', field: '.spec.replicas' }],
      errors: [{ path: '/spec/replicas' }],
    });
    const forced = await apply(at, { spec: { replicas: 5 } }, { manager: 'hpa', force: true }).expect(200);
    expect(forced.body.spec).toEqual({ replicas: 5, image: 'v1' });
    expect(fields(forced.body, 'a')).toEqual({ 'f:spec': { 'f:image': {} } });
    expect(fields(forced.body, 'hpa')).toEqual({ 'f:spec': { 'f:replicas': {} } });
    await apply(at, { spec: { replicas: 3, image: 'v1' } }).expect(409);
    // Giving a field up leaves it to the other one.
    const given = await apply(at, { spec: { image: 'v1' } }).expect(200);
    expect(given.body.spec).toEqual({ replicas: 5, image: 'v1' });
  });

  it('shares fields with the same value, and removes what nobody has any more', async () => {
    const at = name();
    await apply(at, { spec: { replicas: 3, deep: { x: 1, y: 2 } } }).expect(201);
    await apply(at, { spec: { replicas: 3 } }, { manager: 'b' }).expect(200);
    const { body } = await apply(at, { spec: { deep: { x: 1 } } }).expect(200);
    expect(body.spec).toEqual({ replicas: 3, deep: { x: 1 } });
    const last = await apply(at, {}, { manager: 'b' }).expect(200);
    expect(last.body.spec).toEqual({ deep: { x: 1 } });
    expect(last.body.metadata.managedFields).toHaveLength(1);
    const none = await apply(at, {}).expect(200);
    expect(none.body.spec).toEqual({});
    expect(none.body.metadata.managedFields).toBeUndefined();
  });

  it('merges lists by their type', async () => {
    const at = name();
    const ports = (...list: Json[]) => ({ spec: { ports: list } });
    await apply(at, ports({ port: 80, name: 'http' }, { port: 53, protocol: 'UDP' })).expect(201);
    const { body } = await apply(at, ports({ port: 80, protocol: 'TCP', extra: 1 }, { port: 443 }), {
      manager: 'b',
    }).expect(200);
    expect(body.spec.ports).toEqual([
      { port: 80, name: 'http', protocol: 'TCP', extra: 1 },
      { port: 53, protocol: 'UDP' },
      { port: 443 },
    ]);
    expect(fields(body, 'b')['f:spec']['f:ports']).toEqual({
      'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:protocol': {}, 'f:extra': {} },
      'k:{"port":443,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
    });
    const conflict = await apply(at, ports({ port: 80, name: 'web' }), { manager: 'b' }).expect(409);
    expect(conflict.body.conflicts).toEqual([
      { manager: 'a', operation: 'Apply', field: '.spec.ports[port=80,protocol="TCP"].name' },
    ]);
    const removed = await apply(at, ports({ port: 53, protocol: 'UDP' })).expect(200);
    expect(removed.body.spec.ports.map(({ port }: Json) => port)).toEqual([80, 53, 443]);
    expect(removed.body.spec.ports[0]).toEqual({ port: 80, protocol: 'TCP', extra: 1 });
    await apply(at, { spec: { tags: ['x', 'y'] } }, { manager: 'c' }).expect(200);
    const set = await apply(at, { spec: { tags: ['z', 'x'] } }, { manager: 'd' }).expect(200);
    expect([...set.body.spec.tags].sort()).toEqual(['x', 'y', 'z']);
    const left = await apply(at, {}, { manager: 'c' }).expect(200);
    expect([...left.body.spec.tags].sort()).toEqual(['x', 'z']);
    await apply(at, { spec: { args: [1, 2], selector: { a: 1 } } }, { manager: 'e' }).expect(200);
    await apply(at, { spec: { args: [1] } }, { manager: 'f' }).expect(409);
    await apply(at, { spec: { selector: { b: 1 } } }, { manager: 'f' }).expect(409);
  });

  it('finds an item of a list however the number of its key is written', async () => {
    const at = name();
    const ports = (text: string) =>
      `{"apiVersion":"${v1}","kind":"Farm","metadata":{"name":"${at}"},"spec":{"ports":[${text}]}}`;
    const twice = await send(`${farms}/${at}`, ports('{"port":1.0},{"port":1}')).expect(400);
    expect(twice.body.errors.map((fault: Json) => fault.path)).toEqual(['/spec/ports/1']);
    const { body } = await send(`${farms}/${at}`, ports('{"port":1e1,"name":"x"},{"port":0.50}')).expect(201);
    expect(Object.keys(fields(body, 'a')['f:spec']['f:ports'])).toEqual([
      'k:{"port":10,"protocol":"TCP"}',
      'k:{"port":0.5,"protocol":"TCP"}',
    ]);
    await send(`${farms}/${at}`, ports('{"port":10.0,"name":"y"}'), { manager: 'b' }).expect(409);
  });

  it.each([
    [{ spec: { ports: [{ name: 'x' }] } }, '/spec/ports/0'],
    [{ spec: { ports: [{ port: 1 }, { port: 1 }] } }, '/spec/ports/1'],
    [{ spec: { tags: ['a', 'a'] } }, '/spec/tags/1'],
    [{ metadata: { finalizers: ['a/b', 'a/b'] } }, '/metadata/finalizers/1'],
    [{ metadata: { managedFields: [] } }, '/metadata/managedFields'],
    [{ metadata: { uid: 'x' } }, '/metadata/uid'],
    [{ status: {} }, '/status'],
    [{ kind: 'Other' }, '/kind'],
  ])('%j is 400', async (changes, path) => {
    const { body } = await apply(name(), changes).expect(400);
    expect(body.errors.map((fault: Json) => fault.path)).toContain(path);
  });

  it('fields from before the first apply belong to before-first-apply', async () => {
    const at = name();
    const read = await given(api, 'Farm', [at], { spec: { replicas: 1, image: 'v1' } });
    expect(read.metadata.managedFields).toBeUndefined();
    const refused = await apply(at, { spec: { replicas: 2 } }).expect(409);
    expect(refused.body.conflicts).toEqual([
      { manager: 'before-first-apply', operation: 'Update', field: '.spec.replicas' },
    ]);
    const { body } = await apply(at, { spec: { replicas: 1 } }).expect(200);
    expect(fields(body, 'before-first-apply', 'Update')).toEqual({
      'f:spec': { 'f:replicas': {}, 'f:image': {} },
    });
    expect(fields(body, 'a')).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });

  it('PUT and PATCH own what they change', async () => {
    const at = name();
    const { body } = await apply(at, { spec: { replicas: 1, image: 'v1', gone: 1 } }).expect(201);
    const put = sentBack(body, { spec: { replicas: 2, image: 'v1' } });
    const replaced = await api.put(`${farms}/${at}?fieldManager=editor`, put).expect(200);
    expect(fields(replaced.body, 'editor', 'Update')).toEqual({ 'f:spec': { 'f:replicas': {} } });
    expect(fields(replaced.body, 'a')).toEqual({ 'f:spec': { 'f:image': {} } });
    const patched = await api
      .send('PATCH', `/api/v1/resources/${farms}/${at}`)
      .set('User-Agent', 'kubectl/1.29 (linux)')
      .type('application/merge-patch+json')
      .send('{"metadata":{"labels":{"tier":"web"}}}')
      .expect(200);
    expect(patched.body.metadata.labels).toEqual({ tier: 'web' });
    expect(fields(patched.body, 'kubectl', 'Update')['f:metadata']['f:labels']['f:tier']).toEqual({});
    const refused = await apply(at, { spec: { replicas: 3, image: 'v1' } }).expect(409);
    expect(refused.body.conflicts[0]).toMatchObject({ manager: 'editor', operation: 'Update' });
    const other = sentBack(patched.body, { metadata: { managedFields: [{}] } });
    await api.put(`${farms}/${at}`, other).expect(400);
    await api.put(`${farms}/${at}/status`, { status: 1 }).expect(200);
  });

  it('a finalizer that its subresource took off belongs to nobody', async () => {
    const at = name();
    await apply(at, { metadata: { finalizers: ['x/a'] } }).expect(201);
    await api.put(`${farms}/${at}/finalizers`, { remove: ['x/a'] }).expect(200);
    await apply(at, { metadata: { finalizers: ['x/a'] } }, { manager: 'b' }).expect(200);
    const { body } = await apply(at, {}).expect(200);
    expect(body.metadata.finalizers).toEqual(['x/a']);
  });

  it('finalizers are a set, and owner references a map by uid', async () => {
    const [at, one, two] = [name(), name(), name()];
    const owners = [await given(api, 'Farm', [one]), await given(api, 'Farm', [two])];
    const metadata = (finalizer: string, owner: Json) => ({
      metadata: { finalizers: [finalizer], ownerReferences: [ownerOf(owner)] },
    });
    await apply(at, metadata('x/a', owners[0])).expect(201);
    const { body } = await apply(at, metadata('x/b', owners[1]), { manager: 'b' }).expect(200);
    expect(body.metadata.finalizers).toEqual(['x/a', 'x/b']);
    expect(body.metadata.ownerReferences.map(({ name: owner }: Json) => owner)).toEqual([one, two]);
    const again = await apply(at, metadata('x/b', owners[1]), { manager: 'b' }).expect(200);
    expect(again.body).toEqual(body);
    await api.put(`${farms}/${at}/finalizers`, { add: ['ctrl.example.dev/hold'] }).expect(200);
    const gone = await apply(at, {}).expect(200);
    expect([...gone.body.metadata.finalizers].sort()).toEqual(['ctrl.example.dev/hold', 'x/b']);
    expect(gone.body.metadata.ownerReferences).toHaveLength(1);
    await apply(at, { metadata: { finalizers: ['system.platform.dev/x'] } }).expect(400);
    await apply(at, {}, { manager: 'b' }).expect(200);
  });

  it('needs a manager, and only it has something to force', async () => {
    const at = name();
    const path = `/api/v1/resources/${farms}/${at}`;
    const yaml = 'application/apply-patch+yaml';
    const body = JSON.stringify(resource('Farm', at, { spec: { size: 1 } }));
    await api.send('PATCH', path).type(yaml).send(body).expect(400);
    await api.send('PATCH', `${path}?fieldManager=`).type(yaml).send(body).expect(400);
    await api.send('PATCH', `${path}?fieldManager=a%09b`).type(yaml).send(body).expect(400);
    const { body: applied } = await api
      .send('PATCH', `${path}?fieldManager=my%20tool`)
      .type(yaml)
      .send(body)
      .expect(201);
    expect(applied.metadata.managedFields[0].manager).toBe('my tool');
    await api.send('PATCH', `${path}?fieldManager=a&force=yes`).type(yaml).send(body).expect(400);
    await api.send('PATCH', `${path}?force=true`).type('application/merge-patch+json').send('{}').expect(400);
  });

  it('compares revision, If-Match and name, and needs the storage version', async () => {
    const at = name();
    const early = await apply(at, { spec: { replicas: 1 } })
      .set('If-Match', '"1"')
      .expect(412);
    expect(early.body.detail).toBe('If-Match names a version, and the resource does not exist.');
    await apply(at, { metadata: { revision: 1 } }).expect(404);
    await apply(at, { spec: { replicas: 1 } }).expect(201);
    await apply(at, { metadata: { revision: 7 } }).expect(409);
    await apply(at, { spec: { replicas: 2 } })
      .set('If-Match', '"7"')
      .expect(412);
    await send(`${farms}/${at}`, resource('Farm', 'other')).expect(400);
    await send(`${farms}/${name()}`, resource('Farm', 'other')).expect(400);
    await send(`${farms}/uid:00000000-0000-7000-8000-00000000ffff`, resource('Farm', at)).expect(404);
    expect((await api.get(`${farms}/${at}`).expect(200)).body.metadata.revision).toBe(1);
  });

  it('names every fault of a configuration, before and after the resource exists', async () => {
    const at = name();
    const owner = { apiVersion: v1, kind: 'Farm', name: 'x', uid: '00000000-0000-7000-8000-00000000000a' };
    const body = {
      apiVersion: 'other.example/v1',
      kind: 'Other',
      metadata: {
        name: 'other',
        finalizers: ['x/y', 'x/y'],
        ownerReferences: [owner, owner],
        labels: { '-': '' },
      },
      spec: { tags: ['a', 'a', {}], ports: [{ port: 1 }, { port: 1 }, {}] },
    };
    const refused = async () => {
      const answer = await send(`${farms}/${at}`, body).expect(400);
      expect(answer.body.code).toBe('validation_failed');
      expect(answer.body.errors.map(({ path }: Json) => path).sort()).toEqual([
        '/apiVersion',
        '/kind',
        '/metadata/finalizers/1',
        '/metadata/labels/-',
        '/metadata/name',
        '/metadata/ownerReferences/1',
        '/spec/ports/1',
        '/spec/ports/2',
        '/spec/tags/1',
        '/spec/tags/2',
      ]);
    };
    await refused();
    await apply(at, {}).expect(201);
    await refused();
    await send(`${farms}/${at}`, 'null').expect(400);
    await send(`${farms}/${at}`, '{"metadata":[],"spec":5}').expect(400);
  });

  it('of concurrent applies that create, all are kept', async () => {
    const at = name();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        apply(at, { spec: { [`k${index}`]: 1 } }, { manager: `m${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    const { body } = await api.get(`${farms}/${at}`).expect(200);
    expect(Object.keys(body.spec)).toHaveLength(8);
    expect(body.metadata.managedFields).toHaveLength(8);
  });

  it('a dry run and a batch apply, too', async () => {
    const at = name();
    const dry = await send(`${farms}/${at}`, resource('Farm', at), { manager: 'a&dryRun=true' }).expect(201);
    expect(dry.headers['x-dry-run']).toBe('true');
    await api.get(`${farms}/${at}`).expect(404);
    const operation = {
      method: 'PATCH',
      path: `/api/v1/resources/${farms}/${at}?fieldManager=a`,
      headers: { 'Content-Type': 'application/apply-patch+yaml' },
      body: resource('Farm', at),
    };
    const { body } = await api
      .send('POST', '/api/v1/batch')
      .send({ operations: [operation, operation] })
      .expect(200);
    expect(body.results.map(({ status }: Json) => status)).toEqual([201, 200]);
  });

  it('of a status slot is refused when it is for another resource', async () => {
    const at = name();
    await apply(at, {}).expect(201);
    const path = `${farms}/${at}/status`;
    const { body } = await send(path, { apiVersion: 'other/v1', kind: 'Other', extra: 1, status: 1 }).expect(
      400,
    );
    expect(body.errors.map((fault: Json) => fault.path)).toEqual(['/extra', '/apiVersion', '/kind']);
    const named = (other: string) => ({ ...resource('Farm', other, { spec: undefined }), status: 1 });
    const other = await send(path, named('other')).expect(400);
    expect(other.body.errors[0].path).toBe('/metadata/name');
    await send(path, named(at)).expect(200);
    await send(path, { status: 2 }).expect(200);
  });

  it('of a status slot replaces the slot', async () => {
    const at = name();
    await given(api, 'Farm', [at]);
    const path = `${farms}/${at}/status`;
    await send(path, { status: { a: 1, b: 2 } }, { as: 'controller' }).expect(200);
    const { body } = await send(path, 'status:\n  a: 1\n', { as: 'controller' }).expect(200);
    expect(body.status.controllers).toEqual({ 'ctrl.example.dev': { a: 1 } });
    expect((await send(path, 'status: { a: 1 }', { as: 'controller' })).body.metadata.revision).toBe(3);
    const { body: empty } = await send(path, { status: {} }).expect(200);
    expect(empty.status.controllers['operator:Op@Example.dev']).toEqual({});
    await send(path, { spec: {} }, { as: 'controller' }).expect(400);
    await apply(at, {}, { as: 'controller' }).expect(403);
  });
});
