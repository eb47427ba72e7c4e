import { useSyncExternalStore } from 'react';
import { isUncertain, type Problem, RequestError } from '../api/http.ts';
import { onSession, sessionHasEnded } from '../api/session.ts';
import { LogInElsewhere } from './signed-out.tsx';
import { RequestLine } from './states.tsx';

/** The next step after the end of a session; nothing once it is done. */
function SessionFailure() {
  if (!useSyncExternalStore(onSession, sessionHasEnded)) return null;
  return (
    <div className="banner" data-tone="bad" role="alert">
      <span>
        <strong>Your session has ended.</strong> Log in again in another tab, then repeat this. The page keeps
        your input.
      </span>
      <LogInElsewhere />
    </div>
  );
}

/** Why a write was refused, with every fault that the server names. A dry run changes nothing, also when its answer is lost. */
export function WriteFailure({
  error,
  isDryRun = false,
}: {
  readonly error: unknown;
  readonly isDryRun?: boolean;
}) {
  if (error === null || error === undefined) return null;
  if (!(error instanceof RequestError)) return <p className="fault">{String(error)}</p>;
  const { problem, status } = error;
  const isLost = !isDryRun && isUncertain(error);
  if (status === 401) return <SessionFailure />;
  return (
    <div className="banner" data-tone="bad" role="alert">
      <div>
        <strong>{isLost ? 'The change may have been made' : (problem?.title ?? error.message)}</strong>
        {problem === null && isLost ? <p>{error.message} Look at the page before you repeat it.</p> : null}
        {problem?.detail === undefined || (problem.errors ?? []).length > 0 ? null : <p>{problem.detail}</p>}
        <Faults faults={problem?.errors ?? []} />
        <RequestLine error={error} />
      </div>
    </div>
  );
}

function Faults({ faults }: { readonly faults: NonNullable<Problem['errors']> }) {
  if (faults.length === 0) return null;
  return (
    <ul>
      {faults.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}
