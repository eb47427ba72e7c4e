import { createSchemaValidator } from '@platform/schema-validation';
import { useApi } from '../api.ts';
import { organization } from './objects.ts';

const apiVersion = 'example.dev/v1';
const engines = `/kubernetes/apis/${apiVersion}/namespaces/acme/engines`;

const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A kind with a default for a field that a rule reads. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'engines.example.dev' },
  spec: {
    ...{ group: 'example.dev', scope: 'Namespaced', names: { kind: 'Engine', plural: 'engines' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { fuel: { type: 'string', default: 'petrol' } },
                'x-kubernetes-validations': [{ rule: "self.fuel != 'wood'" }],
              },
            },
          },
        },
      },
    ],
  },
};

describe('an object without a spec', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const send = (method: string, path: string, body: object, type = 'application/json') =>
    api.send(method, path).set('Content-Type', type).send(JSON.stringify(body));
  const engine = (name: string) => ({ apiVersion, kind: 'Engine', metadata: { name } });

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await send('POST', definitions, definition).expect(201);
  });

  it('has the defaults of its fields, which rules read, however it is written', async () => {
    const spec = { fuel: 'petrol' };
    expect((await send('POST', engines, engine('created')).expect(201)).body.spec).toEqual(spec);
    expect((await send('POST', engines, { ...engine('null'), spec: null }).expect(201)).body.spec).toEqual(
      spec,
    );
    const applied = await send(
      'PATCH',
      `${engines}/applied?fieldManager=a`,
      engine('applied'),
      'application/apply-patch+yaml',
    );
    expect([applied.status, applied.body.spec]).toEqual([201, spec]);
    await send(
      'PATCH',
      `${engines}/created`,
      { spec: { fuel: 'diesel' } },
      'application/merge-patch+json',
    ).expect(200);
    const patched = await send(
      'PATCH',
      `${engines}/created`,
      { spec: null },
      'application/merge-patch+json',
    ).expect(200);
    expect(patched.body.spec).toEqual(spec);
    const { metadata } = patched.body;
    expect(
      (await send('PUT', `${engines}/created`, { ...engine('created'), metadata }).expect(200)).body.spec,
    ).toEqual(spec);
  });

  it('is validated as one with an empty spec, also when the schema of the object does not require it', async () => {
    const named = { plural: 'wagons', kind: 'Wagon' };
    const schema = structuredClone(definition.spec.versions);
    Object.assign(schema[0]?.schema.openAPIV3Schema.properties.spec ?? {}, { required: ['fuel', 'load'] });
    const spec = { ...definition.spec, names: named, versions: schema };
    await send('POST', definitions, { ...definition, metadata: { name: 'wagons.example.dev' }, spec }).expect(
      201,
    );
    const { body } = await send('POST', engines.replace('engines', 'wagons'), {
      ...engine('empty'),
      kind: 'Wagon',
    }).expect(422);
    expect(body.details.causes).toMatchObject([{ field: 'spec.load', reason: 'FieldValueRequired' }]);
  });
});
