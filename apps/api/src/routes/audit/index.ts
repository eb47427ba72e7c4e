import { type AuditStore, exportAudit, listAudit, readAuditFilter } from '@platform/access';
import { Problem } from '@platform/kernel';
import { parseLimit } from '@platform/resources';
import { z } from 'zod';
import { json, stream } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { type Endpoint, endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { preferredType } from '../../http/accept.ts';
import { continueOf, listOf, readContinue } from './position.ts';

/** The dependencies of the audit endpoint. */
export interface AuditDeps {
  readonly store: AuditStore;
}

const ndjson = 'application/x-ndjson';
/** Records of a page. An export has as many as there are. */
const pageLimit = { max: 1000, fallback: 100 };
const exportLimit = Number.MAX_SAFE_INTEGER;

const text = (description: string, example: string) => z.string().optional().meta({ description, example });
const filters = z.object({
  since: text('From this time on (RFC 3339).', '2026-01-01T00:00:00Z'),
  until: text('Before this time (RFC 3339).', '2026-02-01T00:00:00Z'),
  actor: text('The id of the actor, such as an e-mail address; without case.', 'ann@example.dev'),
  action: text('An action.', 'token.issued'),
  resource: text('The uid of a resource.', '0190a5c2-5f0e-7cc3-98c4-dc0c0c07398f'),
  kind: text('The kind of the resource.', 'Project'),
  project: text('The name of a project.', 'shop'),
  outcome: text('`allowed`, `denied` or `failed`.', 'denied'),
  requestId: text('The id of the request.', '5f0c8a52-6d2a-4d57-8a0e-3f1c9b7e2d10'),
});

/** `GET /api/v1/audit`: audit records, newest first, for operators; as NDJSON every record of the filter. */
const auditList = endpoint({
  method: 'GET',
  path: '/api/v1/audit',
  id: 'listAudit',
  tag: 'Audit',
  summary: 'List audit records',
  description:
    'For operators, newest first. With `Accept: application/x-ndjson` all records that match, one a line, as a stream.',
  access: 'operator',
  unknownQuery: 'refuse',
  documentedQuery: filters.extend({
    limit: z
      .int()
      .min(1)
      .max(1000)
      .default(100)
      .meta({ description: 'The largest number of items.', example: 50 }),
    continue: z.string().optional().meta({ description: 'The `continue` of the previous page.' }),
  }),
  responses: {
    200: {
      description: 'A page, or a stream of all records.',
      schema: ref('AuditRecordList'),
      line: ref('AuditRecord'),
    },
  },
  problems: ['invalid_query'],
  async handle({ store }: AuditDeps, _input, call) {
    const query = call.searchParams;
    const filter = readAuditFilter(sentFilters(query));
    const list = listOf(call.path, filter);
    const after = readContinue(query.getAll('continue'), list);
    if (wantsNdjson(call)) {
      const limit = query.has('limit') ? parseLimit(query.getAll('limit'), pageLimit) : exportLimit;
      return stream(lines(exportAudit(store, filter, { limit, after }), call.signal), ndjson, noStore);
    }
    const limit = parseLimit(query.getAll('limit'), pageLimit);
    const { items, more } = await listAudit(store, filter, { limit, after });
    const last = items.at(-1);
    const next = more && last !== undefined ? { continue: continueOf(list, last) } : {};
    return json(200, { items, ...next }, noStore);
  },
});

function sentFilters(query: URLSearchParams): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const name of Object.keys(filters.shape)) {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0) throw new Problem('invalid_query', `Query parameter ${name} must appear once.`);
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}

/** The next page is read only when the client has accepted the one before. */
async function* lines(records: AsyncIterable<object>, gone: AbortSignal): AsyncGenerator<string> {
  for await (const record of records) {
    if (gone.aborted) return;
    yield `${JSON.stringify(record)}\n`;
  }
}

function wantsNdjson({ headers }: Call): boolean {
  return preferredType(headers.accept, ['application/json', ndjson]) === ndjson;
}

/** The endpoint of audit records. */
export const auditEndpoints: readonly Endpoint<AuditDeps>[] = [auditList];
