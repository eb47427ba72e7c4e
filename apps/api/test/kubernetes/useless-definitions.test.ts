import { createSchemaValidator } from '@platform/schema-validation';
import { type Json, useApi } from '../api.ts';
import { crd, organization, widget } from './objects.ts';

const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
const root = 'spec.versions[0].schema.openAPIV3Schema.properties';
const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ruled = (rule: string, more: object = {}) => ({ 'x-kubernetes-validations': [{ rule, ...more }] });
const listed = (items: object, keys = ['name']) => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

/** A CustomResourceDefinition with these parts of the schema. */
const withSchema = (properties: object, more: object = {}) => {
  const [version] = crd.spec.versions;
  const openAPIV3Schema = { type: 'object', properties, ...more };
  return { ...crd, spec: { ...crd.spec, versions: [{ ...version, schema: { openAPIV3Schema } }] } };
};

describe('a CustomResourceDefinition that can never work', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const send = (method: string, path: string, body?: object, type = 'application/json') => {
    const sent = api.send(method, path).set('Content-Type', type);
    return body === undefined ? sent : sent.send(JSON.stringify(body));
  };
  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
  });

  const items = { type: 'array', items: object({ a: text, on: { type: 'boolean' } }) };
  it.each<[string, object, string, RegExp]>([
    [
      'rule with an undeclared field',
      { spec: object({ a: text }, ruled('self.nope == 1')) },
      'spec',
      /undefined field "nope"/,
    ],
    [
      'rule with an undeclared field of items',
      { spec: object({ items }, ruled('self.items.all(i, i.nope == 1)')) },
      'spec',
      /undefined field "nope"/,
    ],
    [
      'rule with a field of a text',
      { spec: object({ a: text }, ruled('self.a.b == 1')) },
      'spec',
      /undefined field "b"/,
    ],
    [
      'rule that gives a text',
      { spec: object({ a: text }, ruled('self.a')) },
      'spec',
      /must evaluate to true or false/,
    ],
    [
      'rule that gives a number',
      { spec: object({ a: text }, ruled('1 + 1')) },
      'spec',
      /must evaluate to true or false/,
    ],
    [
      'rule of the status with an undeclared field',
      { spec: object({ a: text }), status: object({ b: text }, ruled('self.nope == 1')) },
      'status',
      /undefined field "nope"/,
    ],
    [
      'default of another type',
      { spec: object({ a: { ...text, default: 1 } }) },
      'spec.properties.a.default',
      /must be a string/,
    ],
    [
      'default that is none of the values',
      { spec: object({ a: { ...text, enum: ['x', 'y'], default: 'z' } }) },
      'spec.properties.a.default',
      /must be one of/,
    ],
    [
      'default with a fault inside',
      { spec: object({ a: object({ b: { type: 'integer', minimum: 3 } }, { default: { b: 1 } }) }) },
      'spec.properties.a.default',
      /b: must be >= 3/,
    ],
    [
      'default that breaks a rule',
      { spec: object({ a: { ...text, default: 'z', ...ruled("self == 'a'") } }) },
      'spec.properties.a.default',
      /failed rule/,
    ],
    [
      'list without items',
      { spec: object({ a: { type: 'array' } }) },
      'spec.properties.a.items',
      /is required for type array/,
    ],
    [
      'type in anyOf',
      { spec: object({ a: { ...text, anyOf: [{ type: 'string' }] } }) },
      'spec.properties.a.anyOf[0].type',
      /must be empty to be structural/,
    ],
    [
      'type in not',
      { spec: object({ a: { ...text, not: { allOf: [{ type: 'string' }] } } }) },
      'spec.properties.a.not.allOf[0].type',
      /must be empty to be structural/,
    ],
    [
      'list of type map with a key that items may lack',
      { spec: object({ a: listed(object({ name: text })) }) },
      'spec.properties.a.items.properties.name.default',
      /must have a default or be a required property/,
    ],
    [
      'list of type map with a key that items never have',
      { spec: object({ a: listed(object({ other: text })) }) },
      'spec.properties.a.x-kubernetes-list-map-keys[0]',
      /must be a property of the items/,
    ],
    [
      'restriction of the labels',
      { spec: object({}), metadata: object({ labels: object({}) }) },
      'metadata.properties.labels',
      /name and generateName alone/,
    ],
  ])('is refused: %s', async (_, properties, field, message) => {
    const { body } = await send('POST', definitions, withSchema(properties)).expect(422);
    const causes: readonly Json[] = body.details.causes;
    expect(causes.map((cause) => cause.field.replace(/\.x-kubernetes-validations.*/, ''))).toEqual([
      `${root}.${field}`,
    ]);
    expect(causes[0]?.message).toMatch(message);
  });

  it('is refused when a rule at the root names an undeclared field', async () => {
    const rule = ruled('self.metadata.labels.size() > 0');
    const { body } = await send('POST', definitions, withSchema({ spec: object({}) }, rule)).expect(422);
    expect(body.message).toContain('undefined field "labels"');
  });

  it('is told from those that work', async () => {
    const intOrString = {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    };
    const spec = object(
      {
        a: { ...text, default: 'x', nullable: true },
        'b-c': { type: 'boolean' },
        items,
        free: object({ known: text }, { 'x-kubernetes-preserve-unknown-fields': true }),
        map: { type: 'object', additionalProperties: object({ on: { type: 'boolean' } }) },
        port: intOrString,
        percent: {
          ...intOrString,
          anyOf: undefined,
          allOf: [{ anyOf: intOrString.anyOf }, { pattern: '^.' }],
        },
        keyed: listed(object({ name: text, protocol: { ...text, default: 'TCP' } }, { required: ['name'] }), [
          ...['name', 'protocol'],
        ]),
        defaulted: object({ deep: { ...text, default: 'x' } }, { required: ['deep'], default: {} }),
      },
      {
        'x-kubernetes-validations': [
          'self.free.anything == 1 || !has(self.free.other)',
          'self.map.all(k, self.map[k].on)',
          '!has(self.items) || self.items.filter(i, i.on).all(i, i.a.size() > 0)',
          'self.?a.orValue("b").startsWith("b") || self.b__dash__c',
          'has(self.b__dash__c) ? self.b__dash__c : true',
          'oldSelf.a == self.a',
          'cel.bind(x, self.keyed, x.exists(k, k.protocol == "TCP"))',
        ].map((rule) => ({ rule })),
      },
    );
    const whole = withSchema({ spec }, ruled('self.metadata.name.size() < 60 && has(self.spec)'));
    await send('POST', `${definitions}?dryRun=All`, whole).expect(201);
  });

  it('restricts names of new objects', async () => {
    const names = { name: { ...text, maxLength: 6 }, generateName: { ...text, pattern: '^g' } };
    const metadata = object(names);
    await send('POST', definitions, withSchema({ metadata, spec: object({ size: text }) })).expect(201);
    const { body } = await send('POST', widgets, widget('too-long')).expect(422);
    expect(body.details).toMatchObject({ name: 'too-long', causes: [{ field: 'metadata.name' }] });
    const generated = { ...widget('x'), metadata: { generateName: 'a' } };
    const refused = await send('POST', widgets, generated).expect(422);
    expect(refused.body.details.causes).toMatchObject([{ field: 'metadata.generateName' }]);
    const apply = 'application/apply-patch+yaml';
    const applied = (name: string) =>
      send('PATCH', `${widgets}/${name}?fieldManager=a`, widget(name, { size: 'a' }), apply);
    expect((await applied('too-long').expect(422)).body.details.causes).toMatchObject([
      { field: 'metadata.name' },
    ]);
    await applied('short').expect(201);
    await send('POST', widgets, widget('b')).expect(201);
    await send('DELETE', widgets).expect(200);
  });
});
