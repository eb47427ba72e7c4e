import type { Deployment } from '../../typed/kinds/environment.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { ExactTime, useNow } from '../../ui/time.tsx';

/** A credential is replaced before it ends, so it is pointed out two weeks before. */
const soonMs = 14 * 86_400_000;

/** Whether the credential of a deployment is valid, and until when. */
export function CredentialState({ deployment }: { readonly deployment: Deployment }) {
  const now = useNow();
  const { expires_at: expires } = deployment;
  if (expires === null) return <StateBadge state="warning">Never expires: rotate it</StateBadge>;
  const left = Date.parse(expires) - now;
  return (
    <>
      {left < 0 ? (
        <StateBadge state="failed">Expired</StateBadge>
      ) : left < soonMs ? (
        <StateBadge state="warning">Expires soon</StateBadge>
      ) : (
        <StateBadge state="ready">Valid</StateBadge>
      )}{' '}
      <span className="muted">
        until <ExactTime time={expires} />
      </span>
    </>
  );
}
