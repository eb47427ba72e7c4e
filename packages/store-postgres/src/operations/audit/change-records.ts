import type { AuditAction, AuditFilter, AuditPosition, AuditRecord } from '@platform/access';
import { foldEmailCase } from '@platform/kernel';
import { arrayLiteral, type Sql } from '@platform/postgres';
import { Conditions } from './conditions.ts';

/** The action of each operation of the change log. */
const actions: Readonly<Record<string, AuditAction>> = {
  create: 'resource.created',
  update: 'resource.updated',
  patch: 'resource.updated',
  apply: 'resource.updated',
  status: 'resource.status_updated',
  finalizers: 'resource.finalizers_updated',
  delete: 'resource.deleted',
  cascade: 'resource.deletion_cascaded',
  collect: 'resource.collected',
  release: 'resource.released',
  restore: 'resource.restored',
};

/** The id of an entry as a uuid: smaller than those of stored records, and in the order of the log. */
const idText = `('00000000-0000-8000-8000-' || lpad(to_hex(seq), 12, '0'))::uuid`;
const changeId = /^00000000-0000-8000-8000-([0-9a-f]{12})$/;
const lastSeq = '9223372036854775807';

/** The columns of an entry that audit records. The members of `written` are in the order of drizzle/0022_change_context.sql. */
const columns = `
  time, ${idText} as id, written[1] as operation, written[2] as actor_type, written[3] as actor_id, written[4] as request_id,
  written[5] as reason, written[6] as cascade_id, written[7] as source_address, written[8] as user_agent,
  api_version, kind, name, uid, parent_uid, revision, removed`;

type Row = readonly [
  time: string,
  id: string,
  operation: string,
  actorType: string,
  actorId: string | null,
  requestId: string | null,
  reason: string | null,
  cascadeId: string | null,
  sourceAddress: string | null,
  userAgent: string | null,
  apiVersion: string,
  kind: string,
  name: string,
  uid: string,
  parentUid: string | null,
  revision: number,
  removed: boolean,
];

/**
 * The writes of resources that match, newest first: the change log is their audit, so that no write is stored twice.
 */
export async function listChangeRecords(
  sql: Sql,
  filter: AuditFilter,
  { limit, after }: { readonly limit: number; readonly after: AuditPosition | null },
): Promise<readonly AuditRecord[]> {
  const { since, until, actor, action, resource, kind, requestId, project, outcome = 'allowed' } = filter;
  if (project !== undefined || outcome !== 'allowed') return [];
  const operations = Object.keys(actions).filter((one) => action === undefined || actions[one] === action);
  if (operations.length === 0) return [];
  const conditions = new Conditions(limit);
  conditions.add('time >= ?::timestamptz', since);
  conditions.add('time < ?::timestamptz', until);
  conditions.add(
    'lower(written[3] collate "C") = ?::text',
    actor === undefined ? undefined : foldEmailCase(actor),
  );
  conditions.add('written[1] = any (?::text[])', action === undefined ? undefined : arrayLiteral(operations));
  conditions.add('uid = ?::uuid', resource);
  conditions.add(`kind || '' = ?::text`, kind);
  conditions.add('written[4] = ?::text', requestId);
  if (after !== null) {
    const seq = changeId.exec(after.id)?.[1];
    const before = seq === undefined ? lastSeq : String(BigInt(`0x${seq}`));
    conditions.add('(time, seq) < (?::timestamptz, ?::bigint)', after.time, before);
  }
  const rows = await sql.rows<Row>(
    `select ${columns} from changes ${conditions.where} order by time desc, seq desc limit $1::bigint`,
    conditions.parameters,
  );
  return rows.map(toRecord);
}

function toRecord(row: Row): AuditRecord {
  const [time, id, operation, type, actorId, requestId, reason, cascadeId, sourceAddress, userAgent] = row;
  const [apiVersion, kind, name, uid, parentUid, revision, removed] = row.slice(10) as [
    ...[string, string, string, string, string | null, number, boolean],
  ];
  return {
    id,
    time,
    action: actions[operation] ?? 'resource.updated',
    outcome: 'allowed',
    actor: { type: type as AuditRecord['actor']['type'], id: actorId ?? '' },
    requestId,
    sourceAddress,
    userAgent,
    resource: { apiVersion, kind, name, uid, parentUid },
    ...(reason === null ? {} : { reason }),
    details: { operation, revision, removed, ...(cascadeId === null ? {} : { cascadeId }) },
  };
}

const actionText = `case operation ${Object.entries(actions)
  .map(([operation, action]) => `when '${operation}' then '${action}'`)
  .join(' ')} else 'resource.updated' end`;

/** The beginning of the day, in UTC, that is `$1` days ago. */
const boundary = `date_trunc('day', (now() - $1::int * interval '1 day') at time zone 'UTC') at time zone 'UTC'`;
/**
 * Moves what audit needs of entries of the change log that are about to be dropped, a slice at a time. Entries older than the days that audit
 * records are kept, `$2`, leave none.
 */
const keepText = `
with expired as (
  delete from changes using (
    select time as old_time, seq as old_seq from changes where time < ${boundary} order by time, seq limit $3::bigint) old
  where time = old_time and seq = old_seq and time < ${boundary}
  returning ${columns}
), kept as (
  insert into audit_records
    (time, id, action, outcome, actor_type, actor_id, request_id, source_address, user_agent,
     resource, resource_uid, kind, reason, details)
  select time, id, ${actionText}, 'allowed', actor_type, coalesce(actor_id, ''), request_id, source_address, user_agent,
    json_build_object('apiVersion', api_version, 'kind', kind, 'name', name, 'uid', uid, 'parentUid', parent_uid), uid, kind, reason,
    json_strip_nulls(json_build_object('operation', operation, 'revision', revision, 'removed', removed, 'cascadeId', cascade_id))
  from expired where time >= now() - $2::int * interval '1 day'
  on conflict (time, id) do nothing
)
select count(*) from expired`;

/** Moves entries that are older than the days to the audit records; returns how many it removed, at most `limit`. */
export async function keepChangeRecords(
  sql: Sql,
  {
    olderThanDays,
    auditDays,
    limit,
  }: { readonly olderThanDays: number; readonly auditDays: number; readonly limit: number },
): Promise<number> {
  const [row] = await sql.rows<readonly [number]>(keepText, [olderThanDays, auditDays, limit]);
  return row?.[0] ?? 0;
}

// In the order of the key: for a partition that was empty when this was planned, every index looks alike.
const expiredText = `
  select coalesce((select true from changes where time < ${boundary} order by time, seq limit 1), false)`;

/** Whether there are entries older than the days. */
export async function hasChangeRecords(sql: Sql, olderThanDays: number): Promise<boolean> {
  const [row] = await sql.rows<readonly [boolean]>(expiredText, [olderThanDays]);
  return row?.[0] === true;
}
