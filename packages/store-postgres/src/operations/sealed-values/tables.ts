import type { SealedKind } from '@platform/key-rotation';

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

const nil = '00000000-0000-0000-0000-000000000000';

function flows(table: 'oauth_states' | 'oauth_codes'): SealedTable {
  return {
    page: `select encode(f.hash, 'hex'), f.sealed, e.project_uid, e.uid
      from ${table} f join extensions e on e.uid = f.extension_uid
      where f.hash > decode($1::text, 'hex') and f.expires_at > now() order by f.hash limit $2::int`,
    first: '',
    replace: `update ${table} set sealed = $3::text where hash = decode($1::text, 'hex') and sealed = $2::text returning 1`,
  };
}

/** Where each kind of sealed value is stored. */
export const sealedTables: Readonly<Record<SealedKind, SealedTable>> = {
  'upstream client secrets': {
    page: `select uid, sealed_upstream_secret, project_uid, uid from extensions
      where uid > $1::uuid order by uid limit $2::int`,
    first: nil,
    replace: `update extensions set sealed_upstream_secret = $3::text
      where uid = $1::uuid and sealed_upstream_secret = $2::text returning 1`,
  },
  'client secrets of apps': {
    page: `select e.uid, secret ->> 'sealed', e.project_uid, e.uid
      from (select * from extensions where uid > $1::uuid order by uid limit $2::int) e
      left join json_array_elements(e.client_secrets) secret on true order by e.uid`,
    first: nil,
    // A sealed text consists of characters that JSON does not escape, and no two are equal.
    replace: `update extensions set client_secrets = replace(client_secrets::text, $2::text, $3::text)::json
      where uid = $1::uuid and strpos(client_secrets::text, $2::text) > 0 returning 1`,
  },
  'signing keys of extensions': {
    page: `select k.extension_uid || '/' || k.sequence, k.sealed_private_key, e.project_uid, e.uid
      from extension_signing_keys k join extensions e on e.uid = k.extension_uid
      where (k.extension_uid, k.sequence) > (split_part($1::text, '/', 1)::uuid, split_part($1::text, '/', 2)::int)
      order by k.extension_uid, k.sequence limit $2::int`,
    first: `${nil}/0`,
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
};
