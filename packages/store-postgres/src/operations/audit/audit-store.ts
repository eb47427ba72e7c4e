import type { AuditFilter, AuditPosition, AuditRecord, AuditResource, AuditStore } from '@platform/access';
import { foldEmailCase } from '@platform/kernel';
import { arrayLiteral, type Sql } from '@platform/postgres';
import { listChangeRecords } from './change-records.ts';
import { Conditions } from './conditions.ts';

/** The audit records of all replicas. */
export function createAuditStore(sql: Sql): AuditStore {
  return {
    append: (records) => appendAudit(sql, records),
    async list(filter, page) {
      const wanted = { ...page, limit: page.limit + 1 };
      // One after the other: an entry that is moved to the records meanwhile is in both, not in neither.
      const changes = await listChangeRecords(sql, filter, wanted);
      const stored = await listAudit(sql, filter, wanted);
      const records = new Map([...changes, ...stored].map((record) => [record.id, record]));
      const all = [...records.values()].sort(newestFirst);
      return { items: all.slice(0, page.limit), more: all.length > page.limit };
    },
  };
}

/** By time and then by id; both compare as texts. */
function newestFirst(one: AuditRecord, other: AuditRecord): number {
  const [left, right] = [`${one.time} ${one.id}`, `${other.time} ${other.id}`];
  return left < right ? 1 : -1;
}

/** A batch whose answer was lost may be sent again, and a count of refusals grows: the newer details win. */
const appendText = `
insert into audit_records
  (time, id, action, outcome, actor_type, actor_id, request_id, source_address, user_agent,
   resource, resource_uid, kind, project, reason, details)
select * from json_to_recordset($1::json) as record (
  time timestamptz, id uuid, action text, outcome text, actor_type text, actor_id text, request_id text,
  source_address text, user_agent text, resource json, resource_uid uuid, kind text, project text, reason text, details json)
on conflict (time, id) do update set details = excluded.details`;

/** Stores records; in a transaction together with the writes that they are about. */
export async function appendAudit(sql: Sql, records: readonly AuditRecord[]): Promise<void> {
  const rows = records.map(({ actor, requestId, sourceAddress, userAgent, resource, ...record }) => ({
    ...record,
    actor_type: actor.type,
    actor_id: actor.id,
    request_id: requestId,
    source_address: sourceAddress,
    user_agent: userAgent,
    resource: resource ?? null,
    resource_uid: resource?.uid ?? null,
    kind: resource?.kind ?? null,
  }));
  await sql.rows(appendText, [JSON.stringify(rows)]);
}

type Row = readonly [
  time: string,
  id: string,
  action: string,
  outcome: string,
  actorType: string,
  actorId: string,
  requestId: string | null,
  sourceAddress: string | null,
  userAgent: string | null,
  resource: string | null,
  project: string | null,
  reason: string | null,
  details: string,
];

/** The condition of each filter; its parameter takes the place of `?`. */
const conditionOf: Readonly<Record<Exclude<keyof AuditFilter, 'actions'>, string>> = {
  since: 'time >= ?::timestamptz',
  until: 'time < ?::timestamptz',
  actor: 'lower(actor_id collate "C") = ?::text',
  action: 'action = ?::text',
  resource: 'resource_uid = ?::uuid',
  kind: 'kind = ?::text',
  project: 'project = ?::text',
  extension: `details ->> 'extension' = ?::text`,
  outcome: 'outcome = ?::text',
  requestId: 'request_id = ?::text',
};

/** Stored records, newest first. Each set of filters is a statement of its own, so that its plan uses the index of one of them. */
export async function listAudit(
  sql: Sql,
  filter: AuditFilter,
  { limit, after }: { readonly limit: number; readonly after: AuditPosition | null },
): Promise<readonly AuditRecord[]> {
  const conditions = new Conditions(limit);
  for (const [name, condition] of Object.entries(conditionOf) as [keyof typeof conditionOf, string][]) {
    const value = filter[name];
    if (value === undefined) continue;
    conditions.add(condition, name === 'actor' ? foldEmailCase(value) : value);
    // The index has only these records, and the planner cannot tell from a parameter that they are wanted.
    if (name === 'outcome' && value !== 'allowed') conditions.add(`outcome <> 'allowed'`);
  }
  conditions.add('action = any (?::text[])', filter.actions && arrayLiteral(filter.actions));
  conditions.add('(time, id) < (?::timestamptz, ?::uuid)', after?.time, after?.id);
  const text = `
select time, id, action, outcome, actor_type, actor_id, request_id, source_address, user_agent, resource, project, reason, details
from audit_records ${conditions.where} order by time desc, id desc limit $1::bigint`;
  const rows = await sql.rows<Row>(text, conditions.parameters);
  return rows.map(toRecord);
}

function toRecord([
  time,
  id,
  action,
  outcome,
  type,
  actorId,
  requestId,
  sourceAddress,
  userAgent,
  resource,
  project,
  reason,
  details,
]: Row): AuditRecord {
  return {
    id,
    time,
    action,
    outcome,
    actor: { type, id: actorId },
    requestId,
    sourceAddress,
    userAgent,
    ...(resource === null ? {} : { resource: JSON.parse(resource) as AuditResource }),
    ...(project === null ? {} : { project }),
    ...(reason === null ? {} : { reason }),
    details: JSON.parse(details) as AuditRecord['details'],
  } as AuditRecord;
}
