import type { Json } from '../api.ts';
import { describeWith, useKubernetes } from './kubernetes-clients.ts';
import { crd, organization, widget } from './objects.ts';

const widgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

describe('the Kubernetes API', () => {
  const { api, clients, send } = useKubernetes();
  const names = async () => (await send('GET', widgets)).body.items.map((one: Json) => one.metadata.name);
  const create = async (name: string, more: object = {}) =>
    (await send('POST', widgets, { ...widget(name, { size: 'small' }), ...more }).expect(201)).body;

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await send('POST', definitions, crd).expect(201);
  });

  it('deletes collections: with selectors, dry run, policies and preconditions', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const dry = await send('DELETE', `${widgets}?dryRun=All`).expect(200);
    expect(dry.body).toMatchObject({ kind: 'WidgetList' });
    await send('DELETE', widgets, { kind: 'DeleteOptions', propagationPolicy: 'Orphan' }).expect(422);
    for (const path of [widgets, `${widgets}/a`]) {
      for (const query of ['propagationPolicy=Orphan', 'orphanDependents=true', 'orphanDependents=1'])
        await send('DELETE', `${path}?${query}`).expect(422);
      await send('DELETE', path, widget('a')).expect(400);
    }
    await send('DELETE', `${widgets}/a?orphanDependents=false&dryRun=All`).expect(200);
    expect(await names()).toEqual(['a', 'b', 'c']);
    await send('DELETE', `${widgets}?labelSelector=size%3Da`).expect(200);
    await send('DELETE', `${widgets}?fieldSelector=metadata.name%3Db`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
    }).expect(200);
    expect(await names()).toEqual(['c']);
    const wrong = { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } };
    await send('DELETE', widgets, wrong).expect(409);
    await send('DELETE', `${widgets}/c`, wrong).expect(409);
    for (const uid of ['', 'old', '{"a":1}'])
      for (const path of [widgets, `${widgets}/c`])
        expect((await send('DELETE', path, { preconditions: { uid } }).expect(409)).body.reason).toBe(
          'Conflict',
        );
    await send('DELETE', `${widgets}/missing`, { preconditions: { uid: 'old' } }).expect(404);
    const both = { propagationPolicy: 'Background', orphanDependents: false };
    await send('DELETE', `${widgets}/c`, both).expect(422);
    const { body } = await send('GET', `${widgets}/c`);
    const { uid, resourceVersion } = body.metadata;
    const gone = await send('DELETE', `${widgets}/c`, { preconditions: { uid, resourceVersion } }).expect(
      200,
    );
    expect(gone.body).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'c', uid } });
  });

  it('refuses another scope or kind of a definition with instances at its field, not as a conflict', async () => {
    await create('kept');
    const path = `${definitions}/widgets.example.dev`;
    const { body: stored } = await send('GET', path).expect(200);
    const { spec } = stored;
    for (const [field, changed] of [
      ['spec.scope', { ...spec, scope: 'Cluster' }],
      ['spec.names.kind', { ...spec, names: { ...spec.names, kind: 'Gadget' } }],
    ]) {
      const { body } = await send('PUT', path, { ...stored, spec: changed }).expect(422);
      const message = 'Invalid value: cannot change while resources of the kind are stored';
      expect(body.reason).toBe('Invalid');
      expect(body.details.causes).toEqual([{ reason: 'FieldValueInvalid', message, field }]);
    }
    await send('DELETE', `${widgets}/kept`).expect(200);
  });

  it('takes a limit below 1 as none, as Kubernetes does', async () => {
    for (const name of ['l1', 'l2']) await create(name);
    for (const limit of ['0', '-1', '']) {
      const { body } = await send('GET', `${widgets}?limit=${limit}`).expect(200);
      expect([body.items.length, body.metadata.continue]).toEqual([2, undefined]);
    }
    await send('GET', `${widgets}?limit=-`).expect(400);
    await send('DELETE', widgets).expect(200);
  });

  it('gives an object that a dry run creates no version, so that it can be created', async () => {
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    for (const type of [table, 'application/json']) {
      const path = `${widgets}?dryRun=All`;
      const tried = api.send('POST', path).set('Content-Type', 'application/json').set('Accept', type);
      const { body } = await tried.send(JSON.stringify(widget('tried', { size: 'small' }))).expect(201);
      expect(body.metadata).not.toHaveProperty('resourceVersion');
      if (type === table) continue;
      expect(body.metadata).toHaveProperty('uid');
      await send('POST', widgets, body).expect(201);
    }
    const apply = `${widgets}/applied?fieldManager=a&dryRun=All`;
    const applied = await send(
      'PATCH',
      apply,
      widget('applied', { size: 'small' }),
      'application/apply-patch+yaml',
    );
    expect([applied.status, applied.body.metadata.resourceVersion]).toEqual([201, undefined]);
    const label = { metadata: { labels: { a: 'b' } } };
    const merge = 'application/merge-patch+json';
    const changed = await send('PATCH', `${widgets}/tried?dryRun=All`, label, merge).expect(200);
    expect(changed.body.metadata).toHaveProperty('resourceVersion');
    await send('DELETE', widgets).expect(200);
  });

  it('answers in YAML when the client prefers it, as Kubernetes does', async () => {
    await create('yaml');
    const read = (path: string, accept = 'application/yaml') =>
      api.send('GET', path).set('Accept', accept).buffer(true);
    const one = await read(`${widgets}/yaml`).expect(200).expect('Content-Type', 'application/yaml');
    expect(one.text).toMatch(/^kind: Widget\napiVersion: example\.dev\/v1\nmetadata:\n {2}name: yaml\n/);
    await api
      .send('PUT', `${widgets}/yaml`)
      .set('Content-Type', 'application/yaml')
      .send(one.text)
      .expect(200);
    expect((await read(widgets).expect(200)).text).toMatch(/^kind: WidgetList\n/);
    expect((await read(`${widgets}/none`).expect(404)).text).toMatch(/^kind: Status\n/);
    const json = await read(`${widgets}/yaml`, 'application/json, application/yaml').expect(200);
    expect(JSON.parse(json.text).kind).toBe('Widget');
    await send('DELETE', widgets).expect(200);
  });

  it('changes Secrets and ConfigMaps that are larger than other bodies may be', async () => {
    const value = 'eHh4'.repeat(200_000);
    const labels = { metadata: { labels: { a: 'b' } } };
    for (const kind of ['Secret', 'ConfigMap']) {
      const path = `/kubernetes/api/v1/namespaces/acme/${kind.toLowerCase()}s`;
      const object = { apiVersion: 'v1', kind, metadata: { name: 'large' }, data: { value } };
      const { body } = await send('POST', path, object).expect(201);
      await send('PUT', `${path}/large`, { ...body, data: { value, more: '' } }).expect(200);
      await send('PATCH', `${path}/large`, labels, 'application/merge-patch+json').expect(200);
      const apply = `${path}/large?fieldManager=a`;
      await send('PATCH', apply, object, 'application/apply-patch+yaml').expect(200);
      await send('DELETE', `${path}/large`).expect(200);
    }
  });

  it('updates a Lease or a definition only at the state that the client read', async () => {
    const leases = '/kubernetes/apis/coordination.k8s.io/v1/namespaces/acme/leases';
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'held' } };
    const held = { ...lease, spec: { holderIdentity: 'a' } };
    const { body: made } = await send('POST', leases, held).expect(201);
    const { body: read } = await send('GET', `${definitions}/${crd.metadata.name}`).expect(200);
    for (const [path, object] of [
      [`${leases}/held`, { ...lease, spec: { holderIdentity: 'b' } }],
      [`${definitions}/${crd.metadata.name}`, crd],
    ] as const) {
      const { body } = await send('PUT', path, object).expect(422);
      expect(body.details.causes).toMatchObject([{ field: 'metadata.resourceVersion' }]);
    }
    await send('PUT', `${leases}/held`, { ...made, spec: { holderIdentity: 'b' } }).expect(200);
    await send('PUT', `${definitions}/${crd.metadata.name}`, read).expect(200);
    await send('DELETE', `${leases}/held`).expect(200);
  });

  it('deletes no namespaces, and nothing in all namespaces, as a collection', async () => {
    await create('safe');
    for (const [method, path] of [
      ['DELETE', '/kubernetes/api/v1/namespaces'],
      ['DELETE', '/kubernetes/api/v1/namespaces?labelSelector=a%3Db'],
      ['DELETE', '/kubernetes/apis/example.dev/v1/widgets'],
      ['DELETE', '/kubernetes/apis/example.dev/v1/widgets?labelSelector=size%3Dsafe'],
      ['DELETE', '/kubernetes/api/v1/secrets?dryRun=All'],
      ['POST', '/kubernetes/apis/example.dev/v1/widgets'],
    ] as const) {
      const { body } = await send(method, path, method === 'POST' ? widget('a') : undefined).expect(405);
      expect(body).toMatchObject({ kind: 'Status', reason: 'MethodNotAllowed', code: 405 });
    }
    expect(await names()).toEqual(['safe']);
    await send('DELETE', `${widgets}/safe`).expect(200);
  });

  it('has the methods of Kubernetes and no others, and does not take a part of an object for the object', async () => {
    await create('whole');
    for (const [path, allow] of [
      [widgets, 'GET, POST, DELETE'],
      [`${widgets}/whole`, 'GET, PUT, PATCH, DELETE'],
      [`${widgets}/whole/status`, 'GET, PUT, PATCH'],
      ['/kubernetes/api/v1/namespaces/acme/status', 'GET, PUT, PATCH'],
    ] as const) {
      const refused = ['DELETE', 'POST', 'OPTIONS', 'TRACE', 'SEARCH'].filter(
        (method) => !allow.includes(method),
      );
      for (const method of refused) {
        const { body, headers } = await send(method, path).expect(405);
        expect([body.reason, headers['allow']]).toEqual(['MethodNotAllowed', allow]);
      }
    }
    expect(await names()).toEqual(['whole']);
    const { body } = await send('GET', `${widgets}/whole/status?watch=true`).expect(200);
    expect(body.metadata.name).toBe('whole');
    await send('DELETE', `${widgets}/whole`).expect(200);
  });

  it('keeps no value of a Secret in the annotation of kubectl apply, which still goes over to server-side apply', async () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const secrets = '/kubernetes/api/v1/namespaces/acme/secrets';
    const values = { data: { old: 'aGVsbG8=', gone: 'Z29uZQ==' }, stringData: { text: 'plain' } };
    const applied = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kept' }, ...values };
    const annotations = { [annotation]: `${JSON.stringify(applied)}\n`, other: 'aGVsbG8=' };
    const secret = { ...applied, metadata: { name: 'kept', annotations } };
    const shown = `${JSON.stringify({ ...applied, stringData: { text: '' } })}\n`;
    const stored = `${JSON.stringify({ ...applied, data: { old: '', gone: '' }, stringData: { text: '' } })}\n`;
    const { body: created } = await send('POST', secrets, secret).expect(201);
    expect(created.metadata.annotations).toEqual({ ...annotations, [annotation]: shown });
    const { body: kept } = await api.get(`platform.dev/v1alpha1/secrets/acme/kept`).expect(200);
    expect(kept.metadata.annotations).toEqual({ ...annotations, [annotation]: stored });
    expect(created.data).toEqual({ ...values.data, text: 'cGxhaW4=' });
    const merge = 'application/merge-patch+json';
    const { body: same } = await send(
      'PATCH',
      `${secrets}/kept`,
      { metadata: { annotations } },
      merge,
    ).expect(200);
    expect(same).toEqual(created);
    const server = { ...applied, data: { old: 'Ynll' }, stringData: undefined };
    const path = `${secrets}/kept?fieldManager=kubectl`;
    const { body: after } = await send('PATCH', path, server, 'application/apply-patch+yaml').expect(200);
    expect(after.data).toEqual({ old: 'Ynll', text: 'cGxhaW4=' });
    const odd = { ...secret, metadata: { name: 'odd', annotations: { [annotation]: 'no {json' } } };
    const { body: unread } = await send('POST', secrets, odd).expect(201);
    expect(unread.metadata.annotations).toEqual({ [annotation]: 'no {json' });
  });

  it('changes nothing for a dry run with a value other than All', async () => {
    const { metadata } = await create('kept');
    const merge = 'application/merge-patch+json';
    const patch = { metadata: { labels: { tier: 'front' } } };
    for (const query of ['dryRun=true', 'dryRun=None', 'dryRun=all', 'dryRun=All&dryRun=true']) {
      for (const refused of [
        send('DELETE', `${widgets}/kept?${query}`),
        send('DELETE', `${widgets}?${query}`),
        send('DELETE', `${widgets}?labelSelector=a%3Dnone&${query}`),
        send('POST', `${widgets}?${query}`, widget('made', { size: 'small' })),
        send('PUT', `${widgets}/kept?${query}`, { ...widget('kept', { size: 'huge' }), metadata }),
        send('PATCH', `${widgets}/kept?${query}`, patch, merge),
        send(
          'PATCH',
          `${widgets}/made?fieldManager=a&${query}`,
          widget('made'),
          'application/apply-patch+yaml',
        ),
      ]) {
        const { body } = await refused.expect(422);
        expect(body.message).toMatch(/dryRun: Unsupported value: \[.*\]: supported values: "All"$/);
        expect(body.details.causes).toMatchObject([{ reason: 'FieldValueNotSupported', field: 'dryRun' }]);
      }
    }
    for (const dryRun of [['Bogus'], ['All', 'Bogus'], ['']])
      await send('DELETE', `${widgets}/kept`, { kind: 'DeleteOptions', dryRun }).expect(422);
    const after = await send('GET', `${widgets}/kept`).expect(200);
    expect(after.body.metadata).toEqual(metadata);
    await send('DELETE', `${widgets}/kept?dryRun=All&dryRun=All`).expect(200);
    expect(await names()).toEqual(['kept']);
    await send('DELETE', `${widgets}/kept?dryRun=`, { kind: 'DeleteOptions', dryRun: [] }).expect(200);
    expect(await names()).toEqual([]);
  });

  it('lets finalizers of an object that is being deleted go, also when its spec is no longer valid', async () => {
    const merge = 'application/merge-patch+json';
    const finalizers = ['a.example.dev/x', 'a.example.dev/y', 'a.example.dev/z'];
    const metadata = { ...widget('stuck').metadata, finalizers };
    await create('stuck', { metadata });
    await create('live', { metadata: { ...metadata, name: 'live', finalizers: [] } });
    await send('DELETE', `${widgets}/stuck`).expect(200);
    const at = `${definitions}/widgets.example.dev`;
    const [version] = structuredClone(crd.spec.versions);
    const tighter = structuredClone(version) as Json;
    tighter.schema.openAPIV3Schema.properties.spec.properties.size.enum = ['huge'];
    await send('PATCH', at, { spec: { versions: [tighter] } }, merge).expect(200);
    await send('PATCH', `${widgets}/live`, { metadata: { labels: { a: 'b' } } }, merge).expect(422);
    await send('PATCH', `${widgets}/stuck`, { spec: { size: 'large' } }, merge).expect(422);
    const less = { metadata: { finalizers: finalizers.slice(0, 2) } };
    await send('PATCH', `${widgets}/stuck`, less, merge).expect(200);
    const drop = [{ op: 'remove', path: '/metadata/finalizers/1' }];
    const { body } = await send('PATCH', `${widgets}/stuck`, drop, 'application/json-patch+json').expect(200);
    const { finalizers: _, ...others } = body.metadata;
    const gone = await send('PUT', `${widgets}/stuck`, { ...body, metadata: others }).expect(200);
    expect(gone.body.metadata).not.toHaveProperty('finalizers');
    await send('PATCH', at, { spec: { versions: [version] } }, merge).expect(200);
    await send('DELETE', widgets).expect(200);
  });

  it('adds no finalizer to an object that is being deleted', async () => {
    const [merge, apply] = ['application/merge-patch+json', 'application/apply-patch+yaml'];
    const held = { finalizers: ['example.dev/hold'] };
    const { metadata } = await create('held', { metadata: { name: 'held', ...held } });
    await send('DELETE', `${widgets}/held`).expect(200);
    const more = ['example.dev/hold', 'example.dev/more'];
    const { resourceVersion } = (await send('GET', `${widgets}/held`)).body.metadata;
    const replacement = { ...widget('held', { size: 'small' }), metadata: { ...metadata, resourceVersion } };
    replacement.metadata.finalizers = more;
    for (const refused of [
      send('PUT', `${widgets}/held`, replacement),
      send('PATCH', `${widgets}/held`, { metadata: { finalizers: more } }, merge),
      send(
        'PATCH',
        `${widgets}/held?fieldManager=a`,
        { apiVersion: 'example.dev/v1', kind: 'Widget', metadata: { name: 'held', finalizers: more } },
        apply,
      ),
    ]) {
      const { body } = await refused.expect(422);
      expect(body.message).toContain(
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted',
      );
      expect(body.details.causes).toMatchObject([
        { reason: 'FieldValueForbidden', field: 'metadata.finalizers' },
      ]);
    }
    const labels = { metadata: { labels: { a: 'b' } } };
    await send('PATCH', `${widgets}/held`, labels, merge).expect(200);
    await send('PATCH', `${widgets}/held`, { metadata: { finalizers: null } }, merge).expect(200);
  });

  it('takes a number of another cluster for an old version of the object', async () => {
    const { metadata } = await create('old');
    const merge = 'application/merge-patch+json';
    for (const resourceVersion of ['1', '2345', '99999999']) {
      const replacement = { ...widget('old', { size: 'huge' }), metadata: { ...metadata, resourceVersion } };
      const { body } = await send('PUT', `${widgets}/old`, replacement).expect(409);
      expect(body.reason).toBe('Conflict');
      await send('PATCH', `${widgets}/old`, { metadata: { resourceVersion } }, merge).expect(409);
      await send('DELETE', `${widgets}/old`, { preconditions: { resourceVersion } }).expect(409);
    }
    for (const resourceVersion of ['abc', '1.5', '-1', '0', '1'.repeat(5_000)]) {
      const replacement = { ...widget('old', { size: 'huge' }), metadata: { ...metadata, resourceVersion } };
      const { body } = await send('PUT', `${widgets}/old`, replacement).expect(422);
      expect(body.message).toContain('metadata.resourceVersion');
    }
    await send('DELETE', `${widgets}/old`).expect(200);
  });

  it('says of each fault of an object what kind of fault it is', async () => {
    const item = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
    const spec = {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'string', enum: ['small', 'large'] },
        count: { type: 'integer', maximum: 3 },
        set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        map: { type: 'array', items: item, ...map },
      },
      'x-kubernetes-validations': [
        {
          rule: "self.size != 'large' || has(self.count)",
          reason: 'FieldValueRequired',
          fieldPath: '.count',
        },
        { rule: '!has(self.count) || self.count < 3', message: 'too many' },
      ],
    };
    const [version] = crd.spec.versions;
    const versions = [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }];
    const definition = {
      ...crd,
      metadata: { name: 'faulties.example.dev' },
      spec: { ...crd.spec, names: { kind: 'Faulty', plural: 'faulties' }, versions },
    };
    await send('POST', definitions, definition).expect(201);
    const faulties = '/kubernetes/apis/example.dev/v1/namespaces/acme/faulties';
    const causesOf = async (sent: object) => {
      const { body } = await send('POST', faulties, { ...widget('f', sent), kind: 'Faulty' }).expect(422);
      expect(body.message).toMatch(/^Faulty.example.dev "f" is invalid: /);
      expect(body.details.name).toBe('f');
      return body.details.causes.map(({ field, reason, message }: Json) => [
        ...[field, reason, message.split(':')[0]],
      ]);
    };
    expect(await causesOf({ set: ['a', 'a'], map: [{ name: 'b' }, { name: 'b' }], count: 'x' })).toEqual([
      ['spec.size', 'FieldValueRequired', 'Required value'],
      ['spec.count', 'FieldValueTypeInvalid', 'Invalid value'],
      ['spec.set', 'FieldValueDuplicate', 'Duplicate value'],
      ['spec.map[1]', 'FieldValueDuplicate', 'Duplicate value'],
    ]);
    expect(await causesOf({ size: 'tiny', count: 4 })).toEqual([
      ['spec.size', 'FieldValueNotSupported', 'Unsupported value'],
      ['spec.count', 'FieldValueInvalid', 'Invalid value'],
    ]);
    expect(await causesOf({ size: 'large' })).toEqual([
      ['spec.count', 'FieldValueRequired', 'Required value'],
    ]);
    expect(await causesOf({ size: 'large', count: 3 })).toEqual([
      ['spec', 'FieldValueInvalid', 'Invalid value'],
    ]);
    // The resource API answers places and messages, as before.
    const native = { ...widget('f', { size: 'tiny' }), kind: 'Faulty' };
    const { body } = await api.post('example.dev/v1/faulties/acme', native).expect(400);
    expect(body.errors).toEqual([{ path: '/spec/size', message: 'must be one of "small", "large"' }]);
    await send('DELETE', `${definitions}/faulties.example.dev`).expect(200);
  });

  it('refuses writes of missing objects, and into missing namespaces, by what is missing', async () => {
    const missing = await send('PUT', `${widgets}/none`, widget('none', { size: 'small' })).expect(404);
    expect(missing.body.message).toBe('widgets.example.dev "none" not found');
    const nowhere = '/kubernetes/apis/example.dev/v1/namespaces/nope/widgets';
    const apply = 'application/apply-patch+yaml';
    for (const refused of [
      send('POST', nowhere, widget('a', { size: 'small' })),
      send('PATCH', `${nowhere}/a?fieldManager=a`, widget('a', { size: 'small' }), apply),
    ]) {
      const { body } = await refused.expect(404);
      expect(body).toMatchObject({ reason: 'NotFound', message: 'namespaces "nope" not found' });
      expect(body.details).toEqual({ name: 'nope', kind: 'namespaces' });
    }
    const forbidden = await api
      .send('POST', nowhere, 'user')
      .send(widget('a', { size: 'small' }))
      .expect(403);
    expect(forbidden.body.message).not.toContain('namespaces "nope"');
  });

  it('refuses an apply of another object, force without an apply, and two controllers', async () => {
    const { metadata } = await create('target');
    const [merge, apply] = ['application/merge-patch+json', 'application/apply-patch+yaml'];
    const uid = '00000000-0000-4000-8000-000000000001';
    for (const name of ['target', 'gone']) {
      const sent = { ...widget(name, { size: 'small' }), metadata: { name, uid } };
      const { body } = await send(
        'PATCH',
        `${widgets}/${name}?fieldManager=a&force=true`,
        sent,
        apply,
      ).expect(409);
      expect(body.reason).toBe('Conflict');
    }
    await send('GET', `${widgets}/gone`).expect(404);
    const own = { ...widget('target', { size: 'small' }), metadata: { name: 'target', uid: metadata.uid } };
    await send('PATCH', `${widgets}/target?fieldManager=a&force=true`, own, apply).expect(200);
    const forced = await send('PATCH', `${widgets}/target?force=true`, {}, merge).expect(422);
    expect(forced.body.message).toContain('force: Forbidden: may not be specified for non-apply patch');
    const other = await create('other');
    const owner = ({ name, uid: of }: Json) => ({
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      name,
      uid: of,
      controller: true,
    });
    const ownerReferences = [owner(metadata), owner(other.metadata)];
    const owned = { ...widget('owned', { size: 'small' }), metadata: { name: 'owned', ownerReferences } };
    const two = await send('POST', widgets, owned).expect(422);
    expect(two.body.details.causes).toMatchObject([{ field: 'metadata.ownerReferences' }]);
    await send('PATCH', `${widgets}/target`, { metadata: { ownerReferences } }, merge).expect(422);
    await send('DELETE', `${widgets}/target`).expect(200);
    await send('DELETE', `${widgets}/other`).expect(200);
  });

  it('names the object in the refusal of a create', async () => {
    await create('twice');
    const refused = await send('POST', widgets, widget('twice', { size: 'small' })).expect(409);
    expect(refused.body).toMatchObject({
      reason: 'AlreadyExists',
      message: 'widgets.example.dev "twice" already exists',
      details: { name: 'twice', group: 'example.dev', kind: 'widgets' },
    });
    const invalid = await send('POST', widgets, widget('odd', { size: 'tiny' })).expect(422);
    expect(invalid.body.message).toMatch(/^Widget.example.dev "odd" is invalid: spec.size/);
    const nameless = await send('POST', widgets, { ...widget('odd'), metadata: {} }).expect(422);
    expect(nameless.body.details.causes[0].reason).toBe('FieldValueRequired');
    const unread = await send('POST', widgets, { ...widget('odd'), spec: [] }).expect(422);
    expect(unread.body.message).toMatch(/^Widget.example.dev "odd" is invalid: spec: /);
    await send('DELETE', `${widgets}/twice`).expect(200);
  });

  it('refuses an apply that does not name its manager, as Kubernetes does', async () => {
    for (const part of ['', '/status']) {
      const path = `${widgets}/nobody${part}?fieldManager=`;
      const { body } = await send('PATCH', path, widget('nobody'), 'application/apply-patch+yaml').expect(
        422,
      );
      expect(body.details.causes).toEqual([
        {
          reason: 'FieldValueRequired',
          message: 'Required value: is required for apply patch',
          field: 'fieldManager',
        },
      ]);
    }
  });

  it('refuses a manager that cannot be one in every write, at its field', async () => {
    const [merge, apply] = ['application/merge-patch+json', 'application/apply-patch+yaml'];
    for (const name of ['x'.repeat(129), 'a%0Ab']) {
      const query = `?fieldManager=${name}`;
      for (const [method, path, type] of [
        ['POST', `${widgets}${query}`, 'application/json'],
        ['PATCH', `${widgets}/nobody${query}`, merge],
        ['PATCH', `${widgets}/nobody/status${query}`, merge],
        ['PATCH', `${widgets}/nobody${query}`, apply],
      ] as const) {
        const { body } = await send(method, path, widget('nobody', {}), type).expect(422);
        expect(body.details.causes).toMatchObject([{ reason: 'FieldValueInvalid', field: 'fieldManager' }]);
      }
    }
  });

  it('completes a server-side apply with defaults that nobody manages, and without unknown fields', async () => {
    const apply = (spec: object, query = 'fieldManager=tool') =>
      send('PATCH', `${widgets}/applied?${query}`, widget('applied', spec), 'application/apply-patch+yaml');
    const made = await apply({ size: 'small' }).expect(201);
    expect(made.body.spec).toEqual({ size: 'small', color: 'red' });
    const [managed] = made.body.metadata.managedFields;
    expect(managed.fieldsV1['f:spec']).toEqual({ 'f:size': {} });
    const again = await apply({ size: 'small' }).expect(200);
    expect(again.body.metadata.resourceVersion).toBe(made.body.metadata.resourceVersion);
    const owned = await apply({ size: 'small', color: 'blue' }).expect(200);
    expect(owned.body.spec.color).toBe('blue');
    const left = await apply({ size: 'small' }).expect(200);
    expect(left.body.spec).toEqual({ size: 'small', color: 'red' });
    const pruned = await apply({ size: 'small', colour: 1 }, 'fieldManager=tool&fieldValidation=Ignore');
    expect([pruned.status, pruned.body.spec]).toEqual([200, { size: 'small', color: 'red' }]);
    await send('DELETE', `${widgets}/applied`).expect(200);
  });

  describe('managed fields of built-in kinds are those of the object', () => {
    const applyAs = (manager: string, path: string, object: object) =>
      send('PATCH', `${path}?fieldManager=${manager}`, object, 'application/apply-patch+yaml');
    const namespaced = '/kubernetes/api/v1/namespaces/acme';
    const leases = '/kubernetes/apis/coordination.k8s.io/v1/namespaces/acme/leases';
    const { names, scope, versions } = crd.spec;
    const gears = { ...names, kind: 'Gear', plural: 'gears', singular: 'gear', shortNames: ['gr'] };

    it.each([
      [
        `${namespaced}/configmaps/m`,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'm' },
          data: { color: 'red' },
          immutable: false,
        },
        { 'f:data': { 'f:color': {} }, 'f:immutable': {} },
      ],
      [
        `${namespaced}/secrets/m`,
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'm', labels: { a: 'b' } },
          type: 'a/b',
          data: { k: 'eA==' },
        },
        { 'f:metadata': { 'f:labels': { 'f:a': {} } }, 'f:type': {}, 'f:data': { 'f:k': {} } },
      ],
      [
        `${leases}/m`,
        {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'm' },
          spec: { holderIdentity: 'a' },
        },
        { 'f:spec': { 'f:holderIdentity': {} } },
      ],
      [
        '/kubernetes/api/v1/namespaces/m',
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'm', labels: { a: 'b' } } },
        { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
      ],
      [
        `${definitions}/gears.example.dev`,
        {
          ...crd,
          metadata: { name: 'gears.example.dev' },
          spec: { group: 'example.dev', names: gears, scope, versions },
        },
        {
          'f:spec': {
            'f:group': {},
            'f:names': { 'f:plural': {}, 'f:singular': {}, 'f:shortNames': {}, 'f:kind': {} },
            'f:scope': {},
            'f:versions': {},
          },
        },
      ],
    ])('%s', async (path, object, fieldsV1) => {
      const { body } = await applyAs('tool', path, object).expect(201);
      expect(body.metadata.managedFields).toEqual([
        expect.objectContaining({ manager: 'tool', apiVersion: object.apiVersion, fieldsV1 }),
      ]);
      await send('DELETE', path).expect(200);
    });

    it('a manager of nothing is not shown', async () => {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bare' } };
      const { body } = await applyAs('tool', '/kubernetes/api/v1/namespaces/bare', namespace).expect(201);
      expect(body.metadata.managedFields).toBeUndefined();
    });

    it('so are the fields of a conflict', async () => {
      const config = (color: string) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'own' },
        data: { color },
      });
      await applyAs('a', `${namespaced}/configmaps/own`, config('red')).expect(201);
      const { body } = await applyAs('b', `${namespaced}/configmaps/own`, config('blue')).expect(409);
      expect(body.message).toBe('Apply failed with 1 conflict: conflict with "a": .data.color');
      expect(body.details.causes).toEqual([
        { reason: 'FieldManagerConflict', message: 'conflict with "a": .data.color', field: '.data.color' },
      ]);
      const definition = (kind: string) => ({
        ...crd,
        metadata: { name: 'gears.example.dev' },
        spec: { group: 'example.dev', names: { ...gears, kind }, scope, versions },
      });
      await applyAs('a', `${definitions}/gears.example.dev`, definition('Gear')).expect(201);
      const other = await applyAs('b', `${definitions}/gears.example.dev`, definition('Cog')).expect(409);
      expect(other.body.details.causes).toMatchObject([{ field: '.spec.names.kind' }]);
    });
  });

  it('ignores, warns about and refuses unknown fields', async () => {
    const bad = (name: string) => widget(name, { size: 'small', colour: 1 });
    await send('POST', `${widgets}?fieldValidation=Strict`, bad('x')).expect(400);
    const warned = await send('POST', `${widgets}?fieldValidation=Warn`, bad('x')).expect(201);
    expect(warned.headers['warning']).toBe('299 - "unknown field \\"spec.colour\\""');
    const ignored = await send('POST', `${widgets}?fieldValidation=Ignore`, bad('y')).expect(201);
    expect(ignored.headers['warning']).toBeUndefined();
    expect(ignored.body.spec).toEqual({ size: 'small', color: 'red' });
    await send('POST', `${widgets}?fieldValidation=strict`, bad('z')).expect(400);
    for (const name of ['x', 'y']) await send('DELETE', `${widgets}/${name}`).expect(200);
  });

  const core = '/kubernetes/api/v1';
  const leases = '/kubernetes/apis/coordination.k8s.io/v1/namespaces/acme/leases';
  const [version] = crd.spec.versions;
  const named = (name: string, more: object) => ({ metadata: { name }, ...more });
  const misspelt = (place: string, member: object) => ({
    ...crd,
    metadata: { name: 'odds.example.dev' },
    spec: {
      ...crd.spec,
      names: { kind: 'Odd', plural: 'odds', ...(place === 'names' ? member : {}) },
      versions: [
        {
          ...version,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', ...(place === 'schema' ? member : {}) } },
            },
          },
          ...(place === 'version' ? member : {}),
        },
      ],
      ...(place === 'spec' ? member : {}),
    },
  });

  it.each([
    [`${core}/namespaces/acme/configmaps`, named('unknown-fields', { data: { a: 'b' }, odd: 1 }), 'odd'],
    [`${core}/namespaces/acme/secrets`, named('unknown-fields', { dta: { a: 'YQ==' } }), 'dta'],
    [leases, named('unknown-fields', { spec: { holderIdentity: 'me', odd: 1 } }), 'spec.odd'],
    [`${core}/namespaces`, named('unknown-fields', { spec: { odd: 1 } }), 'spec.odd'],
    [definitions, misspelt('spec', { odd: 1 }), 'spec.odd'],
    [definitions, misspelt('names', { odd: 1 }), 'spec.names.odd'],
    [definitions, misspelt('version', { odd: 1 }), 'spec.versions[0].odd'],
    [
      definitions,
      misspelt('schema', { allOf: [{ properties: { a: { odd: 1 } } }] }),
      'spec.versions[0].schema.openAPIV3Schema.properties.spec.allOf[0].properties.a.odd',
    ],
  ])('does the same at %s for %j', async (path, object, field) => {
    const refused = await send('POST', `${path}?fieldValidation=Strict`, object).expect(400);
    expect(refused.body.message).toBe(`strict decoding error: unknown field "${field}"`);
    const made = await send('POST', path, object).expect(201);
    expect(made.headers['warning']).toContain(`299 - "unknown field \\"${field}\\""`);
    expect(JSON.stringify(made.body)).not.toContain('"odd":1');
    const { name } = made.body.metadata;
    const apply = 'application/apply-patch+yaml';
    const typed = { apiVersion: made.body.apiVersion, kind: made.body.kind, ...object };
    const query = 'fieldManager=a&force=true';
    const applied = await send('PATCH', `${path}/${name}?${query}`, typed, apply).expect(200);
    expect(applied.headers['warning']).toContain('unknown field');
    await send('PATCH', `${path}/${name}?${query}&fieldValidation=Strict`, typed, apply).expect(400);
    await send('DELETE', `${path}/${name}`).expect(200);
  });

  it.each([
    ['a schema of the status', { status: { type: 'object', properties: { phase: { type: 'string' } } } }],
    ['no schema of the status', {}],
  ])('takes back the status slots of others that it has shown, with %s', async (_, status) => {
    const [version] = crd.spec.versions;
    const { spec } = version?.schema.openAPIV3Schema.properties ?? {};
    const openAPIV3Schema = { type: 'object', properties: { spec, ...status } };
    const names = { kind: 'Gadget', plural: 'gadgets' };
    const versions = [{ ...version, schema: { openAPIV3Schema } }];
    const definition = {
      ...crd,
      metadata: { name: 'gadgets.example.dev' },
      spec: { ...crd.spec, names, versions },
    };
    await send('POST', definitions, definition).expect(201);
    const gadgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/gadgets';
    const gadget = { ...widget('g', { size: 'small' }), kind: 'Gadget' };
    await send('POST', gadgets, gadget).expect(201);
    const native = '/api/v1/resources/example.dev/v1/gadgets/acme/g';
    await api
      .send('PUT', `${native}/status`)
      .send({ status: { opslot: 1 } })
      .expect(200);
    const { body: read } = await send('GET', `${gadgets}/g`).expect(200);
    const slots = read.status.controllers;
    expect(Object.values(slots)).toEqual([{ opslot: 1 }]);
    const strict = 'fieldValidation=Strict';
    const replaced = await send('PUT', `${gadgets}/g?${strict}`, read).expect(200);
    expect(replaced.headers['warning']).toBeUndefined();
    const [merge, apply] = ['application/merge-patch+json', 'application/apply-patch+yaml'];
    const patch = { metadata: { labels: { a: 'b' } } };
    const labelled = await send('PATCH', `${gadgets}/g?${strict}`, patch, merge).expect(200);
    expect(labelled.body.status.controllers).toEqual(slots);
    expect((await send('PATCH', `${gadgets}/g`, patch, merge)).headers['warning']).toBeUndefined();
    const configuration = { ...gadget, status: read.status };
    await send('PATCH', `${gadgets}/g?fieldManager=a&force=true&${strict}`, configuration, apply).expect(200);
    const odd = { status: { controllers: slots, odd: 1 } };
    await send('PATCH', `${gadgets}/g?${strict}`, odd, merge).expect(400);
    // Written through the resource API, which stores documents as they are sent.
    const { body: stored } = await api.send('GET', native).expect(200);
    const { apiVersion, kind, metadata } = stored;
    const document = { apiVersion, kind, metadata: { name: 'g', revision: metadata.revision } };
    await api
      .send('PUT', native)
      .send({ ...document, spec: { colour: 1 } })
      .expect(200);
    const silent = await send('PATCH', `${gadgets}/g`, { metadata: { labels: { c: 'd' } } }, merge).expect(
      200,
    );
    expect(silent.headers['warning']).toBeUndefined();
    await send('PATCH', `${gadgets}/g?${strict}`, { spec: { odd: 1 } }, merge).expect(400);
    await send('DELETE', `${gadgets}/g`).expect(200);
    await send('DELETE', `${definitions}/gadgets.example.dev`).expect(200);
  });

  it('answers metadata with the members of Kubernetes and no others', async () => {
    const finalizers = ['example.dev/hold'];
    const metadata = { name: 'm', labels: { a: 'b' }, annotations: { c: 'd' }, finalizers };
    const { uid } = (await create('owner')).metadata;
    const owner = { apiVersion: 'example.dev/v1', kind: 'Widget', name: 'owner', uid, controller: true };
    const made = await create('m', { metadata: { ...metadata, ownerReferences: [owner] } });
    expect(made.metadata).toEqual({
      ...metadata,
      namespace: 'acme',
      generation: 1,
      uid: expect.any(String),
      ownerReferences: [owner],
      resourceVersion: expect.stringMatching(/^\d+$/),
      creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    const deleted = await send('DELETE', `${widgets}/m`).expect(200);
    // Controllers that look at new generations only see the deletion by it.
    expect(deleted.body.metadata).toMatchObject({
      generation: 2,
      deletionGracePeriodSeconds: 0,
      deletionTimestamp: expect.any(String),
    });
    const type = 'application/merge-patch+json';
    await send('PATCH', `${widgets}/m`, { metadata: { finalizers: null } }, type).expect(200);
    await send('DELETE', `${widgets}/owner`).expect(200);
    const { body: namespace } = await send('GET', '/kubernetes/api/v1/namespaces/acme').expect(200);
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
    const data = await send('POST', '/kubernetes/api/v1/namespaces/acme/configmaps', configMap).expect(201);
    const { body: definition } = await send('GET', `${definitions}/widgets.example.dev`).expect(200);
    expect(definition.metadata).toHaveProperty('generation');
    for (const object of [namespace, data.body]) expect(object.metadata).not.toHaveProperty('generation');
  });

  it('gives a Secret without a type the type Opaque, which nobody manages', async () => {
    const secrets = '/kubernetes/api/v1/namespaces/acme/secrets';
    const secret = (name: string, more: object = {}) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      data: { a: 'YQ==' },
      ...more,
    });
    const created = await send('POST', secrets, secret('plain')).expect(201);
    expect(created.body.type).toBe('Opaque');
    const replaced = await send('PUT', `${secrets}/plain`, secret('plain')).expect(200);
    expect(replaced.body.type).toBe('Opaque');
    const empty = await send('POST', secrets, secret('empty', { type: '' })).expect(201);
    expect(empty.body.type).toBe('Opaque');
    const typed = await send('POST', secrets, secret('typed', { type: 'example.dev/other' })).expect(201);
    expect(typed.body.type).toBe('example.dev/other');
    const apply = 'application/apply-patch+yaml';
    const applied = await send('PATCH', `${secrets}/applied?fieldManager=a`, secret('applied'), apply);
    expect(applied.body.type).toBe('Opaque');
    expect(JSON.stringify(applied.body.metadata.managedFields)).not.toContain('f:type');
    const again = await send('PATCH', `${secrets}/applied?fieldManager=a`, secret('applied'), apply);
    expect(again.body.metadata.resourceVersion).toBe(applied.body.metadata.resourceVersion);
    await send('DELETE', secrets).expect(200);
  });

  it('warns of fields with any name, and of many within the limits of headers', async () => {
    const warnings = async (spec: object) => {
      const path = `${widgets}?dryRun=All`;
      const { headers } = await send('POST', path, widget('named', { size: 'small', ...spec })).expect(201);
      return Buffer.from(headers['warning'] ?? '', 'latin1').toString('utf8');
    };
    expect(await warnings({ '☃ü': 1 })).toBe('299 - "unknown field \\"spec.☃ü\\""');
    expect(await warnings({ 'a\u007f\nb': 1 })).toBe('299 - "unknown field \\"spec.a??b\\""');
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`.repeat(40), n]));
    const long = await warnings(many);
    expect(long).toContain('unknown field \\"spec.field0');
    expect(long.length).toBeLessThan(5_000);
  });

  it('warns of a deprecated version in the answer to every request', async () => {
    const names = { kind: 'Relic', plural: 'relics' };
    const versions = [
      { ...version, deprecated: true, deprecationWarning: 'use v2' },
      { ...version, name: 'v0', storage: false, deprecated: true },
      { ...version, name: 'v2', storage: false },
    ];
    const relics = {
      ...crd,
      metadata: { name: 'relics.example.dev' },
      spec: { ...crd.spec, names, versions },
    };
    await send('POST', definitions, relics).expect(201);
    const path = (name: string) => `/kubernetes/apis/example.dev/${name}/namespaces/acme/relics`;
    const warningOf = async (method: string, url: string, body?: object) =>
      (await send(method, url, body)).headers['warning'];
    expect(await warningOf('GET', path('v1'))).toBe('299 - "use v2"');
    expect(await warningOf('GET', path('v0'))).toBe('299 - "example.dev/v0 Relic is deprecated"');
    expect(await warningOf('GET', path('v2'))).toBeUndefined();
    const relic = { ...widget('r', { size: 'small', odd: 1 }), kind: 'Relic' };
    const both = '299 - "use v2", 299 - "unknown field \\"spec.odd\\""';
    expect(await warningOf('POST', path('v1'), relic)).toBe(both);
    expect(await warningOf('DELETE', `${path('v1')}/r`)).toBe('299 - "use v2"');
    await send('DELETE', `${definitions}/relics.example.dev`).expect(200);
  });

  it('refuses a patch that names another object or another namespace', async () => {
    await create('mine');
    const path = `${widgets}/mine`;
    const [merge, json] = ['application/merge-patch+json', 'application/json-patch+json'];
    for (const metadata of [{ namespace: 'other' }, { name: 'other' }]) {
      const refused = await send('PATCH', path, { metadata }, merge).expect(400);
      expect(refused.body).toMatchObject({ reason: 'BadRequest' });
    }
    const elsewhere = [{ op: 'replace', path: '/metadata/namespace', value: 'other' }];
    await send('PATCH', path, elsewhere, json).expect(400);
    await send('PATCH', `${path}/status`, { metadata: { namespace: 'other' } }, merge).expect(400);
    await send('PATCH', path, { metadata: { namespace: 'acme', name: 'mine' } }, merge).expect(200);
    await send('DELETE', path).expect(200);
  });

  it('takes base64 with line breaks, as the program base64 writes it', async () => {
    const inAcme = `${core}/namespaces/acme`;
    const broken = 'YWJj\nZGVm\r\n';
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'lines' }, data: { a: broken } };
    const created = await send('POST', `${inAcme}/secrets`, secret).expect(201);
    expect(created.body.data).toEqual({ a: 'YWJjZGVm' });
    const apply = 'application/apply-patch+yaml';
    const path = `${inAcme}/secrets/lines?fieldManager=a`;
    const again = await send('PATCH', path, { ...secret, data: { a: broken, b: broken } }, apply).expect(200);
    expect(again.body.data).toEqual({ a: 'YWJjZGVm', b: 'YWJjZGVm' });
    const data = { text: 'a\nb' };
    const map = { metadata: { name: 'lines' }, data, binaryData: { bytes: broken } };
    const made = await send('POST', `${inAcme}/configmaps`, map).expect(201);
    expect(made.body).toMatchObject({ data, binaryData: { bytes: 'YWJjZGVm' } });
    await send('POST', `${inAcme}/secrets`, { ...secret, data: { a: 'YW Jj' } }).expect(422);
    for (const plural of ['secrets', 'configmaps']) await send('DELETE', `${inAcme}/${plural}`).expect(200);
  });

  it('refuses forms of patches and bodies that a kind does not have', async () => {
    await create('p');
    const strategic = 'application/strategic-merge-patch+json';
    expect((await send('PATCH', `${widgets}/p`, {}, strategic).expect(415)).body.reason).toBe(
      'UnsupportedMediaType',
    );
    await send('PATCH', `${widgets}/p`, {}, 'text/plain').expect(415);
    await send('POST', widgets, widget('q'), 'application/vnd.kubernetes.protobuf').expect(415);
    await send('POST', definitions, crd, 'application/vnd.kubernetes.protobuf').expect(400);
    await send('GET', `${widgets}/p/scale`).expect(404);
    await send('POST', `${widgets}/p/eviction`, {}).expect(404);
    await send('GET', '/kubernetes/api/v1/namespaces/acme/pods').expect(404);
    await send('GET', '/kubernetes/api/v1/nodes').expect(404);
    await send('POST', '/kubernetes/api/v1/namespaces/acme/serviceaccounts/default/token', {}).expect(404);
    await send(
      'GET',
      '/kubernetes/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    ).expect(404);
    const { body: first } = await send('GET', `${widgets}?limit=1`);
    expect(first.metadata.remainingItemCount).toBeUndefined();
    await send('DELETE', `${widgets}/p`).expect(200);
  });

  it('reads a body without a media type as JSON, as kubectl sends it with --raw', async () => {
    const untyped = (method: string, path: string, body: object) =>
      api.send(method, path).serialize(JSON.stringify).unset('Content-Type').send(body).unset('Content-Type');
    await untyped('POST', widgets, widget('raw', { size: 'small' })).expect(201);
    const { body } = await send('GET', `${widgets}/raw`);
    await untyped('PUT', `${widgets}/raw`, { ...body, spec: { size: 'large' } }).expect(200);
    await untyped('DELETE', `${widgets}/raw`, { kind: 'DeleteOptions', dryRun: ['All'] }).expect(200);
    await send('PATCH', `${widgets}/raw`, {}, 'application/json').expect(415);
    await send('DELETE', `${widgets}/raw`).expect(200);
  });

  describeWith('kubectl')('with kubectl (skipped where it is not installed)', () => {
    const kubectl = (...parameters: string[]) => clients.kubectl(...parameters);
    const refused = async (...parameters: string[]) => (await clients.run('kubectl', parameters)).stderr;

    it('moves from client-side to server-side apply', async () => {
      const file = (spec: object) => clients.file('moved.json', widget('moved', spec));
      await kubectl('apply', '-f', file({ size: 'small', color: 'blue', parts: ['a'] }));
      const changed = file({ size: 'large', color: 'blue' });
      expect(await kubectl('apply', '--server-side', '-f', changed)).toContain('serverside-applied');
      const get = ['get', 'wd', 'moved', '-o', 'jsonpath={.spec}'];
      expect(JSON.parse(await kubectl(...get))).toEqual({ size: 'large', color: 'blue' });
      expect(
        await refused('apply', '--server-side', '--field-manager=other', '-f', file({ size: 'huge' })),
      ).toContain('conflict with "kubectl"');
      await kubectl(
        'apply',
        '--server-side',
        '--field-manager=other',
        '--force-conflicts',
        '-f',
        file({ size: 'huge' }),
      );
      const shown = await kubectl('get', 'wd', 'moved', '-o', 'yaml', '--show-managed-fields');
      expect(shown).toMatch(/manager: other\n +operation: Apply/);
      expect(await kubectl('get', 'wd', 'moved', '-o', 'yaml')).not.toContain('managedFields');
    });
  });
});
