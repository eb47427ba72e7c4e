import { readFile } from 'node:fs/promises';
import { findMigrations } from '@platform/postgres';
import { testStore } from '../../../test/store.ts';
import { schemaStatements } from '../../dump-schema.ts';
import { schemaDifferences } from './schema.ts';

const fixture = testStore();
let release: string;

async function differencesAfter(...statements: readonly string[]): Promise<readonly string[]> {
  for (const statement of statements) await fixture.database.sql.unsafe(statement);
  const found = schemaDifferences(release, await schemaStatements(fixture.store.database));
  return found.map(({ id, what }) => `${id}: ${what}`);
}

describe('what the schema of a database has different from the release', () => {
  beforeAll(async () => {
    release = await readFile(new URL('schema.sql', findMigrations()), 'utf8');
  });
  it('is nothing after the migrations', async () => {
    expect(await differencesAfter()).toEqual([]);
  });

  it('is not what operators and extensions add', async () => {
    await fixture.database.sql.unsafe('create index by_hand on resources (name)');
    await fixture.database.sql.unsafe('create table by_hand_too (name text)');
    expect(await differencesAfter('create function by_hand() returns int language sql return 1')).toEqual([]);
  });

  it('names a guard that is gone, changed or added', async () => {
    const found = await differencesAfter(
      'alter table resources drop constraint resources_not_own_owner',
      'alter table resources drop constraint resources_name_key',
      'drop trigger resources_definition_changed on resources',
      'drop index resources_owners',
      'create trigger by_hand before insert on resources for each row execute function set_ancestors()',
      'create or replace function owner_uids(owner_references jsonb) returns uuid[] language sql immutable return array[]::uuid[]',
    );
    expect(found).toEqual([
      'function owner_uids(owner_references jsonb): it lacks: IMMUTABLE PARALLEL SAFE STRICT',
      expect.stringMatching(/^function owner_uids\(owner_references jsonb\): it lacks: RETURN ARRAY\(SELECT/),
      'function owner_uids(owner_references jsonb): it has, unlike this release: IMMUTABLE',
      'function owner_uids(owner_references jsonb): it has, unlike this release: RETURN ARRAY[]::uuid[]',
      expect.stringMatching(/^table resources: it lacks: constraint resources_not_own_owner CHECK/),
      expect.stringMatching(/^table resources: it lacks: constraint resources_name_key UNIQUE/),
      'index resources_owners: it is missing',
      'trigger resources_definition_changed of resources: it is missing',
      'trigger by_hand of resources: this release does not have it',
    ]);
  });
});
