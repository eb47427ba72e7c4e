import { Problem } from '@platform/kernel';
import { widget } from '../../test/fixtures.ts';
import type { DefinitionSource } from '../ports/definitions.ts';
import { StaleDefinitions } from '../ports/definitions.ts';
import { type CatalogLimits, type CatalogView, DefinitionCatalog } from './definition-catalog.ts';

/** Definitions of `example.dev` by plural, each with a version that the test sets. */
function fixture(limits?: CatalogLimits) {
  const stored = new Map<string, { version: string; schema?: string }>();
  const calls: string[] = [];
  const uidOf = (plural: string) => `uid of ${plural}`;
  const source: DefinitionSource = {
    async load(group, plural) {
      calls.push(`load ${plural}`);
      const definition = stored.get(plural);
      if (definition === undefined) return { chain: [], version: null };
      const { version, schema = '{}' } = definition;
      const versions = `[{"name":"v1","served":true,"storage":true,"schema":${schema}}]`;
      const spec = `{"group":"${group}","kind":"Kind","plural":"${plural}","versions":${versions}}`;
      return { chain: [{ ...widget, uid: uidOf(plural), spec }], version: { uid: uidOf(plural), version } };
    },
    async version(_group, plural) {
      calls.push(`version ${plural}`);
      const definition = stored.get(plural);
      return definition === undefined ? null : { uid: uidOf(plural), version: definition.version };
    },
    catalogVersion: async () => '',
    storedVersions: async () => new Map(),
  };
  const catalog = new DefinitionCatalog(source, limits);
  /** A request whose statement compares the version, as a store does; it returns the version that it ran with. */
  const request = (plural: string) =>
    catalog.resolve('example.dev', plural, async ({ collection }) => {
      if (collection === null) throw new Problem('unknown_collection', 'none');
      if (collection.definition?.version !== stored.get(plural)?.version) throw new StaleDefinitions();
      return collection.definition?.version;
    });
  return { stored, calls, catalog, request };
}

const refuse = (code: 'already_exists' | 'unavailable' | 'not_found') => async () => {
  throw new Problem(code, code);
};

describe('the cached definitions of a replica', () => {
  it('are read once, and again when a statement finds them stale', async () => {
    const { stored, calls, request } = fixture();
    stored.set('widgets', { version: 'a' });
    expect([await request('widgets'), await request('widgets')]).toEqual(['a', 'a']);
    stored.set('widgets', { version: 'b' });
    expect([await request('widgets'), await request('widgets')]).toEqual(['b', 'b']);
    expect(calls).toEqual(['load widgets', 'load widgets']);
  });

  // After a failover that lost the last change, or a restore, the version is an earlier one.
  it('follow a version that returns to an earlier value', async () => {
    const { stored, request } = fixture();
    for (const version of ['a', 'lost', 'a', 'other']) {
      stored.set('widgets', { version });
      expect(await request('widgets')).toBe(version);
    }
  });

  it('have schemas whose keys depend on the text alone', async () => {
    const { stored, catalog, request } = fixture();
    const keyOf = async (schema: string, version: string) => {
      stored.set('widgets', { version, schema });
      await request('widgets');
      return catalog.resolve(
        'example.dev',
        'widgets',
        async (view) => view.collection?.versions[0]?.schema?.key,
      );
    };
    const [first, lost, again] = [
      await keyOf('{"a":1}', '1'),
      await keyOf('{"b":1}', '2'),
      await keyOf('{"a":1}', '3'),
    ];
    expect(first).toBe(again);
    expect(first).not.toBe(lost);
  });

  it('do not affect requests for other kinds', async () => {
    const { stored, calls, request } = fixture();
    stored.set('widgets', { version: 'a' });
    stored.set('gadgets', { version: 'a' });
    await request('widgets');
    for (const version of ['b', 'c', 'd']) {
      stored.set('gadgets', { version });
      await request('gadgets');
      await request('widgets');
    }
    expect(calls.filter((call) => call.endsWith('widgets'))).toEqual(['load widgets']);
  });

  it('evict the least recently used first, by number and by size', async () => {
    const few = fixture({ entries: 2, bytes: 1_000_000 });
    const small = fixture({ entries: 100, bytes: 6_000 });
    for (const { stored, calls, request } of [few, small]) {
      for (const plural of ['ones', 'twos', 'threes']) stored.set(plural, { version: 'a' });
      for (const plural of ['ones', 'twos', 'ones', 'threes', 'ones', 'twos']) await request(plural);
      expect(calls).toEqual(['load ones', 'load twos', 'load threes', 'load twos']);
    }
  });

  it('do not include unregistered kinds', async () => {
    const { stored, calls, request } = fixture();
    await expect(request('ghosts')).rejects.toMatchObject({ code: 'unknown_collection' });
    await expect(request('ghosts')).rejects.toMatchObject({ code: 'unknown_collection' });
    expect(calls).toEqual(['load ghosts', 'load ghosts']);
    stored.set('ghosts', { version: 'a' });
    expect(await request('ghosts')).toBe('a');
  });
});

describe('a refused request', () => {
  it('is confirmed when its definition was read for an earlier request', async () => {
    const { stored, calls, catalog, request } = fixture();
    stored.set('widgets', { version: 'a' });
    await request('widgets');
    const attempt = catalog.resolve('example.dev', 'widgets', refuse('already_exists'));
    await expect(attempt).rejects.toMatchObject({ code: 'already_exists' });
    expect(calls).toEqual(['load widgets', 'version widgets']);
  });

  it('runs again when its definition has changed since', async () => {
    const { stored, catalog, request } = fixture();
    stored.set('widgets', { version: 'a' });
    await request('widgets');
    stored.set('widgets', { version: 'b' });
    const seen: unknown[] = [];
    const attempt = catalog.resolve('example.dev', 'widgets', async ({ collection }) => {
      seen.push(collection?.definition?.version);
      throw new Problem('already_exists', 'taken');
    });
    await expect(attempt).rejects.toMatchObject({ code: 'already_exists' });
    expect(seen).toEqual(['a', 'b']);
  });

  it('of an unregistered kind runs again when the kind was registered meanwhile', async () => {
    const { stored, catalog } = fixture();
    const views: (CatalogView['collection'] | string)[] = [];
    const answer = await catalog.resolve('example.dev', 'widgets', async ({ collection }) => {
      views.push(collection?.plural ?? 'none');
      if (collection !== null) return 'found';
      stored.set('widgets', { version: 'a' });
      throw new Problem('not_found', 'the statement saw the new definition');
    });
    expect([answer, views]).toEqual(['found', ['none', 'widgets']]);
  });

  it('does not run again after an error that may hide a write', async () => {
    const { stored, calls, catalog, request } = fixture();
    stored.set('widgets', { version: 'a' });
    await request('widgets');
    stored.set('widgets', { version: 'b' });
    const attempt = catalog.resolve('example.dev', 'widgets', refuse('unavailable'));
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toEqual(['load widgets']);
  });

  it('ends as contention when its own definition changes every time', async () => {
    const { stored, catalog } = fixture();
    let version = 0;
    const attempt = catalog.resolve('example.dev', 'widgets', async () => {
      stored.set('widgets', { version: String(++version) });
      throw new StaleDefinitions();
    });
    await expect(attempt).rejects.toMatchObject({ code: 'contention', retryAfterSeconds: 1 });
    expect(version).toBe(10);
  });
});
