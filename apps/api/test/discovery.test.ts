import request from './openapi/documented-request.ts';
import { WholeApi } from './whole/whole-api.ts';

const api = new WholeApi();
const kinds = '/api/v1/resources';
const columns = [{ name: 'Colour', type: 'string', jsonPath: '.spec.colour' }];
const definition = (plural: string, kind: string) => ({
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'ResourceDefinition',
  metadata: { name: `${plural}.farm.example.dev` },
  spec: {
    group: 'farm.example.dev',
    kind,
    plural,
    parent: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' },
    versions: [
      { name: 'v1', served: true, storage: false },
      { name: 'v2', served: true, storage: true, additionalPrinterColumns: columns },
    ],
  },
});

beforeAll(async () => {
  for (const [plural, kind] of [
    ['barns', 'Barn'],
    ['tractors', 'Tractor'],
  ] as const) {
    await api
      .as('operator', 'post', `${kinds}/platform.dev/v1alpha1/resourcedefinitions`)
      .send(definition(plural, kind))
      .expect(201);
  }
});

describe('GET /api/v1/resources', () => {
  it('lists built-in and registered kinds with their versions and verbs', async () => {
    const { body } = await api.as('operator', 'get', kinds).expect(200);
    const plurals = body.items.map(({ plural }: { plural: string }) => plural);
    expect(plurals).toEqual(
      expect.arrayContaining(['organizations', 'resourcedefinitions', 'barns', 'tractors']),
    );
    expect(body.items.find(({ plural }: { plural: string }) => plural === 'secrets')).toMatchObject({
      parent: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' },
    });
    expect(body.items.at(-1)).toEqual({
      group: 'farm.example.dev',
      kind: 'Tractor',
      plural: 'tractors',
      parent: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' },
      versions: [
        { name: 'v1', served: true, storage: false, path: `${kinds}/farm.example.dev/v1/tractors` },
        {
          name: 'v2',
          served: true,
          storage: true,
          path: `${kinds}/farm.example.dev/v2/tractors`,
          additionalPrinterColumns: columns,
        },
      ],
      verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
    });
  });

  it('has pages', async () => {
    const { body: first } = await api.as('operator', 'get', `${kinds}?limit=1`).expect(200);
    const rest = await api
      .as('operator', 'get', `${kinds}?limit=1&continue=${first.metadata.continue}`)
      .expect(200);
    expect(rest.body.items.map(({ plural }: { plural: string }) => plural)).toEqual(['tractors']);
    expect(rest.body.metadata).toEqual({});
  });

  it('has continue tokens of its own', async () => {
    const definitions = `${kinds}/platform.dev/v1alpha1/resourcedefinitions`;
    for (const [from, to] of [
      [kinds, definitions],
      [definitions, kinds],
    ]) {
      const { body: page } = await api.as('operator', 'get', `${from}?limit=1`).expect(200);
      const { body } = await api
        .as('operator', 'get', `${to}?limit=1&continue=${page.metadata.continue}`)
        .expect(400);
      expect(body.code).toBe('invalid_query');
    }
  });

  it('refuses what it does not know, and callers that no binding names', async () => {
    const { body } = await api.as('operator', 'get', `${kinds}?view=metadata`).expect(400);
    expect(body.code).toBe('invalid_query');
    await api.as('stranger', 'get', kinds).expect(403);
    await request(api.publicUrl).get(kinds).expect(401);
    await api.as('operator', 'post', kinds).send(definition('x', 'X')).expect(405).expect('Allow', 'GET');
  });
});
