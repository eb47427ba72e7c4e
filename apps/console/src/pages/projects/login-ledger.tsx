import type { components } from 'platform-service-client/api-types';
import { usePages } from '../../api/use-pages.ts';
import { Card } from '../../ui/card.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { ExactTime } from '../../ui/time.tsx';

type Record = components['schemas']['AuditRecord'];

const words: Readonly<Partial<globalThis.Record<Record['action'], string>>> = {
  'oauth.flow_started': 'started',
  'oauth.flow_completed': 'completed',
  'oauth.flow_failed': 'failed',
};

/** The logins of the apps of a project, from the audit: which began, which ended, and why others did not. */
export function LoginLedger({ project }: { readonly project: string }) {
  const { items, error, more } = usePages<Record>(
    `/api/v1/audit?limit=500&project=${encodeURIComponent(project)}`,
  );
  if (error !== null) return <Failure error={error} what="read the logins of this project" />;
  if (items === undefined) return <Loading />;
  const logins = items.filter(({ action }) => action in words);
  return (
    <Card title="Logins" flush>
      {logins.length === 0 ? <p className="state muted">No logins among the newest records.</p> : null}
      <ul className="rows">
        {logins.map(({ id, action, outcome, time, details, reason }) => (
          <li key={id}>
            <StateBadge
              state={
                outcome === 'allowed'
                  ? action === 'oauth.flow_completed'
                    ? 'ready'
                    : 'progressing'
                  : 'failed'
              }
            >
              {words[action] ?? action}
            </StateBadge>
            <span className="grow">
              {reason ??
                Object.entries(details)
                  .map(([name, value]) => `${name}: ${String(value)}`)
                  .join(', ')}
            </span>
            <ExactTime time={time} />
          </li>
        ))}
      </ul>
      {more === null ? null : (
        <p className="state">
          <button type="button" className="button" onClick={more}>
            Look at older records
          </button>
        </p>
      )}
    </Card>
  );
}
