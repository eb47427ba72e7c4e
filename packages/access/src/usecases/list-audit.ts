import { Problem, parseInstant, readBoundedPage } from '@platform/kernel';
import { auditActions } from '../model/audit-actions.ts';
import { type AuditRecord, auditOutcomes } from '../model/audit-record.ts';
import type { AuditFilter, AuditPage, AuditPosition, AuditStore } from '../ports/audit.ts';

/** Records of one read of an export. */
const exportPage = 500;

/** The filters of a list as they were sent. */
export type SentFilter = Readonly<Partial<Record<Exclude<keyof AuditFilter, 'actions'>, string>>>;

const outcomes: readonly string[] = auditOutcomes;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const printable = /^[^\p{C}]{1,512}$/u;

/** Reads the filters of a list. Throws `invalid_query` with every fault. */
export function readAuditFilter(sent: SentFilter): AuditFilter {
  const faults: string[] = [];
  const filter: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined) continue;
    const fault = faultOf(name as keyof SentFilter, value);
    if (fault === null) filter[name] = normalized(name, value);
    else faults.push(`Query parameter ${name} ${fault}.`);
  }
  if (faults.length > 0) throw new Problem('invalid_query', faults.join(' '));
  return filter as AuditFilter;
}

function faultOf(name: keyof SentFilter, value: string): string | null {
  switch (name) {
    case 'since':
    case 'until':
      return parseInstant(value) === null ? 'must be a time (RFC 3339)' : null;
    case 'action':
      return Object.hasOwn(auditActions, value) ? null : 'must be an action of docs/audit.md';
    case 'outcome':
      return outcomes.includes(value) ? null : `must be one of ${outcomes.join(', ')}`;
    case 'resource':
      return uuid.test(value) ? null : 'must be a uid';
    default:
      return printable.test(value) ? null : 'must be printable text';
  }
}

/** The form in which the value of a filter is compared. */
function normalized(name: string, value: string): string {
  if (name === 'since' || name === 'until') return parseInstant(value) ?? value;
  return name === 'resource' ? value.toLowerCase() : value;
}

/** A page of records, newest first. A page of large records ends before its limit. */
export async function listAudit(
  store: AuditStore,
  filter: AuditFilter,
  { limit, after }: { readonly limit: number; readonly after: AuditPosition | null },
): Promise<AuditPage> {
  return await readBoundedPage(limit, (part, last: AuditRecord | null) =>
    store.list(filter, { limit: part, after: last === null ? after : { time: last.time, id: last.id } }),
  );
}

/** Every record of a filter, newest first, read page by page as fast as the reader takes them: memory does not grow with the export. */
export async function* exportAudit(
  store: AuditStore,
  filter: AuditFilter,
  { limit, after }: { readonly limit: number; readonly after: AuditPosition | null },
): AsyncGenerator<AuditRecord> {
  let left = limit;
  let position = after;
  while (left > 0) {
    const { items, more } = await store.list(filter, { limit: Math.min(exportPage, left), after: position });
    yield* items;
    left -= items.length;
    const last = items.at(-1);
    if (!more || last === undefined) return;
    position = { time: last.time, id: last.id };
  }
}
