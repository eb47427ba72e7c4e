import type { AddressInfo } from 'node:net';
import { createSchemaValidator } from '@platform/schema-validation';
import { type Json, TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { Watching } from '../watching.ts';
import { crd, organization, widget } from './objects.ts';

const widgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ready = 'fieldSelector=status.phase%3DReady';

describe('objects selected by a field of their status', () => {
  let opener: StoreOpener = memoryStore;
  const schemas = createSchemaValidator();
  const api = new TestApi({ schemas, store: (clock) => opener(clock) });
  afterAll(async () => {
    await api.stop();
    await schemas.close();
  });
  opener = postgresStore({ ticks: true });
  beforeAll(() => api.start());

  const [version] = crd.spec.versions;
  const { spec } = version?.schema.openAPIV3Schema.properties ?? {};
  const status = { type: 'object', properties: { phase: { type: 'string' } } };
  const selectable = {
    ...version,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
    selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.status.phase' }],
  };
  const definition = { ...crd, spec: { ...crd.spec, versions: [selectable] } };
  const setPhase = (name: string, phase: string) =>
    api
      .send('PATCH', `${widgets}/${name}/status`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ status: { phase } }))
      .expect(200);
  const names = ({ items }: Json) => items.map(({ metadata }: Json) => metadata.name);

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    const { body } = await api.send('POST', definitions).send(definition).expect(201);
    expect(body.spec.versions[0].selectableFields).toEqual(selectable.selectableFields);
    for (const name of ['one', 'two', 'three'])
      await api.send('POST', widgets).send(widget(name, {})).expect(201);
    await setPhase('one', 'Ready');
    await setPhase('two', 'Failed');
  });

  it('are listed, in pages too', async () => {
    expect(names((await api.send('GET', `${widgets}?${ready}`).expect(200)).body)).toEqual(['one']);
    const others = `${widgets}?fieldSelector=status.phase!%3DReady,spec.color%3Dred&limit=2`;
    const first = (await api.send('GET', others).expect(200)).body;
    const next = await api.send('GET', `${others}&continue=${first.metadata.continue}`).expect(200);
    expect([...names(first), ...names(next.body)].sort()).toEqual(['three', 'two']);
    await api.send('GET', `${widgets}?fieldSelector=status.other%3DReady`).expect(400);
  });

  it('are watched: one that comes to match is added, and one that no longer does is deleted', async () => {
    const { port } = api.server.address() as AddressInfo;
    const { metadata } = (await api.send('GET', widgets).expect(200)).body;
    const stream = await Watching.open(
      port,
      `${widgets}?watch=true&resourceVersion=${metadata.resourceVersion}&${ready}`,
    );
    const seen = () =>
      stream.events
        .filter(({ type }) => type !== 'BOOKMARK')
        .map(({ type, object }) => `${type} ${object.metadata.name}`);
    await setPhase('three', 'Pending');
    await setPhase('three', 'Ready');
    await setPhase('one', 'Failed');
    await stream.until(() => seen().length === 2);
    stream.response.destroy();
    expect(seen()).toEqual(['ADDED three', 'DELETED one']);
  });

  it('are deleted as a collection', async () => {
    await setPhase('two', 'Gone');
    await api.send('DELETE', `${widgets}?fieldSelector=status.phase%3DGone`).expect(200);
    expect(names((await api.send('GET', widgets).expect(200)).body)).toEqual(['one', 'three']);
  });
});
