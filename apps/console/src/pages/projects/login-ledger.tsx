import { useNavigate, useSearch } from '@tanstack/react-router';
import { usePages } from '../../api/use-pages.ts';
import type { Schemas } from '../../typed/kind.ts';
import { DataTable, type TableColumn } from '../../ui/paged-table.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { ExactTime } from '../../ui/time.tsx';

type AuditRecord = Schemas['AuditRecord'];

const steps = [
  { action: 'oauth.flow_failed', word: 'Failed', state: 'failed' },
  { action: 'oauth.flow_completed', word: 'Completed', state: 'ready' },
  { action: 'oauth.flow_started', word: 'Started', state: 'progressing' },
] as const;

const columns: readonly TableColumn<AuditRecord>[] = [
  { name: 'Time', cell: ({ time }) => <ExactTime time={time} /> },
  {
    name: 'Outcome',
    cell: (record) => {
      const step = steps.find(({ action }) => action === record.action);
      return <StateBadge state={step?.state ?? 'unknown'}>{step?.word ?? record.action}</StateBadge>;
    },
  },
  { name: 'Extension', cell: ({ details }) => String(details['extension'] ?? '') },
  { name: 'Step', cell: ({ details }) => String(details['step'] ?? details['grant'] ?? 'authorize') },
  {
    name: 'Reason',
    cell: ({ reason, details }) => reason ?? String(details['message'] ?? details['error'] ?? ''),
  },
  { name: 'Request', cell: ({ requestId }) => <code>{requestId}</code> },
];

/** The logins of apps through the extensions of a project, newest first, from the audit. */
export function LoginLedger({
  project,
  extension,
}: {
  readonly project: string;
  readonly extension?: string;
}) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const chosen = steps.find(({ action }) => action === search.action) ?? null;
  const query = (action: string) => `/api/v1/audit?${new URLSearchParams({ limit: '200', project, action })}`;
  // One list for each step: the audit filters by one action.
  const lists = [
    usePages<AuditRecord>(query(steps[0].action)),
    usePages<AuditRecord>(query(steps[1].action)),
    usePages<AuditRecord>(query(steps[2].action)),
  ];
  const used = lists.filter((_, at) => chosen === null || steps[at] === chosen);
  const error = used.map((list) => list.error).find((one) => one !== null);
  if (error !== undefined) return <Failure error={error} what="read the logins of this project" />;
  if (used.some(({ items }) => items === undefined)) return <Loading />;
  const items = used
    .flatMap((list) => list.items ?? [])
    .filter(({ details }) => extension === undefined || details['extension'] === extension)
    .sort((a, b) => b.time.localeCompare(a.time));
  const more = used.flatMap((list) => (list.more === null ? [] : [list.more]));
  return (
    <DataTable
      items={items}
      more={more.length === 0 ? null : () => more.forEach((read) => void read())}
      label="Logins"
      none={chosen === null ? 'No logins yet' : `No login has ${chosen.word.toLowerCase()}`}
      action={
        <label className="field">
          <span className="label">Outcome</span>
          <select
            className="input"
            value={chosen?.action ?? ''}
            onChange={({ target }) =>
              void navigate({ to: '.', search: (before) => ({ ...before, action: target.value }) })
            }
          >
            <option value="">any</option>
            {steps.map(({ action, word }) => (
              <option key={action} value={action}>
                {word.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
      }
      keyOf={({ id }) => id}
      columns={columns}
    />
  );
}
