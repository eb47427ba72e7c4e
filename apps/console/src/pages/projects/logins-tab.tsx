import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../typed/kind.ts';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { projectPath } from './paths.ts';

type Login = Schemas['Login'];

const outcomes = {
  failed: { word: 'Failed', state: 'failed' },
  completed: { word: 'Completed', state: 'ready' },
  started: { word: 'Started', state: 'progressing' },
} as const;
const names = Object.keys(outcomes) as (keyof typeof outcomes)[];

const columns: readonly TableColumn<Login>[] = [
  { name: 'Time', cell: ({ time }) => <ExactTime time={time} /> },
  {
    name: 'Outcome',
    cell: ({ outcome }) => <StateBadge state={outcomes[outcome].state}>{outcomes[outcome].word}</StateBadge>,
  },
  { name: 'Extension', cell: ({ extension }) => extension },
  { name: 'Step', cell: ({ step, grant }) => [step, grant].filter((one) => one !== null).join(', ') },
  { name: 'Reason', cell: ({ reason }) => reason },
  { name: 'Request', cell: ({ requestId }) => <code>{requestId}</code> },
];

/** The logins of apps through the extensions of a project, newest first, for its members. */
export function LoginsTab({ project, extension }: { readonly project: string; readonly extension?: string }) {
  const { outcome } = useSearch({ strict: false });
  const navigate = useNavigate();
  const chosen = names.find((name) => name === outcome);
  const query = new URLSearchParams({
    ...(extension === undefined ? {} : { extension }),
    ...(chosen === undefined ? {} : { outcome: chosen }),
  });
  const filter = (
    <label className="field">
      <span className="label">Outcome</span>
      <select
        className="input"
        value={chosen ?? ''}
        onChange={({ target }) =>
          void navigate({ to: '.', search: (before) => ({ ...before, outcome: target.value || undefined }) })
        }
      >
        <option value="">any</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <PagedTable<Login>
      path={`${projectPath(project)}/logins${query.size === 0 ? '' : `?${query}`}`}
      label="Logins"
      what="read the logins of this project"
      none={chosen === undefined ? 'No logins yet' : `No login has ${chosen}`}
      help={
        chosen === undefined
          ? 'Each step of a login through an extension appears here, with the reason when it failed.'
          : undefined
      }
      action={filter}
      emptyAction={chosen === undefined ? null : filter}
      keyOf={({ id }) => id}
      columns={columns}
    />
  );
}
