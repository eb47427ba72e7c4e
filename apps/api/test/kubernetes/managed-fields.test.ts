import type { Json } from '../api.ts';
import { describeWith, useKubernetes } from './kubernetes-clients.ts';
import { crd, organization, widget } from './objects.ts';

const widgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
const configMaps = '/kubernetes/api/v1/namespaces/acme/configmaps';
const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const applyType = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';

describe('managedFields', () => {
  const { api, clients, send } = useKubernetes();
  const apply = (path: string, manager: string, object: object) =>
    send('PATCH', `${path}?fieldManager=${manager}`, object, applyType);
  const patch = async (path: string, managedFields: unknown): Promise<Json> =>
    (await send('PATCH', path, { metadata: { managedFields } }, merge).expect(200)).body.metadata;
  const metadataOf = async (path: string): Promise<Json> =>
    (await send('GET', path).expect(200)).body.metadata;
  const managers = ({ managedFields = [] }: Json) =>
    managedFields.map(({ manager, operation }: Json) => `${manager} ${operation}`);

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await send('POST', definitions, crd).expect(201);
  });

  it('are changed by who sends others, so that fields go over to another manager', async () => {
    const path = `${widgets}/moved`;
    await apply(path, 'old', widget('moved', { size: 'small', color: 'blue' })).expect(201);
    const before = await metadataOf(path);
    const renamed = before.managedFields.map((entry: Json) => ({ ...entry, manager: 'new' }));
    const after = await patch(path, renamed);
    expect(managers(after)).toEqual(['new Apply']);
    expect(after.resourceVersion).not.toBe(before.resourceVersion);
    expect(after.generation).toBe(before.generation);
    const { body } = await apply(path, 'other', widget('moved', { size: 'large' })).expect(409);
    expect(body.details.causes[0].message).toBe('conflict with "new": .spec.size');
    await apply(path, 'new', widget('moved', { size: 'large' })).expect(200);
    expect((await send('GET', path)).body.spec).toEqual({ size: 'large', color: 'red' });
  });

  it('of objects with data are those of the object', async () => {
    const path = `${configMaps}/moved`;
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'moved' }, data: { a: '1' } };
    await apply(path, 'old', configMap).expect(201);
    const { managedFields } = await metadataOf(path);
    await patch(
      path,
      managedFields.map((entry: Json) => ({ ...entry, manager: 'new' })),
    );
    const { body } = await apply(path, 'old', { ...configMap, data: { a: '2' } }).expect(409);
    expect(body.details.causes[0].message).toBe('conflict with "new": .data.a');
    expect((await metadataOf(path)).managedFields[0].fieldsV1).toEqual(managedFields[0].fieldsV1);
  });

  it('name no annotation that the object does not show', async () => {
    const owner = (await send('POST', widgets, widget('owner', { size: 'small' })).expect(201)).body.metadata;
    const { apiVersion, kind } = widget('owner');
    const reference = { apiVersion, kind, name: 'owner', uid: owner.uid, controller: true };
    const path = `${widgets}/owned`;
    const metadata = { name: 'owned', generateName: 'own-', ownerReferences: [reference] };
    const { body } = await apply(path, 'a', { apiVersion, kind, metadata }).expect(201);
    const owners = { 'f:ownerReferences': { [`k:{"uid":"${owner.uid}"}`]: {} } };
    expect(body.metadata.managedFields[0].fieldsV1).toEqual({
      'f:metadata': { ...owners, 'f:generateName': {} },
    });
    await patch(path, [{ ...body.metadata.managedFields[0], manager: 'b' }]);
    const left = (await apply(path, 'b', { apiVersion, kind, metadata: { name: 'owned' } }).expect(200)).body;
    for (const member of ['ownerReferences', 'generateName'])
      expect(left.metadata).not.toHaveProperty(member);
    const { body: stored } = await api.get(`${apiVersion}/widgets/acme/owned`).expect(200);
    expect(stored.metadata.annotations).toEqual({});
  });

  it('belong to the writer where its write changes a field as well', async () => {
    const path = `${widgets}/both`;
    await apply(path, 'a', widget('both', { size: 'small', color: 'blue' })).expect(201);
    const { body: object } = await send('GET', path).expect(200);
    const [entry] = object.metadata.managedFields;
    object.metadata.managedFields = [{ ...entry, manager: 'b' }];
    object.spec.color = 'green';
    const { body } = await send('PUT', `${path}?fieldManager=c`, object).expect(200);
    expect(managers(body.metadata)).toEqual(['b Apply', 'c Update']);
    expect(body.metadata.managedFields[1].fieldsV1).toEqual({ 'f:spec': { 'f:color': {} } });
  });

  it('are taken away by a list of one empty entry', async () => {
    const path = `${widgets}/reset`;
    await apply(path, 'a', widget('reset', { size: 'small' })).expect(201);
    expect(await patch(path, [{}])).not.toHaveProperty('managedFields');
    await apply(path, 'b', widget('reset', { size: 'small' })).expect(200);
    expect(managers(await metadataOf(path))).toEqual(['before-first-apply Update', 'b Apply']);
  });

  it.each<[string, (entry: Json) => unknown]>([
    ['none', () => []],
    ['null', () => null],
    ['a text', () => 'a'],
    ['an entry that is not one', () => ['a']],
    ['an entry without a version', ({ apiVersion: _, ...entry }) => [entry]],
    ['another operation', (entry) => [{ ...entry, operation: 'Other' }]],
    ['another type of fields', (entry) => [{ ...entry, fieldsType: 'FieldsV2' }]],
    ['no fields', ({ fieldsV1: _, ...entry }) => [entry]],
    ['a field without a kind', (entry) => [{ ...entry, fieldsV1: { spec: {} } }]],
    ['an item whose keys are no object', (entry) => [{ ...entry, fieldsV1: { 'f:spec': { 'k:[]': {} } } }]],
    ['an item that is not JSON', (entry) => [{ ...entry, fieldsV1: { 'f:spec': { 'v:{': {} } } }]],
    ['two, one of them wrong', (entry) => [entry, { ...entry, operation: '' }]],
  ])('stay as they are when somebody sends %s, as in Kubernetes', async (_what, sent) => {
    const path = `${widgets}/kept`;
    await apply(path, 'a', widget('kept', { size: 'small' }));
    const before = await metadataOf(path);
    expect(await patch(path, sent(before.managedFields[0]))).toEqual(before);
  });

  it('of a configuration without a spec are those of its metadata', async () => {
    const path = `${widgets}/labeled`;
    await apply(path, 'a', widget('labeled', { size: 'small' })).expect(201);
    const { spec: _, ...labels } = widget('labeled');
    const { body } = await apply(path, 'b', labels).expect(200);
    expect(body.spec.size).toBe('small');
    expect(body.metadata.managedFields[1].fieldsV1).toEqual({
      'f:metadata': { 'f:labels': { 'f:size': {} } },
    });
  });

  it('of a status cannot be set through the status, and nothing is stored by a dry run', async () => {
    const path = `${widgets}/aside`;
    await apply(path, 'a', widget('aside', { size: 'small' })).expect(201);
    const before = await metadataOf(path);
    const renamed = before.managedFields.map((entry: Json) => ({ ...entry, manager: 'new' }));
    expect(managers(await patch(`${path}/status`, renamed))).toEqual(['a Apply']);
    expect(managers(await patch(`${path}?dryRun=All`, renamed))).toEqual(['new Apply']);
    expect(await metadataOf(path)).toEqual(before);
  });

  // Attack: text that a later refusal would have to show, or that PostgreSQL does not store.
  it('may name any field, also one that no schema has, and no text that cannot be stored', async () => {
    const path = `${widgets}/odd`;
    await apply(path, 'a', widget('odd', { size: 'small' })).expect(201);
    const [entry] = (await metadataOf(path)).managedFields;
    const fieldsV1 = {
      '.': {},
      'f:spec': {
        'f:size': { '.': {}, 'k:{"a":{"b":[1]}}': {}, 'v:{}': {} },
        'f:__proto__': {},
        'f:': { '.': {} },
      },
      'f:metadata': { 'f:finalizers': {}, 'f:name': {} },
    };
    await patch(path, [{ ...entry, manager: 'odd', fieldsV1 }]);
    await apply(path, 'b', widget('odd', { size: 'large' })).expect(409);
    await apply(path, 'odd', widget('odd', { size: 'small', color: 'red' })).expect(200);
    await send('GET', path).expect(200);
    const unstored = [{ ...entry, manager: 'a\u0000b' }];
    await send('PATCH', path, { metadata: { managedFields: unstored } }, merge).expect(400);
    let deep: object = {};
    for (let level = 0; level < 70; level += 1) deep = { [`f:${level}`]: deep };
    const nested = [{ ...entry, fieldsV1: deep }];
    await send('PATCH', path, { metadata: { managedFields: nested } }, merge).expect(400);
  });

  describeWith('kubectl')('with kubectl (skipped where it is not installed)', () => {
    it('keep what others wrote before the first apply, when kubectl goes over to it', async () => {
      const file = (spec: object) => clients.file('before.json', widget('before', spec));
      await clients.kubectl('apply', '-f', file({ size: 'small', color: 'blue' }));
      const label = { metadata: { labels: { other: 'b' } } };
      await send('PATCH', `${widgets}/before`, label, merge).expect(200);
      await apply(`${widgets}/before`, 'third', widget('before', { size: 'small' })).expect(200);
      expect(managers(await metadataOf(`${widgets}/before`))).toEqual([
        'before-first-apply Update',
        'kubectl-client-side-apply Update',
        'third Apply',
      ]);
      await clients.kubectl('apply', '--server-side', '-f', file({ parts: ['a'] }));
      const { body } = await send('GET', `${widgets}/before`).expect(200);
      expect(body.metadata.labels).toEqual({ size: 'before', other: 'b' });
      expect(body.spec).toEqual({ size: 'small', parts: ['a'], color: 'red' });
    });

    it('go over from client-side to server-side apply next to other managers', async () => {
      const file = (spec: object) => clients.file('next.json', widget('next', spec));
      await apply(`${widgets}/next`, 'other', {
        ...widget('next', {}),
        metadata: { name: 'next', annotations: { a: 'b' } },
      }).expect(201);
      await clients.kubectl('apply', '-f', file({ size: 'small', color: 'blue', parts: ['a'] }));
      const changed = file({ size: 'large', color: 'blue' });
      expect(await clients.kubectl('apply', '--server-side', '-f', changed)).toContain('serverside-applied');
      const { body } = await send('GET', `${widgets}/next`).expect(200);
      expect(body.spec).toEqual({ size: 'large', color: 'blue' });
      expect(body.metadata.annotations.a).toBe('b');
      // The value of somebody else is not that of the last configuration.
      await send('PATCH', `${widgets}/next`, { spec: { size: 'huge' } }, merge).expect(200);
      const refused = await clients.run('kubectl', ['apply', '--server-side', '-f', changed]);
      expect(refused.stderr).toContain('.spec.size');
    });

    it('go over to server-side apply together with the defaults next to them', async () => {
      const names = { kind: 'Holder', plural: 'holders', singular: 'holder' };
      const ref = {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, kind: { type: 'string', default: 'Issuer' } },
      };
      const spec = { type: 'object', properties: { ref } };
      const openAPIV3Schema = { type: 'object', properties: { spec } };
      const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
      await send('POST', definitions, {
        ...crd,
        metadata: { name: 'holders.example.dev' },
        spec: { group: 'example.dev', scope: 'Namespaced', names, versions: [version] },
      }).expect(201);
      const file = (value: object) =>
        clients.file('holder.json', {
          apiVersion: 'example.dev/v1',
          kind: 'Holder',
          metadata: { name: 'one', namespace: 'acme' },
          spec: value,
        });
      await clients.kubectl('apply', '-f', file({ ref: { name: 'ca' } }));
      await clients.kubectl('apply', '--server-side', '-f', file({}));
      const holder = '/kubernetes/apis/example.dev/v1/namespaces/acme/holders/one';
      expect((await send('GET', holder).expect(200)).body.spec).toEqual({});
    });
  });
});
