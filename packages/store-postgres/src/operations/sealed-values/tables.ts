import type { SealedKind } from '@platform/key-rotation';
import { nilUid, platformGroup } from '@platform/resources';

/** The statements of one kind of sealed value. */
interface SealedTable {
  /**
   * Id, sealed text (null when the row has none), uid of the project and uid of the extension, of the rows that follow the id $1 in the
   * order of the primary key, $2 at most.
   */
  readonly page: string;
  /** Before every id. */
  readonly first: string;
  /** Writes $3 where the row $1 contains $2. */
  readonly replace: string;
}

function flows(table: 'oauth_states' | 'oauth_codes'): SealedTable {
  return {
    page: `select encode(f.hash, 'hex'), f.sealed, e.project_uid, e.uid
      from ${table} f join extensions e on e.uid = f.extension_uid
      where f.hash > decode($1::text, 'hex') and f.expires_at > now() order by f.hash limit $2::int`,
    first: '',
    replace: `update ${table} set sealed = $3::text where hash = decode($1::text, 'hex') and sealed = $2::text returning 1`,
  };
}

/** Rows of resources that are looked at for each row of a page: few of them have sealed values. */
const looked = 25;

/** SQL for the place in `spec` and the text of each sealed value of a row of resources; none for most kinds. */
const valuesOf = (row: string) => `
  (select 'data/' || key as at, value as sealed from json_each_text(
    case when ${row}.kind = 'Secret' and split_part(${row}.api_version, '/', 1) = '${platformGroup}' and json_typeof(${row}.spec -> 'data') = 'object'
      then ${row}.spec -> 'data' else '{}' end)
   union all select 'secret', ${row}.spec ->> 'secret'
     where ${row}.kind = 'Subscription' and split_part(${row}.api_version, '/', 1) = '${platformGroup}' and ${row}.spec ->> 'secret' is not null)`;

/** Where each kind of sealed value is stored. */
export const sealedTables: Readonly<Record<SealedKind, SealedTable>> = {
  'upstream client secrets': {
    page: `select uid, sealed_upstream_secret, project_uid, uid from extensions
      where uid > $1::uuid order by uid limit $2::int`,
    first: nilUid,
    replace: `update extensions set sealed_upstream_secret = $3::text
      where uid = $1::uuid and sealed_upstream_secret = $2::text returning 1`,
  },
  'client secrets of apps': {
    page: `select e.uid, secret ->> 'sealed', e.project_uid, e.uid
      from (select * from extensions where uid > $1::uuid order by uid limit $2::int) e
      left join json_array_elements(e.client_secrets) secret on true order by e.uid`,
    first: nilUid,
    // A sealed text consists of characters that JSON does not escape, and no two are equal.
    replace: `update extensions set client_secrets = replace(client_secrets::text, $2::text, $3::text)::json
      where uid = $1::uuid and strpos(client_secrets::text, $2::text) > 0 returning 1`,
  },
  'signing keys of extensions': {
    page: `select k.extension_uid || '/' || k.sequence, k.sealed_private_key, e.project_uid, e.uid
      from extension_signing_keys k join extensions e on e.uid = k.extension_uid
      where (k.extension_uid, k.sequence) > (split_part($1::text, '/', 1)::uuid, split_part($1::text, '/', 2)::int)
      order by k.extension_uid, k.sequence limit $2::int`,
    first: `${nilUid}/0`,
    replace: `update extension_signing_keys set sealed_private_key = $3::text
      where extension_uid = split_part($1::text, '/', 1)::uuid and sequence = split_part($1::text, '/', 2)::int
        and sealed_private_key = $2::text returning 1`,
  },
  'shared signing keys': {
    page: `select sequence::text, sealed_private_key, '', '' from oauth_signing_keys
      where sequence > $1::int order by sequence limit $2::int`,
    first: '0',
    replace: `update oauth_signing_keys set sealed_private_key = $3::text
      where sequence = $1::int and sealed_private_key = $2::text returning 1`,
  },
  'OAuth states': flows('oauth_states'),
  'OAuth codes': flows('oauth_codes'),
  'login codes': {
    page: `select hash, sealed, '', '' from login_once
      where hash > $1::text and expires_at > now() order by hash limit $2::int`,
    first: '',
    replace:
      'update login_once set sealed = $3::text where hash = $1::text and sealed = $2::text returning 1',
  },
  'values of resources': {
    page: `select r.uid || '/' || coalesce(v.at, ''), v.sealed, '', ''
      from (select uid, api_version, kind, spec from resources where uid > split_part($1::text, '/', 1)::uuid
        order by uid limit $2::bigint * ${looked}) r
      left join lateral ${valuesOf('r')} v on true order by r.uid`,
    first: `${nilUid}/`,
    // The revision stays, so the change log has no entry of it.
    replace: `update resources set spec = replace(spec::text, $2::text, $3::text)::json
      where uid = split_part($1::text, '/', 1)::uuid and strpos(spec::text, $2::text) > 0 returning 1`,
  },
  'values in the change log': {
    page: `select c.time || '/' || c.seq || '/' || c.uid || '/' || coalesce(v.at, ''), v.sealed, '', ''
      from (select time, seq, uid, api_version, kind, spec from changes
        where (time, seq) > (split_part($1::text, '/', 1)::timestamptz, split_part($1::text, '/', 2)::bigint)
        order by time, seq limit $2::bigint * ${looked}) c
      left join lateral ${valuesOf('c')} v on true order by c.time, c.seq`,
    first: '-infinity/0/',
    replace: `update changes set spec = replace(spec::text, $2::text, $3::text)::json
      where time = split_part($1::text, '/', 1)::timestamptz and seq = split_part($1::text, '/', 2)::bigint
        and strpos(spec::text, $2::text) > 0 returning 1`,
  },
  'kept answers': {
    page: `select key_hash, case when body like '{%' or body = '' then null else body end, '', '' from answered_requests
      where key_hash > $1::text and expires_at > now() order by key_hash limit $2::int`,
    first: '',
    replace:
      'update answered_requests set body = $3::text where key_hash = $1::text and body = $2::text returning 1',
  },
};
