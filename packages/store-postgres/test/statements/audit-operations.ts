import { keepAuditPartitions } from '../../src/index.ts';
import type { Operations } from './operation.ts';
import { uidOf } from './rows.ts';
import { audit } from './typed-operations.ts';

const page = { limit: 100, after: null };
const filters = [
  { actor: 'user41@example.dev' },
  { action: 'team.created' as const },
  { outcome: 'denied' as const },
  { requestId: 'r41' },
  { resource: uidOf('a', 41) },
  { kind: 'Team' },
  { project: 'project41' },
];

/** Audit records. */
export const auditOperations: Operations = {
  'write of audit records': {
    run: async ({ auditRecords }) => {
      await auditRecords.append([audit(10), audit(11)]);
      await auditRecords.append([{ ...audit(10), details: { count: 2 } }]);
    },
    indexes: ['audit_records_pkey'],
    pages: 200,
    because: 'two rows; an entry in each index',
  },
  'page of audit records': {
    run: async ({ auditRecords }) => {
      const since = new Date(Date.now() - 3_600_000).toISOString();
      await auditRecords.list({}, page);
      await auditRecords.list({ since, until: new Date().toISOString() }, page);
      for (const filter of filters) {
        await auditRecords.list(filter, page);
        await auditRecords.list(
          { ...filter, since },
          { ...page, after: { time: new Date().toISOString(), id: uidOf('9', 0) } },
        );
      }
    },
    indexes: [
      'audit_records_action',
      'audit_records_actor',
      'audit_records_kind',
      'audit_records_outcome',
      'audit_records_pkey',
      'audit_records_project',
      'audit_records_request',
      'audit_records_resource',
      'changes_actor',
      'changes_audit_kind',
      'changes_history',
      'changes_pkey',
      'changes_request',
    ],
    pages: 1000,
    because: '101 records of each half, of five partitions; entries of the log are far apart',
    filtered: 20,
  },
  'partitions of audit records': {
    run: ({ database }) => keepAuditPartitions(database, '2020-01-01T00:00:00.000Z', 1_000),
    indexes: ['audit_records_pkey'],
    pages: 100,
    because: 'the catalog of a handful of partitions, and the oldest records that are in none',
  },
};
