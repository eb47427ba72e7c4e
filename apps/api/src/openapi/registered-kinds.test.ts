import type { Resource, ResourcePorts } from '@platform/resources';
import { openApiDocument } from './document.ts';
import { registeredKinds } from './registered-kinds.ts';

const settings = { publicUrl: 'https://platform.example', version: '1.0.0', sessionCookie: 'session' };

function definition(index: number, names: readonly string[], schema?: object): Resource {
  const versions = names.map((name, at) => ({ name, served: true, storage: at === 0, schema }));
  const spec = { group: 'example.dev', kind: `Kind${index}`, plural: `kinds${index}`, versions };
  return { spec: JSON.stringify(spec) } as Resource;
}

function kindsOf(items: readonly Resource[]) {
  const list = async () => ({ outcome: 'page', items, more: false });
  return registeredKinds({ reader: { list } } as unknown as Pick<ResourcePorts, 'reader'>);
}

// Attack: some megabytes of definitions, from which one request made a document of gigabytes.

it('the document shows a bounded number of kinds, and says that there are more', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `v${index}`);
  const found = await kindsOf(Array.from({ length: 500 }, (_, index) => definition(index, names)));
  expect([found.kinds.length, found.truncated]).toEqual([1_000, true]);
  const few = await kindsOf([definition(1, names)]);
  expect([few.kinds.length, few.truncated]).toEqual([100, false]);
});

it('a long example of a kind stands in its schema alone', async () => {
  const longOne = { text: 'x'.repeat(5_000) };
  const found = await kindsOf([
    definition(1, ['v1'], { type: 'object', examples: [{ short: true }] }),
    definition(2, ['v1'], { type: 'object', examples: [longOne] }),
  ]);
  const text = JSON.stringify(openApiDocument(settings, found));
  expect(text.split(longOne.text)).toHaveLength(2);
  expect(text.split('"spec":{"short":true}').length).toBeGreaterThan(5);
});
