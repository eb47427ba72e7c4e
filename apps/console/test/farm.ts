import type { WholeApi } from '@platform/api/testing';

const group = 'farm.example.dev';
const resources = '/api/v1/resources';

const tractorSchema = {
  type: 'object',
  required: ['model'],
  properties: {
    model: { type: 'string', description: 'As the maker calls it.' },
    color: { enum: ['red', 'green', 'blue'] },
    horsepower: { type: 'integer', minimum: 1 },
    parts: {
      type: 'array',
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
    anything: true,
  },
};

/** Kinds with columns, a parent and owners, and some resources of each: the farm that the tests of the console look at. */
export async function makeFarm(api: WholeApi): Promise<void> {
  const create = async (path: string, body: object) => {
    await api.as('operator', 'post', `${resources}/${path}`).send(body).expect(201);
  };
  const definition = (plural: string, spec: object) =>
    create('platform.dev/v1alpha1/resourcedefinitions', {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'ResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: { group, plural, ...spec },
    });
  const parent = { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' };
  await create('platform.dev/v1alpha1/organizations', organization('acme'));
  await create('platform.dev/v1alpha1/organizations', organization('globex'));
  await definition('farms', {
    kind: 'Farm',
    parent,
    description: 'Land with machines on it.',
    versions: [{ name: 'v1', served: true, storage: true, schema: { type: 'object' } }],
  });
  await definition('tractors', {
    kind: 'Tractor',
    parent: { apiVersion: `${group}/v1`, kind: 'Farm' },
    shortNames: ['tr'],
    allowedStatusControllerIds: ['fleet.example.dev'],
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: tractorSchema,
        additionalPrinterColumns: [
          { name: 'Model', type: 'string', jsonPath: '.spec.model' },
          { name: 'Horsepower', type: 'integer', jsonPath: '.spec.horsepower' },
        ],
        selectableFields: [{ jsonPath: '.spec.color' }],
      },
    ],
  });
  await create(`${group}/v1/farms/acme`, resource('Farm', 'hill', {}));
  await create(`${group}/v1/farms/globex`, resource('Farm', 'lake', {}));
  for (const [farm, name, color, horsepower] of [
    ['acme/hill', 'big-red', 'red', 120],
    ['acme/hill', 'old-green', 'green', 35],
    ['globex/lake', 'blue-one', 'blue', 80],
  ] as const) {
    const spec = { model: `M-${horsepower}`, color, horsepower };
    await create(`${group}/v1/tractors/${farm}`, resource('Tractor', name, spec, { color, tier: 'field' }));
  }
}

/** A subscription to the tractors, which delivers nothing. */
export async function makeSubscription(api: WholeApi): Promise<void> {
  await api
    .as('operator', 'post', subscriptions)
    .send({
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Subscription',
      metadata: { name: 'farm-hook' },
      spec: {
        url: 'https://hook.invalid/farm',
        secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        selector: { kinds: ['Tractor.farm.example.dev'], labelSelector: 'tier=field' },
      },
    })
    .expect(201);
}

export function resource(kind: string, name: string, spec: object, labels: Record<string, string> = {}) {
  return { apiVersion: `${group}/v1`, kind, metadata: { name, labels }, spec };
}

function organization(name: string) {
  return { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', metadata: { name }, spec: {} };
}

export const subscriptions = `${resources}/platform.dev/v1alpha1/subscriptions`;
export const tractors = `${resources}/${group}/v1/tractors`;
export const tractorsPage = `/r/${group}/v1/tractors`;
