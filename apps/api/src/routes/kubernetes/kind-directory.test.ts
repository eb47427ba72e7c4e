import { discoveryOf, servedResources } from '@platform/kubernetes';
import type { DefinitionCatalog, Resource, ResourcePorts } from '@platform/resources';
import { KindDirectory } from './kind-directory.ts';

const groups = 2_000;
const kinds = 10_000;

/** Definitions in order of their names, five in each group. */
const rows: readonly Resource[] = Array.from({ length: kinds }, (_, index) => {
  const [group, plural] = [`g${index % groups}.example.dev`, `things${index}`];
  const version = { name: 'v1', served: true, storage: true };
  const spec = { group, kind: `Thing${index}`, plural, versions: [version], allowedStatusControllerIds: [] };
  return {
    uid: `uid-${index}`,
    name: `${plural}.${group}`,
    spec: JSON.stringify(spec),
  } as unknown as Resource;
}).sort((one, other) => (one.name < other.name ? -1 : 1));

function directoryOf(reads: string[]) {
  const list = async (_collection: unknown, { limit, after }: { limit: number; after: string | null }) => {
    reads.push(after ?? '');
    const start = after === null ? 0 : rows.findIndex(({ name }) => name === after) + 1;
    const items = rows.slice(start, start + limit);
    return { outcome: 'page', items, more: start + limit < rows.length, cursor: '' };
  };
  const reader = { list } as unknown as ResourcePorts['reader'];
  return new KindDirectory({ reader }, {} as DefinitionCatalog);
}

describe('the kinds of an installation with 10,000 of them', () => {
  it('are all served, and read in a few pages', async () => {
    const reads: string[] = [];
    const all = await directoryOf(reads).all();
    expect(all.filter(({ group }) => group.endsWith('.example.dev'))).toHaveLength(kinds);
    expect(reads.length).toBeLessThanOrEqual(10);
  });

  it('are all in discovery, in the order of their groups', async () => {
    const discovery = discoveryOf(servedResources(await directoryOf([]).all()));
    const aggregated = discovery.aggregated(false) as {
      items: { metadata: { name: string }; versions: { resources: unknown[] }[] }[];
    };
    const ours = aggregated.items.filter(({ metadata }) => metadata.name.endsWith('.example.dev'));
    expect(ours).toHaveLength(groups);
    expect(ours.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))).toHaveLength(
      kinds,
    );
    expect(ours.map(({ metadata }) => metadata.name)).toEqual(
      ours.map(({ metadata }) => metadata.name).sort(),
    );
    expect(discovery.resources('g7.example.dev', 'v1')).toMatchObject({ resources: { length: 10 } });
    expect(discovery.resources('g7.example.dev', 'v2')).toBeNull();
  });
});
