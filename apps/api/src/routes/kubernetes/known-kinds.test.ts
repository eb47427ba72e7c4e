import { discoveryOf, servedResources } from '@platform/kubernetes';
import type { Resource, ResourcePorts } from '@platform/resources';
import { KnownKinds } from './known-kinds.ts';
import { type OpenApiDocument, OpenApiDocuments } from './openapi-documents.ts';

const groups = 2_000;
const kinds = 10_000;

function definition(index: number, generation = 1): Resource {
  const [group, plural] = [`g${index % groups}.example.dev`, `things${index}`];
  const schema = { type: 'object', properties: { size: { type: 'integer' } } };
  const version = { name: 'v1', served: true, storage: true, schema };
  const spec = { group, kind: `Thing${index}`, plural, versions: [version], allowedStatusControllerIds: [] };
  return {
    uid: `uid-${index}`,
    name: `${plural}.${group}`,
    generation,
    spec: JSON.stringify(spec),
  } as unknown as Resource;
}

/** Definitions in the order of their names, five in each group, with what was read of them. */
function installation(size = kinds) {
  const rows = Array.from({ length: size }, (_, index) => definition(index)).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const reads = { pages: 0, single: 0 };
  const state = { version: 'first', onPage: () => {} };
  const reader = {
    async list(_collection: unknown, { limit, after }: { limit: number; after: string | null }) {
      reads.pages += 1;
      state.onPage();
      const start = after === null ? 0 : rows.findIndex(({ name }) => name === after) + 1;
      const items = rows.slice(start, start + limit);
      return { outcome: 'page', items, more: start + limit < rows.length, cursor: '' };
    },
    async get({ uid }: { uid: string }) {
      reads.single += 1;
      return { resource: rows.find((row) => row.uid === uid) ?? null };
    },
  } as unknown as ResourcePorts['reader'];
  const known = new KnownKinds(reader, async () => state.version);
  return { rows, reads, state, known };
}

async function textOf(document: OpenApiDocument | null): Promise<string> {
  let text = '';
  for await (const part of document?.text ?? []) text += part;
  return text;
}

describe('the kinds of an installation with 10,000 of them', () => {
  it('are all served, and read in a few pages', async () => {
    const { known, reads } = installation();
    const all = await known.all();
    expect(all.filter(({ kind }) => kind.group.endsWith('.example.dev'))).toHaveLength(kinds);
    expect(reads.pages).toBeLessThanOrEqual(10);
  });

  it('are all in discovery, in the order of their groups', async () => {
    const all = await installation().known.all();
    const discovery = discoveryOf(servedResources(all.map(({ kind }) => kind)));
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

  it('are read once for many requests, and again when a definition has changed', async () => {
    const { known, reads, state } = installation();
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => known.all()));
    for (const other of [...others, await known.all()]) expect(other).toBe(first);
    expect(reads.pages).toBe(10);
    state.version = 'second';
    expect(await known.all()).not.toBe(first);
    expect(reads.pages).toBe(20);
  });

  it('are not kept when a definition changes while they are read', async () => {
    const { known, reads, rows, state } = installation(5);
    let changes = 2;
    state.onPage = () => {
      if (changes-- > 0) state.version = `changed ${changes}`;
    };
    await known.all();
    expect(reads.pages).toBe(3);
    rows.push(definition(9));
    expect(await known.all()).toHaveLength((await known.all()).length);
    expect(reads.pages).toBe(3);
    // One that changes all the time is answered all the same.
    state.onPage = () => {
      state.version = String(Math.random());
    };
    state.version = 'other';
    expect((await known.all()).some(({ kind }) => kind.plural === 'things9')).toBe(true);
    expect(reads.pages).toBe(6);
  });

  it('have documents of their group that read their definitions alone', async () => {
    const { known, reads } = installation();
    const documents = new OpenApiDocuments(known, '1.0.0');
    const { paths } = JSON.parse(await documents.index());
    expect(Object.keys(paths).length).toBeGreaterThan(groups);
    reads.pages = 0;
    const [one, again] = [
      await documents.v3('apis/g7.example.dev/v1'),
      await documents.v3('apis/g7.example.dev/v1'),
    ];
    const text = await textOf(one);
    expect(await textOf(again)).toBe(text);
    const { schemas } = JSON.parse(text).components;
    expect(schemas['dev.example.g7.v1.Thing7'].properties.spec.properties.size).toEqual({ type: 'integer' });
    expect(await documents.v3('apis/g7.example.dev/v9')).toBeNull();
    expect(reads).toEqual({ pages: 0, single: 5 });
  });

  it('have one document of them all, whose schemas are kept until they change', async () => {
    const { known, reads, rows, state } = installation(200);
    const documents = new OpenApiDocuments(known, '1.0.0');
    const before = await documents.v2();
    const kinds = Object.keys(JSON.parse(await textOf(before)).definitions);
    expect(kinds).toEqual(
      expect.arrayContaining(['dev.example.g0.v1.Thing0', 'dev.example.g199.v1.Thing199']),
    );
    rows[rows.findIndex(({ uid }) => uid === 'uid-3')] = definition(3, 2);
    state.version = 'second';
    Object.assign(reads, { pages: 0, single: 0 });
    const after = await documents.v2();
    expect(after.version).not.toBe(before.version);
    expect(Object.keys(JSON.parse(await textOf(after)).definitions).sort()).toEqual(kinds.sort());
    expect(reads).toEqual({ pages: 1, single: 1 });
  });

  it('have a whole document when they change or go while it is sent, and the new schema after that', async () => {
    const { known, rows, state } = installation(3);
    const documents = new OpenApiDocuments(known, '1.0.0');
    await documents.index();
    const [changed, removed] = rows as [Resource, Resource];
    const spec = changed.spec.replace('"integer"', '"string"');
    rows.splice(0, 2, { ...changed, generation: 2, spec });
    const { group, kind } = JSON.parse(spec);
    const sizeIn = async () => {
      const { components } = JSON.parse(await textOf(await documents.v3(`apis/${group}/v1`)));
      const schema = components.schemas[`dev.example.${group.split('.')[0]}.v1.${kind}`];
      return schema.properties.spec.properties.size.type;
    };
    const { paths, definitions } = JSON.parse(await textOf(await documents.v2()));
    const gone = JSON.parse(removed.spec);
    expect(JSON.stringify(paths)).toContain(gone.plural);
    expect(JSON.stringify(Object.keys(definitions))).toContain(gone.kind);
    expect(await sizeIn()).toBe('string');
    state.version = 'second';
    expect(await sizeIn()).toBe('string');
    expect(await textOf(await documents.v2())).not.toContain(gone.plural);
  });

  it('have documents with another hash in another release, which may write them otherwise', async () => {
    const { known } = installation(5);
    const [one, same, other] = await Promise.all(
      ['1.0.0', '1.0.0', '1.0.1'].map((version) => new OpenApiDocuments(known, version).index()),
    );
    expect(same).toBe(one);
    expect(Object.keys(JSON.parse(other ?? '').paths)).toEqual(Object.keys(JSON.parse(one ?? '').paths));
    const urls = (index = '') => Object.values<{ serverRelativeURL: string }>(JSON.parse(index).paths);
    expect(
      urls(one).filter((url) =>
        urls(other).some((later) => later.serverRelativeURL === url.serverRelativeURL),
      ),
    ).toEqual([]);
  });
});
