import { type AccessSource, type StoredAccess, storedBinding, storedRole } from '@platform/access';
import type { Sql } from '@platform/postgres';
import { platformGroup } from '@platform/resources';
import { isLive } from '../resources/pending-cascades.ts';

/** Reads roles and bindings, on PostgreSQL. */
export function createAccessSource(sql: Sql): AccessSource {
  return { load: () => loadAccess(sql), version: () => accessVersion(sql) };
}

/** SQL for the version of roles and bindings that is stored now. */
export const storedAccessVersion = '(select version from access_rules)';

/** The version of roles and bindings. */
async function accessVersion(sql: Sql): Promise<string> {
  const [row] = await sql.rows<readonly [string]>(`select version from access_rules`);
  if (row === undefined) throw new Error('the table access_rules has no row');
  return row[0];
}

/** Reads every role and binding that is not being deleted, and the uids of the service accounts that bindings may name, from one snapshot. */
async function loadAccess(sql: Sql): Promise<StoredAccess> {
  const rows = await sql.rows<readonly [string, 'role' | 'binding' | 'account' | null, string, string]>(
    text,
    [platformGroup, 'Role', 'RoleBinding'],
  );
  const of = (what: string) => rows.filter((row) => row[1] === what);
  return {
    version: rows[0]?.[0] ?? '',
    roles: of('role').map(([, , name, spec]) => storedRole(name, JSON.parse(spec))),
    bindings: of('binding').flatMap(([, , name, spec]) => storedBinding(name, JSON.parse(spec)) ?? []),
    serviceAccounts: new Map(of('account').map(([, , email, uid]) => [email, uid])),
  };
}

// Only accounts that some binding names: an installation may have many more.
const text = `
  with bindings as materialized (
    select name, spec from resources r where parent_uid is null and api_group = $1::text and kind = $3::text and ${isLive('r')}
  )
  select access_rules.version, item.what, item.name, item.value from access_rules left join (
    select 'role' as what, name::text as name, spec::text as value from resources r
    where parent_uid is null and api_group = $1::text and kind = $2::text and ${isLive('r')}
    union all
    select 'binding', name::text, spec::text from bindings
    union all
    select 'account', email, uid::text from service_accounts where email in (
      select lower(subject ->> 'name') from bindings
      cross join lateral json_array_elements(case json_typeof(spec -> 'subjects') when 'array' then spec -> 'subjects' else '[]' end) as subject
      where json_typeof(subject) = 'object' and subject ->> 'kind' = 'ServiceAccount')
  ) as item on true`;
