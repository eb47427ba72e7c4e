import { useSearch } from '@tanstack/react-router';
import type { components } from 'platform-service-client/api-types';
import { useCaller, useKinds } from '../../api/queries.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Page } from '../../ui/page.tsx';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';

type Record = components['schemas']['AuditRecord'];

const tones = { allowed: 'ready', denied: 'warning', failed: 'failed' } as const;

/** The audit records, newest first, by what the URL filters for. */
export function AuditPage() {
  const { actor, action, outcome, since, until, kind, project, requestId } = useSearch({ strict: false });
  const kinds = useKinds();
  // Others are refused: nothing to filter or to export.
  const isOperator = useCaller().data?.operator === true;
  const filters = { actor, action, outcome, since, until, kind, project, requestId };
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const columns: readonly TableColumn<Record>[] = [
    { name: 'Time', cell: ({ time }) => <ExactTime time={time} /> },
    { name: 'Action', cell: (record) => record.action },
    {
      name: 'Outcome',
      cell: (record) => <StateBadge state={tones[record.outcome]}>{record.outcome}</StateBadge>,
    },
    {
      name: 'Actor',
      cell: (record) => (
        <>
          {record.actor.id} <span className="muted">{record.actor.type}</span>
        </>
      ),
    },
    {
      name: 'About',
      cell: ({ resource, project }) =>
        resource?.apiVersion !== undefined && kinds.data !== undefined ? (
          <ResourceName registry={kinds.data} identity={{ ...resource, apiVersion: resource.apiVersion }} />
        ) : (
          [resource?.kind, resource?.name ?? project].filter(Boolean).join(' ')
        ),
    },
    {
      name: 'Details',
      cell: ({ details, reason, requestId }) => (
        <details>
          <summary>{visibleText(reason ?? 'Show')}</summary>
          <pre>{visibleText(JSON.stringify({ requestId, ...details }, null, 2))}</pre>
        </details>
      ),
    },
  ];
  return (
    <Page title="Audit" actions={isOperator ? <AuditExport query={String(query)} /> : null}>
      {isOperator ? <AuditFilters /> : null}
      <PagedTable
        key={String(query)}
        path={`/api/v1/audit?limit=100${query.size === 0 ? '' : `&${query}`}`}
        what="read audit records"
        none="No record matches the filters"
        help="Remove a filter, or choose a longer time."
        keyOf={({ id }) => id}
        columns={columns}
      />
    </Page>
  );
}
