import { type Resource, reconcile } from 'platform-service-client';
import { startTestPlatform, type TestPlatform } from '../src/index.ts';

const group = 'farm.example.dev';
const id = 'barns.farm.example.dev';
const finalizer = `${id}/doors`;
const barns = { group, version: 'v1', plural: 'barns' };
const schema = { type: 'object', required: ['doors'], properties: { doors: { type: 'integer' } } };
const definition = {
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'ResourceDefinition',
  metadata: { name: `barns.${group}` },
  spec: {
    group,
    kind: 'Barn',
    plural: 'barns',
    allowedStatusControllerIds: [id],
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
};
const barn = (
  name: string,
  doors: number,
  ownerReferences: Resource['metadata']['ownerReferences'] = [],
) => ({
  apiVersion: `${group}/v1`,
  kind: 'Barn',
  metadata: { name, ownerReferences },
  spec: { doors },
});

let platform: TestPlatform;
const stopping = new AbortController();
const tornDown: string[] = [];
let running: Promise<void>;
beforeAll(async () => {
  platform = await startTestPlatform({ controllers: [id] });
  await platform.define(definition);
  running = reconcile<{ doors: number }>({
    reader: platform.controller(id),
    controller: id,
    kind: barns,
    finalizer,
    signal: stopping.signal,
    reconcile: async ({ spec }) => ({ status: { says: `${spec.doors} doors` } }),
    finalize: async ({ metadata }) => void tornDown.push(metadata.name),
  });
});
afterAll(async () => {
  stopping.abort();
  await running;
  await platform.close();
});

const all = () => platform.operator.resources<{ doors: number }>(barns);
const gone = (name: string) =>
  platform.until(() =>
    all()
      .get(name)
      .then(
        () => undefined,
        (error) => error.code,
      ),
  );

describe('a platform for tests of controllers', () => {
  it('runs a controller: its status arrives, and its finalizer holds a deletion until the work is done', async () => {
    await all().create(barn('red', 2));
    const status = await platform.until(
      async () => (await all().get('red')).status.controllers[id] as object | undefined,
    );
    expect(status).toEqual({ says: '2 doors' });
    await all().delete('red');
    expect(await gone('red')).toBe('not_found');
    expect(tornDown).toContain('red');
  });

  it('collects what belongs to a removed owner', async () => {
    const { metadata } = await all().create(barn('owner', 1));
    const { uid } = metadata;
    await all().create(barn('owned', 1, [{ apiVersion: `${group}/v1`, kind: 'Barn', name: 'owner', uid }]));
    await all().delete('owner');
    expect(await gone('owned')).toBe('not_found');
  });

  it('refuses what the platform refuses', async () => {
    await expect(all().create(barn('blue', 1.5))).rejects.toMatchObject({
      code: 'schema_violation',
      errors: [{ path: '/spec/doors' }],
    });
    await expect(platform.controller(id).resources(barns).create(barn('blue', 1))).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(() => platform.controller('other')).toThrow('controllers');
  });

  it('says when nothing comes', async () => {
    await expect(platform.until(() => undefined, 20)).rejects.toThrow('20 ms');
  });
});
