import type { Sql } from 'postgres';
import { deepest, discriminatorSql, hotOwner, hotParent, uidSql, widgets } from './rows.ts';

/** How much a database is filled with. */
export interface Amount {
  /** Parts, numbered from `from` (0 for the first ones, which bring everything else along) up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
  /** Which of the Parts from number 10 on are tombstoned: SQL on their number `n`. */
  readonly tombstoned: string;
  /** Rows of the tables of typed resources and logins, about. */
  readonly others: number;
}

/** One row in a hundred, as in a table that is collected from. */
export const fewTombstones = 'n % 100 = 99';
/** Nineteen rows in twenty, as in the middle of a large cascade. */
export const mostlyTombstones = '(n / 10) % 20 <> 0';

/** Fills the tables row by row through every constraint, trigger and index. */
export async function seed(sql: Sql, amount: Amount): Promise<void> {
  if (amount.from === 0) {
    await sql.unsafe(roots);
    await sql.unsafe(others(amount.others));
  }
  await sql.unsafe(parts(amount));
}

/**
 * Adds many Parts at once (a million in half a minute): sets aside what is checked and kept up for each row, inserts over two connections,
 * and puts it all back as the migrations made it. It analyzes nothing.
 */
export async function seedParts(
  connections: readonly [Sql, Sql],
  amount: Omit<Amount, 'others'>,
): Promise<void> {
  const [sql, other] = connections;
  const rebuild = await setAside(sql);
  const middle = Math.ceil((amount.from + amount.to) / 2);
  await Promise.all([
    sql.unsafe(parts({ ...amount, to: middle })),
    other.unsafe(parts({ ...amount, from: middle })),
  ]);
  const waiting = [...rebuild.indexes];
  const build = async (connection: Sql) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await connection.unsafe(next);
  };
  await Promise.all([build(sql), build(other)]);
  for (const statement of rebuild.constraints) await sql.unsafe(statement);
}

