import { RequestError } from '../api/http.ts';
import { RequestLine } from './states.tsx';

/** Why a write was refused, with every fault that the server names. */
export function WriteFailure({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  if (!(error instanceof RequestError)) return <p className="fault">{String(error)}</p>;
  const { problem, code } = error;
  return (
    <div className="banner" data-tone="bad" role="alert">
      <div>
        <strong>
          {code === 'outcome_unknown' || code === 'unreachable'
            ? 'The change may have been made'
            : (problem?.title ?? error.message)}
        </strong>
        {code === 'unreachable' ? <p>{error.message} Look at the page before you repeat it.</p> : null}
        {problem?.detail === undefined || (problem.errors ?? []).length > 0 ? null : <p>{problem.detail}</p>}
        <ul>
          {(problem?.errors ?? []).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
        <RequestLine error={error} />
      </div>
    </div>
  );
}
