import type { Sealer } from '@platform/kernel';
import type { CollectionTarget } from '../model/target.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import { listResources } from './read.ts';

const hidden = { path: 'acme', name: 'secret-project', uid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' };
const sealer: Sealer = {
  seal: (text) => `v1.k.${[...text].reverse().join('')}`,
  unseal: (sealed) => [...sealed.slice(5)].reverse().join(''),
};
const kind = { group: 'example.dev', kind: 'Page' };
const target = {
  form: 'collection',
  ref: {
    ...kind,
    ancestors: [{ group: 'platform.dev', kind: 'Organization', name: '-' }],
    access: { version: '1', entries: [{ scope: 'uid-of-evil', name: null }] },
  },
  collection: { ...kind, plural: 'pages', definition: null },
  version: 'v1',
} as unknown as CollectionTarget;

// Attack: a page that finds nothing among thousands of resources of others ends at one of them, whose names and uid are in its token.
it('a page for a caller with a scope does not tell where it ended', async () => {
  const asked: unknown[] = [];
  const reader = {
    async select(_selection: unknown, { after }: { readonly after: unknown }) {
      asked.push(after);
      return { outcome: 'page', items: [], next: hidden, cursor: 'c' };
    },
  } as unknown as ResourceReader;
  const page = (tokens: readonly string[]) =>
    listResources(
      { reader, sealer },
      {
        caller: { type: 'user', email: 'mallory@example.dev', access: { version: '1', bindings: [] } },
        requestId: 'r',
        target,
        limit: 10,
        continue: tokens,
        selectors: { labels: [], fields: [] },
      },
    );
  const { next } = await page([]);
  const told = [next, Buffer.from(next ?? '', 'base64url').toString()].join(' ');
  expect(told).not.toMatch(/secret-project|0190a1b2/);
  await page([next ?? '']);
  expect(asked).toEqual([null, hidden]);
});