/** Drops indexes and constraints of `resources`, and returns the statements that bring them back. Indexes may be built at the same time. */
async function setAside(
  sql: Sql,
): Promise<{ readonly indexes: readonly string[]; readonly constraints: readonly string[] }> {
  // The foreign key goes before the primary key that it needs, and comes after it.
  const constraints = await sql<{ name: string; type: string; definition: string }[]>`
    select conname as name, contype as type, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = 'resources'::regclass and contype in ('p', 'u', 'f', 'c')
    order by array_position(array['f', 'c', 'u', 'p'], contype::text)`;
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'resources'::regclass order by pg_relation_size(indexrelid) desc`;
  const backing = new Set(constraints.map(({ name }) => name));
  for (const { name } of constraints) await sql.unsafe(`alter table resources drop constraint ${name}`);
  for (const { name } of indexes) if (!backing.has(name)) await sql.unsafe(`drop index ${name}`);
  const restored = constraints.reverse().map(({ name, type, definition }) => {
    if (type === 'p') return `primary key using index ${name}`;
    if (type === 'u') return `unique using index ${name}`;
    return definition.endsWith('NOT VALID') ? definition : `${definition} not valid`;
  });
  return {
    indexes: indexes.map(({ definition }) => definition),
    constraints: restored.map(
      (text, index) => `alter table resources add constraint ${constraints[index]?.name} ${text}`,
    ),
  };
}

const columns =
  'uid, parent_uid, api_version, kind, name, discriminator, owner_references, deletion_timestamp, spec';
const definitionUid = uidSql('6', 'n');

/** Widgets, two Gadgets of which one owns the other without blocking, the deep path, the definitions and the Organizations. */
const roots = `
  -- Each of 200 definitions would renew all those below it.
  alter table resources disable trigger resources_definition_joins;
  insert into resources (${columns})
  select ${uidSql('1', 'n')}, null::uuid, 'example.dev/v1', 'Widget', 'w' || n, ${discriminatorSql('w', 'n')}, '[]'::jsonb,
    case when n = ${widgets - 1} then timestamptz '2026-01-01' end, '{}'::json
  from generate_series(0, ${widgets - 1}) n
  union all
  select ${uidSql('7', 'n')}, null, 'example.dev/v1', 'Gadget', 'g' || n, ${discriminatorSql('g', 'n')},
    case n when 1 then '[]' else jsonb_build_array(jsonb_build_object('apiVersion', 'example.dev/v1', 'kind', 'Gadget',
      'name', 'g1', 'uid', ${uidSql('7', '1')}, 'blockOwnerDeletion', false)) end, null, '{}'
  from generate_series(1, 2) n
  union all
  select ${uidSql('4', 'n')}, case when n > 1 then ${uidSql('4', '(n - 1)')} end, 'example.dev/v1', 'Level' || n, 'level',
    ${discriminatorSql('l', 'n')}, '[]', null, '{}'
  from generate_series(1, ${deepest}) n
  union all
  select ${uidSql('5', 'n')}, null, 'platform.dev/v1alpha1', 'Organization', case n when 0 then 'default' else 'org-' || n end,
    ${discriminatorSql('o', 'n')}, '[]', null, '{}'
  from generate_series(0, 49) n
  union all
  select ${definitionUid}, null, 'platform.dev/v1alpha1', 'ResourceDefinition', 'level' || n || 's.example.dev', ${discriminatorSql('d', 'n')},
    '[]', null, json_build_object('group', 'example.dev', 'kind', 'Level' || n, 'plural', 'level' || n || 's',
      'parent', case when n > 1 then json_build_object('apiVersion', 'example.dev/v1', 'kind', 'Level' || n - 1) end)
  from generate_series(1, 200) n
  union all
  select ${uidSql('6', '1000')}, null, 'platform.dev/v1alpha1', 'ResourceDefinition', 'parts.example.dev', 'definitp', '[]', null,
    '{"group":"example.dev","kind":"Part","plural":"parts","parent":{"apiVersion":"example.dev/v1","kind":"Widget"}}'
  union all
  select ${uidSql('6', '1001')}, null, 'platform.dev/v1alpha1', 'ResourceDefinition', 'widgets.example.dev', 'definitw', '[]', null,
    '{"group":"example.dev","kind":"Widget","plural":"widgets"}';
  -- Versions that the operations know.
  update resources set definition_version = uid where definition_kind is not null;
  alter table resources enable trigger resources_definition_joins`;

/** Parts below the Widgets, three in ten with an owner. The oldest tombstones are those of the lowest numbers. */
function parts({ from, to, tombstoned }: Omit<Amount, 'others'>): string {
  const parent = `case when n % 8 = 0 then ${hotParent} else 1 + n % ${widgets - 1} end`;
  const owner = `case when n % 40 = 0 then ${hotOwner} else n / 10 % ${widgets} end`;
  return `
    insert into resources (labels, ancestors, ancestor_uids, ${columns})
    select case when n % 20 = 3 then jsonb_build_object('tier', 'web', 'batch', 'b' || n / 2000) else '{}' end, array['w' || (${parent})], array[${uidSql('1', `(${parent})`)}], ${uidSql('2', 'n')}, ${uidSql('1', `(${parent})`)},
      'example.dev/v' || 1 + n % 2, 'Part', 'p' || n, ${discriminatorSql('p', 'n')},
      case when n % 10 < 3 then jsonb_build_array(jsonb_build_object('apiVersion', 'example.dev/v1', 'kind', 'Widget',
        'name', 'w' || (${owner}), 'uid', ${uidSql('1', `(${owner})`)}, 'blockOwnerDeletion', n / 10 % 2 = 0)) else '[]' end,
      case when n >= 10 and ${tombstoned} then timestamptz '2026-01-01' + n * interval '1 second' end,
      json_build_object('text', repeat('x', 90))
    from generate_series(${from}, ${to - 1}) n`;
}

/** Nine in ten rows of everything that hangs on an Organization hang on the default one; one issuer vouches for nine in ten accounts. */
function others(count: number): string {
  const user = (n: string) => `'user' || (${n}) || '@example.dev'`;
  const hash = (n: string) => `encode(sha256((${n})::text::bytea), 'hex')`;
  const expiry = `now() + (n - ${Math.ceil(count / 2)}) * interval '1 second'`;
  const organization = uidSql('5', 'case when n % 10 = 0 then 1 + n / 10 % 49 else 0 end');
  const series = `generate_series(0, ${count - 1}) n`;
  const teams = Math.ceil(count / 5);
  return `
    insert into teams (uid, name, organization_resource_uid)
      select ${uidSql('b', 'n')}, 'team' || n, ${organization} from generate_series(0, ${teams - 1}) n;
    insert into team_members (team_uid, email, role)
      select ${uidSql('b', 'n')}, ${user(`(n * 7 + m * 101) % ${count}`)}, case m when 0 then 'owner' else 'member' end
      from generate_series(0, ${teams - 1}) n cross join generate_series(0, 4) m on conflict do nothing;
    insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user, owner_team, members)
      select ${uidSql('a', 'n')}, 'project' || n, ${organization}, 'private', 'https://p' || n || '.example.dev/', 'https://p' || n || '.example.dev',
        case when n % 4 > 0 then ${user('n / 3')} end, case when n % 4 = 0 then ${uidSql('b', `n / 4 % ${teams}`)} end,
        array[${user('n')}, ${user(`(n + 17) % ${count}`)}]
      from ${series};
    insert into environments (uid, project_uid, name)
      select ${uidSql('c', 'n')}, ${uidSql('a', 'n / 2')}, case n % 2 when 0 then 'production' else 'staging' end
      from generate_series(0, ${2 * count - 1}) n;
    insert into service_accounts (uid, project_uid, name, email, issuer_url, claims)
      select ${uidSql('d', 'n')}, ${uidSql('a', 'n')}, 'account', 'project' || n || '+account@sa.platform.local',
        case when n % 10 = 0 then 'https://issuer' || n || '.example.dev' else 'https://issuer.example.dev' end, '{}'
      from ${series};
    insert into deployments (uid, project_uid, name, environment, credential_hash)
      select ${uidSql('e', 'n')}, ${uidSql('a', 'n')}, 'd' || n, 'production', ${hash('n')} from ${series};
    insert into extensions (uid, project_uid, name, spec, sealed_upstream_secret, client_secrets)
      select ${uidSql('f', 'n')}, ${uidSql('a', 'n')}, 'login', '{}', 'sealed', '[]' from ${series};
    insert into users (uid, issuer, subject, email)
      select ${uidSql('3', 'n')}, 'https://login.example.dev', 'subject' || n, ${user('n')} from ${series};
    insert into sessions (id, user_uid, email, folded_email, issuer, subject, provider_session, user_agent, created_at, expires_at)
      select ${uidSql('7', 'n')}, ${uidSql('3', 'n')}, ${user('n')}, ${user('n')}, 'https://login.example.dev', 'subject' || n,
        'p' || n, 'Browser/1.0', ${expiry} - interval '1 day', ${expiry} from ${series};
    insert into session_revocations (key, ended_until, revoked_at, expires_at)
      select 'session:' || n, now(), now() - n * interval '1 second', ${expiry} from ${series};
    insert into answered_requests (key_hash, body_hash, status, headers, body, expires_at)
      select ${hash('n')}, ${hash('n')}, 201, '{}', '{}', ${expiry} from ${series};
    insert into audit_records (time, id, action, outcome, actor_type, actor_id, request_id, resource_uid, kind, project, details)
      select now() - n * interval '1 minute', ${uidSql('9', 'n')}, case n % 100 when 0 then 'team.created' else 'token.issued' end,
        case n % 50 when 0 then 'denied' else 'allowed' end, 'user', ${user('n')}, 'r' || n, ${uidSql('a', 'n')},
        case n % 100 when 0 then 'Team' else 'Project' end, 'project' || n, '{}' from ${series};
    insert into reserved_project_names (name, deleted_at) select 'gone' || n, ${expiry} from ${series};
    insert into login_once (hash, sealed, expires_at) select ${hash('n')}, 'sealed', ${expiry} from ${series};
    insert into device_authorizations (device_hash, user_code_hash, client_id, scope, address, user_agent, interval_seconds, next_poll_at, expires_at)
      select ${hash('n')}, ${hash('n')}, 'platform-cli', '', '192.0.2.1', 'cli', 5, now(), ${expiry} from ${series};
    insert into oauth_states (hash, extension_uid, sealed, expires_at)
      select sha256(n::text::bytea), ${uidSql('f', 'n')}, 'sealed', ${expiry} from ${series};
    insert into oauth_codes (hash, extension_uid, sealed, expires_at)
      select sha256(n::text::bytea), ${uidSql('f', 'n')}, 'sealed', ${expiry} from ${series};
    insert into rate_limits (key, points, expire)
      select 'encrypt:' || n, 1, (extract(epoch from ${expiry}) * 1000)::bigint from ${series};
    insert into extension_signing_keys (extension_uid, sequence, public_key, sealed_private_key, created_at)
      select ${uidSql('f', 'n')}, 1, '{}', 'sealed', now() from ${series};
    insert into oauth_signing_keys (sequence, public_key, sealed_private_key, created_at)
      select n, '{}', 'sealed', now() from generate_series(1, 4) n`;
}
