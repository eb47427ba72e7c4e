import { createSchemaValidator } from '@platform/schema-validation';
import { type Json, useApi } from '../api.ts';
import { crd, organization, widget } from './objects.ts';

const widgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
const native = '/api/v1/resources/example.dev/v1/widgets/acme';
const applyType = 'application/apply-patch+yaml';

const condition = {
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string' }, status: { type: 'string' } },
};
const statusSchema = {
  type: 'object',
  properties: {
    phase: { type: 'string' },
    count: { type: 'integer' },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: condition,
    },
  },
};

describe('server-side applies of a status', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());

  const send = (method: string, path: string, body: object, type = 'application/json') =>
    api.send(method, path).set('Content-Type', type).send(JSON.stringify(body));
  const typed = (name: string, more: object = {}) => ({
    apiVersion: 'example.dev/v1',
    kind: 'Widget',
    metadata: { name },
    ...more,
  });
  const apply = (name: string, manager: string, status: object, query = '') => {
    const path = `${widgets}/${name}/status?fieldManager=${manager}${query}`;
    return send('PATCH', path, typed(name, { status }), applyType);
  };
  const create = async (name: string) =>
    (await send('POST', widgets, widget(name, { size: 'small' })).expect(201)).body;
  const managers = ({ metadata }: Json) =>
    (metadata.managedFields ?? []).map((one: Json) => [one.manager, one.operation, one.subresource]);

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    const [version] = crd.spec.versions;
    const { spec } = version?.schema.openAPIV3Schema.properties ?? {};
    const openAPIV3Schema = { type: 'object', properties: { spec, status: statusSchema } };
    const definition = {
      ...crd,
      spec: { ...crd.spec, versions: [{ ...version, schema: { openAPIV3Schema } }] },
    };
    const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await send('POST', definitions, definition).expect(201);
  });

  it('keep what other managers apply, and remove what their own no longer has', async () => {
    await create('shared');
    const ready = { type: 'Ready', status: 'True' };
    const synced = { type: 'Synced', status: 'False' };
    await apply('shared', 'a', { phase: 'On', conditions: [ready] }).expect(200);
    const both = await apply('shared', 'b', { count: 2, conditions: [synced] }).expect(200);
    expect(both.body.status).toEqual({ phase: 'On', count: 2, conditions: [ready, synced] });
    expect(managers(both.body)).toEqual([
      ['a', 'Apply', 'status'],
      ['b', 'Apply', 'status'],
    ]);
    const less = await apply('shared', 'a', { conditions: [{ ...ready, status: 'False' }] }).expect(200);
    expect(less.body.status).toEqual({ count: 2, conditions: [{ ...ready, status: 'False' }, synced] });
    const again = await apply('shared', 'a', { conditions: [{ ...ready, status: 'False' }] }).expect(200);
    expect(again.body.metadata.resourceVersion).toBe(less.body.metadata.resourceVersion);
    const { body: stored } = await api.send('GET', `${native}/shared`).expect(200);
    expect(stored.status.controllers).toEqual({ kubernetes: less.body.status });
  });

  it('conflict with other managers unless they force, also with those that wrote before the first one', async () => {
    const { metadata } = await create('contested');
    const { resourceVersion } = metadata;
    const status = { phase: 'Old', count: 1 };
    await send('PUT', `${widgets}/contested/status`, typed('contested', { metadata, status })).expect(200);
    const refused = await apply('contested', 'a', { phase: 'New' }).expect(409);
    expect(refused.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply": .status.phase',
    );
    const forced = await apply('contested', 'a', { phase: 'New' }, '&force=true').expect(200);
    expect(forced.body.status).toEqual({ phase: 'New', count: 1 });
    const same = await apply('contested', 'b', { phase: 'New' }).expect(200);
    expect(managers(same.body)).toEqual([
      ['before-first-apply', 'Update', 'status'],
      ['a', 'Apply', 'status'],
      ['b', 'Apply', 'status'],
    ]);
    const stale = typed('contested', { metadata: { name: 'contested', resourceVersion }, status });
    await send('PATCH', `${widgets}/contested/status?fieldManager=a`, stale, applyType).expect(409);
  });

  it('lose to other writes of the status the fields that these change', async () => {
    await create('patched');
    await apply('patched', 'a', { phase: 'On', count: 1 }).expect(200);
    const merge = 'application/merge-patch+json';
    const path = `${widgets}/patched/status?fieldManager=ctl`;
    const patched = await send('PATCH', path, { status: { phase: 'Off' } }, merge).expect(200);
    expect(managers(patched.body)).toEqual([
      ['a', 'Apply', 'status'],
      ['ctl', 'Update', 'status'],
    ]);
    const refused = await apply('patched', 'a', { phase: 'On', count: 1 }).expect(409);
    expect(refused.body.details.causes[0].message).toBe('conflict with "ctl": .status.phase');
    const gone = await apply('patched', 'a', {}).expect(200);
    expect(gone.body.status).toEqual({ phase: 'Off' });
  });

  it('stand next to applies of the object, and neither takes fields of the other', async () => {
    await create('apart');
    await apply('apart', 'a', { phase: 'On' }).expect(200);
    const merge = 'application/merge-patch+json';
    const unmanaged = await send('PATCH', `${widgets}/apart`, { spec: { size: 'large' } }, merge).expect(200);
    expect(managers(unmanaged.body)).toEqual([['a', 'Apply', 'status']]);
    const object = typed('apart', { spec: { size: 'huge' } });
    const path = `${widgets}/apart?fieldManager=a`;
    const refused = await send('PATCH', path, object, applyType).expect(409);
    expect(refused.body.message).toContain('conflict with "before-first-apply": .spec.size');
    const applied = await send('PATCH', `${path}&force=true`, object, applyType).expect(200);
    expect(managers(applied.body)).toEqual([
      ['before-first-apply', 'Update', undefined],
      ['a', 'Apply', 'status'],
      ['a', 'Apply', undefined],
    ]);
    expect(applied.body.status).toEqual({ phase: 'On' });
    const { body } = await apply('apart', 'a', { count: 1 }).expect(200);
    expect([body.spec.size, body.status]).toEqual(['huge', { count: 1 }]);
  });

  it('are validated as a whole, and name their manager and their object', async () => {
    await create('strict');
    await apply('strict', 'a', { count: 'many' }).expect(422);
    const status = { phase: 'On' };
    await send('PATCH', `${widgets}/strict/status`, typed('strict', { status }), applyType).expect(422);
    await apply('strict', 'a%09b', status).expect(422);
    const other = typed('other', { status });
    await send('PATCH', `${widgets}/strict/status?fieldManager=a`, other, applyType).expect(400);
    const dry = await apply('strict', 'a', status, '&dryRun=All').expect(200);
    expect(dry.body.status).toEqual(status);
    const { body } = await api.send('GET', `${widgets}/strict`).expect(200);
    expect([body.status, managers(body)]).toEqual([undefined, []]);
  });

  it('write the slots of the resource API as before', async () => {
    await create('own');
    const slot = typed('own', { status: { phase: 1 } });
    for (const manager of ['a', 'b']) {
      const path = `${native}/own/status?fieldManager=${manager}`;
      const { body } = await send('PATCH', path, slot, applyType).expect(200);
      expect(Object.values(body.status.controllers)).toEqual([{ phase: 1 }]);
      expect(body.metadata.managedFields).toBeUndefined();
    }
  });
});
