import { createSchemaValidator } from '@platform/schema-validation';
import { embedded, expected, isRemote, officialGroups } from '@platform/schema-validation/conformance';
import { type Json, useApi } from './api.ts';
import { definition, definitions, given, register, resource, v1 } from './kinds.ts';

const schemas = createSchemaValidator({ limits: { deadlineMs: 20_000 } });
afterAll(() => schemas.close());
const api = useApi({ schemas });

const versions = (schema: Json): object[] => [{ name: 'v1', served: true, storage: true, schema }];
const groups = officialGroups();

// Skipped where the data is not at hand: it is no part of this repository.
(groups === undefined ? describe.skip : describe)(
  'the official suite for Draft 2020-12, through the API',
  () => {
    // A NUL is refused in every body (docs/http.md), in a schema as elsewhere.
    const speakable = (groups ?? []).filter((group) => !JSON.stringify(group).includes('\\u0000'));

    for (const [index, group] of speakable.entries())
      it(`${group.file}: ${group.description}`, async () => {
        const kind = `Suite${index}`;
        const schema = embedded.schema(group.schema, index);
        const registered = await api.post(definitions, definition(kind, { versions: versions(schema) }));
        if (registered.status === 400 && isRemote(group)) return;
        expect(registered.status).toBe(201);
        const wrong: string[] = [];
        for (const [number, test] of group.tests.entries()) {
          const body = resource(kind, `r${number}`, { spec: embedded.document(test.data) });
          const { status } = await api.post(`${v1}/${kind.toLowerCase()}s`, body);
          if (status !== (expected(test) ? 201 : 400)) wrong.push(`${test.description}: ${status}`);
        }
        expect(wrong).toEqual([]);
      });
  },
);

describe('JSON Schema, through the API', () => {
  it('tells every fault of a spec at its place', async () => {
    const schema = { required: ['name'], properties: { replicas: { minimum: 1 } } };
    await register(api, 'Faulty', { versions: versions(schema) });
    const { body } = await api
      .post(`${v1}/faultys`, resource('Faulty', 'a', { spec: { replicas: 0 } }))
      .expect(400);
    expect(body).toMatchObject({
      code: 'schema_violation',
      errors: [
        { path: '/spec/name', message: 'is required' },
        { path: '/spec/replicas', message: 'must be >= 1' },
      ],
    });
  });

  it('tells the first thousand faults of a spec, and that there are more', async () => {
    await register(api, 'Wrong', {
      versions: versions({ properties: { sizes: { items: { minimum: 1 } } } }),
    });
    const refused = async (faults: number) => {
      const spec = { sizes: Array(faults).fill(0) };
      return (await api.post(`${v1}/wrongs`, resource('Wrong', 'a', { spec })).expect(400)).body;
    };
    const all = await refused(1_000);
    expect(all.errors).toHaveLength(1_000);
    expect(all.detail).toBe('/spec/sizes/0: must be >= 1 (and 999 more)');
    const some = await refused(5_000);
    expect(some.errors).toEqual(all.errors);
    expect(some.detail).toBe('/spec/sizes/0: must be >= 1 (and at least 1000 more)');
  });

  it('tells every fault of a schema at its place, and registers nothing', async () => {
    const schema = { type: 'x', properties: { a: { $ref: 'https://elsewhere.example/' } } };
    const { body } = await api
      .post(definitions, definition('Bad', { versions: versions(schema) }))
      .expect(400);
    const paths = body.errors.map(({ path }: Json) => path);
    expect(paths).toContain('/spec/versions/0/schema/type');
    expect(paths).toContain('/spec/versions/0/schema/properties/a/$ref');
    await api.get(`${definitions}/bads.farm.example`).expect(404);
  });

  it('goes by the new schema from the answer to the change on', async () => {
    const { metadata, spec } = await register(api, 'Moving', { versions: versions({ required: ['a'] }) });
    await api.post(`${v1}/movings`, resource('Moving', 'x', { spec: { a: 1 } })).expect(201);
    const changed = { ...spec, versions: versions({ required: ['b'] }) };
    const path = `${definitions}/${metadata.name}`;
    await api.put(path, { ...definition('Moving'), metadata, spec: changed }).expect(200);
    await api.post(`${v1}/movings`, resource('Moving', 'y', { spec: { a: 1 } })).expect(400);
    await given(api, 'Moving', ['z'], { spec: { b: 1 } });
  });

  it('answers a document whose validation would never end, and other requests at the same time', async () => {
    const schema = { properties: { a: { pattern: '^(a+)+\\1$' } } };
    await register(api, 'Slow', { versions: versions(schema) });
    await register(api, 'Quick', { versions: versions({ type: 'object' }) });
    const spec = { a: `${'a'.repeat(26)}!` };
    const slow = api.post(`${v1}/slows`, resource('Slow', 'a', { spec })).then(({ status }) => status);
    await given(api, 'Quick', ['b']);
    expect(await slow).toBe(400);
  });
});
